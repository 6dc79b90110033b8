/** Charges as REST and webhooks show them: their schema, and the function that fills it. */
import { z } from 'zod';
import type { PaymentMethod } from '../domain/bank-account.ts';
import {
  CHARGE_STATUSES,
  type ChargeSource,
  type ChargeStatus,
  type DeclineCode,
  WALLETS,
  type Wallet,
} from '../domain/charge.ts';
import type { CaptureMode } from '../domain/hold.ts';
import type { ChargeId } from '../domain/ids.ts';
import { causeFacts } from './declines.ts';
import { ErrorObject } from './error-object.ts';
import { type ErrorContext, errorObject } from './errors.ts';
import { FIELDS, field } from './fields.ts';

/** Also in the answer of `charge`. */
export const ChargeStatusField = field(
  z.enum(CHARGE_STATUSES),
  '`pending`: no outcome yet. Either the processor gave none and the money may have been taken, or the payer has ten minutes on the pay page to confirm to the bank (3-D Secure). Do not start another payment for this order; a webhook reports the outcome. `authorized`: the amount is held on the card until you capture or void it, or `capture_before` passes. `succeeded` is final, except for a bank debit that the bank returns later: it becomes `failed` with `returned_at`, or a charge whose capture fails later: `failed` with `capture_failed_at`. `voided` and `expired`: the hold was released and nothing was taken. `failed` is final unless the processor is later found to have taken the money: the charge then becomes `succeeded` with `was_late`.',
  'succeeded',
);

/** Also in the answer of `charge`. */
export const WalletField = field(
  z.enum(WALLETS).optional(),
  '`apple_pay` or `google_pay`, if the payer used the wallet button on the pay page. Absent for card charges.',
  'apple_pay',
);

export const ChargeResource = z
  .object({
    charge_id: FIELDS.charge_id,
    status: ChargeStatusField,
    amount_cents: FIELDS.amount_cents,
    processor_payment_id: FIELDS.processor_payment_id,
    wallet: WalletField,
    payment_method: field(
      z.literal('us_bank_account').optional(),
      'Only for a debit of a US bank account. Absent for card charges.',
      'us_bank_account',
    ),
    debited_at: field(
      z.iso.datetime().optional(),
      'Only for a bank debit: when the processor accepted it, ISO 8601 in UTC. The charge stays `pending` until the bank has paid or returned it, in some days.',
      '2026-11-20T12:00:41.000Z',
    ),
    capture_failed_at: field(
      z.iso.datetime().optional(),
      'Only for a charge that had succeeded, and whose amount the processor could not take after all: when Ringkey found out, ISO 8601 in UTC. The charge is `failed`. Otherwise absent.',
      '2026-11-23T09:30:00.000Z',
    ),
    returned_at: field(
      z.iso.datetime().optional(),
      "Only for a bank debit that was paid and that the bank has returned since: when Ringkey found out, ISO 8601 in UTC. The charge is `failed`, and `failure.processor_code` has the bank's return code, such as `R10`. Otherwise absent.",
      '2026-12-11T09:30:00.000Z',
    ),
    was_late: field(
      z.literal(true).optional(),
      'True if the charge was reported as failed, or was lost, and the processor was later found to have taken the money. Otherwise absent.',
      true,
    ),
    duplicate_of: field(
      z.string().optional(),
      'Only for a late charge: another charge of the same session or order that was pending or succeeded when this one was found. Decide which of the two to refund. Otherwise absent.',
      'ch_t6bq3vnx9kfm2hrw8zdpc5yj4e',
    ),
    capture_before: field(
      z.iso.datetime().optional(),
      'Only for an `authorized` charge: when the processor releases the hold, ISO 8601 in UTC. Absent if the processor does not say.',
      '2026-11-27T12:00:41.000Z',
    ),
    captured_cents: field(
      z.int().optional(),
      'Only for a captured hold: the captured amount in minor units. The rest of `amount_cents` was released.',
      4250,
    ),
    tip_cents: field(
      z.int().optional(),
      'Only if the caller added a tip: its amount in minor units. It is part of `amount_cents` of the charge, beside `amount_cents` of the session.',
      765,
    ),
    remaining_cents: field(
      z.int().optional(),
      'Only if the payer paid a part: what is left of `amount_cents` of the session, in minor units. The session is complete all the same. To collect the rest, create another checkout, without the `order_id` or with `allow_repeat`.',
      2250,
    ),
    failure: field(
      ErrorObject.optional(),
      'Only for a failed charge: the error object that the charge operation would have returned.',
    ),
  })
  .meta({ id: 'Charge', description: 'One attempt to charge the amount of a session.' });
export type ChargeResource = z.infer<typeof ChargeResource>;

export interface ChargeFacts {
  id: ChargeId;
  status: ChargeStatus;
  amountCents: number;
  processorPaymentId: string | null;
  declineCode: DeclineCode | null;
  processorCode: string | null;
  source: ChargeSource;
  wallet: Wallet | null;
  wasLate: boolean;
  duplicateOf: ChargeId | null;
  capture: CaptureMode;
  /** Milliseconds since 1970. */
  captureBeforeMs: number | null;
  capturedCents: number | null;
  tipCents: number;
  remainingCents: number;
  paymentMethod: PaymentMethod;
  /** Milliseconds since 1970. */
  debitedAtMs: number | null;
  /** Milliseconds since 1970. */
  returnedAtMs: number | null;
  /** Milliseconds since 1970. */
  captureFailedAtMs: number | null;
}

export function chargeResource(charge: ChargeFacts, context: ErrorContext): ChargeResource {
  return {
    charge_id: charge.id,
    status: charge.status,
    amount_cents: charge.amountCents,
    processor_payment_id: charge.processorPaymentId,
    ...(charge.wallet !== null && { wallet: charge.wallet }),
    ...(charge.paymentMethod !== 'card' && { payment_method: charge.paymentMethod }),
    ...(charge.debitedAtMs !== null && { debited_at: new Date(charge.debitedAtMs).toISOString() }),
    ...(charge.returnedAtMs !== null && { returned_at: new Date(charge.returnedAtMs).toISOString() }),
    ...(charge.captureFailedAtMs !== null && { capture_failed_at: new Date(charge.captureFailedAtMs).toISOString() }),
    ...(charge.wasLate && { was_late: true as const }),
    ...(charge.duplicateOf !== null && { duplicate_of: charge.duplicateOf }),
    ...(charge.status === 'authorized' &&
      charge.captureBeforeMs !== null && { capture_before: new Date(charge.captureBeforeMs).toISOString() }),
    ...(charge.capturedCents !== null && { captured_cents: charge.capturedCents }),
    ...(charge.tipCents > 0 && { tip_cents: charge.tipCents }),
    ...(charge.remainingCents > 0 && { remaining_cents: charge.remainingCents }),
    ...(charge.status === 'failed' && { failure: failureObject(charge, context) }),
  };
}

function failureObject(charge: ChargeFacts, context: ErrorContext): ErrorObject {
  const { id, source, declineCode, processorCode } = charge;
  const facts = {
    charge: id,
    ...(processorCode !== null && { processorCode }),
    ...causeFacts(charge),
    // The words of the code are about a card.
    ...(charge.paymentMethod === 'us_bank_account' && { words: 'debit_declined' as const }),
  };
  if (declineCode === null) return errorObject('merchant_credentials_invalid', facts, context);
  return errorObject('card_declined', { ...facts, declineCode, isSavedCard: source === 'saved_card' }, context);
}
