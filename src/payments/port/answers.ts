/** A processor's answers to a charge, as the port returns them. */
import type { DeclineCode, Wallet } from '../../domain/charge.ts';

/** Card details that only the processor has seen. `brand` as in `CardBrand.label`. */
export interface CardFacts {
  brand: string;
  lastFour: string;
}

/** A card as saved at the processor. */
export interface ProcessorCard extends CardFacts {
  /** The processor's name for the card, to charge and to delete it. */
  handle: string;
  /** The processor's fingerprint of the card number: equal for equal numbers only. Null if it has none. */
  fingerprint: string | null;
  /** 1 … 12. */
  expiryMonth: number;
  /** Four digits. */
  expiryYear: number;
}

/**
 * `savedCard`: if the processor saved the card with the charge (`keepsCard`). `wallet`: the wallet that was used, or null;
 * absent if the processor does not say.
 */
export interface Succeeded {
  status: 'succeeded';
  processorPaymentId: string;
  /**
   * The amount taken, in minor units and as an ISO 4217 code, if the processor says so. Another amount than the
   * requested one is not accepted as an answer.
   */
  taken?: { amountCents: number; currency: string };
  card?: CardFacts;
  wallet?: Wallet | null;
  savedCard?: ProcessorCard;
  /** Of a bank debit: when to look for its return, if the processor says so. */
  returnCheckInMs?: number;
}

/**
 * The amount is held on the card and not taken. Only for a charge with `ChargeRequest.isHold`. The other fields are as in
 * {@link Succeeded}.
 */
export interface Authorized extends Omit<Succeeded, 'status' | 'taken'> {
  status: 'authorized';
  /** The held amount, if the processor says so. */
  held?: { amountCents: number; currency: string };
  /** When the processor releases the hold by itself. Null if it does not say. */
  captureBefore: Date | null;
}

export interface Declined {
  status: 'declined';
  declineCode: DeclineCode;
  processorCode: string | null;
  processorPaymentId: string | null;
  /** Inferred: the processor does not have the charge. */
  isInferred?: true;
}

/**
 * Rejected, and nothing was taken, because of the merchant's account, its credentials or our request. It is not a
 * decline: another card would be rejected, too.
 */
export interface Refused {
  status: 'refused';
  processorCode: string | null;
}

/** Neither a clear success nor a clear failure: the money may have moved. `cause`: for the log. */
export interface Unknown {
  status: 'unknown';
  cause: string;
}

/** From a lookup: the processor never received it. `never`: it never will, because its idempotency key is used up. */
export interface NotFound {
  status: 'not_found';
  never?: true;
}

/**
 * The bank's challenge, for the processor's script on our page. Sent to the payer only, never stored or logged.
 * `clientSecret`: of the PaymentIntent. `url`: of the processor's own page, from which the payer returns to ours. `ends`: the result of the sandbox's own dialog.
 */
export type CardAction =
  | { kind: 'stripe'; clientSecret: string }
  | { kind: 'redirect'; url: string }
  | { kind: 'sandbox'; paymentId: string; ends: 'approved' | 'declined' | 'refused' | 'abandoned' };

/**
 * Channel `page` only: the bank asks the payer to authenticate (3-D Secure). No money has moved, and none will before
 * `CardActions.confirm`. `action`: null once the payer has done it.
 */
export interface ActionRequired {
  status: 'action_required';
  processorPaymentId: string;
  action: CardAction | null;
}

/**
 * The processor has accepted a bank debit. The bank settles or returns it days later.
 * `settlesInMs`: when to look again, if the processor says so.
 */
export interface Debited {
  status: 'debited';
  processorPaymentId: string;
  /** The amount debited, if the processor says so. As in {@link Succeeded}. */
  taken?: { amountCents: number; currency: string };
  settlesInMs?: number;
}

/** A clear yes or no. */
export type Settlement = Succeeded | Authorized | Declined | Refused;

/** Whether the amount was taken or is held. */
export function isApproved<T extends { status: string }>(answer: T): answer is Extract<T, Succeeded | Authorized> {
  return answer.status === 'succeeded' || answer.status === 'authorized';
}

/** The processor's answer to a charge. */
export type ProcessorAnswer = Settlement | Unknown | ActionRequired | Debited;

/** From `CardActions.confirm`: the processor could not be asked about the charge, so nothing was ordered. */
export interface NotOrdered {
  status: 'not_ordered';
  cause: string;
}

export function unknown(cause: string): Unknown {
  return { status: 'unknown', cause };
}

export function refused(processorCode: string | null): Refused {
  return { status: 'refused', processorCode };
}

/** The decline of a charge whose payer did not authenticate. */
export function notAuthenticated(processorCode: string | null, processorPaymentId: string | null): Declined {
  return { status: 'declined', declineCode: 'authentication_required', processorCode, processorPaymentId };
}

/** A decline without a payment at the processor. */
export function declinedUnpaid(processorCode: string | null, declineCode: DeclineCode = 'processing_error'): Declined {
  return { status: 'declined', declineCode, processorCode, processorPaymentId: null };
}

/** `processorCode` if the merchant's credentials were rejected. Nothing was taken. */
export const CREDENTIALS_REJECTED = 'credentials_rejected';
