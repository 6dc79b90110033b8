/**
 * Payments: the one path that charges a card, from the phone, REST or the pay page.
 *
 * 1. A short transaction locks the session, judges it (rules.ts) and writes the `pending` charge.
 * 2. The processor is asked once, with the charge id as its idempotency key.
 * 3. One transaction writes the outcome, its events and the session's completion (record-answer.ts).
 *
 * A bank may ask a payer on the page for something (3-D Secure). Then the charge waits, and confirm.ts goes on with it.
 * A crash anywhere leaves a `pending` charge, which the resolver settles (resolve.ts). Nothing is ever sent twice.
 */

import { isTransient } from '../db/transient.ts';
import type { Scope } from '../domain/account.ts';
import type { Charge, ChargeSource, Wallet } from '../domain/charge.ts';
import type { CardConsent } from '../domain/consent.ts';
import { type CheckoutSessionId, randomToken } from '../domain/ids.ts';
import { withRetries } from '../lib/concurrency/retries.ts';
import { stopwatch, withinLimit } from '../lib/concurrency/time-limit.ts';
import { type BegunCharge, beginCharge, type ChargeToBegin, type SessionOrder } from './begin-charge.ts';
import { type HeldCard, type PaymentCard, payableCard, takeOver } from './card.ts';
import { checkedAnswer } from './checked-answers.ts';
import { credentialsOf, eligible, type Log, type PaymentDeps, processorOf, timingsOf } from './deps.ts';
import {
  type Channel,
  type ChargeRequest,
  CREDENTIALS_REJECTED,
  type Credentials,
  type Processor,
  type ProcessorAnswer,
  refused,
  type Settlement,
  unknown,
} from './ports.ts';
import { type RecordedAnswer, recordAnswer } from './record-answer.ts';
import type { BeginRefusal } from './rules.ts';
import { NOT_RECEIVED } from './settle-charge.ts';
import { type PayingCall, signalsOf } from './signals.ts';
import { askOrUnknown, beginWithRetries } from './steps.ts';
import { VELOCITY } from './velocity.ts';

/** Who pays where. */
const CHANNELS: Readonly<Record<ChargeSource, Channel>> = { phone: 'phone', saved_card: 'agent', page: 'page' };

/** Of a token, far more than those of any processor have. */
const MAX_TOKEN_LENGTH = 300;

export interface PaymentRequest {
  sessionId: CheckoutSessionId;
  /** The session must be in it. */
  scope: Scope;
  source: ChargeSource;
  /** Handed over: a keyed card's Secrets belong to the payment from here on, and are empty for the caller of this. */
  card: PaymentCard;
  /** Of a token: the wallet whose button on the page was pressed, by the page's own word. */
  wallet?: Wallet | null;
  /** What the caller agreed to: the card is saved when the charge succeeds. */
  consent?: CardConsent | null;
  /** SHA-256 of the request's Idempotency-Key, by which a repeat finds its charge. */
  idempotencyKeyHash?: Buffer | null;
  /** Address of the payer (the pay page). Not given where one integrator or trunk asks for many payers. */
  origin?: string;
  /** The call on which the card was keyed. */
  call?: PayingCall;
  /** Names the request or call that the payment is made for; the process's own log where not given. */
  log?: Log | undefined;
}

export type PaymentResult = RecordedAnswer | PaymentRefusal;

/** Nothing was sent. */
export type PaymentRefusal =
  /**
   * `charge`: the live one that is in the way: the session's, or for `order_paid` and `order_in_progress` another
   * session's.
   */
  | { type: 'refused'; reason: BeginRefusal; charge: Charge | null; order: SessionOrder }
  /** The database is away. */
  | { type: 'refused'; reason: 'unavailable'; charge: null };

/** The scope has no such session. */
export class NoSuchSession extends Error {
  constructor() {
    super('a payment for a session that is not there');
    this.name = 'NoSuchSession';
  }
}

/**
 * Takes the session's amount from the card. Goes on to its end whatever becomes of the call or request;
 * `deps.inFlight` knows of it. Answers within about the limits to begin, of the processor and to record. @throws
 * NoSuchSession
 */
export function takePayment(deps: PaymentDeps, request: PaymentRequest): Promise<PaymentResult> {
  const card = takeOver(request.card);
  const withLog = request.log === undefined ? deps : { ...deps, log: request.log };
  return deps.inFlight.track(pay(withLog, request, card).finally(card.wipe));
}

/** An operator looks for these: somebody may be testing cards. */
const OF_VELOCITY: ReadonlySet<BeginRefusal> = new Set(['too_many_attempts', 'merchant_paused']);

