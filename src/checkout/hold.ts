/** Captures and voids over REST: changes a hold, and maps each refusal to its API error. */
import type { ErrorCode } from '../contract/error-catalogue.ts';
import { ApiError, type ApiErrorOptions, ofOtherMode } from '../contract/errors.ts';
import type { Charge } from '../domain/charge.ts';
import type { HoldChange, HoldChangeFailure } from '../domain/hold.ts';
import { parseId } from '../domain/ids.ts';
import type { HoldOrder, HoldResult } from '../payments/holds/change-hold.ts';
import type { HoldRefusal } from '../payments/rules/rules.ts';

/** Captures or voids (payments/holds/change-hold.ts). */
export type ChangeHold = (order: HoldOrder) => Promise<HoldResult>;

/**
 * @returns the captured or voided charge
 * @throws ApiError if it was refused, by us or by the processor, and `processor_unavailable`
 */
export async function requestHoldChange(
  changeHold: ChangeHold,
  order: Omit<HoldOrder, 'chargeId'> & { charge: string },
): Promise<Charge> {
  const { charge: text, ...rest } = order;
  const chargeId = parseId('Charge', text);
  if (chargeId === null) throw refusal('no_charge');
  const result = await changeHold({ ...rest, chargeId });
  const charge = { charge: chargeId };
  switch (result.type) {
    case 'done':
      return result.charge;
    case 'pending':
      throw new ApiError('processor_unavailable', { ...OUTCOME_UNKNOWN, ...charge });
    case 'failed':
      throw failure(result.change);
    case 'refused':
      if (result.reason === 'other_mode') throw ofOtherMode(rest.scope.mode);
      throw refusal(result.reason, result.charge === null ? {} : charge);
  }
}

/** Nothing in these words is for the caller, who is not part of a capture. */
const OUTCOME_UNKNOWN: ApiErrorOptions = {
  message:
    'The processor did not return an outcome. The capture or void may have been made: it is looked up, and a webhook reports it.',
};

const REFUSALS: Record<HoldRefusal | 'unavailable', readonly [ErrorCode, ApiErrorOptions?]> = {
  no_charge: ['not_found', { param: 'charge_id', message: 'No charge of this account has this ID.' }],
  other_mode: ['invalid_key'],
  not_authorized: ['charge_not_authorized'],
  captured: ['charge_already_captured'],
  voided: ['charge_already_voided'],
  expired: ['authorization_expired'],
  // The answer changes with the outcome, so it is not stored for an Idempotency-Key.
  in_progress: ['capture_in_progress', { retryAfterSeconds: 1, isTemporary: true }],
  too_much: ['capture_amount_too_large', { param: 'amount_cents' }],
  partial_unsupported: ['partial_capture_unsupported', { param: 'amount_cents' }],
  no_holds_there: ['charge_not_authorized', { message: "The charge's processor is not available." }],
  // The database is unavailable: nothing was sent, and the same request may succeed soon.
  unavailable: ['internal_error', { status: 503, retryAfterSeconds: 1 }],
};

function refusal(reason: HoldRefusal | 'unavailable', facts: { charge?: string } = {}): ApiError {
  const [code, options] = REFUSALS[reason];
  return new ApiError(code, { ...options, ...facts });
}

const FAILURES: Record<HoldChangeFailure, ErrorCode> = {
  amount_too_large: 'capture_amount_too_large',
  partial_unsupported: 'partial_capture_unsupported',
  captured: 'charge_already_captured',
  voided: 'charge_already_voided',
  expired: 'authorization_expired',
  not_capturable: 'capture_refused',
  credentials_rejected: 'capture_refused',
  refused: 'capture_refused',
  not_received: 'capture_refused',
};

function failure({ chargeId, failure: reason, processorCode }: HoldChange): ApiError {
  const code = FAILURES[reason ?? 'refused'];
  const own = reason === 'credentials_rejected' ? reason : processorCode;
  return new ApiError(code, { charge: chargeId, ...(own !== null && { processorCode: own }) });
}
