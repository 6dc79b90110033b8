/** Payments at Adyen: cards keyed on the phone as MOTO payments, and saved cards. Plain HTTP: the package has 33 MB. */
import { z } from 'zod';
import type { ProcessorAccess } from '../port/credentials.ts';
import type { ConnectionCheck, Processor } from '../port/processor.ts';
import { adyenActions } from './actions.ts';
import { ADYEN_CARD, chargeAdyen } from './charge.ts';
import { adyenAt, type OpenAdyen } from './client.ts';
import { adyenCredentials, adyenTokenization } from './credentials.ts';
import { faultOf } from './errors.ts';
import { adyenHistories } from './history.ts';
import { adyenHolds } from './holds.ts';
import { lookUpAdyen } from './look-up.ts';
import { adyenNotifications } from './notifications.ts';
import type { NotifiedOutcomes } from './outcomes.ts';
import { adyenPage } from './page.ts';
import type { PayerAnswers } from './payer-answers.ts';
import { adyenPayouts } from './payouts.ts';
import { adyenRefunds } from './refunds.ts';
import { ADYEN_TEST_DATA } from './test-data.ts';
import { adyenWallet } from './wallet.ts';

interface AdyenOptions {
  /** Null if no notifications are taken: then nothing is known of refunds and captures, so there are none. */
  outcomes: NotifiedOutcomes | null;
  /** Absent if the pay page shows no 3-D Secure. */
  answers?: PayerAnswers;
  /** Replaces the vendor's hosts in tests. */
  testServer?: string;
}

export function createAdyen({ outcomes, answers, testServer }: AdyenOptions): Processor {
  const open = adyenAt(testServer);
  const actions = outcomes === null || answers === undefined ? null : adyenActions({ open, outcomes, answers });
  return {
    name: 'adyen',
    can: {
      keypad: true,
      savedCards: true,
      merchantInitiated: true,
      verifiesCards: true,
      verifiesTokens: true,
      pageTokens: true,
      wallets: false,
      namesWallets: false,
      pageKeypad: false,
    },
    modes: ['test', 'live'],
    // A lookup never says that a charge is missing.
    lookUpLagMs: 0,
    credentialsSchema: adyenCredentials,
    needsCredentials: true,
    testData: ADYEN_TEST_DATA,
    wallet: adyenWallet(open),
    refunds: outcomes === null ? null : adyenRefunds(open, outcomes),
    holds: outcomes === null ? null : adyenHolds(open, outcomes),
    records: null,
    notifications:
      outcomes === null ? null : { ...adyenNotifications(outcomes), histories: adyenHistories(open, outcomes) },
    // Only notifications name the reports.
    ...(outcomes !== null && { payouts: adyenPayouts(open) }),
    actions,
    tokenForm: ADYEN_CARD,
    tokenization: adyenTokenization,
    page: adyenPage,
    checkConnection: (mode, credentials, signal) => checkConnection(open, { mode, credentials }, signal),
    charge: (request, signal) => chargeAdyen(open, request, signal, { asks: actions !== null }),
    lookUp: (request, signal) => lookUpAdyen({ open, outcomes, answers }, request, signal),
  };
}

/** Whether the account takes MOTO payments and raw card data cannot be read. */
async function checkConnection(
  open: OpenAdyen,
  access: ProcessorAccess,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  try {
    const api = await open(access, signal);
    const body = { merchantAccount: api.settings.merchant_account };
    await api.ask('POST', '/paymentMethods', z.object({ paymentMethods: z.array(z.unknown()).optional() }), { body });
    return { status: 'ok' };
  } catch (error) {
    const { kind } = faultOf(error);
    // 403, 901: the merchant account is unknown, or not the key's.
    return { status: kind === 'credentials' || kind === 'refused' ? 'invalid' : 'unavailable' };
  }
}
