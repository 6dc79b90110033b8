/** The schema of a merchant's Checkout.com credentials, and the public part for its scripts. */
import { z } from 'zod';
import type { Mode } from '../../domain/session.ts';
import type { Credentials, PlainCredentials } from '../port/credentials.ts';
import type { Tokenization } from '../port/page.ts';
import { plainOf } from '../vendor-api/faults.ts';

/** A key shows its mode (github.com/checkout/checkout-sdk-node, config.js). */
const key = (kind: 'sk' | 'pk', mode: Mode) =>
  z.string().regex(new RegExp(`^${kind}_${mode === 'test' ? 'sbox_' : ''}[a-z2-7]{26}[a-z2-7*#$=]$`));

const schemaOf = (mode: Mode) =>
  z.strictObject({
    secret_key: key('sk', mode),
    public_key: key('pk', mode).optional(),
    processing_channel_id: z
      .string()
      .regex(/^pc_[a-z2-7]{26}$/)
      .optional(),
    prefix: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,62}$/)
      .optional(),
  });

export type CheckoutComCredentials = z.infer<ReturnType<typeof schemaOf>>;

/**
 * `secret_key`: of the account. `processing_channel_id`: where its payments are processed, if it has several. `prefix`: of the
 * account's own address, `{prefix}.api.checkout.com` (checkout.com/docs, "API endpoints"). `public_key`: for tokens.
 */
export const checkoutComCredentials = (mode: Mode): z.ZodType<CheckoutComCredentials & PlainCredentials> =>
  schemaOf(mode) as unknown as z.ZodType<CheckoutComCredentials & PlainCredentials>;

export function checkoutComTokenization(mode: Mode, credentials: Credentials): Tokenization | null {
  const { data } = schemaOf(mode).safeParse(plainOf(credentials));
  if (data?.public_key === undefined) return null;
  const environment = mode === 'test' ? 'sandbox' : 'production';
  return { processor: 'checkoutcom', publicKey: data.public_key, locationId: null, environment };
}
