/**
 * Resources as the interface shows them: the schemas that name every field, and the functions that fill them in. The
 * REST answers and the webhooks' `data` are made here.
 */
import { z } from 'zod';
import type { DeclineCode } from './charge.ts';
import { type ErrorContext, ErrorObject, errorObject } from './errors.ts';
import type { ChargeId } from './ids.ts';
import type { SavedCard } from './instrument.ts';
import type { CheckoutSession, Merchant, Mode, SessionStatus } from './session.ts';

export const CardEntry = z.object({
  instrument_id: z.string(),
  brand: z.string(),
  last_four: z.string(),
  /** `MM/YYYY`. */
  expiry: z.string(),
});
export type CardEntry = z.infer<typeof CardEntry>;

export const ChargeResource = z.object({
  charge_id: z.string(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  amount_cents: z.int(),
  processor_payment_id: z.string().nullable(),
  /** Absent on card charges. */
  wallet: z.string().optional(),
  /** Of a failed charge: the error object, as the charge operation would have answered. */
  failure: ErrorObject.optional(),
});
export type ChargeResource = z.infer<typeof ChargeResource>;

/** The retrieve shape, but for `metadata`: that is echoed as text, byte for byte, by whoever writes the JSON. */
export const CheckoutSessionResource = z.object({
  checkout_session_id: z.string(),
  session_status: z.enum(['open', 'complete', 'expired']),
  payment_required: z.enum(['required', 'optional', 'none']),
  amount_cents: z.int(),
  currency: z.string(),
  merchant_id: z.string(),
  business_name: z.string().nullable(),
  processor: z.string().nullable(),
  voice: z.string().nullable(),
  environment: z.enum(['test', 'live']),
  order_id: z.string().nullable(),
  platform_call_id: z.string().nullable(),
  caller_phone: z.string().nullable(),
  caller_first_name: z.string().nullable(),
  return_to: z.string().nullable(),
  success_message: z.string().nullable(),
  failure_message: z.string().nullable(),
  charge: ChargeResource.nullable(),
  cards: z.array(CardEntry),
  default_card_id: z.string().nullable(),
  tokenization: z
    .object({ processor: z.string(), public_key: z.string(), location_id: z.string(), environment: z.string() })
    .nullable(),
  screen: z.record(z.string(), z.unknown()).nullable(),
});
export type CheckoutSessionResource = z.infer<typeof CheckoutSessionResource>;

/** A charge as a session reads with it. */
export interface ChargeFacts {
  id: ChargeId;
  status: 'pending' | 'succeeded' | 'failed';
  amountCents: number;
  processorPaymentId: string | null;
  declineCode: DeclineCode | null;
  processorCode: string | null;
}

/** All that a session's resource shows. */
export interface CheckoutFacts {
  session: CheckoutSession;
  /** Null when none was resolved, or it is gone. */
  merchant: Merchant | null;
  callerFirstName: string | null;
  charge: ChargeFacts | null;
  /** Chargeable at the merchant, newest first. */
  cards: readonly SavedCard[];
}

/** `environment` is the mode of the key that reads. */
export interface ReadingContext extends ErrorContext {
  environment: Mode;
  now: Date;
}

export function checkoutSessionResource(facts: CheckoutFacts, context: ReadingContext): CheckoutSessionResource {
  const { session, merchant, charge } = facts;
  const status = statusAt(session, charge, context.now);
  const offersCards = status === 'open' && session.verdict !== 'none';
  return {
    checkout_session_id: session.id,
    session_status: status,
    payment_required: session.verdict,
    amount_cents: session.amount.amountCents,
    currency: session.amount.currency,
    merchant_id: session.merchantId ?? '',
    business_name: merchant?.businessName ?? null,
    processor: merchant?.processor ?? null,
    voice: merchant?.voice ?? null,
    environment: context.environment,
    order_id: session.orderId,
    platform_call_id: session.platformCallId,
    caller_phone: session.callerPhone,
    caller_first_name: facts.callerFirstName,
    return_to: session.returnTo,
    success_message: session.successMessage,
    failure_message: session.failureMessage,
    charge: charge === null ? null : chargeResource(charge, context),
    ...cardEntries(offersCards ? facts.cards : []),
    tokenization: null,
    screen: null,
  };
}

/**
 * A session past its time reads as expired before the sweep has met it, unless a charge is pending: that one may yet
 * pay it, and nothing goes from expired to complete.
 */
export function statusAt(
  session: Pick<CheckoutSession, 'status' | 'expiresAt'>,
  charge: Pick<ChargeFacts, 'status'> | null,
  now: Date,
): SessionStatus {
  const overdue = session.status === 'open' && session.expiresAt <= now && charge?.status !== 'pending';
  return overdue ? 'expired' : session.status;
}

export function chargeResource(charge: ChargeFacts, context: ErrorContext): ChargeResource {
  return {
    charge_id: charge.id,
    status: charge.status,
    amount_cents: charge.amountCents,
    processor_payment_id: charge.processorPaymentId,
    ...(charge.status === 'failed' && { failure: failureObject(charge, context) }),
  };
}

function failureObject(charge: ChargeFacts, context: ErrorContext): ErrorObject {
  const facts = {
    charge: charge.id,
    declineCode: charge.declineCode ?? 'generic_decline',
    ...(charge.processorCode !== null && { processorCode: charge.processorCode }),
  };
  return errorObject('card_declined', facts, context);
}

/** `cards` and `default_card_id`; newest first is the caller's order. */
export function cardEntries(cards: readonly SavedCard[]): { cards: CardEntry[]; default_card_id: string | null } {
  return {
    cards: cards.map((card) => ({
      instrument_id: card.id,
      brand: card.brand,
      last_four: card.lastFour,
      expiry: `${String(card.expiryMonth).padStart(2, '0')}/${card.expiryYear}`,
    })),
    default_card_id: cards.find((card) => card.isDefault)?.id ?? null,
  };
}
