/** The schema of a merchant's Braintree credentials, and the public part for its scripts. */
import { z } from 'zod';
import { CURRENCIES } from '../../domain/money.ts';
import type { Mode } from '../../domain/session.ts';
import type { Credentials, PlainCredentials } from '../port/credentials.ts';
import type { Tokenization } from '../port/page.ts';
import { plainOf } from '../vendor-api/faults.ts';

/** A tokenization key shows its mode (developer.paypal.com/braintree/docs/guides/authorization/tokenization-key). */
const tokenizationKey = (mode: Mode) =>
  z.string().regex(mode === 'test' ? /^sandbox_[a-z0-9]+_[a-z0-9]+$/ : /^production_[a-z0-9]+_[a-z0-9]+$/);

const schemaOf = (mode: Mode) =>
  z.strictObject({
    public_key: z.string().regex(/^[a-z0-9]{16}$/),
    private_key: z.string().regex(/^[a-f0-9]{32}$/),
    merchant_account_id: z.string().regex(/^[\w-]{1,64}$/),
    currency: z.enum(CURRENCIES),
    tokenization_key: tokenizationKey(mode).optional(),
  });

export type BraintreeCredentials = z.infer<ReturnType<typeof schemaOf>>;

/**
 * `public_key`, `private_key`: an API key of the account. They do not show their mode, but each mode has a host of its own,
 * which rejects those of the other. `merchant_account_id`: takes the payments. `currency`: of this merchant account. A
 * request names no currency, so a charge in another would take another amount (TransactionInput.merchantAccountId).
 * `tokenization_key`: for tokens.
 */
export const braintreeCredentials = (mode: Mode): z.ZodType<BraintreeCredentials & PlainCredentials> =>
  schemaOf(mode) as unknown as z.ZodType<BraintreeCredentials & PlainCredentials>;

export function braintreeTokenization(mode: Mode, credentials: Credentials): Tokenization | null {
  const { data } = schemaOf(mode).safeParse(plainOf(credentials));
  if (data?.tokenization_key === undefined) return null;
  const environment = mode === 'test' ? 'sandbox' : 'production';
  return { processor: 'braintree', publicKey: data.tokenization_key, locationId: null, environment };
}
