/** The schema of a merchant's credentials at Access Worldpay, and the public part for the pay page. */
import { z } from 'zod';
import type { Mode } from '../../domain/session.ts';
import type { Credentials, PlainCredentials } from '../port/credentials.ts';
import type { Tokenization } from '../port/page.ts';
import { plainOf } from '../vendor-api/faults.ts';

const SCHEMA = z.strictObject({
  username: z.string().regex(/^[\x21-\x39\x3b-\x7e]{1,128}$/),
  password: z.string().regex(/^[\x21-\x7e]{1,256}$/),
  entity: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 ]{0,31}$/),
  narrative: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 .-]{0,23}$/),
  checkout_id: z
    .string()
    .regex(/^[A-Za-z0-9-]{8,64}$/)
    .optional(),
});

export type WorldpayCredentials = z.infer<typeof SCHEMA>;

/**
 * `username`, `password`: for HTTP Basic authentication. `entity`: "Used to route the request in Access Worldpay, created as
 * part of on-boarding". `narrative`: what the payer reads on the statement, "line1 is mandatory", 24 characters
 * (docs.worldpay.com/access/products/reference/formatting). `checkout_id`: "you receive this from your Worldpay
 * Implementation Manager as part of onboarding", for the pay page (docs.worldpay.com/access/products/checkout). The credentials
 * do not show their mode, but each mode has a host of its own.
 */
export const worldpayCredentials = (): z.ZodType<WorldpayCredentials & PlainCredentials> =>
  SCHEMA as unknown as z.ZodType<WorldpayCredentials & PlainCredentials>;

export function worldpayTokenization(mode: Mode, credentials: Credentials): Tokenization | null {
  const { data } = SCHEMA.safeParse(plainOf(credentials));
  if (data?.checkout_id === undefined) return null;
  const environment = mode === 'test' ? 'try' : 'live';
  return { processor: 'worldpay', publicKey: data.checkout_id, locationId: null, environment };
}
