/** Charges the saved card that the caller chose: who may, what with, and what became of it. */
import type { Scope } from '../domain/account.ts';
import type { Charge } from '../domain/charge.ts';
import { ApiError } from '../domain/errors.ts';
import { type CheckoutSessionId, parseId } from '../domain/ids.ts';
import type { CheckoutSession, Merchant } from '../domain/session.ts';
import { openCredentials, processorFor } from '../merchants/processor.ts';
import { CREDENTIALS_REJECTED, type Processor } from '../payments/ports.ts';
import type { PaymentRequest, PaymentResult } from '../payments/take-payment.ts';
import { MAX_DECLINES_A_SESSION } from '../payments/velocity.ts';
import {
  type AskedCard,
  type ChargeContext,
  type ChargedSession,
  hasChargeableCard,
  readChargeContext,
} from '../store/charge-context.ts';
import type { Sql } from '../store/database.ts';
import { openHandle } from '../vault/handles.ts';
import type { Vault } from '../vault/vault.ts';

export interface ChargeDeps {
  database: Sql;
  processors: readonly Processor[];
  vault: Vault | null;
  now: () => Date;
  /** The one path that takes a payment. */
  pay: (request: PaymentRequest) => Promise<PaymentResult>;
}

export interface SavedCardCharge {
  session: ChargedSession;
  charge: Charge;
  /** This exact charge was made before. */
  replay: boolean;
}

const RETRY_AFTER_SECONDS = 1;

/**
 * Session and card are the natural key: while such a charge is pending or succeeded, it is the answer.
 * @throws ApiError as interface.md's table has it; `card_declined` and `processor_unavailable` with `charge`
 */
export async function chargeSavedCard(
  deps: ChargeDeps,
  scope: Scope,
  request: { sessionId: string; instrumentId: string },
): Promise<SavedCardCharge> {
  const context = await contextOf(deps, scope, request);
  const { session, live } = context;
  if (live !== null) return { session, charge: sameCard(live, request.instrumentId), replay: true };
  const { card, handle } = await chargeableCard(deps, context);
  const result = await deps.pay({
    sessionId: session.id,
    scope,
    source: 'saved_card',
    card: {
      kind: 'saved',
      handle,
      instrumentId: card.id,
      brand: card.brand,
      lastFour: card.lastFour,
    },
  });
  return outcomeOf(session, result, request.instrumentId);
}

async function contextOf(
  deps: ChargeDeps,
  scope: Scope,
  request: { sessionId: string; instrumentId: string },
): Promise<ChargeContext> {
  const sessionId = parseId('CheckoutSession', request.sessionId);
  const instrumentId = parseId('Instrument', request.instrumentId);
  const context =
    sessionId === null
      ? null
      : await readChargeContext(deps.database, scope.accountId, sessionId, instrumentId, deps.now());
  if (context === null) throw sessionNotFound();
  if (context.session.mode !== scope.mode) throw new ApiError('invalid_key');
  return context;
}

export function sessionNotFound(): ApiError {
  return new ApiError('session_not_found', { param: 'checkout_session_id' });
}

/** The live charge, if it is of the card that is asked for. @throws ApiError `charge_details_mismatch` */
function sameCard(live: Charge, instrumentId: string): Charge {
  if (live.instrumentId === instrumentId) return live;
  throw new ApiError('charge_details_mismatch', {
    charge: live.id,
    message: 'Another charge of this session is pending or succeeded.',
  });
}

async function chargeableCard(deps: ChargeDeps, context: ChargeContext): Promise<{ card: AskedCard; handle: string }> {
  const { session, past, credentials, declines } = context;
  if (session.status !== 'open' || past) throw new ApiError('session_expired');
  if (session.callerPhone === null) throw new ApiError('session_missing_consumer');
  const merchant = payableMerchant(context);
  if (processorFor(deps.processors, session.mode, merchant.processor)?.can.savedCards !== true) {
    throw new ApiError('merchant_not_connected');
  }
  if (openCredentials(deps, { merchant, credentials }) === null) throw new ApiError('merchant_credentials_invalid');
  const card = await askedCard(deps, context, merchant);
  if (declines >= MAX_DECLINES_A_SESSION) {
    throw new ApiError('rate_limit', {
      words: 'no_more_attempts',
      message: `The session has had ${MAX_DECLINES_A_SESSION} declined charges: no more are tried.`,
    });
  }
  const handle = openHandle(deps.vault, card);
  if (handle === null) throw new ApiError('merchant_credentials_invalid');
  return { card, handle };
}

/** @throws ApiError `merchant_not_connected`, or `invalid_value` where the verdict is that nothing is to be paid */
export function payableMerchant<M extends Pick<Merchant, 'id'>>(context: {
  session: Pick<CheckoutSession, 'verdict'>;
  merchant: M | null;
}): M {
  const { session, merchant } = context;
  if (merchant === null) throw new ApiError('merchant_not_connected');
  if (session.verdict !== 'none') return merchant;
  throw new ApiError('invalid_value', {
    param: 'checkout_session_id',
    message: 'Nothing is to be paid for this session.',
  });
}

async function askedCard(
  deps: ChargeDeps,
  { session, card }: ChargeContext,
  merchant: Pick<Merchant, 'processor'>,
): Promise<AskedCard> {
  if (card === null) throw await noSuchCard(deps, session);
  if (!card.isCallers) throw new ApiError('instrument_not_authorized', { param: 'instrument_id' });
  if (card.processor !== merchant.processor) throw new ApiError('processor_mismatch', { param: 'instrument_id' });
  if (!card.isHere) throw new ApiError('needs_enrollment', { param: 'instrument_id' });
  // Expired since it was offered.
  if (!card.isUnexpired) throw await noSuchCard(deps, session);
  return card;
}

/** Who has no card here at all cannot be offered a different one. */
async function noSuchCard({ database, now }: ChargeDeps, session: ChargedSession): Promise<ApiError> {
  const hasOther = await hasChargeableCard(database, session.id, now());
  return new ApiError(hasOther ? 'instrument_not_found' : 'needs_enrollment', { param: 'instrument_id' });
}

function outcomeOf(session: ChargedSession, result: PaymentResult, instrumentId: string): SavedCardCharge {
  switch (result.type) {
    case 'succeeded':
      return { session, charge: result.charge, replay: false };
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
    case 'refused':
      return { session, charge: refused(result, instrumentId), replay: true };
  }
}

/** Somebody was faster than our reading: with this card, or otherwise. */
function refused(result: Extract<PaymentResult, { type: 'refused' }>, instrumentId: string): Charge {
  if (result.charge !== null) return sameCard(result.charge, instrumentId);
  switch (result.reason) {
    case 'expired':
      throw new ApiError('session_expired');
    case 'merchant_not_connected':
      throw new ApiError('merchant_not_connected');
    case 'too_many_attempts':
      throw new ApiError('rate_limit', {
        words: 'no_more_attempts',
        message: 'Too many attempts of this caller, or with this card, have failed: no more are tried for a while.',
      });
    case 'already_paid':
    case 'in_progress':
    case 'unavailable':
      // The charge in the way has just failed, or the record is away: nothing was sent, and the same request may do.
      throw new ApiError('internal_error', { status: 503, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

/** The id's form is not the client's business: what is none is not found. */
export function sessionIdOf(text: string): CheckoutSessionId {
  const id = parseId('CheckoutSession', text);
  if (id === null) throw sessionNotFound();
  return id;
}
