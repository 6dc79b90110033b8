/** The schema of a merchant's Stripe credentials, and the public part for the pay page. */
import { z } from 'zod';
import type { Mode } from '../../domain/session.ts';
import type { Credentials, PlainCredentials } from '../port/credentials.ts';
import type { Tokenization } from '../port/page.ts';

const key = (kinds: string, mode: Mode) => z.string().regex(new RegExp(`^(?:${kinds})_${mode}_[A-Za-z0-9_]{10,240}$`));

/**
 * `secret_key`: of the merchant's own account, restricted or not, or of a platform with the connected account in
 * `account_id`. `publishable_key`: for the pay page, which has no card field without it. A key's prefix shows its mode
 * (docs.stripe.com/keys).
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

/** `locationId`: the connected account for which Stripe.js creates tokens; null for the key's own account. */
export function stripeTokenization(mode: Mode, credentials: Credentials): Tokenization | null {
  const { publishable_key: publicKey, account_id: account } = credentials;
  if (publicKey === undefined) return null;
  const locationId = account?.reveal(String) ?? null;
  return { processor: 'stripe', publicKey: publicKey.reveal(String), locationId, environment: mode };
}
