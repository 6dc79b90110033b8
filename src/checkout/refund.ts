/** Refunds over REST: makes a full or partial refund, and maps each refusal to its API error. */

import type { ErrorCode } from '../contract/error-catalogue.ts';
import { ApiError, type ApiErrorOptions, ofOtherMode } from '../contract/errors.ts';
import { OUTCOME_UNKNOWN, refundError } from '../contract/refunds.ts';
import type { Sql } from '../db/pool.ts';
import { findChargeMode, findListedRefund } from '../db/refunds/refund-lists.ts';
import type { Scope } from '../domain/account.ts';
import { type ChargeId, parseId } from '../domain/ids.ts';
import type { ListedRefund, Refund } from '../domain/refund.ts';
import type { RefundOrder, RefundResult } from '../payments/refunds/refund.ts';
import type { RefundableAmount } from '../payments/refunds/start-refund.ts';
import type { RefundRefusal } from '../payments/rules/rules.ts';

export interface RefundDeps {
  database: Sql;
  /** Makes the refund (payments/refunds/refund.ts). */
  refund: (order: RefundOrder) => Promise<RefundResult>;
}

/**
 * @returns a refund that succeeded, or that the processor has accepted
 * @throws ApiError if it was refused, by us or by the processor, and `processor_unavailable`, always with `charge`
 */
export async function requestRefund(
  deps: RefundDeps,
  order: Omit<RefundOrder, 'chargeId'> & { charge: string },
): Promise<Refund> {
  const { charge, ...rest } = order;
  const chargeId = parseId('Charge', charge);
  if (chargeId === null) throw refusal('no_charge');
  const result = await deps.refund({ ...rest, chargeId });
  if (result.type === 'refused') {
    const isOfAccount = result.reason !== 'no_charge' && result.reason !== 'other_mode';
    if (result.reason === 'other_mode') throw ofOtherMode(rest.scope.mode);
    throw refusal(result.reason, { ...(isOfAccount && { charge: chargeId }), ...amountsOf(result.refundable) });
  }
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

/** How much was charged, is refunded and is left, if a refund asks for more. */
function amountsOf(refundable: RefundableAmount | undefined): { message?: string } {
  if (refundable === undefined) return {};
  const { amountCents, leftCents, currency } = refundable;
  const refunded = `${amountCents - leftCents} of ${amountCents} is refunded or has a pending refund`;
  const amounts = `${refunded}, so ${leftCents} is left (minor units, ${currency})`;
  return { message: `This is more than can be refunded: ${amounts}.` };
}

const REFUSALS: Record<RefundRefusal | 'unavailable', readonly [ErrorCode, ApiErrorOptions?]> = {
  no_charge: ['not_found', { param: 'charge', message: 'No charge of this account has this ID.' }],
  other_mode: ['invalid_key'],
  not_paid: ['invalid_value', { param: 'charge', message: 'Only a succeeded charge can be refunded.' }],
  nothing_left: [
    'invalid_value',
    { param: 'charge', message: 'The charge is already fully refunded or has pending refunds for the rest.' },
  ],
  too_much: [
    'invalid_value',
    {
      param: 'amount_cents',
      message: 'The amount is higher than what is left of the charge. Pending refunds count.',
    },
  ],
  no_refunds_there: [
    'invalid_value',
    { param: 'charge', message: "The charge's processor does not support refunds through this service." },
  ],
  key_reused: [
    'charge_details_mismatch',
    {
      param: 'Idempotency-Key',
      message: 'This Idempotency-Key was used for another refund in the last 24 hours. Use a new key.',
    },
  ],
  // The database is unavailable: nothing was created, and the same request may succeed soon.
  unavailable: ['internal_error', { status: 503, retryAfterSeconds: 1 }],
};

function refusal(reason: RefundRefusal | 'unavailable', facts: { charge?: ChargeId; message?: string } = {}): ApiError {
  const [code, options] = REFUSALS[reason];
  return new ApiError(code, { ...options, ...facts });
}

export const noRefund = () =>
  new ApiError('not_found', { param: 'refund_id', message: 'No refund of this account has this ID.' });

/** @throws ApiError `not_found`; `invalid_key` for one of the other mode */
export async function requireRefundInScope(sql: Sql, scope: Scope, text: string): Promise<ListedRefund> {
  const id = parseId('Refund', text);
  const refund = id === null ? null : await findListedRefund(sql, scope.accountId, id);
  if (refund === null) throw noRefund();
  if (refund.mode !== scope.mode) throw ofOtherMode(scope.mode);
  return refund;
}

/** @throws ApiError `not_found`; `invalid_key` for one of the other mode */
export async function requireChargeInScope(sql: Sql, scope: Scope, text: string): Promise<ChargeId> {
  const id = parseId('Charge', text);
  const mode = id === null ? null : await findChargeMode(sql, scope.accountId, id);
  if (id === null || mode === null) throw refusal('no_charge');
  if (mode !== scope.mode) throw ofOtherMode(scope.mode);
  return id;
}
