/** Payments at Checkout.com: cards keyed on the phone as MOTO payments, saved instruments, and tokens. Plain HTTP. */
import { z } from 'zod';
import { newId } from '../../domain/ids.ts';
import type { ProcessorAccess } from '../port/credentials.ts';
import type { ConnectionCheck, Processor } from '../port/processor.ts';
import { CHECKOUT_COM_TOKEN, chargeCheckoutCom, lookUpCheckoutCom } from './charge.ts';
import { checkoutComAt, type OpenCheckoutCom } from './client.ts';
import { checkoutComCredentials, checkoutComTokenization } from './credentials.ts';
import { checkoutComDisputes } from './disputes.ts';
import { faultOf } from './errors.ts';
import { checkoutComHolds } from './holds.ts';
import { checkoutComNotifications } from './notifications.ts';
import { checkoutComRefunds } from './refunds.ts';
import { CHECKOUTCOM_TEST_DATA } from './test-data.ts';
import { checkoutComWallet } from './wallet.ts';

interface CheckoutComOptions {
  /** Replaces the vendor's hosts in tests. */
  testServer?: string;
}

/** Checkout.com publishes no limit for its list. This is long: a charge that is missing after it counts as failed. */
const LOOK_UP_LAG_MS = 600_000;

export function createCheckoutCom({ testServer }: CheckoutComOptions = {}): Processor {
  const open = checkoutComAt(testServer);
  return {
    name: 'checkoutcom',
    can: {
      keypad: true,
      savedCards: true,
      verifiesCards: true,
      pageTokens: true,
      wallets: false,
      namesWallets: false,
      pageKeypad: false,
    },
    modes: ['test', 'live'],
    lookUpLagMs: LOOK_UP_LAG_MS,
    credentialsSchema: checkoutComCredentials,
    needsCredentials: true,
    testData: CHECKOUTCOM_TEST_DATA,
    wallet: checkoutComWallet(open),
    refunds: checkoutComRefunds(open),
    holds: checkoutComHolds(open),
    // Its list can be filtered by reference only.
    records: null,
    notifications: checkoutComNotifications(open),
    disputes: checkoutComDisputes(open),
    actions: null,
    tokenForm: CHECKOUT_COM_TOKEN,
    tokenization: checkoutComTokenization,
    // Integrators create tokens with Checkout.com's scripts on their own pages. Ours has no card fields: Frames, which
    // returned tokens, was deprecated on June 30, 2026 (checkout.com/docs, "Frames reference"). Flow, its successor, submits
    // payments in a session that is created before the payer has typed anything.
    page: () => null,
    checkConnection: (mode, credentials, signal) => checkConnection(open, { mode, credentials }, signal),
    charge: (request, signal) => chargeCheckoutCom(open, request, signal),
    lookUp: (request, signal) => lookUpCheckoutCom(open, request, signal),
  };
}

/** Looks up a charge that does not exist. Whether the account can take MOTO payments cannot be read. */
async function checkConnection(
  open: OpenCheckoutCom,
  access: ProcessorAccess,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  try {
    const api = await open(access, signal);
    const path = `/payments?${new URLSearchParams({ reference: newId('Charge'), limit: '1' })}`;
    await api.ask('GET', path, z.object({ total_count: z.number() }));
    return { status: 'ok' };
  } catch (error) {
    const fault = faultOf(error);
    // 403: the key cannot read payments, so a lost answer could never be looked up.
    const isForbidden = fault.kind === 'refused' && fault.code === 'http_403';
    if (isForbidden) return { status: 'not_provisioned' };
    return { status: fault.kind === 'credentials' ? 'invalid' : 'unavailable' };
  }
}
