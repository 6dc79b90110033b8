/**
 * Payments: the one path that charges a card, from the phone, REST or the pay page.
 *
 * 1. A short transaction locks the session, judges it (rules.ts) and writes the `pending` charge.
 * 2. The processor is asked once, with the charge id as its idempotency key.
 * 3. One transaction writes the outcome, its events and the session's completion.
 *
 * A crash anywhere leaves a `pending` charge, which the resolver settles (resolve.ts). Nothing is ever sent twice.
 */
import type { Scope } from '../domain/account.ts';
import type { Charge, ChargeSource, DeclineCode } from '../domain/charge.ts';
import type { CardConsent } from '../domain/consent.ts';
import { type AccountId, type CheckoutSessionId, newId } from '../domain/ids.ts';
import { Secret } from '../domain/secret.ts';
import { isDuplicate } from '../db/duplicate.ts';
import { isTransient } from '../db/transient.ts';
import type { Fingerprint } from '../vault/fingerprint.ts';
import { withRetries } from '../concurrency/retries.ts';
import { stopwatch, withinLimit } from '../concurrency/time-limit.ts';
import { type Begun, beginCharge, type ChargeToBegin, type SessionOrder } from './begin-charge.ts';
import { type HeldCard, type PaymentCard, payableCard, takeOver } from './card.ts';
import { credentialsOf, eligible, type Log, type PaymentDeps, timingsOf } from './deps.ts';
import {
  type ChargeRequest,
  CREDENTIALS_REJECTED,
  type Credentials,
  type Processor,
  type ProcessorAnswer,
  type Settlement,
} from './ports.ts';
import type { BeginRefusal } from './rules.ts';
import { RESOLVE_AFTER_MS } from './schedule.ts';
import { leavePending, NOT_RECEIVED, settleCharge } from './settle-charge.ts';
import { VELOCITY } from './velocity.ts';

export interface PaymentRequest {
  sessionId: CheckoutSessionId;
  /** The session must be in it. */
  scope: Scope;
  source: ChargeSource;
  /** Handed over: a keyed card's Secrets belong to the payment from here on, and are empty for the caller of this. */
  card: PaymentCard;
  /** What the caller agreed to: the card is saved when the charge succeeds. */
  consent?: CardConsent | null;
  /** Address of the payer (the pay page). Not given where one integrator or trunk asks for many payers. */
  origin?: string;
  /** Names the request or call that the payment is made for; the process's own log where not given. */
  log?: Log | undefined;
}

export type PaymentResult =
  /** `cardKept`: it may still be saved later where it is not yet. */
  | { type: 'succeeded'; charge: Charge; order: SessionOrder; cardKept: boolean }
  | { type: 'declined'; charge: Charge; declineCode: DeclineCode }
  /** The money may have moved. The resolver settles it; until then nothing else can charge the session. */
  | { type: 'pending'; charge: Charge }
  | PaymentRefusal;

/** Nothing was sent. */
export type PaymentRefusal =
  /** `charge`: the session's live one, for `already_paid` and `in_progress`. */
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
 * `deps.inFlight` knows of it. Answers within about beginLimitMs + processorLimitMs + recordLimitMs. @throws NoSuchSession
 */
export function takePayment(deps: PaymentDeps, request: PaymentRequest): Promise<PaymentResult> {
  const card = takeOver(request.card);
  const withLog = request.log === undefined ? deps : { ...deps, log: request.log };
  return deps.inFlight.track(pay(withLog, request, card).finally(card.wipe));
}

type BegunCharge = Extract<Begun, { type: 'begun' }>;

async function pay(deps: PaymentDeps, request: PaymentRequest, card: HeldCard): Promise<PaymentResult> {
  const { sendWindowMs } = timingsOf(deps);
  const sinceStartMs = stopwatch();
  const processors = eligible(deps.processors, request.scope.mode, card.means.kind);
  const begun = await beginWithRetries(deps, chargeToBegin(deps, request, card, [...processors.keys()]));
  if (begun === null) return { type: 'refused', reason: 'unavailable', charge: null };
  if (begun.type === 'no_session') throw new NoSuchSession();
  if (begun.type === 'refused') return begun;
  const processor = processors.get(begun.charge.processor);
  if (processor === undefined) throw new Error('a charge was begun at a processor that was not offered');
  const credentials = await openCredentials(deps, processor, begun.charge);
  const payable = payableCard(card, begun.saved, deps.vault ?? null);
  if (credentials === null || payable === null) return writeOutcome(deps, begun, WITHOUT_CREDENTIALS);
  // Past the window the resolver may already have given the charge up for lost: sending now could charge twice.
  if (sinceStartMs() > sendWindowMs) return writeOutcome(deps, begun, NOT_RECEIVED);
  const means = { card: payable, keepsCard: begun.hasConsent, credentials };
  const answer = await askProcessor(deps, processor, begun, means);
  card.wipe();
  if (answer.status === 'unknown') return writePending(deps, begun.charge, answer.cause);
  const result = await writeOutcome(deps, begun, answer);
  // Some processors keep a card only after its charge: now.
  if (begun.hasConsent && result.type === 'succeeded' && !result.cardKept) deps.onPending();
  return result;
}

