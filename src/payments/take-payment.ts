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
import { type CheckoutSessionId, randomToken } from '../domain/ids.ts';
import { isTransient } from '../db/transient.ts';
import { withRetries } from '../concurrency/retries.ts';
import { stopwatch, withinLimit } from '../concurrency/time-limit.ts';
import { beginCharge, type BegunCharge, type ChargeToBegin, type SessionOrder } from './begin-charge.ts';
import { type HeldCard, type PaymentCard, payableCard, takeOver } from './card.ts';
import { checkedAnswer } from './checked-answers.ts';
import { credentialsOf, eligible, type Log, type PaymentDeps, processorOf, timingsOf } from './deps.ts';
import {
  type ChargeRequest,
  CREDENTIALS_REJECTED,
  type Credentials,
  type Processor,
  type ProcessorAnswer,
  refused,
  type Settlement,
} from './ports.ts';
import type { BeginRefusal } from './rules.ts';
import { type PayingCall, signalsOf } from './signals.ts';
import { RESOLVE_AFTER_MS } from './schedule.ts';
import { leavePending, NOT_RECEIVED, settleCharge } from './settle-charge.ts';
import { askOrUnknown, beginWithRetries, recordWithRetries } from './steps.ts';
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
  /** SHA-256 of the request's Idempotency-Key, by which a repeat finds its charge. */
  idempotencyKeyHash?: Buffer | null;
  /** Address of the payer (the pay page). Not given where one integrator or trunk asks for many payers. */
  origin?: string;
  /** The call on which the card was keyed. */
  call?: PayingCall;
  /** Names the request or call that the payment is made for; the process's own log where not given. */
  log?: Log | undefined;
}

export type PaymentResult =
  /** `cardKept`: it may still be saved later where it is not yet. */
  | { type: 'succeeded'; charge: Charge; order: SessionOrder; cardKept: boolean }
  | { type: 'declined'; charge: Charge; declineCode: DeclineCode }
  /** The processor does not take payments of this merchant as it is set up. Nothing was taken, and no card would help. */
  | { type: 'merchant_fault'; charge: Charge }
  /** The money may have moved. The resolver settles it; until then nothing else can charge the session. */
  | { type: 'pending'; charge: Charge }
  | PaymentRefusal;

/** Nothing was sent. */
export type PaymentRefusal =
  /** `charge`: the live one that is in the way: the session's, or for `order_paid` and `order_in_progress` another session's. */
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
 * `deps.inFlight` knows of it. Answers within about the limits to begin, of the processor and to record. @throws NoSuchSession
 */
export function takePayment(deps: PaymentDeps, request: PaymentRequest): Promise<PaymentResult> {
  const card = takeOver(request.card);
  const withLog = request.log === undefined ? deps : { ...deps, log: request.log };
  return deps.inFlight.track(pay(withLog, request, card).finally(card.wipe));
}

/** An operator looks for these: somebody may be testing cards. */
const OF_VELOCITY: ReadonlySet<BeginRefusal> = new Set(['too_many_attempts', 'merchant_paused']);

async function pay(deps: PaymentDeps, request: PaymentRequest, card: HeldCard): Promise<PaymentResult> {
  const { sendWindowMs } = timingsOf(deps);
  // At least as long as the charge's row is old.
  let sinceRowMs = stopwatch();
  const toBegin = chargeToBegin(deps, request, card);
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
  const processor = processorOf(deps, begun.charge.processor);
  if (processor === undefined) throw new Error('a charge was begun at a processor that was not offered');
  const credentials = await openCredentials(deps, processor, begun.charge);
  const payable = payableCard(card, begun.saved, deps.vault ?? null);
  if (credentials === null || payable === null) return writeOutcome(deps, begun, WITHOUT_CREDENTIALS);
  // Past the window the resolver may already have given the charge up for lost: sending now could charge twice.
  if (sinceRowMs() > sendWindowMs) return writeOutcome(deps, begun, NOT_RECEIVED);
  const means = { card: payable, keepsCard: begun.hasConsent, credentials };
  const answer = await askProcessor(deps, processor, begun, means);
  card.wipe();
  if (answer.status === 'unknown') return writePending(deps, begun.charge, answer.cause);
  const result = await writeOutcome(deps, begun, answer);
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
  const { sessionId, scope, source } = request;
  const { mode } = scope;
  return {
    ...{ begunBy: randomToken(), sessionId, scope, source, card },
    call: request.call?.record ?? null,
    signals: signalsOf(deps.fingerprint, scope.accountId, card.means, request),
    consent: consentOf(deps, request),
    idempotencyKeyHash: request.idempotencyKeyHash ?? null,
    rules: {
      velocity: (deps.velocity ?? VELOCITY)[mode],
      savedCards: deps.savedCards ?? true,
      processors: eligible(deps.processors, mode, card.means.kind),
      canOpen: (sealed) => deps.vault?.canOpen(sealed) ?? false,
    },
    resolveAfterMs: sendWindowMs + processorLimitMs + recordLimitMs,
  };
}

/** Without a vault no handle could be stored. A card that was saved before is not saved again. */
function consentOf({ vault }: PaymentDeps, { consent, card }: PaymentRequest): CardConsent | null {
  return vault == null || card.kind === 'saved' ? null : (consent ?? null);
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
    deps.log.error({ err: error, chargeId: charge.id }, 'processor credentials not read');
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
  const request = { chargeId, sessionId, accountId, mode, amount, orderId, ...means };
  return askOrUnknown(deps, { chargeId, processor: processor.name }, 'processor adapter broke its contract', async () =>
    checkedAnswer(
      deps.log,
      charge,
      await withinLimit(timingsOf(deps).processorLimitMs, (signal) => processor.charge(request, signal)),
    ),
  );
}

async function writeOutcome(
  deps: PaymentDeps,
  { charge, order }: BegunCharge,
  settlement: Settlement,
): Promise<PaymentResult> {
  const failure = 'charge outcome not recorded, left to the resolver';
  const settled = await recordWithRetries(deps, { chargeId: charge.id }, failure, () =>
    settleCharge(deps, charge, settlement),
  );
  if (settled !== null) return resultOf(settled, order);
  deps.onPending();
  return { type: 'pending', charge };
}

async function writePending(deps: PaymentDeps, charge: Charge, cause: string): Promise<PaymentResult> {
  const about = { chargeId: charge.id };
  deps.log.warn({ ...about, processor: charge.processor, cause }, 'charge outcome unknown');
  await recordWithRetries(deps, about, 'pending charge not announced, left to the resolver', () =>
    leavePending(deps, charge, RESOLVE_AFTER_MS),
  );
  deps.onEvents?.();
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
      return charge.declineCode === null
        ? { type: 'merchant_fault', charge }
        : { type: 'declined', charge, declineCode: charge.declineCode };
  }
}
