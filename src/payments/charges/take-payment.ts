/**
 * Payments: the one path that charges a card, from the phone, REST or the pay page.
 *
 * 1. A short transaction locks the session, judges it (rules.ts) and writes the `pending` charge.
 * 2. The processor is asked once, with the charge ID as its idempotency key.
 * 3. One transaction writes the outcome, its events and the session's completion (record-answer.ts).
 *
 * A bank may ask a payer on the page to authenticate (3-D Secure). Then the charge waits, and confirm.ts continues it.
 * A crash anywhere leaves a `pending` charge, which the resolver settles (resolve-charges.ts). Nothing is ever sent twice.
 */

import { isTransient } from '../../db/error-kinds.ts';
import type { Scope } from '../../domain/account.ts';
import type { DebitAuthorization } from '../../domain/bank-account.ts';
import { type Charge, type ChargeSource, isVerification, type Wallet } from '../../domain/charge.ts';
import { type CheckoutSessionId, randomToken } from '../../domain/ids.ts';
import type { CardConsent } from '../../domain/instrument.ts';
import { withRetries } from '../../lib/concurrency/retries.ts';
import { stopwatch, withinLimit } from '../../lib/concurrency/time-limit.ts';
import { CREDENTIALS_REJECTED, type ProcessorAnswer, refused, type Settlement, unknown } from '../port/answers.ts';
import type { Channel, ChargeRequest } from '../port/charges.ts';
import type { Credentials } from '../port/credentials.ts';
import type { Processor } from '../port/processor.ts';
import type { StartRefusal } from '../rules/rules.ts';
import { VELOCITY } from '../rules/velocity.ts';
import { type HeldCard, type PaymentCard, payableCard, takeOver } from '../shared/card.ts';
import { checkedAnswer } from '../shared/checked-answers.ts';
import {
  credentialsOf,
  eligible,
  holdersOf,
  type Log,
  type PaymentDeps,
  processorOf,
  timingsOf,
  verifiersOf,
} from '../shared/deps.ts';
import { askOrUnknown, startWithRetries } from '../shared/steps.ts';
import { type RecordedAnswer, recordAnswer } from './record-answer.ts';
import { NOT_RECEIVED } from './settle-charge.ts';
import { type PayingCall, signalsOf } from './signals.ts';
import {
  type MerchantsSession,
  type NewCharge,
  type SessionOrder,
  type StartedCharge,
  startCharge,
} from './start-charge.ts';

const CHANNELS: Readonly<Record<ChargeSource, Channel>> = { phone: 'phone', saved_card: 'agent', page: 'page' };

/** Longer than any processor's tokens. An encrypted card of Adyen has about 4,000 characters. */
const MAX_TOKEN_LENGTH = 8_192;

export interface PaymentRequest {
  sessionId: CheckoutSessionId;
  /** The session must be in this scope. */
  scope: Scope;
  source: ChargeSource;
  /** Takes ownership: the card's Secrets are moved into the payment and emptied for the caller. */
  card: PaymentCard;
  /** That the payer pays instead of the session's amount, in minor units. By default all. */
  partCents?: number | null;
  /** That the payer adds. By default none. */
  tipCents?: number;
  /**
   * The merchant charges a saved card without its caller: the session to insert with the charge, unless an earlier
   * attempt of the same request inserted it. It has the ID `sessionId`.
   */
  opens?: MerchantsSession;
  /** For a token: the wallet whose button was pressed, as the page reports it. */
  wallet?: Wallet | null;
  /** The caller's consent: the card is saved if the charge succeeds. */
  consent?: CardConsent | null;
  /** For a bank account: what the payer authorized. */
  authorization?: DebitAuthorization;
  /** SHA-256 of the request's Idempotency-Key, by which a repeat finds its charge. */
  idempotencyKeyHash?: Buffer | null;
  /** The payer's address or network (pay page). Absent if one integrator or trunk asks for many payers. */
  origin?: string;
  /** Where the payer of a page is; neither stored nor logged. */
  payer?: ChargeRequest['payer'];
  /** The call on which the card was keyed. */
  call?: PayingCall;
  /** The log of the request or call. By default, the process's. */
  log?: Log | undefined;
}

export type PaymentResult = RecordedAnswer | PaymentRefusal;