/**
 * The pending charge. Trying again is safe: the charge keeps its id, and nothing has been sent.
 * @returns null when the database is away
 */
async function beginWithRetries(deps: PaymentDeps, charge: ChargeToBegin): Promise<Begun | null> {
  // A charge that a unique index kept out finds the other one when it is tried again.
  const mayRetry = (error: unknown) => isTransient(error) || isDuplicate(error);
  try {
    return await withRetries(timingsOf(deps).beginLimitMs, mayRetry, () => beginCharge(deps.database, charge));
  } catch (error) {
    if (!isTransient(error)) throw error;
    deps.log.warn({ err: error, sessionId: charge.sessionId }, 'payment refused: the database is away');
    return null;
  }
}

function chargeToBegin(
  deps: PaymentDeps,
  request: PaymentRequest,
  { means, brand, lastFour }: HeldCard,
  processors: readonly string[],
): ChargeToBegin {
  const { beginLimitMs, processorLimitMs, recordLimitMs } = timingsOf(deps);
  const { sessionId, scope, source } = request;
  const canOpen = (sealed: string) => deps.vault?.canOpen(sealed) ?? false;
  return {
    ...{ id: newId('Charge'), sessionId, scope, source },
    card:
      means.kind === 'saved'
        ? { kind: 'saved', id: means.instrumentId, at: means.at }
        : { kind: 'new', brand, lastFour },
    signals: {
      cardFingerprint: cardFingerprint(deps.fingerprint, scope.accountId, means),
      originHash: originHash(deps.fingerprint, scope.accountId, request.origin),
    },
    consent: consentOf(deps, request),
    rules: { velocity: (deps.velocity ?? VELOCITY)[scope.mode], processors, canOpen },
    resolveAfterMs: beginLimitMs + processorLimitMs + recordLimitMs,
  };
}

/** Without a vault no handle could be stored. A card that was saved before is not saved again. */
function consentOf({ vault }: PaymentDeps, { consent, card }: PaymentRequest): CardConsent | null {
  return vault == null || card.kind === 'saved' ? null : (consent ?? null);
}

/** A saved card is known by its id: its number is the processor's. A token is another one each time. */
function cardFingerprint(
  fingerprint: Fingerprint | undefined,
  accountId: AccountId,
  means: HeldCard['means'],
): Buffer | null {
  switch (means.kind) {
    case 'keyed':
      return fingerprint?.(accountId, 'card', means.card.number) ?? null;
    case 'saved':
      return fingerprint?.(accountId, 'instrument', Secret.of(means.instrumentId ?? '')) ?? null;
    case 'token':
      return null;
  }
}

function originHash(fingerprint: Fingerprint | undefined, accountId: AccountId, origin: string | undefined) {
  return origin === undefined ? null : (fingerprint?.(accountId, 'origin', Secret.of(origin)) ?? null);
}

/** Nothing was sent. */
const WITHOUT_CREDENTIALS: Settlement = { ...NOT_RECEIVED, processorCode: CREDENTIALS_REJECTED };

/** @returns null when there are none, or they cannot be read */
async function openCredentials(deps: PaymentDeps, processor: Processor, charge: Charge): Promise<Credentials | null> {
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

async function askProcessor(
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

/** When the database stays away the answer is lost to us, not the money: the resolver asks again. */
async function writeOutcome(
  deps: PaymentDeps,
  { charge, order }: BegunCharge,
  settlement: Settlement,
): Promise<PaymentResult> {
  try {
    const { recordLimitMs } = timingsOf(deps);
    const settled = await withRetries(recordLimitMs, isTransient, () => settleCharge(deps, charge, settlement));
    return resultOf(settled, order);
  } catch (error) {
    deps.log.error({ err: error, chargeId: charge.id }, 'charge outcome not recorded, left to the resolver');
    deps.onPending();
    return { type: 'pending', charge };
  }
}

async function writePending(deps: PaymentDeps, charge: Charge, cause: string): Promise<PaymentResult> {
  deps.log.warn({ chargeId: charge.id, processor: charge.processor, cause }, 'charge outcome unknown');
  try {
    const { recordLimitMs } = timingsOf(deps);
    await withRetries(recordLimitMs, isTransient, () => leavePending(deps.database, charge.id, RESOLVE_AFTER_MS));
    deps.onEvents?.();
  } catch (error) {
    deps.log.error({ err: error, chargeId: charge.id }, 'pending charge not announced, left to the resolver');
  }
  deps.onPending();
  return { type: 'pending', charge };
}

function resultOf({ charge, cardKept }: { charge: Charge; cardKept: boolean }, order: SessionOrder): PaymentResult {
  switch (charge.status) {
    case 'succeeded':
      return { type: 'succeeded', charge, order, cardKept };
    case 'pending':
      return { type: 'pending', charge };
    case 'failed':
      return { type: 'declined', charge, declineCode: charge.declineCode ?? 'generic_decline' };
  }
}
