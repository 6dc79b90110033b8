/**
 * Charges a saved card without its caller, if the caller agreed to that: a merchant-initiated transaction. Each such
 * charge has a session of its own, so all rules for charges hold: pending first, one live charge an order, velocity
 * limits, settlement of unknown outcomes.
 */
import { processorFor } from '../accounts/merchants/processor.ts';
import { ApiError } from '../contract/errors.ts';
import type { Instrument } from '../db/cards/cards.ts';
import { findChargeByKey } from '../db/charges/charges.ts';
import type { Sql } from '../db/pool.ts';
import type { NewSession } from '../db/sessions/sessions.ts';
import type { Scope } from '../domain/account.ts';
import type { Actor } from '../domain/audit.ts';
import type { Charge } from '../domain/charge.ts';
import { merchantSessionIdOf } from '../domain/ids.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Metadata } from '../domain/session.ts';
import type { PaymentRequest, PaymentResult } from '../payments/charges/take-payment.ts';
import type { Processor } from '../payments/port/processor.ts';
import type { Log } from '../payments/shared/deps.ts';
import { failedBefore, orderTaken, outcomeOf, refusal } from './charge.ts';

interface MerchantChargeDeps {
  processors: readonly Processor[];
  /** For the expiry of cards. */
  now: () => Date;
  /** The one path that takes a payment. */
  pay: (request: PaymentRequest) => Promise<PaymentResult>;
}

interface MerchantChargeRequest {
  merchant: Merchant;
  card: Instrument;
  /** SHA-256 of the Idempotency-Key and of the request: they name the charge. */
  claim: { keyHash: Buffer; requestHash: Buffer };
  amountCents: number;
  orderId: string;
  allowRepeat: boolean;
  metadata: Metadata;
  log: Log;
}

/**
 * The charge of an earlier request with the same Idempotency-Key, even if its card was deleted since, or its merchant
 * has left the processor. Null if there is none.
 * @throws ApiError as {@link chargeWithoutCaller} for a failed charge
 */
export async function findEarlierCharge(
  sql: Sql,
  scope: Scope,
  claim: MerchantChargeRequest['claim'],
): Promise<Charge | null> {
  const sessionId = merchantSessionIdOf(scope.accountId, scope.mode, claim);
  const earlier = await findChargeByKey(sql, scope, sessionId, claim.keyHash);
  return earlier?.status === 'failed' ? outcomeOf(sessionId, failedBefore(earlier)).charge : earlier;
}

/** The session ends soon: without a caller, nothing else pays for it. */
const TTL_SECONDS = 60;

/**
 * A repeat with the same Idempotency-Key returns the charge of the first request.
 * @throws ApiError as the operation's documentation lists them; `card_declined` and `processor_unavailable` with `charge`
 */
export async function chargeWithoutCaller(
  deps: MerchantChargeDeps,
  by: Actor,
  scope: Scope,
  { merchant, card, ...request }: MerchantChargeRequest,
): Promise<Charge> {
  requireCapableProcessor(deps.processors, merchant);
  const session = newSession(scope, merchant, card, request);
  const result = await deps.pay({
    sessionId: session.id,
    scope,
    source: 'saved_card',
    card: { kind: 'saved', instrumentId: card.id, at: deps.now() },
    opens: { session, by },
    idempotencyKeyHash: request.claim.keyHash,
    log: request.log,
  });
  if (result.type === 'pending' || result.type === 'debited' || result.type === 'action_required')
    throw new ApiError('processor_unavailable', { charge: result.charge.id });
  if (result.type !== 'refused') return outcomeOf(session.id, result).charge;
  const { reason, charge } = result;
  if (reason === 'order_paid' || reason === 'order_in_progress') throw orderTaken(reason, charge);
  if (charge?.status === 'failed') return outcomeOf(session.id, failedBefore(charge)).charge;
  if (charge !== null) return charge;
  throw refusal(reason);
}

function requireCapableProcessor(processors: readonly Processor[], { mode, processor }: Merchant): void {
  if (processor === null) throw new ApiError('merchant_not_connected');
  if (processorFor(processors, mode, processor)?.can.merchantInitiated !== true) {
    throw new ApiError('not_configured', {
      message: "The merchant's processor cannot charge a saved card without the caller.",
    });
  }
}

function newSession(
  scope: Scope,
  merchant: Merchant,
  { consumerId, callerPhone }: Instrument,
  { claim, amountCents, orderId, allowRepeat, metadata }: Omit<MerchantChargeRequest, 'merchant' | 'card'>,
): NewSession {
  return {
    ...scope,
    id: merchantSessionIdOf(scope.accountId, scope.mode, claim),
    merchantId: merchant.id,
    consumerId,
    initiator: 'merchant',
    // No call finds this session: calls look for `required`.
    verdict: 'optional',
    amount: { amountCents, currency: merchant.currency },
    amountSource: 'request',
    callerPhone,
    orderId,
    platformCallId: null,
    returnTo: null,
    successMessage: null,
    failureMessage: null,
    language: null,
    lineItems: [],
    metadata,
    allowRepeat,
    transferToken: null,
    ttlSeconds: TTL_SECONDS,
  };
}
