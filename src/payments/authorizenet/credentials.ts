/** The schema of a merchant's Authorize.net credentials, and the public part for Accept.js. */
import { z } from 'zod';
import type { Mode } from '../../domain/session.ts';
import type { Credentials, PlainCredentials } from '../port/credentials.ts';
import type { Tokenization } from '../port/page.ts';
import { plainOf } from '../vendor-api/faults.ts';

const SCHEMA = z.strictObject({
  api_login_id: z.string().regex(/^[\x21-\x7e]{1,25}$/),
  transaction_key: z.string().regex(/^[A-Za-z0-9]{16}$/),
  public_client_key: z
    .string()
    .regex(/^[A-Za-z0-9]{20,255}$/)
    .optional(),
});

type AuthorizeNetCredentials = z.infer<typeof SCHEMA>;

/**
 * `api_login_id`, `transaction_key`: of the merchant's account (developer.authorize.net/api/reference, "merchantAuthentication").
 * `public_client_key`: for Accept.js. The credentials do not show their mode, but each mode has a host of its own, which
 * rejects those of the other (developer.authorize.net/hello_world/testing_guide).
 */
export const authorizeNetCredentials = (): z.ZodType<AuthorizeNetCredentials & PlainCredentials> =>
  SCHEMA as unknown as z.ZodType<AuthorizeNetCredentials & PlainCredentials>;

/** `locationId`: the API login ID, which Accept.js needs beside the key. */
export function authorizeNetTokenization(mode: Mode, credentials: Credentials): Tokenization | null {
  const { data } = SCHEMA.safeParse(plainOf(credentials));
  if (data?.public_client_key === undefined) return null;
  const environment = mode === 'test' ? 'sandbox' : 'production';
  return { processor: 'authorizenet', publicKey: data.public_client_key, locationId: data.api_login_id, environment };
}
