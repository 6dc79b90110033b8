/** The processor of test mode: test money in its own table, so that its payments survive our crashes. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../db/pool.ts';
import { expiryParts } from '../../domain/card.ts';
import { randomToken } from '../../domain/ids.ts';
import { Secret } from '../../domain/secret.ts';
import { type NotFound, type ProcessorAnswer, unknown } from '../port/answers.ts';
import type { ChargeRequest, LookupRequest, PayableCard } from '../port/charges.ts';
import type { Processor } from '../port/processor.ts';
import { sandboxActions } from './actions.ts';
import { answerOf, unreachable } from './answers.ts';
import {
  type Behaviour,
  SANDBOX_TOKEN,
  type TestCard,
  testCardByHandle,
  testCardByNumber,
  testCardByToken,
} from './cards.ts';
import { sandboxDebits, unsettledDebit } from './debits.ts';
import { openSandboxDispute, sandboxDisputes } from './disputes.ts';
import { holdMsOf, sandboxHolds } from './holds.ts';
import { refundElsewhereLater } from './later-refunds.ts';
import { findSandboxPayment, insertSandboxPayment, type SandboxPayment } from './ledger.ts';
import { sandboxNotifications } from './notifications.ts';
import { payOutLater, sandboxPayouts } from './payouts.ts';
import { sandboxRecords } from './records.ts';
import { sandboxRefunds } from './refunds.ts';
import { type SandboxTimings, TIMINGS } from './timings.ts';
import { checkSandbox, factsOf, PAGE_EXPIRY, SANDBOX_CREDENTIALS, sandboxWallet } from './wallet.ts';

const TIMED_OUT = unknown('timeout');

/** The sandbox as a payment processor. @param sql the database of `sandbox_payments` and `sandbox_refunds` */
export function createSandbox(sql: Sql, timings: Partial<SandboxTimings> = {}): Processor {
  const times = { ...TIMINGS, ...timings };
  return {
    name: 'sandbox',
    can: {
      keypad: true,
      savedCards: true,
      merchantInitiated: true,
      verifiesCards: true,
      verifiesTokens: true,
      pageTokens: true,
      wallets: true,
      namesWallets: false,
      pageKeypad: true,
    },
    modes: ['test'],
    lookUpLagMs: 0,
    credentialsSchema: () => SANDBOX_CREDENTIALS,
    needsCredentials: false,
    wallet: sandboxWallet(sql),
    refunds: sandboxRefunds(sql, times),
    holds: sandboxHolds(sql, times),
    debits: sandboxDebits(sql, times),
    records: sandboxRecords(sql),
    notifications: sandboxNotifications(sql),
    disputes: sandboxDisputes(sql),
    payouts: sandboxPayouts(sql),
    actions: sandboxActions(sql),
    tokenForm: SANDBOX_TOKEN,
    tokenization: () => null,
    page: () => null,
    checkConnection: async (_mode, credentials) => checkSandbox(credentials),
    charge: (request, signal) => chargeSandboxCard(sql, times, request, signal),
    lookUp: (request) => lookUpSandboxPayment(sql, request),
  };
}

/** The same, but cards can only be entered on the pay page: for lines that send the link at once. */
export function createPageSandbox(sql: Sql, timings: Partial<SandboxTimings> = {}): Processor {
  const sandbox = createSandbox(sql, timings);
  return { ...sandbox, name: 'sandbox_page', can: { ...sandbox.can, keypad: false } };
}

/** What the sandbox does with a card, and what it stores. */
interface CardOutcome extends Pick<SandboxPayment, 'brand' | 'lastFour' | 'cardName'> {
  behaviour: Behaviour;
}

