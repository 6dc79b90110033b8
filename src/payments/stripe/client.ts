/** Opens a Stripe client for one call: with the merchant's credentials, the caller's time limit and no retries. */
import type Stripe from 'stripe';
import type { KeyedCard } from '../../flow/effects.ts';
import type { ProcessorAccess } from '../port/credentials.ts';
import type { CardPlaces } from '../vendor-api/card-request.ts';
import { revealCredentials } from '../vendor-api/faults.ts';
import { withoutRetry } from '../vendor-api/no-retry.ts';
import { cardSender } from './card-sender.ts';
import { stripeCredentials } from './credentials.ts';

/** Stripe's address. Tests pass the address of a fake server. */
export interface StripeAddress {
  host: string;
  port: number;
  protocol: 'http' | 'https';
}

export const STRIPE_ADDRESS: StripeAddress = { host: 'api.stripe.com', port: 443, protocol: 'https' };

/** The version of the installed package's types: the compiler rejects another. */
export const API_VERSION = '2026-10-28.endive';
/** Longer than all our time limits. The signal ends the request sooner. */
const TIMEOUT_MS = 60_000;

interface ClientOptions {
  /** Called with each answer. */
  onAnswer?: (answer: Response) => void;
  /** The card that the request carries, and its placeholders. */
  keyed?: { card: KeyedCard; places: CardPlaces } | undefined;
}

/** Opens a client for one call. @throws UnusableCredentials */
export type OpenStripe = (access: ProcessorAccess, signal: AbortSignal, options?: ClientOptions) => Promise<Stripe>;

/** Loads the package on first use: a process whose merchants do not use Stripe saves 20 MB. */
export function stripeAt(address: StripeAddress): OpenStripe {
  return async ({ mode, credentials }, signal, { onAnswer, keyed } = {}) => {
    const { secret_key: secretKey = '', account_id: accountId } = revealCredentials(
      stripeCredentials(mode),
      credentials,
    );
    const { default: StripeClient } = await import('stripe');
    return new StripeClient(secretKey, {
      ...address,
      apiVersion: API_VERSION,
      timeout: TIMEOUT_MS,
      maxNetworkRetries: 0,
      telemetry: false,
      httpClient:
        keyed === undefined
          ? StripeClient.createFetchHttpClient(withoutRetry(signal, onAnswer))
          : cardSender(keyed.places, keyed.card, signal),
      ...(accountId !== undefined && { stripeAccount: accountId }),
    });
  };
}