/** Nothing was sent. */
export type PaymentRefusal =
  /**
   * `charge`: the existing charge that prevents a new one: of the session, or for `order_paid` and `order_in_progress`
   * of another session.
   */
  | { type: 'refused'; reason: StartRefusal; charge: Charge | null; order: SessionOrder }
  /** The database is unavailable. */
  | { type: 'refused'; reason: 'unavailable'; charge: null };

/** The scope has no such session. */
export class NoSuchSession extends Error {
  constructor() {
    super('a payment for a session that is not there');
    this.name = 'NoSuchSession';
  }
}

/**
 * Charges the session's amount, or a part, and the tip to the card. It runs to its end even if the call or request ends; `deps.inFlight` tracks
 * it. Returns within about the time limits for beginning, the processor and recording.
 * @throws NoSuchSession
 */
export function takePayment(deps: PaymentDeps, request: PaymentRequest): Promise<PaymentResult> {
  const card = takeOver(request.card);
  const withLog = request.log === undefined ? deps : { ...deps, log: request.log };
  return deps.inFlight.track(pay(withLog, request, card).finally(card.wipe));
}

/** Logged for the operator: someone may be testing stolen cards. */
const OF_VELOCITY: ReadonlySet<StartRefusal> = new Set(['too_many_attempts', 'merchant_paused']);

async function pay(given: PaymentDeps, request: PaymentRequest, card: HeldCard): Promise<PaymentResult> {
  const { sendWindowMs } = timingsOf(given);
  // At least the age of the charge's row.
  let sinceRowMs = stopwatch();
  const details = newCharge(given, request, card);
  const deps = { ...given, attemptToken: details.attemptToken, idempotencyKeyHash: details.idempotencyKeyHash };
  const about = { sessionId: request.sessionId };
  const limitMs = startLimitOf(deps, request);
  const started = await startWithRetries(deps, about, limitMs, 'payment refused: the database is away', async () => {
    const sinceTryMs = stopwatch();
    const tried = await startCharge(deps.database, details);
    if (tried.type === 'started' && tried.isNew) sinceRowMs = sinceTryMs;
    return tried;
  });
  if (started === null) return { type: 'refused', reason: 'unavailable', charge: null };
  if (started.type === 'no_session') throw new NoSuchSession();
  if (started.type === 'refused') {
    if (OF_VELOCITY.has(started.reason))
      deps.log.warn({ ...about, reason: started.reason }, 'charge refused by the velocity rules');
    return started;
  }
  deps.onStarted?.(started.charge);
  const processor = processorOf(deps, started.charge.processor);
  if (processor === undefined) throw new Error('a charge was started at a processor that was not offered');
  const credentials = await openCredentials(deps, processor, started);
  const payable = payableCard(card, started.saved, deps.vault ?? null);
  if (credentials === null || payable === null) return recordAnswer(deps, started, WITHOUT_CREDENTIALS);
  // After `sendWindowMs` the resolver may already have failed this charge, so sending it now could charge twice.
  if (sinceRowMs() > sendWindowMs) return recordAnswer(deps, started, NOT_RECEIVED);
  const agreed = started.mandate === null ? {} : { agreedPaymentId: started.mandate.agreedPaymentId };
  const payer = request.payer === undefined ? {} : { payer: request.payer };
  const means = { keepsCard: started.hasConsent, credentials, channel: channelOf(request), ...agreed, ...payer };
  const answer = await askProcessor(deps, processor, started, { ...means, card: payable });
  card.wipe();
  const result = await recordAnswer(deps, started, answer);
  // Some processors save a card only after its charge.
  if (started.hasConsent && result.type === 'succeeded' && !result.cardSaved) deps.onPending();
  return result;
}

function channelOf({ source, opens }: Pick<PaymentRequest, 'source' | 'opens'>): Channel {
  return opens === undefined ? CHANNELS[source] : 'merchant';
}

function startLimitOf(deps: PaymentDeps, { source }: PaymentRequest): number {
  const { startLimitMs, requestStartLimitMs } = timingsOf(deps);
  return source === 'phone' ? startLimitMs : requestStartLimitMs;
}

