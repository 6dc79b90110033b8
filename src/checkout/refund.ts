/** Refunds over REST: makes one, whole or in part, and maps each refusal to its API error. */
import type { Scope } from '../domain/account.ts';
import type { ErrorCode } from '../contract/error-catalogue.ts';
import { ApiError, type ErrorFacts } from '../contract/errors.ts';
import { type ChargeId, parseId } from '../domain/ids.ts';
import { OUTCOME_UNKNOWN, refundError } from '../contract/refunds.ts';
import type { Refund } from '../domain/refund.ts';
import type { RefundRefusal } from '../payments/begin-refund.ts';
import type { RefundOrder, RefundResult } from '../payments/refund.ts';
import type { Sql } from '../db/pool.ts';
import { findChargeMode } from '../db/refunds/refund-lists.ts';
import { findRefund } from '../db/refunds/refunds.ts';

export interface RefundDeps {
  database: Sql;
  /** Makes the refund (payments/refund.ts). */
  refund: (order: RefundOrder) => Promise<RefundResult>;
}

const RETRY_AFTER_SECONDS = 1;

/**
 * @returns a refund that was made, or that the processor has taken on
 * @throws ApiError for one that was refused, by us or by the processor, and `processor_unavailable`, always with `charge`
 */
export async function requestRefund(
  deps: RefundDeps,
  order: Omit<RefundOrder, 'chargeId'> & { charge: string },
): Promise<Refund> {
  const { charge, ...rest } = order;
  const chargeId = parseId('Charge', charge);
  if (chargeId === null) throw chargeNotFound();
  const result = await deps.refund({ ...rest, chargeId });
  if (result.type === 'refused') throw refusal(result.reason, chargeId);
  const { refund } = result;
  if (refund.failure !== null) {
    const { code, facts } = refundError(refund, refund.failure);
    throw new ApiError(code, facts);
  }
  if (refund.status === 'pending' && refund.processorRefundId === null) {
    throw new ApiError('processor_unavailable', { ...OUTCOME_UNKNOWN, charge: chargeId });
  }
  return refund;
}

function chargeNotFound(): ApiError {
  return new ApiError('not_found', { param: 'charge', message: 'No charge of this account has that id.' });
}

const REFUSALS: Record<Exclude<RefundRefusal, 'no_charge'> | 'unavailable', { code: ErrorCode } & ErrorFacts> = {
  other_mode: { code: 'invalid_key' },
  not_paid: { code: 'invalid_value', param: 'charge', message: 'Only a charge that succeeded can be given back.' },
  nothing_left: {
    ...{ code: 'invalid_value', param: 'charge' },
    message: 'All of the charge was given back, or is on its way back.',
  },
  too_much: {
    ...{ code: 'invalid_value', param: 'amount_cents' },
    message: 'This is more than is left of the charge: what was given back, or is on its way back, counts.',
  },
  no_refunds_there: {
    ...{ code: 'invalid_value', param: 'charge' },
    message: "The charge's processor gives no money back through this service.",
  },
  key_reused: {
    ...{ code: 'charge_details_mismatch', param: 'Idempotency-Key' },
    message: 'This Idempotency-Key was used for another refund in the last 24 hours.',
  },
  unavailable: { code: 'internal_error' },
};

function refusal(reason: RefundRefusal | 'unavailable', chargeId: ChargeId): ApiError {
  if (reason === 'no_charge') return chargeNotFound();
  const { code, ...facts } = REFUSALS[reason];
  if (reason === 'other_mode') return new ApiError(code, facts);
  // The database is away: nothing was begun, and the same request may succeed in a moment.
  const later = reason === 'unavailable' ? { status: 503, retryAfterSeconds: RETRY_AFTER_SECONDS } : {};
  return new ApiError(code, { ...facts, ...later, charge: chargeId });
}

/** @throws ApiError `not_found`; `invalid_key` for one of the other mode */
export async function requireRefundInScope(sql: Sql, scope: Scope, text: string): Promise<Refund> {
  const id = parseId('Refund', text);
  const refund = id === null ? null : await findRefund(sql, id);
  if (refund === null || refund.accountId !== scope.accountId) {
    throw new ApiError('not_found', { param: 'refund_id', message: 'No refund of this account has that id.' });
  }
  if (refund.mode !== scope.mode) throw new ApiError('invalid_key');
  return refund;
}

/** @throws ApiError `not_found`; `invalid_key` for one of the other mode */
export async function requireChargeInScope(sql: Sql, scope: Scope, text: string): Promise<ChargeId> {
  const id = parseId('Charge', text);
  const mode = id === null ? null : await findChargeMode(sql, scope.accountId, id);
  if (id === null || mode === null) throw chargeNotFound();
  if (mode !== scope.mode) throw new ApiError('invalid_key');
  return id;
}