async function pay(given: PaymentDeps, request: PaymentRequest, card: HeldCard): Promise<PaymentResult> {
  const { sendWindowMs } = timingsOf(given);
  // At least as long as the charge's row is old.
  let sinceRowMs = stopwatch();
  const toBegin = chargeToBegin(given, request, card);
  const deps = { ...given, begunBy: toBegin.begunBy, idempotencyKeyHash: toBegin.idempotencyKeyHash };
  const about = { sessionId: request.sessionId };
  const limitMs = beginLimitOf(deps, request);
  const begun = await beginWithRetries(deps, about, limitMs, 'payment refused: the database is away', async () => {
    const sinceTryMs = stopwatch();
    const tried = await beginCharge(deps.database, toBegin);
    if (tried.type === 'begun' && tried.isNew) sinceRowMs = sinceTryMs;
    return tried;
  });
  if (begun === null) return { type: 'refused', reason: 'unavailable', charge: null };
  if (begun.type === 'no_session') throw new NoSuchSession();
  if (begun.type === 'refused') {
    if (OF_VELOCITY.has(begun.reason))
      deps.log.warn({ ...about, reason: begun.reason }, 'charge refused by the velocity rules');
    return begun;
  }
  deps.onBegun?.(begun.charge);
  const processor = processorOf(deps, begun.charge.processor);
  if (processor === undefined) throw new Error('a charge was begun at a processor that was not offered');
  const credentials = await openCredentials(deps, processor, begun.charge);
  const payable = payableCard(card, begun.saved, deps.vault ?? null);
  if (credentials === null || payable === null) return recordAnswer(deps, begun, WITHOUT_CREDENTIALS);
  // Past the window the resolver may already have given the charge up for lost: sending now could charge twice.
  if (sinceRowMs() > sendWindowMs) return recordAnswer(deps, begun, NOT_RECEIVED);
  const means = { card: payable, keepsCard: begun.hasConsent, credentials };
  const answer = await askProcessor(deps, processor, begun, means);
  card.wipe();
  const result = await recordAnswer(deps, begun, answer);
  // Some processors keep a card only after its charge: now.
  if (begun.hasConsent && result.type === 'succeeded' && !result.cardKept) deps.onPending();
  return result;
}

function beginLimitOf(deps: PaymentDeps, { source }: PaymentRequest): number {
  const { beginLimitMs, requestBeginLimitMs } = timingsOf(deps);
  return source === 'phone' ? beginLimitMs : requestBeginLimitMs;
}

function chargeToBegin(deps: PaymentDeps, request: PaymentRequest, card: HeldCard): ChargeToBegin {
  const { sendWindowMs, processorLimitMs, recordLimitMs } = timingsOf(deps);
  const { sessionId, scope, source, wallet = null } = request;
  const { mode } = scope;
  const { means } = card;
  return {
    begunBy: randomToken(),
    sessionId,
    scope,
    source,
    card,
    call: request.call?.record ?? null,
    signals: signalsOf(deps.fingerprint, scope.accountId, means, request),
    consent: consentOf(deps, request),
    idempotencyKeyHash: request.idempotencyKeyHash ?? null,
    walletAt: (processor) => (means.kind !== 'token' || processorOf(deps, processor)?.can.namesWallets ? null : wallet),
    rules: {
      velocity: (deps.velocity ?? VELOCITY)[mode],
      savedCards: deps.savedCards ?? true,
      processors: eligible(deps.processors, mode, means.kind, CHANNELS[source]),
      isTokenOf: (processor) => means.kind !== 'token' || isTokenOf(processorOf(deps, processor), means.token),
      canOpen: (sealed) => deps.vault?.canOpen(sealed) ?? false,
    },
    resolveAfterMs: sendWindowMs + processorLimitMs + recordLimitMs,
  };
}

/**
 * Without a vault no handle could be stored. A card that was saved before is not saved again, and a wallet never is.
 */
function consentOf({ vault }: PaymentDeps, { consent, card, wallet }: PaymentRequest): CardConsent | null {
  return vault == null || card.kind === 'saved' || wallet != null ? null : (consent ?? null);
}

function isTokenOf(processor: Processor | undefined, token: string): boolean {
  return processor !== undefined && token.length <= MAX_TOKEN_LENGTH && processor.tokenForm.test(token);
}

/** Nothing was sent. */
const WITHOUT_CREDENTIALS: Settlement = refused(CREDENTIALS_REJECTED);

/** @returns null when there are none, or they cannot be read */
async function openCredentials(deps: PaymentDeps, processor: Processor, charge: Charge): Promise<Credentials | null> {
  const { requestBeginLimitMs } = timingsOf(deps);
  try {
    const credentials = await withRetries(requestBeginLimitMs, isTransient, () =>
      credentialsOf(deps, processor, charge),
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
  { charge, order: { orderId } }: BegunCharge,
  means: Pick<ChargeRequest, 'card' | 'keepsCard' | 'credentials'>,
): Promise<ProcessorAnswer> {
  const { id: chargeId, sessionId, accountId, mode, amount } = charge;
  const channel = CHANNELS[charge.source];
  const request = { chargeId, sessionId, accountId, mode, amount, channel, orderId, ...means };
  const about = { chargeId, processor: processor.name };
  return askOrUnknown(deps, about, 'processor adapter broke its contract', async () => {
    const { processorLimitMs } = timingsOf(deps);
    const answer = await withinLimit(processorLimitMs, (signal) => processor.charge(request, signal));
    // Nobody could do what is asked for: the resolver cancels the payment.
    if (answer.status === 'action_required' && channel !== 'page') return unknown('action_required');
    return checkedAnswer(deps.log, charge, answer);
  });
}
