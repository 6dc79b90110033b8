/** Charges the saved card that the caller chose, and maps each refusal to its API error. */
import type { Scope } from '../domain/account.ts';
import type { Charge } from '../domain/charge.ts';
import { ApiError } from '../contract/errors.ts';
import { type CheckoutSessionId, type InstrumentId, parseId } from '../domain/ids.ts';
import type { CheckoutSession, Merchant } from '../domain/session.ts';
import type { Log } from '../payments/deps.ts';
import { CREDENTIALS_REJECTED } from '../payments/ports.ts';
import {
  NoSuchSession,
  type PaymentRefusal,
  type PaymentRequest,
  type PaymentResult,
} from '../payments/take-payment.ts';
import { MAX_DECLINES_A_SESSION } from '../payments/velocity.ts';
import { hasChargeableCard } from '../db/cards/chargeable.ts';
import { findSessionMode } from '../db/charges/charged-session.ts';
import type { Sql } from '../db/pool.ts';

export interface ChargeDeps {
  database: Sql;
  /** By which a card has expired; a session's end is judged by the clock of the database. */
  now: () => Date;
  /** The one path that takes a payment. */
  pay: (request: PaymentRequest) => Promise<PaymentResult>;
}

export interface SavedCardCharge {
  session: Pick<CheckoutSession, 'id' | 'orderId' | 'platformCallId'>;
  charge: Charge;
  /** This exact charge was made before. */
  replay: boolean;
}

const RETRY_AFTER_SECONDS = 1;

/**
 * Session and card are the natural key: while such a charge is pending or succeeded, it is the answer.
 * @throws ApiError as the operation's documentation lists them; `card_declined` and `processor_unavailable` with `charge`
 */
export async function chargeSavedCard(
  deps: ChargeDeps,
  scope: Scope,
  request: { sessionId: string; instrumentId: string; log?: Log },
): Promise<SavedCardCharge> {
  const sessionId = sessionIdOf(request.sessionId);
  const card = { kind: 'saved', instrumentId: parseId('Instrument', request.instrumentId), at: deps.now() } as const;
  const payment = { sessionId, scope, source: 'saved_card', card, log: request.log } as const;
  const result = await deps.pay(payment).catch((error: unknown) => {
    if (error instanceof NoSuchSession) return null;
    throw error;
  });
  if (result === null) throw await noSuchSession(deps.database, scope, sessionId);
  if (result.type !== 'refused') return outcomeOf(sessionId, result);
  const { charge } = result;
  if (charge === null) throw await whyRefused(deps, result.reason, sessionId, card.at);
  const { orderId, platformCallId } = result.order;
  return { session: { id: sessionId, orderId, platformCallId }, charge: sameCard(charge, card), replay: true };
}

async function noSuchSession(database: Sql, scope: Scope, id: CheckoutSessionId): Promise<ApiError> {
  const mode = await findSessionMode(database, scope.accountId, id);
  return mode === null || mode === scope.mode ? sessionNotFound() : new ApiError('invalid_key');
}

export function sessionNotFound(): ApiError {
  return new ApiError('session_not_found', { param: 'checkout_session_id' });
}

/** The live charge, if it is of the card that is asked for. @throws ApiError `charge_details_mismatch` */
function sameCard(live: Charge, card: { instrumentId: InstrumentId | null }): Charge {
  if (card.instrumentId !== null && live.instrumentId === card.instrumentId) return live;
  throw new ApiError('charge_details_mismatch', {
    charge: live.id,
    message: 'Another charge of this session is pending or succeeded.',
  });
}

async function whyRefused(
  deps: ChargeDeps,
  reason: PaymentRefusal['reason'],
  sessionId: CheckoutSessionId,
  at: Date,
): Promise<ApiError> {
  switch (reason) {
    case 'expired':
    case 'already_paid':
      return new ApiError('session_expired');
    case 'caller_unknown':
      return new ApiError('session_missing_consumer');
    case 'nothing_to_pay':
      return nothingToPay();
    case 'merchant_not_connected':
      return new ApiError('merchant_not_connected');
    case 'credentials_unreadable':
    case 'handle_unreadable':
      return new ApiError('merchant_credentials_invalid');
    case 'card_of_other_caller':
      return new ApiError('instrument_not_authorized', { param: 'instrument_id' });
    case 'card_of_other_processor':
      return new ApiError('processor_mismatch', { param: 'instrument_id' });
    case 'card_unknown':
    case 'card_not_chargeable': {
      // A caller who has no card here at all cannot be offered a different one.
      const hasOther = await hasChargeableCard(deps.database, sessionId, at);
      return new ApiError(hasOther ? 'instrument_not_found' : 'needs_enrollment', { param: 'instrument_id' });
    }
    case 'too_many_declines':
      return noMoreAttempts(`The session has had ${MAX_DECLINES_A_SESSION} declined charges: no more are tried.`);
    case 'too_many_attempts':
      return noMoreAttempts(
        'Too many attempts of this caller, or with this card, have failed: no more are tried for a while.',
      );
    case 'in_progress':
    case 'unavailable':
      // Nothing was sent, and the same request may succeed later.
      return new ApiError('internal_error', { status: 503, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

function noMoreAttempts(message: string): ApiError {
  return new ApiError('rate_limit', { words: 'no_more_attempts', message });
}

function nothingToPay(): ApiError {
  const message = 'Nothing is to be paid for this session.';
  return new ApiError('invalid_value', { param: 'checkout_session_id', message });
}

/**
 * A session for an unknown number has no merchant, and its verdict is `none`.
 * @throws ApiError `invalid_value` where that is the verdict; `merchant_not_connected`
 */
export function payableMerchant<M extends Pick<Merchant, 'id'>>(context: {
  session: Pick<CheckoutSession, 'verdict'>;
  merchant: M | null;
}): M {
  const { session, merchant } = context;
  if (session.verdict === 'none') throw nothingToPay();
  if (merchant === null) throw new ApiError('merchant_not_connected');
  return merchant;
}

function outcomeOf(sessionId: CheckoutSessionId, result: Exclude<PaymentResult, PaymentRefusal>): SavedCardCharge {
  switch (result.type) {
    case 'succeeded':
      return { session: { id: sessionId, ...result.order }, charge: result.charge, replay: false };
    case 'declined': {
      const { id, processorCode } = result.charge;
      if (processorCode === CREDENTIALS_REJECTED) throw new ApiError('merchant_credentials_invalid', { charge: id });
      throw new ApiError('card_declined', {
        declineCode: result.declineCode,
        charge: id,
        ...(processorCode !== null && { processorCode }),
      });
    }
    case 'pending':
      throw new ApiError('processor_unavailable', { charge: result.charge.id });
  }
}

/** An id of the wrong form is not found, like an unknown one. */
export function sessionIdOf(text: string): CheckoutSessionId {
  const id = parseId('CheckoutSession', text);
  if (id === null) throw sessionNotFound();
  return id;
}