async function chargeSandboxCard(
  sql: Sql,
  times: SandboxTimings,
  request: ChargeRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer> {
  const outcome = outcomeOn(request.channel, outcomeOfCard(request.card));
  // From here on, the request counts as sent.
  if (signal.aborted) return TIMED_OUT;
  const { behaviour } = outcome;
  if (behaviour.kind === 'hangs' && !behaviour.taken) return hang(times, signal);
  try {
    const { payment, repeated } = await insertPayment(sql, times, request, outcome);
    if (!repeated && payment.status === 'succeeded') {
      await refundElsewhereLater(sql, times, { ...payment, amount: request.amount });
      await disputeLater(sql, times, request, payment);
      await payOutLater(sql, times, { ...payment, reference: request.chargeId });
    }
    if (!repeated && behaviour.kind === 'hangs') return await hang(times, signal);
    if (!repeated && behaviour.kind === 'breaks') return unknown('http_500');
    if (!(await waitFor(payment.settlesInMs, signal))) return TIMED_OUT;
    return answerOf(payment);
  } catch (error) {
    // The row may have been written: as if the connection was lost after sending.
    return unreachable(error);
  }
}

function insertPayment(sql: Sql, times: SandboxTimings, request: ChargeRequest, outcome: CardOutcome) {
  const { behaviour, ...card } = outcome;
  const { chargeId: reference, accountId, mode, amount } = request;
  const declineCode = behaviour.kind === 'declines' || behaviour.kind === 'breaks' ? behaviour.code : null;
  const paid = request.isHold ? 'authorized' : 'succeeded';
  const settled = declineCode === null ? paid : 'declined';
  return insertSandboxPayment(sql, {
    reference,
    paymentId: `sandbox_${randomToken()}`,
    accountId,
    mode,
    amount,
    ...card,
    declineCode,
    status: behaviour.kind === 'asks' ? 'action_required' : settled,
    keptUntil: request.keepsCard ? expiryOf(request.card) : null,
    heldForMs: request.isHold ? holdMsOf(card.cardName, times) : null,
    settlesInMs: behaviour.kind === 'slow' ? times.slowMs : behaviour.kind === 'breaks' ? times.settleMs : 0,
  });
}

function disputeLater(sql: Sql, times: SandboxTimings, request: ChargeRequest, payment: SandboxPayment): Promise<void> {
  const { chargeId: reference, amount, isVerification } = request;
  if (isVerification === true) return Promise.resolve();
  return openSandboxDispute(sql, times, { ...payment, reference, amount });
}

function expiryOf(card: PayableCard): { month: number; year: number } {
  if (card.kind === 'keyed') return expiryParts(card.card.expiry);
  return { month: PAGE_EXPIRY.expiryMonth, year: PAGE_EXPIRY.expiryYear };
}

async function lookUpSandboxPayment(sql: Sql, { chargeId }: LookupRequest): Promise<ProcessorAnswer | NotFound> {
  try {
    const payment = await findSandboxPayment(sql, chargeId);
    if (payment === null) return { status: 'not_found' };
    if (payment.settlesInMs > 0) return unsettledDebit(payment) ?? unknown('processing');
    return answerOf(payment);
  } catch (error) {
    return unreachable(error);
  }
}

/** Only a payer on the page can authenticate with a bank. */
function outcomeOn(channel: ChargeRequest['channel'], outcome: CardOutcome): CardOutcome {
  if (outcome.behaviour.kind !== 'asks' || channel === 'page') return outcome;
  return { ...outcome, behaviour: { kind: 'declines', code: 'authentication_required' } };
}

/** Decides the outcome of the charge, and wipes the security code, which is no longer needed. */
function outcomeOfCard(card: PayableCard): CardOutcome {
  if (card.kind === 'saved') return outcomeOfTestCard(testCardByHandle(card.handle));
  if (card.kind === 'token') return outcomeOfTestCard(testCardByToken(card.token));
  const { number, securityCode } = card.card;
  const known = number.reveal(testCardByNumber);
  const behaviour = known === null ? REFUSED : checkedBehaviour(known.behaviour, card.card);
  securityCode.wipe();
  return { behaviour, ...factsOf(number), cardName: known?.name ?? null };
}

/** A saved card or a token. Its fields were checked when it was saved, or on the page. */
function outcomeOfTestCard(card: TestCard | null): CardOutcome {
  if (card === null) return { behaviour: REFUSED, brand: null, lastFour: null, cardName: null };
  const behaviour: Behaviour = card.behaviour.kind === 'checks' ? { kind: 'approves' } : card.behaviour;
  return { behaviour, ...factsOf(Secret.of(card.number)), cardName: card.name };
}

/** Test mode rejects every card that is not a documented test card. */
const REFUSED: Behaviour = { kind: 'declines', code: 'card_not_supported' };

function checkedBehaviour(behaviour: Behaviour, keyed: Extract<PayableCard, { kind: 'keyed' }>['card']): Behaviour {
  if (behaviour.kind !== 'checks') return behaviour;
  const field = keyed[behaviour.field];
  const satisfied = field === null || field.reveal((text) => behaviour.accepts.test(text));
  return satisfied ? { kind: 'approves' } : { kind: 'declines', code: behaviour.code };
}

async function hang(times: SandboxTimings, signal: AbortSignal) {
  await waitFor(times.hangMs, signal);
  return TIMED_OUT;
}

/** @returns false if the signal was aborted first */
async function waitFor(ms: number, signal: AbortSignal): Promise<boolean> {
  if (ms <= 0) return true;
  return delay(ms, true, { signal }).catch(() => false);
}
