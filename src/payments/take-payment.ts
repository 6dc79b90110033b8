/**
 * The one path that takes a payment, whoever asks: phone, REST or page.
 *
 * 1. One statement writes the `pending` charge of an open, unexpired session; a unique index forbids a second one.
 * 2. The processor is asked once, with the charge id as its idempotency key.
 * 3. One statement writes the outcome, its events and the session's completion.
 *
 * A crash anywhere leaves a `pending` charge, which the resolver settles (resolve.ts). Nothing is ever sent twice.
 */
import type { Scope } from '../domain/account.ts';
import type { Charge, ChargeSource, DeclineCode } from '../domain/charge.ts';
import type { CardConsent } from '../domain/consent.ts';
import { type AccountId, type CheckoutSessionId, newId } from '../domain/ids.ts';
import { Secret } from '../domain/secret.ts';
import type { Traces } from '../db/charges/attempts.ts';
import { type BeginRefusal, type Begun, type BegunOrder, beginCharge } from '../db/charges/begin-charge.ts';
import { leavePending } from '../db/charges/charges.ts';
import type { Settlement } from '../db/charges/settle-charge.ts';
import { isTransient } from '../db/transient.ts';
import type { Fingerprint } from '../vault/fingerprint.ts';
import { withRetries } from '../concurrency/retries.ts';
import { stopwatch, withinLimit } from '../concurrency/time-limit.ts';
import { type HeldCard, type PaymentCard, payableCard, takeOver } from './card.ts';
import { credentialsOf, eligible, type Log, type PaymentDeps, timingsOf } from './deps.ts';
import {
  type ChargeRequest,
  CREDENTIALS_REJECTED,
  type Credentials,
  type Processor,
  type ProcessorAnswer,
} from './ports.ts';
import { RESOLVE_AFTER_MS } from './schedule.ts';
import { NOT_RECEIVED, settle } from './settle.ts';
import { VELOCITY } from './velocity.ts';

export interface PaymentRequest {
  sessionId: CheckoutSessionId;
  /** Who asks: the session must be his. */
  scope: Scope;
  source: ChargeSource;
  /** Handed over: a keyed card's Secrets are the payment's from here on, and empty for the giver. */
  card: PaymentCard;
  /** What the caller agreed to: the card is kept when the charge succeeds. */
  consent?: CardConsent | null;
  /** Address of a payer who asks by himself (the pay page); not where an integrator or a trunk asks for all of them. */
  origin?: string;
  /** Names the request or call that the payment is made for; the process's own log where not given. */
  log?: Log | undefined;
}

export type PaymentResult =
  /** `cardKept`: it may still be kept later where it is not yet. */
  | { type: 'succeeded'; charge: Charge; order: BegunOrder; cardKept: boolean }
  | { type: 'declined'; charge: Charge; declineCode: DeclineCode }
  /** The money may have moved. The resolver settles it; until then nothing else can charge the session. */
  | { type: 'pending'; charge: Charge }
  /** Nothing was sent. `charge`: the session's live one, for `already_paid` and `in_progress`. */
  | { type: 'refused'; reason: BeginRefusal | 'unavailable'; charge: Charge | null };

/** The scope has no such session. */
export class NoSuchSession extends Error {
  constructor() {
    super('a payment for a session that is not there');
    this.name = 'NoSuchSession';
  }
}

/**
 * Takes the session's amount from the card. Goes on to its end if the asker walks away; `deps.inFlight` knows of it.
 * Answers within about beginLimitMs + processorLimitMs + recordLimitMs. @throws NoSuchSession
 */
export function takePayment(deps: PaymentDeps, request: PaymentRequest): Promise<PaymentResult> {
  const card = takeOver(request.card);
  const own = request.log === undefined ? deps : { ...deps, log: request.log };
  return deps.inFlight.track(pay(own, request, card).finally(card.wipe));
}

type BegunCharge = Extract<Begun, { type: 'begun' }>;

async function pay(deps: PaymentDeps, request: PaymentRequest, card: HeldCard): Promise<PaymentResult> {
  const { sendWindowMs } = timingsOf(deps);
  const sinceStartMs = stopwatch();
  const processors = eligible(deps.processors, request.scope.mode, card.means.kind);
  const begun = await begin(deps, request, card, [...processors.keys()]);
  if (begun === 'unavailable') return { type: 'refused', reason: 'unavailable', charge: null };
  if (begun.type === 'no_session') throw new NoSuchSession();
  if (begun.type === 'refused') return begun;
  const processor = processors.get(begun.charge.processor);
  if (processor === undefined) throw new Error('the record chose a processor that was not offered');
  const credentials = processor.needsCredentials ? await open(deps, processor, begun.charge) : {};
  const payable = payableCard(card, begun.saved, deps.vault ?? null);
  if (credentials === null || payable === null) return record(deps, begun, WITHOUT_CREDENTIALS);
  // Past the window the resolver may already have given the charge up for lost: sending now could charge twice.
  if (sinceStartMs() > sendWindowMs) return record(deps, begun, NOT_RECEIVED);
  const consent = keeps(deps, request);
  const means = { card: payable, keepsCard: consent !== null, credentials };
  const answer = await ask(deps, processor, begun, means);
  card.wipe();
  if (answer.status === 'unknown') return pend(deps, begun.charge, answer.cause);
  const result = await record(deps, begun, answer);
  // Some processors keep a card only after its charge: now.
  if (consent !== null && result.type === 'succeeded' && !result.cardKept) deps.onPending();
  return result;
}

