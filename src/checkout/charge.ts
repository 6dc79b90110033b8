/** Charges the saved card that the caller chose; where that cannot be, says why. */
import type { Scope } from '../domain/account.ts';
import type { Charge } from '../domain/charge.ts';
import { ApiError } from '../contract/errors.ts';
import { type CheckoutSessionId, type InstrumentId, parseId } from '../domain/ids.ts';
import type { CheckoutSession, Merchant } from '../domain/session.ts';
import { openCredentials, processorFor } from '../merchants/processor.ts';
import type { Log } from '../payments/deps.ts';
import { CREDENTIALS_REJECTED, type Processor } from '../payments/ports.ts';
import { NoSuchSession, type PaymentRequest, type PaymentResult } from '../payments/take-payment.ts';
import { MAX_DECLINES_A_SESSION } from '../payments/velocity.ts';
import {
  type AskedCard,
  type ChargeContext,
  type ChargedSession,
  hasChargeableCard,
  readChargeContext,
} from '../db/charges/charge-context.ts';
import type { Sql } from '../db/pool.ts';
import { openHandle } from '../vault/handles.ts';
import type { Vault } from '../vault/vault.ts';

export interface ChargeDeps {
  database: Sql;
  processors: readonly Processor[];
  vault: Vault | null;
  /** By which a card has expired; a session's end is judged by the record's own clock. */
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

interface Asked {
  scope: Scope;
  sessionId: CheckoutSessionId;
  /** Null: what was asked for is none. */
  instrumentId: InstrumentId | null;
  at: Date;
  log: Log | undefined;
}

type Refusal = Extract<PaymentResult, { type: 'refused' }>;

const RETRY_AFTER_SECONDS = 1;

/**
 * Session and card are the natural key: while such a charge is pending or succeeded, it is the answer. The statement that
 * begins a charge judges session and card itself; they are read only to explain why it began none.
 * @throws ApiError as interface.md's table has it; `card_declined` and `processor_unavailable` with `charge`
 */
export async function chargeSavedCard(
  deps: ChargeDeps,
  scope: Scope,
  request: { sessionId: string; instrumentId: string; log?: Log },
): Promise<SavedCardCharge> {
  const sessionId = sessionIdOf(request.sessionId);
  const instrumentId = parseId('Instrument', request.instrumentId);
  const asked = { scope, sessionId, instrumentId, at: deps.now(), log: request.log };
  const result = instrumentId === null ? null : await pay(deps, { ...asked, instrumentId });
  if (result === null || result.type === 'refused') return earlierCharge(deps, asked, result);
  return outcomeOf(sessionId, result);
}

/** @returns null when the scope has no such session */
async function pay(
  deps: ChargeDeps,
  { scope, sessionId, instrumentId, at, log }: Asked & { instrumentId: InstrumentId },
): Promise<PaymentResult | null> {
  try {
    return await deps.pay({ sessionId, scope, source: 'saved_card', card: { kind: 'saved', instrumentId, at }, log });
  } catch (error) {
    if (error instanceof NoSuchSession) return null;
    throw error;
  }
}

/** The charge of this card that stands in the way of another. @throws ApiError that says why there is neither */
async function earlierCharge(deps: ChargeDeps, asked: Asked, refusal: Refusal | null): Promise<SavedCardCharge> {
  if (refusal?.reason === 'unavailable') throw tryAgain();
  const { scope, sessionId, instrumentId, at } = asked;
  const context = await readChargeContext(deps.database, scope.accountId, sessionId, instrumentId, at);
  if (context === null) throw sessionNotFound();
  const { session, live } = context;
  if (session.mode !== scope.mode) throw new ApiError('invalid_key');
  if (live !== null) return { session, charge: sameCard(live, instrumentId), replay: true };
  await checkChargeable(deps, context, at);
  throw whyRefused(refusal);
}

export function sessionNotFound(): ApiError {
  return new ApiError('session_not_found', { param: 'checkout_session_id' });
}

/** The live charge, if it is of the card that is asked for. @throws ApiError `charge_details_mismatch` */
function sameCard(live: Charge, instrumentId: InstrumentId | null): Charge {
  if (instrumentId !== null && live.instrumentId === instrumentId) return live;
  throw new ApiError('charge_details_mismatch', {
    charge: live.id,
    message: 'Another charge of this session is pending or succeeded.',
  });
}

/** By the rules that a charge is begun by (store/begin-charge.ts). @throws ApiError of the first that is broken */
async function checkChargeable(deps: ChargeDeps, context: ChargeContext, at: Date): Promise<void> {
  const { session, past, credentials, declines } = context;
  if (session.status !== 'open' || past) throw new ApiError('session_expired');
  if (session.callerPhone === null) throw new ApiError('session_missing_consumer');
  const merchant = payableMerchant(context);
  if (processorFor(deps.processors, session.mode, merchant.processor)?.can.savedCards !== true) {
    throw new ApiError('merchant_not_connected');
  }
  if (openCredentials(deps, { merchant, credentials }) === null) throw new ApiError('merchant_credentials_invalid');
  const card = await askedCard(deps, context, merchant, at);
  if (declines >= MAX_DECLINES_A_SESSION) {
    throw new ApiError('rate_limit', {
      words: 'no_more_attempts',
      message: `The session has had ${MAX_DECLINES_A_SESSION} declined charges: no more are tried.`,
    });
  }
  if (openHandle(deps.vault, card) === null) throw new ApiError('merchant_credentials_invalid');
}

/**
 * A session of a number that is nobody's has no merchant, and its verdict is that nothing is to be paid.
 * @throws ApiError `invalid_value` where that is the verdict; `merchant_not_connected`
 */
export function payableMerchant<M extends Pick<Merchant, 'id'>>(context: {
  session: Pick<CheckoutSession, 'verdict'>;
  merchant: M | null;
}): M {
  const { session, merchant } = context;
  if (session.verdict === 'none') {
    const message = 'Nothing is to be paid for this session.';
    throw new ApiError('invalid_value', { param: 'checkout_session_id', message });
  }
  if (merchant === null) throw new ApiError('merchant_not_connected');
  return merchant;
}

async function askedCard(
  deps: ChargeDeps,
  { session, card }: ChargeContext,
  merchant: Pick<Merchant, 'processor'>,
  at: Date,
): Promise<AskedCard> {
  if (card === null) throw await noSuchCard(deps, session, at);
  if (!card.isCallers) throw new ApiError('instrument_not_authorized', { param: 'instrument_id' });
  if (card.processor !== merchant.processor) throw new ApiError('processor_mismatch', { param: 'instrument_id' });
  // Of another merchant, or expired since it was offered.
  if (!card.isHere || !card.isUnexpired) throw await noSuchCard(deps, session, at);
  return card;
}

/** Who has no card here at all cannot be offered a different one. */
async function noSuchCard({ database }: ChargeDeps, session: ChargedSession, at: Date): Promise<ApiError> {
  const hasOther = await hasChargeableCard(database, session.id, at);
  return new ApiError(hasOther ? 'instrument_not_found' : 'needs_enrollment', { param: 'instrument_id' });
}

function outcomeOf(sessionId: CheckoutSessionId, result: Exclude<PaymentResult, Refusal>): SavedCardCharge {
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

/** Of a session and a card with which nothing is wrong. */
function whyRefused(refusal: Refusal | null): ApiError {
  switch (refusal?.reason) {
    case 'expired':
      return new ApiError('session_expired');
    case 'merchant_not_connected':
      return new ApiError('merchant_not_connected');
    case 'too_many_attempts':
      return new ApiError('rate_limit', {
        words: 'no_more_attempts',
        message: 'Too many attempts of this caller, or with this card, have failed: no more are tried for a while.',
      });
    default:
      // What was in the way has gone since.
      return tryAgain();
  }
}

/** Nothing was sent, and the same request may do. */
function tryAgain(): ApiError {
  return new ApiError('internal_error', { status: 503, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** The id's form is not the client's business: what is none is not found. */
export function sessionIdOf(text: string): CheckoutSessionId {
  const id = parseId('CheckoutSession', text);
  if (id === null) throw sessionNotFound();
  return id;
}
