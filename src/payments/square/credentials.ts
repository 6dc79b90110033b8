/** The schema of a merchant's Square credentials, and the public part for the pay page. */
import { z } from 'zod';
import type { Mode } from '../../domain/session.ts';
import type { Credentials } from '../port/credentials.ts';
import type { Tokenization } from '../port/page.ts';
import { plainOf } from '../vendor-api/faults.ts';

/**
 * `access_token`: of the merchant, from OAuth or the Developer Console. `application_id`: of the token's application,
 * in the sandbox with the prefix `sandbox-` (developer.squareup.com/docs/build-basics/access-tokens). `location_id`:
 * where the payments are taken.
 */
export function squareCredentials(mode: Mode) {
  const prefix = mode === 'test' ? 'sandbox-' : '';
  return z.strictObject({
    access_token: z.string().regex(/^[\w-]{20,1024}$/),
    application_id: z.string().regex(new RegExp(`^${prefix}sq0id[bp]-[\\w-]{10,60}$`)),
    location_id: z.string().regex(/^[A-Z0-9]{8,50}$/),
  });
}

/** Null for credentials without this mode's format. */
export function squareTokenization(mode: Mode, credentials: Credentials): Tokenization | null {
  const { data } = squareCredentials(mode).safeParse(plainOf(credentials));
  if (data === undefined) return null;
  const environment = mode === 'test' ? 'sandbox' : 'production';
  return { processor: 'square', publicKey: data.application_id, locationId: data.location_id, environment };
}
