/** Payments at a merchant's own Hyperswitch server: cards keyed on the phone, refunds and holds. Plain HTTP. */
import { newId } from '../../domain/ids.ts';
import type { ProcessorAccess } from '../port/credentials.ts';
import type { ConnectionCheck, Processor } from '../port/processor.ts';
import { chargeHyperswitch, lookUpHyperswitch } from './charge.ts';
import { hyperswitches, type OpenHyperswitch } from './client.ts';
import { type HyperswitchOptions, hyperswitchCredentials } from './credentials.ts';
import { hyperswitchDisputes } from './disputes.ts';
import { faultOf, isError, MISSING } from './errors.ts';
import { hyperswitchHolds } from './holds.ts';
import { hyperswitchNotifications } from './notifications.ts';
import { paymentIdOf, readPayment } from './payments.ts';
import { hyperswitchRefunds } from './refunds.ts';
import { HYPERSWITCH_TEST_DATA } from './test-data.ts';

/** Hyperswitch reads its own writes. This is for a request that was still on its way. */
const LOOK_UP_LAG_MS = 120_000;

export function createHyperswitch(options: HyperswitchOptions = {}): Processor {
  const open = hyperswitches(options);
  return {
    name: 'hyperswitch',
    can: {
      keypad: true,
      savedCards: false,
      pageTokens: false,
      wallets: false,
      namesWallets: false,
      pageKeypad: false,
    },
    modes: ['test', 'live'],
    lookUpLagMs: LOOK_UP_LAG_MS,
    credentialsSchema: (mode) => hyperswitchCredentials(mode, options),
    needsCredentials: true,
    testData: HYPERSWITCH_TEST_DATA,
    wallet: null,
    refunds: hyperswitchRefunds(open),
    holds: hyperswitchHolds(open),
    records: null,
    notifications: hyperswitchNotifications(open),
    disputes: hyperswitchDisputes(open),
    actions: null,
    tokenForm: /^(?!)/,
    tokenization: () => null,
    page: () => null,
    checkConnection: (mode, credentials, signal) => checkConnection(open, { mode, credentials }, signal),
    charge: (request, signal) => chargeHyperswitch(open, request, signal),
    lookUp: (request, signal) => lookUpHyperswitch(open, request, signal),
  };
}

/** Reads a payment that does not exist. Whether the connector is configured can only be seen from a payment. */
async function checkConnection(
  open: OpenHyperswitch,
  access: ProcessorAccess,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  try {
    await readPayment(await open(access, signal), paymentIdOf(newId('Charge')));
    return { status: 'unavailable' };
  } catch (error) {
    if (isError(error, MISSING)) return { status: 'ok' };
    return { status: faultOf(error).kind === 'credentials' ? 'invalid' : 'unavailable' };
  }
}