function newCharge(deps: PaymentDeps, request: PaymentRequest, card: HeldCard): NewCharge {
  const { sendWindowMs, processorLimitMs, recordLimitMs } = timingsOf(deps);
  const { sessionId, scope, source, wallet = null } = request;
  const { mode } = scope;
  const { means } = card;
  return {
    attemptToken: randomToken(),
    sessionId,
    scope,
    source,
    card,
    partCents: request.partCents ?? null,
    tipCents: request.tipCents ?? 0,
    opens: request.opens ?? null,
    call: request.call?.record ?? null,
    signals: signalsOf(deps.fingerprint, scope.accountId, means, request),
    consent: consentOf(deps, request),
    authorization: request.authorization ?? null,
    idempotencyKeyHash: request.idempotencyKeyHash ?? null,
    walletAt: (processor) => (means.kind !== 'token' || processorOf(deps, processor)?.can.namesWallets ? null : wallet),
    rules: {
      velocity: (deps.velocity ?? VELOCITY)[mode],
      savedCards: deps.savedCards ?? true,
      processors: eligible(deps.processors, mode, means.kind, channelOf(request)),
      holders: holdersOf(deps.processors),
      verifiers: verifiersOf(deps.processors, means.kind),
      isTokenOf: (processor) => means.kind !== 'token' || isTokenOf(processorOf(deps, processor), means.token),
      canOpen: (sealed) => deps.vault?.canOpen(sealed) ?? false,
    },
    resolveAfterMs: sendWindowMs + processorLimitMs + recordLimitMs,
  };
}

/** Without a vault no handle can be stored. A saved card is not saved again, and a wallet's card is never saved. */
function consentOf({ vault }: PaymentDeps, { consent, card, wallet }: PaymentRequest): CardConsent | null {
  const isNew = card.kind === 'keyed' || card.kind === 'token';
  return vault == null || !isNew || wallet != null ? null : (consent ?? null);
}

function isTokenOf(processor: Processor | undefined, token: string): boolean {
  return processor !== undefined && token.length <= MAX_TOKEN_LENGTH && processor.tokenForm.test(token);
}

/** Nothing was sent. */
const WITHOUT_CREDENTIALS: Settlement = refused(CREDENTIALS_REJECTED);

/** @returns null if there are none, or they cannot be decrypted */
async function openCredentials(
  deps: PaymentDeps,
  processor: Processor,
  { charge, credentials: sealed }: StartedCharge,
): Promise<Credentials | null> {
  const { requestStartLimitMs } = timingsOf(deps);
  try {
    const credentials = await withRetries(requestStartLimitMs, isTransient, () =>
      credentialsOf(deps, processor, charge, sealed),
    );
    if (credentials === null) deps.log.error({ chargeId: charge.id }, 'no usable processor credentials');
    return credentials;
  } catch (error) {
    deps.log.error({ err: error, chargeId: charge.id }, 'processor credentials could not be read');
    return null;
  }
}

function askProcessor(
  deps: PaymentDeps,
  processor: Processor,
  { charge, order: { orderId } }: StartedCharge,
  {
    card,
    ...means
  }: Pick<ChargeRequest, 'keepsCard' | 'credentials' | 'channel' | 'agreedPaymentId' | 'payer'> & {
    card: NonNullable<ReturnType<typeof payableCard>>;
  },
): Promise<ProcessorAnswer> {
  const { id: chargeId, sessionId, accountId, mode, amount } = charge;
  const isHold = charge.capture === 'manual';
  const kind = { isHold, isVerification: isVerification(charge) };
  const request = { chargeId, sessionId, accountId, mode, amount, orderId, ...kind, ...means };
  const ask = (signal: AbortSignal) => {
    if (card.kind !== 'bank_account') return processor.charge({ ...request, card }, signal);
    return processor.debits?.debit({ ...request, account: card.account }, signal) ?? refused('no_bank_debits');
  };
  const about = { chargeId, processor: processor.name };
  return askOrUnknown(deps, about, 'processor adapter broke its contract', async () => {
    const { processorLimitMs } = timingsOf(deps);
    const answer = await withinLimit(processorLimitMs, async (signal) => ask(signal));
    // This payer cannot authenticate, so the resolver cancels the payment.
    if (answer.status === 'action_required' && means.channel !== 'page') return unknown('action_required');
    return checkedAnswer(deps.log, charge, answer);
  });
}
