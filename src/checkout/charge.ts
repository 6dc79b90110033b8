/** Charges the saved card that the caller chose, and maps each refusal to its API error. */
import { orderPaidWords } from '../contract/agent-lines.ts';
import { causeFacts } from '../contract/declines.ts';
import type { ErrorCode } from '../contract/error-catalogue.ts';
import {
  ApiError,
  type ApiErrorOptions,
  type CanSendLinks,
  type LinkCode,
  linkFacts,
  ofOtherMode,
} from '../contract/errors.ts';
import { hasChargeableCard } from '../db/cards/chargeable.ts';
import { findSessionMode } from '../db/charges/charged-session.ts';
import { findChargeByKey } from '../db/charges/charges.ts';
import { findSessionForLink } from '../db/pay-links/session-for-link.ts';
import type { Sql } from '../db/pool.ts';
import { findTextRecipient } from '../db/sessions/sessions.ts';
import type { Scope } from '../domain/account.ts';
import type { Charge } from '../domain/charge.ts';
import { type CheckoutSessionId, type InstrumentId, parseId } from '../domain/ids.ts';
import type { CheckoutSession } from '../domain/session.ts';
import { canText } from '../domain/texts.ts';
import {
  NoSuchSession,
  type PaymentRefusal,
  type PaymentRequest,
  type PaymentResult,
} from '../payments/charges/take-payment.ts';
import { MAX_DECLINES_A_SESSION } from '../payments/rules/velocity.ts';
import type { Log } from '../payments/shared/deps.ts';
import { hasAmount, type RequestedAmount, requireOffered } from './charged-amount.ts';
import type { TakesOnPage } from './page-advice.ts';

export interface ChargeDeps {
  database: Sql;
  /** For the expiry of cards. The database's clock decides when a session expires. */
  now: () => Date;
  /** The one path that takes a payment. */
  pay: (request: PaymentRequest) => Promise<PaymentResult>;
  /** RINGKEY_SMS names a carrier, so live texts are sent. */
  hasSmsCarrier: boolean;
  canSendLinks: CanSendLinks;
  takesOnPage: TakesOnPage;
}

/** A request to charge a saved card. */
interface SavedCardChargeRequest extends RequestedAmount {
  sessionId: string;
  instrumentId: string;
  /** SHA-256 of the request's Idempotency-Key. */
  keyHash?: Buffer | null;
  log?: Log;
}

export interface SavedCardCharge {
  session: Pick<CheckoutSession, 'id' | 'orderId' | 'platformCallId'>;
  charge: Charge;
  /** The charge of an earlier, identical request. */
  replay: boolean;
}

/**
 * Session and card are the natural key: a pending or succeeded charge of both is the answer. A repeat with the same
 * Idempotency-Key returns the charge of the first request, even if it was declined.
 * @throws ApiError as the operation's documentation lists them; `card_declined` and `processor_unavailable` with
 * `charge`
 */
export async function chargeSavedCard(
  deps: ChargeDeps,
  scope: Scope,
  request: SavedCardChargeRequest,
): Promise<SavedCardCharge> {
  const sessionId = sessionIdOf(request.sessionId);
  const card = { kind: 'saved', instrumentId: parseId('Instrument', request.instrumentId), at: deps.now() } as const;
  const { keyHash = null, log } = request;
  const before = keyHash === null ? null : await findChargeByKey(deps.database, scope, sessionId, keyHash);
  if (before?.status === 'failed') return outcomeOf(sessionId, failedBefore(sameCardAsBefore(before, card)));
  const amount = await requireOffered(deps.database, scope, sessionId, request);
  const payment = {
    sessionId,
    scope,
    source: 'saved_card',
    card,
    ...amount,
    idempotencyKeyHash: keyHash,
    log,
  } as const;
  const result = await deps.pay(payment).catch((error: unknown) => {
    if (error instanceof NoSuchSession) return null;
    throw error;
  });
  if (result === null) throw await noSuchSession(deps.database, scope, sessionId);
  // The holder of a saved card is absent, so the bank cannot ask for authentication. If it does, the outcome is
  // unknown.
  if (result.type === 'pending' || result.type === 'debited' || result.type === 'action_required')
    throw await outcomeUnknown(deps, scope, sessionId, result.charge);
  if (result.type !== 'refused') return outcomeOf(sessionId, result);
  const { reason, charge } = result;
  // Another request with the key was first, and its charge failed.
  if (reason === 'repeated' && charge?.status === 'failed')
    return outcomeOf(sessionId, failedBefore(sameCardAsBefore(charge, card)));
  if (reason === 'order_paid' || reason === 'order_in_progress') throw orderTaken(reason, charge);
  if (charge !== null) {
    const { orderId, platformCallId } = result.order;
    return {
      session: { id: sessionId, orderId, platformCallId },
      charge: sameDetails(charge, card, request),
      replay: true,
    };
  }
  if (reason === 'saved_cards_off' || reason === 'stepped_up')
    throw await offeringLink(deps, scope, sessionId, 'needs_enrollment');
  const isCardUnknown = reason === 'card_unknown' || reason === 'card_not_chargeable';
  // A caller without any chargeable card cannot be offered a different one.
  if (isCardUnknown && !(await hasChargeableCard(deps.database, sessionId, card.at))) {
    throw await offeringLink(deps, scope, sessionId, 'needs_enrollment');
  }
  if (reason !== 'card_of_other_processor') throw refusal(reason);
  throw await offeringLink(deps, scope, sessionId, 'processor_mismatch');
}