/** The pending row. Trying again is safe: the charge keeps its id, and nothing has been sent. */
async function begin(
  deps: PaymentDeps,
  request: PaymentRequest,
  card: HeldCard,
  processors: readonly string[],
): Promise<Begun | 'unavailable'> {
  const { beginLimitMs, processorLimitMs, recordLimitMs } = timingsOf(deps);
  const { sessionId, scope, source } = request;
  const { means, brand, lastFour } = card;
  const resolveAfterMs = beginLimitMs + processorLimitMs + recordLimitMs;
  const charge = {
    id: newId('Charge'),
    sessionId,
    scope,
    source,
    processors,
    card:
      means.kind === 'saved'
        ? { instrumentId: means.instrumentId, at: means.at, keyIds: deps.vault?.keyIds ?? [] }
        : { instrumentId: null, brand, lastFour },
    resolveAfterMs,
    traces: tracesOf(deps, request, card),
    rules: (deps.velocity ?? VELOCITY)[scope.mode],
    consent: keeps(deps, request),
  };
  try {
    return await withRetries(beginLimitMs, isTransient, () => beginCharge(deps.sql, charge));
  } catch (error) {
    if (!isTransient(error)) throw error;
    deps.log.warn({ err: error, sessionId }, 'payment refused: the record is away');
    return 'unavailable';
  }
}

/** Without a vault no handle could be kept. A card that was saved before is not saved again. */
function keeps({ vault }: PaymentDeps, { consent, card }: PaymentRequest): CardConsent | null {
  return vault == null || card.kind === 'saved' ? null : (consent ?? null);
}

function tracesOf({ fingerprint }: PaymentDeps, { scope, origin }: PaymentRequest, card: HeldCard): Traces {
  if (fingerprint === undefined) return { cardFingerprint: null, originHash: null };
  const { accountId } = scope;
  return {
    cardFingerprint: markOf(fingerprint, accountId, card),
    originHash: origin === undefined ? null : fingerprint(accountId, 'origin', Secret.of(origin)),
  };
}

/** A card of ours is known by its id: its number is the processor's. A token is another one each time. */
function markOf(fingerprint: Fingerprint, accountId: AccountId, { means }: HeldCard): Buffer | null {
  switch (means.kind) {
    case 'keyed':
      return fingerprint(accountId, 'card', means.card.number);
    case 'saved':
      return fingerprint(accountId, 'instrument', Secret.of(means.instrumentId));
    case 'token':
      return null;
  }
}

/** Nothing was sent. */
const WITHOUT_CREDENTIALS: Settlement = { ...NOT_RECEIVED, processorCode: CREDENTIALS_REJECTED };

/** @returns null when there are none, or the record does not give them */
async function open(deps: PaymentDeps, processor: Processor, charge: Charge): Promise<Credentials | null> {
  const { beginLimitMs } = timingsOf(deps);
  try {
    const credentials = await withRetries(beginLimitMs, isTransient, () => credentialsOf(deps, processor, charge));
    if (credentials === null) deps.log.error({ chargeId: charge.id }, 'no usable processor credentials');
    return credentials;
  } catch (error) {
    deps.log.error({ err: error, chargeId: charge.id }, 'processor credentials not read');
    return null;
  }
}

async function ask(
  deps: PaymentDeps,
  processor: Processor,
  begun: BegunCharge,
  means: Pick<ChargeRequest, 'card' | 'keepsCard' | 'credentials'>,
): Promise<ProcessorAnswer> {
  const { id, sessionId, accountId, mode, amount } = begun.charge;
  const request = { chargeId: id, sessionId, accountId, mode, amount, orderId: begun.order.orderId, ...means };
  try {
    return await withinLimit(timingsOf(deps).processorLimitMs, (signal) => processor.charge(request, signal));
  } catch (error) {
    deps.log.error({ err: error, chargeId: id, processor: processor.name }, 'processor adapter broke its contract');
    return { status: 'unknown', cause: 'adapter' };
  }
}

/** Writes the outcome. When the record stays away the answer is lost to us, not the money: the resolver asks again. */
async function record(
  deps: PaymentDeps,
  { charge, order }: BegunCharge,
  settlement: Settlement,
): Promise<PaymentResult> {
  try {
    const { recordLimitMs } = timingsOf(deps);
    const settled = await withRetries(recordLimitMs, isTransient, () => settle(deps, charge, settlement));
    return resultOf(settled, order);
  } catch (error) {
    deps.log.error({ err: error, chargeId: charge.id }, 'charge outcome not recorded, left to the resolver');
    deps.onPending();
    return { type: 'pending', charge };
  }
}

async function pend(deps: PaymentDeps, charge: Charge, cause: string): Promise<PaymentResult> {
  deps.log.warn({ chargeId: charge.id, processor: charge.processor, cause }, 'charge outcome unknown');
  try {
    const { recordLimitMs } = timingsOf(deps);
    await withRetries(recordLimitMs, isTransient, () => leavePending(deps.sql, charge.id, RESOLVE_AFTER_MS));
    deps.onEvents?.();
  } catch (error) {
    deps.log.error({ err: error, chargeId: charge.id }, 'pending charge not announced, left to the resolver');
  }
  deps.onPending();
  return { type: 'pending', charge };
}

function resultOf({ charge, cardKept }: { charge: Charge; cardKept: boolean }, order: BegunOrder): PaymentResult {
  switch (charge.status) {
    case 'succeeded':
      return { type: 'succeeded', charge, order, cardKept };
    case 'pending':
      return { type: 'pending', charge };
    case 'failed':
      return { type: 'declined', charge, declineCode: charge.declineCode ?? 'generic_decline' };
  }
}
