/** Opens a Stripe client for one call: with the merchant's credentials, the caller's time limit and no retries. */
import Stripe from 'stripe';
import type { Mode } from '../../domain/session.ts';
import { withoutRetry } from '../no-retry.ts';
import type { Credentials } from '../ports.ts';
import type { StripeAddress } from './address.ts';
import { stripeCredentials } from './credentials.ts';

/** The version that the types of the installed package describe: the compiler refuses another. */
const API_VERSION = '2026-10-28.endive';
/** Longer than every time limit of ours: the signal ends the request sooner. */
const TIMEOUT_MS = 60_000;

/** The credentials have not the form of this mode's. Nothing was sent. */
export class UnusableCredentials extends Error {
  constructor() {
    super('the stored Stripe credentials are unusable');
    this.name = 'UnusableCredentials';
  }
}

/** @throws UnusableCredentials */
export function openStripe(
  address: StripeAddress,
  mode: Mode,
  credentials: Credentials,
  signal: AbortSignal,
  onAnswer?: (answer: Response) => void,
): Stripe {
  const plain = Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name, value.reveal(String)]));
  const { success } = stripeCredentials(mode).safeParse(plain);
  const { secret_key: secretKey, account_id: accountId } = plain;
  if (!success || secretKey === undefined) throw new UnusableCredentials();
  return new Stripe(secretKey, {
    ...address,
    apiVersion: API_VERSION,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(withoutRetry(signal, onAnswer)),
    ...(accountId !== undefined && { stripeAccount: accountId }),
  });
}
