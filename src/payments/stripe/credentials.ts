/** What Stripe wants to know of a merchant, and what of it the pay page may know. */
import { z } from 'zod';
import type { Mode } from '../../domain/session.ts';
import type { Credentials, PlainCredentials, Tokenization } from '../ports.ts';

const key = (kinds: string, mode: Mode) => z.string().regex(new RegExp(`^(?:${kinds})_${mode}_[A-Za-z0-9_]{10,240}$`));

/**
 * `secret_key`: of the merchant's own account, restricted or not, or of a platform that the account in `account_id` is
 * connected to. `publishable_key`: for the pay page; without it there is no card field there. The mode stands in a
 * key's prefix (docs.stripe.com/keys).
 */
export function stripeCredentials(mode: Mode): z.ZodType<PlainCredentials> {
  return z.strictObject({
    secret_key: key('sk|rk', mode),
    publishable_key: key('pk', mode).optional(),
    account_id: z
      .string()
      .regex(/^acct_[A-Za-z0-9]{1,64}$/)
      .optional(),
  }) as z.ZodType<PlainCredentials>;
}

export function stripeTokenization(mode: Mode, { publishable_key: publicKey }: Credentials): Tokenization | null {
  if (publicKey === undefined) return null;
  return publicKey.reveal((text) => ({ processor: 'stripe', publicKey: text, locationId: null, environment: mode }));
}
