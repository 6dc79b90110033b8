/** The schema of a merchant's Hyperswitch account: the address of its server, an API key, and the connector. */
import { z } from 'zod';
import type { Mode } from '../../domain/session.ts';
import type { PlainCredentials } from '../port/credentials.ts';
import { isCardUrl } from '../vendor-api/merchant-url.ts';

/** What tests change. */
export interface HyperswitchOptions {
  /** Allows servers at private addresses, and without TLS. */
  privateTargets?: boolean;
}

const MAX_URL_LENGTH = 500;

/**
 * The connectors that tell their processor that the payment is a telephone order: those whose request depends on
 * `payment_channel` (github.com/juspay/hyperswitch, crates/hyperswitch_connectors/src/connectors/<name>/transformers.rs:
 * `AdyenShopperInteraction::Moto`, `CheckoutPaymentType::Moto`, Vantiv's `OrderSource::Telephone`).
 * Others would send a keyed card as an ecommerce payment.
 */
export const TELEPHONE_CONNECTORS = ['adyen', 'checkout', 'worldpayvantiv'] as const;

/** "Three letter (lowercase) prefix corresponding to the current environment" of a server (crates/router_env/src/env.rs). */
const KEYS: Readonly<Record<Mode, RegExp>> = {
  test: /^(?:dev|snd)_[A-Za-z0-9]{16,128}$/,
  live: /^prd_[A-Za-z0-9]{16,128}$/,
};

const schemaOf = (mode: Mode, privateTargets: boolean) =>
  z.strictObject({
    base_url: z
      .string()
      .max(MAX_URL_LENGTH)
      .refine((text) => isCardUrl(text, privateTargets) && new URL(text).search === ''),
    api_key: z.string().regex(KEYS[mode]),
    connector: z.enum(TELEPHONE_CONNECTORS),
    profile_id: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .optional(),
  });

export type HyperswitchCredentials = z.infer<ReturnType<typeof schemaOf>>;

export const hyperswitchCredentials = (
  mode: Mode,
  { privateTargets = false }: HyperswitchOptions,
): z.ZodType<HyperswitchCredentials & PlainCredentials> =>
  schemaOf(mode, privateTargets) as unknown as z.ZodType<HyperswitchCredentials & PlainCredentials>;
