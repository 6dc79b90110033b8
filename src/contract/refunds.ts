/** Refunds as REST and events show them, and the error of each failure. */
import { z } from 'zod';
import {
  type ListedRefund,
  REFUND_ORIGINS,
  REFUND_REASONS,
  REFUND_STATUSES,
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
    charge: field(z.string(), 'The `charge_id` of the refunded charge.', 'ch_x6ueh4kxj94cewxy97eft8edv6'),
    checkout_session_id: FIELDS.checkout_session_id,
    merchant_id: FIELDS.merchant_id,
    status: field(
      z.enum(REFUND_STATUSES),
      '`pending`: the processor has accepted the refund, or its answer is not known yet. A webhook reports the outcome. `succeeded` is final unless the payer’s bank does not take the refund: it then becomes `failed`. `failed` is final unless the processor is later found to have made the refund.',
      'succeeded',
    ),
    amount_cents: field(z.int(), "The refunded amount, an integer in the currency's minor unit.", 1000),
    currency: field(z.string(), 'ISO 4217, upper case: the currency of the charge.', 'USD'),
    reason: field(
      z.enum(REFUND_REASONS).nullable(),
      'The reason from the request. Null if there was none.',
      'requested_by_customer',
    ),
    origin: field(
      z.enum(REFUND_ORIGINS),
      "`ringkey`: requested here. `processor`: made in the processor's dashboard, and found by its notification.",
      'ringkey',
    ),
    processor_refund_id: field(
      z.string().nullable(),
      'The processor reference of the refund. Null until the processor has assigned one.',
      'sandbox_refund_7wq3nxk5t9zr',
    ),
    needs_settling: needsSettlingField('refund'),
    failure: field(
      ErrorObject.optional(),
      'Only for a failed refund: the error object that the refund request would have returned.',
    ),
    metadata: FIELDS.metadata.meta({ examples: [{ ticket: '4711' }] }),
    created_at: field(
      z.iso.datetime(),
      'When the refund was requested, or was found at the processor: ISO 8601, in UTC.',
      '2026-11-21T09:30:00.000Z',
    ),
  })
  .meta({ id: 'Refund', description: "A refund of a succeeded charge to the payer's card." });
export type RefundResource = z.infer<typeof RefundResource>;

export const ListedRefundResource = RefundResource.extend({
  business_name: field(z.string(), "The merchant's own name.", 'Demo Diner'),
  caller_phone: field(
    z.string().nullable(),
    "The caller's number when the charge was created, E.164. Null if there was none or it was cleared later.",
    '+15550101234',
  ),
}).meta({ id: 'ListedRefund', description: 'A refund in a list, with its merchant and its caller.' });
export type ListedRefundResource = z.infer<typeof ListedRefundResource>;

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
    origin: refund.origin,
    processor_refund_id: refund.processorRefundId,
    ...(refund.needsSettling === true && { needs_settling: true as const }),
    ...(refund.failure !== null && { failure: failureObject(refund, refund.failure, context) }),
    metadata: refund.metadata,
    created_at: refund.createdAt.toISOString(),
  };
}

export const listedRefundResource = (refund: ListedRefund, context: ErrorContext): ListedRefundResource => ({
  ...refundResource(refund, context),
  business_name: refund.businessName,
  caller_phone: refund.callerPhone,
});

function failureObject(refund: RefundFacts, failure: RefundFailure, context: ErrorContext): ErrorObject {
  const { code, facts } = refundError(refund, failure);
  return errorObject(code, facts, context);
}

/** The error of a rejected refund, also as the `failure` of a refund that failed later. */
export function refundError(
  { chargeId, processorCode }: Pick<Refund, 'chargeId' | 'processorCode'>,
  failure: RefundFailure,
): { code: ErrorCode; facts: ErrorFacts } {
  const { code, ...facts } = FAILURES[failure];
  return { code, facts: { ...facts, charge: chargeId, ...(processorCode !== null && { processorCode }) } };
}

const FAILURES: Record<RefundFailure, { code: ErrorCode } & ErrorFacts> = {
  already_refunded: {
    code: 'invalid_value',
    param: 'amount_cents',
    message: 'The processor reports that the charge is already fully refunded.',
  },
  amount_too_large: {
    code: 'invalid_value',
    param: 'amount_cents',
    message: 'The amount is higher than the part of the charge that the processor reports as not refunded yet.',
  },
  not_refundable: {
    code: 'invalid_value',
    param: 'charge',
    message: 'The processor cannot refund this charge: it is disputed, too old, or unknown to the processor.',
  },
  not_settled_yet: {
    code: 'invalid_value',
    param: 'charge',
    message:
      'The processor cannot refund this amount yet, because it has not settled the payment. Nothing was refunded: request the refund again later, within a day.',
  },
  refused: { code: 'invalid_value', param: 'charge', message: 'The processor rejected the refund.' },
  credentials_rejected: { code: 'merchant_credentials_invalid', words: 'refund_unavailable' },
  not_received: {
    code: 'internal_error',
    message: 'The processor never received the request. Nothing was refunded: request the refund again.',
  },
};

/** For a refund with an unknown outcome. */
export const OUTCOME_UNKNOWN: ErrorFacts = {
  message: 'The processor did not confirm the refund. Do not request another one: a webhook reports the outcome.',
  words: 'refund_unknown',
};
