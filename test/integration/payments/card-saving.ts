/** Payments with the caller's consent to save the card, processors that save it, and the rows written about it. */
import { randomBytes } from 'node:crypto';
import { listCards } from '../../../src/db/cards/cards.ts';
import type { Database, Sql } from '../../../src/db/pool.ts';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import type { CardConsent, SavedCard } from '../../../src/domain/instrument.ts';
import { createVault } from '../../../src/lib/vault/vault.ts';
import { type PaymentResult, takePayment } from '../../../src/payments/charges/take-payment.ts';
import type { ProcessorAnswer } from '../../../src/payments/port/answers.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import type { CardWallet } from '../../../src/payments/port/saved-cards.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import type { PaymentCard } from '../../../src/payments/shared/card.ts';
import type { TestMerchant } from '../../support/test-merchants.ts';
import { createTestPayments, FAST_SANDBOX, paymentRequest, type TestPayments } from './test-payments.ts';

export const VAULT = createVault([randomBytes(32)]);
export const CALLER = '+15550101234';
export const CONSENT: CardConsent = {
  channel: 'phone',
  callId: null,
  wordingId: 'keep_card.1',
  language: 'en-US',
  wording: 'To keep this card for next time, press one. To pay without keeping it, press two.',
};

/** Payments that can save cards. */
export function createCardSavingPayments(
  database: Database,
  options: Parameters<typeof createTestPayments>[1] = {},
): TestPayments {
  return createTestPayments(database, { vault: VAULT, ...options });
}

/** Takes a payment with the caller's consent to save the card. */
export function payWithConsent(
  payments: TestPayments,
  merchant: TestMerchant,
  sessionId: CheckoutSessionId,
  card: PaymentCard,
): Promise<PaymentResult> {
  return takePayment(payments, { ...paymentRequest(merchant, sessionId, card), consent: CONSENT });
}

/** The caller's saved cards at the merchant that can be charged. */
export async function listSavedCards(sql: Sql, merchant: TestMerchant, callerPhone = CALLER): Promise<SavedCard[]> {
  const who = { callerPhone, merchantId: merchant.merchantId, at: new Date() };
  return (await listCards(sql, merchant, who, { limit: 50, startingAfter: null }))?.items ?? [];
}

export async function listConsents(sql: Sql, { merchantId }: TestMerchant) {
  return (await sql.query('select * from card_consents where merchant_id = $1 order by id', [merchantId])).rows;
}

export async function listCardRemovals(sql: Sql, { merchantId }: TestMerchant) {
  return (await sql.query('select * from card_removals where merchant_id = $1 order by id', [merchantId])).rows;
}

/** An abort signal that never fires. */
export const neverAborted = new AbortController().signal;

/** For `afterEach`: closes consents that are still to be handled, so that the next test does not find them. */
export async function closePendingConsents(sql: Sql): Promise<void> {
  await sql.query(`update card_consents set status = 'not_kept' where status = 'agreed'`);
}

/** The sandbox with changes to its wallet or its answers. */
export function sandboxWith(
  sql: Sql,
  change: { wallet?: Partial<CardWallet>; answer?: (answer: ProcessorAnswer) => ProcessorAnswer },
): Processor {
  const sandbox = createSandbox(sql, FAST_SANDBOX);
  if (sandbox.wallet === null) throw new Error('the sandbox has a wallet');
  const { answer = (same) => same } = change;
  return {
    ...sandbox,
    wallet: { ...sandbox.wallet, ...change.wallet },
    charge: async (request, signal) => answer(await sandbox.charge(request, signal)),
  };
}

/** The sandbox, saving cards after the charge instead of with it, as Square does. */
export function sandboxSavingLater(sql: Sql, wallet: Partial<CardWallet> = {}): Processor {
  return sandboxWith(sql, {
    wallet,
    answer: (answer) => {
      if (answer.status !== 'succeeded') return answer;
      const { savedCard: _, ...rest } = answer;
      return rest;
    },
  });
}