/** Asks the caller not to pay again, and announces a text if one can be sent. */
async function outcomeUnknown(
  { database, hasSmsCarrier }: ChargeDeps,
  scope: Scope,
  sessionId: CheckoutSessionId,
  { id }: Charge,
): Promise<ApiError> {
  // The answer must say that the outcome is unknown, even if the database cannot say whether a text can be sent.
  const recipient = await findTextRecipient(database, scope, sessionId).catch(() => null);
  const promisesText = recipient !== null && canText(recipient, hasSmsCarrier);
  return new ApiError('processor_unavailable', { charge: id, ...(promisesText && { words: 'outcome_by_text' }) });
}

/** Offers a link to the caller, if a text can be sent and the page takes a card. */
async function offeringLink(
  { database, canSendLinks, hasSmsCarrier, takesOnPage }: ChargeDeps,
  scope: Scope,
  sessionId: CheckoutSessionId,
  code: LinkCode,
): Promise<ApiError> {
  const session = canSendLinks(scope.mode) ? await findSessionForLink(database, scope.accountId, sessionId) : null;
  const { merchantId: id = null, merchant, purpose = 'payment' } = session ?? {};
  const isTakenOnPage =
    id !== null && merchant != null && (await takesOnPage({ ...merchant, id, mode: scope.mode }, purpose));
  const canSend = session !== null && canText(session, hasSmsCarrier) && isTakenOnPage;
  return new ApiError(code, { param: 'instrument_id', ...linkFacts(code, canSend) });
}

/**
 * Another session has paid the order, or is paying it. The caller hears that and is not asked to pay again.
 * @param charge of that session
 */
export function orderTaken(
  reason: 'order_paid' | 'order_in_progress',
  charge: Pick<Charge, 'id' | 'remainingCents'> | null,
): ApiError {
  const isPaid = reason === 'order_paid';
  return new ApiError('charge_details_mismatch', {
    words: isPaid ? orderPaidWords(charge ?? { remainingCents: 0 }) : 'order_pending',
    message: 'A charge of another session of this order is pending or succeeded. See `allow_repeat`.',
    ...(charge !== null && { charge: charge.id }),
    isTemporary: !isPaid,
  });
}

async function noSuchSession(database: Sql, scope: Scope, id: CheckoutSessionId): Promise<ApiError> {
  const mode = await findSessionMode(database, scope.accountId, id);
  return mode === null || mode === scope.mode ? sessionNotFound() : ofOtherMode(scope.mode);
}

export function sessionNotFound(): ApiError {
  return new ApiError('session_not_found', { param: 'checkout_session_id' });
}

/** The existing charge, if it is of the requested card and amount. @throws ApiError `charge_details_mismatch` */
function sameDetails(live: Charge, card: { instrumentId: InstrumentId | null }, requested: RequestedAmount): Charge {
  const isSameCard = card.instrumentId !== null && live.instrumentId === card.instrumentId;
  if (isSameCard && hasAmount(live, requested)) return live;
  throw new ApiError('charge_details_mismatch', {
    charge: live.id,
    message: 'Another charge of this session is pending or succeeded.',
    isTemporary: live.status === 'pending',
  });
}

