/** Refunds as REST and events show them, and the error that each failure is. */
import { z } from 'zod';
import {
  REFUND_REASONS,
  REFUND_STATUSES,
  type ListedRefund,
  type Refund,
  type RefundFailure,
} from '../domain/refund.ts';
import type { ErrorCode } from './error-catalogue.ts';
import { ErrorObject } from './error-object.ts';
import { type ErrorContext, type ErrorFacts, errorObject } from './errors.ts';
import { FIELDS, field, needsSettlingField } from './fields.ts';

export const RefundResource = z
  .object({
    refund_id: field(z.string(), 'The refund, `re_…`.', 're_h7c2mzk4vq9x3w5t8bnyd6rjfa'),
    charge: field(z.string(), 'The charge that is given back: its `charge_id`.', 'ch_x6ueh4kxj94cewxy97eft8edv6'),
    checkout_session_id: FIELDS.checkout_session_id,
    merchant_id: FIELDS.merchant_id,
    status: field(
      z.enum(REFUND_STATUSES),
      '`succeeded` and `failed` are final. `pending`: the processor has taken it on, or has not said whether it has; the webhook tells how it ends.',
      'succeeded',
    ),
    amount_cents: field(z.int(), "What goes back, an integer in the currency's minor unit.", 1000),
    currency: field(z.string(), "ISO 4217, upper case: the charge's.", 'USD'),
    reason: field(z.enum(REFUND_REASONS).nullable(), 'As it was given; null where none was.', 'requested_by_customer'),
    processor_refund_id: field(
      z.string().nullable(),
      "The refund in the processor's own books. Null until the processor has named it.",
      'sandbox_refund_7wq3nxk5t9zr',
    ),
    needs_settling: needsSettlingField('refund'),
    failure: field(
      ErrorObject.optional(),
      'Only of a failed refund: why, as the error object that asking for it would have answered.',
    ),
    metadata: FIELDS.metadata.meta({ examples: [{ ticket: '4711' }] }),
    created_at: field(z.iso.datetime(), 'When it was asked for: ISO 8601, in UTC.', '2026-11-21T09:30:00.000Z'),
  })
  .meta({ id: 'Refund', description: "Money of a succeeded charge on its way back to the payer's card." });
export type RefundResource = z.infer<typeof RefundResource>;

/** What a refund's resource shows. */
export type RefundFacts = Omit<Refund, 'accountId' | 'mode' | 'processor' | 'processorPaymentId' | 'settledAt'> &
  Partial<Pick<ListedRefund, 'needsSettling'>>;

export function refundResource(refund: RefundFacts, context: ErrorContext): RefundResource {
  return {
    refund_id: refund.id,
    charge: refund.chargeId,
    checkout_session_id: refund.sessionId,
    merchant_id: refund.merchantId,
    status: refund.status,
    amount_cents: refund.amount.amountCents,
    currency: refund.amount.currency,
    reason: refund.reason,
    processor_refund_id: refund.processorRefundId,
    ...(refund.needsSettling === true && { needs_settling: true as const }),
    ...(refund.failure !== null && { failure: failureObject(refund, refund.failure, context) }),
    metadata: refund.metadata,
    created_at: refund.createdAt.toISOString(),
  };
}

function failureObject(refund: RefundFacts, failure: RefundFailure, context: ErrorContext): ErrorObject {
  const { code, facts } = refundError(refund, failure);
  return errorObject(code, facts, context);
}

/** The error that answers a refused refund, and the `failure` of one that failed later. */
export function refundError(
  { chargeId, processorCode }: Pick<Refund, 'chargeId' | 'processorCode'>,
  failure: RefundFailure,
): { code: ErrorCode; facts: ErrorFacts } {
  const { code, ...facts } = FAILURES[failure];
  return { code, facts: { ...facts, charge: chargeId, ...(processorCode !== null && { processorCode }) } };
}

const FAILURES: Record<RefundFailure, { code: ErrorCode } & ErrorFacts> = {
  already_refunded: {
    ...{ code: 'invalid_value', param: 'amount_cents' },
    message: 'The processor says that all of the charge has been given back.',
  },
  amount_too_large: {
    ...{ code: 'invalid_value', param: 'amount_cents' },
    message: 'The processor says that less than this is left of the charge.',
  },
  not_refundable: {
    ...{ code: 'invalid_value', param: 'charge' },
    message: 'The processor does not give this charge back: it is disputed, too old, or not known there.',
  },
  refused: { code: 'invalid_value', param: 'charge', message: 'The processor refused the refund.' },
  credentials_rejected: { code: 'merchant_credentials_invalid', words: 'refund_unavailable' },
  not_received: {
    code: 'internal_error',
    message: 'The processor never took the request. Nothing was given back: ask for the refund again.',
  },
};

/** For a refund whose outcome is not known (yet). */
export const OUTCOME_UNKNOWN: ErrorFacts = {
  message:
    'The processor did not say whether the refund was made. Do not ask for another: the webhook tells how it ends.',
  words: 'refund_unknown',
};
