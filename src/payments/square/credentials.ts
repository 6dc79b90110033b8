/** The schema of a merchant's Square credentials, and the public part for the pay page. */
import { z } from 'zod';
import type { Mode } from '../../domain/session.ts';
import type { Credentials, PlainCredentials, Tokenization } from '../ports.ts';

export interface SquareCredentials {
  access_token: string;
  application_id: string;
  location_id: string;
}

/**
 * `access_token`: of the merchant, from OAuth or the Developer Console. `application_id`: of the application that it was
 * made for, in the sandbox with `sandbox-` before it (developer.squareup.com/docs/build-basics/access-tokens).
 * `location_id`: where the payments are taken.
 */
export function squareCredentials(mode: Mode): z.ZodType<SquareCredentials & PlainCredentials> {
  const prefix = mode === 'test' ? 'sandbox-' : '';
  return z.strictObject({
    access_token: z.string().regex(/^[\w-]{20,1024}$/),
    application_id: z.string().regex(new RegExp(`^${prefix}sq0id[bp]-[\\w-]{10,60}$`)),
    location_id: z.string().regex(/^[A-Z0-9]{8,50}$/),
  });
}

/** In the clear, for one call; null when they are not of this mode's form. */
export function revealSquare(mode: Mode, credentials: Credentials): SquareCredentials | null {
  const plain = Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name, value.reveal(String)]));
  return squareCredentials(mode).safeParse(plain).data ?? null;
}

export function squareTokenization(mode: Mode, credentials: Credentials): Tokenization | null {
  const known = revealSquare(mode, credentials);
  if (known === null) return null;
  const environment = mode === 'test' ? 'sandbox' : 'production';
  return { processor: 'square', publicKey: known.application_id, locationId: known.location_id, environment };
}