/** Nothing was sent, and the same request may succeed later. */
const LATER = { status: 503, retryAfterSeconds: 1 };

const REFUSALS: Record<PaymentRefusal['reason'], readonly [ErrorCode, ApiErrorOptions?]> = {
  expired: ['session_expired'],
  already_paid: ['session_expired'],
  order_paid: ['charge_details_mismatch', { words: 'order_paid' }],
  order_in_progress: ['charge_details_mismatch', { words: 'order_pending' }],
  caller_unknown: ['session_missing_consumer'],
  nothing_to_pay: ['invalid_value', { param: 'checkout_session_id', message: 'Nothing is due for this session.' }],
  merchant_not_connected: ['merchant_not_connected'],
  credentials_unreadable: ['merchant_credentials_invalid'],
  handle_unreadable: ['merchant_credentials_invalid'],
  card_unknown: ['instrument_not_found', { param: 'instrument_id' }],
  card_not_chargeable: ['instrument_not_found', { param: 'instrument_id' }],
  card_of_other_caller: ['instrument_not_authorized', { param: 'instrument_id' }],
  card_of_other_processor: ['processor_mismatch', { param: 'instrument_id' }],
  too_many_declines: [
    'rate_limit',
    {
      words: 'no_more_attempts',
      message: `The session has had ${MAX_DECLINES_A_SESSION} declined charges, which is the maximum.`,
    },
  ],
  too_many_attempts: [
    'rate_limit',
    {
      words: 'no_more_attempts',
      message: 'Too many attempts of this caller, or with this card, have failed: no more are tried for a while.',
    },
  ],
  // For keyed cards and tokens, which REST does not accept.
  merchant_paused: ['rate_limit', { words: 'no_more_attempts' }],
  repeated: ['internal_error', LATER],
  token_unusable: ['invalid_value'],
  not_agreed: [
    'invalid_value',
    { param: 'checkout_session_id', message: 'This checkout saves a new card: a saved card cannot be charged.' },
  ],
  saved_cards_off: ['needs_enrollment', { param: 'instrument_id' }],
  stepped_up: ['needs_enrollment', { param: 'instrument_id' }],
  consent_missing: ['consent_missing', { param: 'instrument_id' }],
  consent_exceeded: ['consent_exceeded', { param: 'amount_cents' }],
  in_progress: ['internal_error', LATER],
  unavailable: ['internal_error', LATER],
};

/** The error for a refused payment. */
export function refusal(reason: PaymentRefusal['reason']): ApiError {
  return new ApiError(...REFUSALS[reason]);
}

/**
 * A key belongs to one card. With another card, it must not return a charge that was not requested. The key stays the
 * first request's, so this answer is not stored for it.
 */
function sameCardAsBefore(before: Charge, card: { instrumentId: InstrumentId | null }): Charge {
  if (before.instrumentId === card.instrumentId) return before;
  throw new ApiError('charge_details_mismatch', { param: 'Idempotency-Key', charge: before.id, isTemporary: true });
}

/** The result of a failed charge. Without a decline code, the merchant's setup was at fault. */
export function failedBefore(charge: Charge): Extract<PaymentResult, { type: 'declined' | 'merchant_fault' }> {
  const { declineCode } = charge;
  return declineCode === null ? { type: 'merchant_fault', charge } : { type: 'declined', charge, declineCode };
}

/** @throws ApiError unless it succeeded */
export function outcomeOf(
  sessionId: CheckoutSessionId,
  result: Exclude<PaymentResult, PaymentRefusal | { type: 'pending' | 'debited' | 'action_required' }>,
): SavedCardCharge {
  switch (result.type) {
    case 'succeeded':
      return { session: { id: sessionId, ...result.order }, charge: result.charge, replay: false };
    case 'declined':
      throw new ApiError('card_declined', {
        declineCode: result.declineCode,
        isSavedCard: true,
        ...factsOf(result.charge),
      });
    case 'merchant_fault':
      throw new ApiError('merchant_credentials_invalid', factsOf(result.charge));
  }
}

function factsOf(charge: Charge) {
  const { id, processorCode } = charge;
  return { charge: id, ...(processorCode !== null && { processorCode }), ...causeFacts(charge) };
}

/** A malformed ID returns the same error as an unknown one. */
export function sessionIdOf(text: string): CheckoutSessionId {
  const id = parseId('CheckoutSession', text);
  if (id === null) throw sessionNotFound();
  return id;
}
