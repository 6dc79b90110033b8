/** Payments at Access Worldpay: cards keyed on the phone as MOTO payments, and saved cards as tokens. Plain HTTP. */
import { newId } from '../../domain/ids.ts';
import type { ProcessorAccess } from '../port/credentials.ts';
import type { ConnectionCheck, Processor } from '../port/processor.ts';
import { chargeWorldpay, lookUpWorldpay, WORLDPAY_SESSION } from './charge.ts';
import { type OpenWorldpay, WORLDPAY_URLS, type WorldpayUrls, worldpayAt } from './client.ts';
import { worldpayCredentials, worldpayTokenization } from './credentials.ts';
import { faultOf } from './errors.ts';
import { worldpayHolds } from './holds.ts';
import { worldpayNotifications } from './notifications.ts';
import { worldpayPage } from './page.ts';
import { findPayments } from './payments.ts';
import { EVENTS_LAG_MS, worldpayRefunds } from './refunds.ts';
import { WORLDPAY_TEST_DATA } from './test-data.ts';
import { worldpayWallet } from './wallet.ts';

interface WorldpayOptions {
  urls?: WorldpayUrls;
}

export function createWorldpay({ urls = WORLDPAY_URLS }: WorldpayOptions = {}): Processor {
  const open = worldpayAt(urls);
  return {
    name: 'worldpay',
    can: {
      keypad: true,
      savedCards: true,
      merchantInitiated: true,
      pageTokens: true,
      wallets: false,
      namesWallets: false,
      pageKeypad: false,
    },
    modes: ['test', 'live'],
    // Payment Queries publishes a delay of 60 s, the older query of events one of 15 minutes.
    lookUpLagMs: EVENTS_LAG_MS,
    credentialsSchema: worldpayCredentials,
    needsCredentials: true,
    testData: WORLDPAY_TEST_DATA,
    wallet: worldpayWallet(open),
    refunds: worldpayRefunds(open),
    holds: worldpayHolds(open),
    records: null,
    notifications: worldpayNotifications(open),
    actions: null,
    tokenForm: WORLDPAY_SESSION,
    tokenization: worldpayTokenization,
    page: worldpayPage,
    checkConnection: (mode, credentials, signal) => checkConnection(open, { mode, credentials }, signal),
    charge: (request, signal) => chargeWorldpay(open, request, signal),
    lookUp: (request, signal) => lookUpWorldpay(open, request, signal),
  };
}

/** Looks up a charge that does not exist. The entity, and whether it takes MOTO payments, cannot be checked. */
async function checkConnection(
  open: OpenWorldpay,
  access: ProcessorAccess,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  try {
    await findPayments(await open(access, signal), newId('Charge'));
    return { status: 'ok' };
  } catch (error) {
    const { kind } = faultOf(error);
    // Without Payment Queries, a lost answer could never be looked up, nor a payment refunded.
    if (kind === 'refused') return { status: 'not_provisioned' };
    return { status: kind === 'credentials' ? 'invalid' : 'unavailable' };
  }
}
