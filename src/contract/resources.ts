/** Sessions and charges as REST and webhooks show them: their schemas, and the functions that fill them. */
import { z } from 'zod';
import type { PaymentMethod } from '../domain/bank-account.ts';
import {
  CHARGE_STATUSES,
  type ChargeSource,
  type ChargeStatus,
  type DeclineCode,
  isPaidStatus,
  WALLETS,
  type Wallet,
} from '../domain/charge.ts';
import type { CaptureMode } from '../domain/hold.ts';
import type { ChargeId, InstrumentId } from '../domain/ids.ts';
import type { SavedCard } from '../domain/instrument.ts';
import { languageOf } from '../domain/language.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Screen } from '../domain/screening.ts';
import type { CheckoutSession, Mode, SessionStatus } from '../domain/session.ts';
import { type LastCall, sessionLine } from './agent-lines.ts';
import { CardEntry, cardEntries } from './cards.ts';
import { causeFacts } from './declines.ts';
import { ErrorObject } from './error-object.ts';
import { type ErrorContext, errorObject } from './errors.ts';
import { FIELDS, field } from './fields.ts';
import { ScreenResource, screenResource } from './screen.ts';

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

export const CheckoutSessionResource = z
  .object({
    checkout_session_id: FIELDS.checkout_session_id,
    session_status: field(
      z.enum(['open', 'complete', 'expired']),
      '`open`: can be paid. `complete`: paid, even if the bank returns a bank debit later (`returned_at` of the charge) or its capture fails later (`capture_failed_at`). `expired`: ended without a payment. An expired session becomes `complete` if one of its charges is found to be taken late (`was_late`).',
      'complete',
    ),
    agent_message: field(
      z.string().nullable(),
      "What the agent says about the outcome so far, word for word, in the caller's language: paid, declined, nothing charged, the link was texted. Null while the caller is on the payment line.",
      'Thank you, your payment went through.',
    ),
    payment_required: FIELDS.payment_required,
    purpose: FIELDS.purpose,
    amount_cents: FIELDS.amount_cents,
    remaining_cents: field(
      z.int().optional(),
      'Only if a part was paid: what is left of `amount_cents`, in minor units.',
      2250,
    ),
    currency: FIELDS.currency,
    merchant_id: FIELDS.merchant_id.describe('The merchant. An empty string if no merchant has the dialed number.'),
    business_name: field(
      z.string().nullable(),
      "The merchant's own name, for the header of a pay page. Null if the merchant was deleted.",
      'Demo Diner',
    ),
    processor: field(
      z.string().nullable(),
      "The merchant's processor: `sandbox`, `sandbox_page`, `stripe`, `square`, `authorizenet`, `checkoutcom`, `braintree`, `worldpay`, `hyperswitch`, `adyen`, `payconnector`. Null if none is connected or the merchant was deleted.",
      'sandbox',
    ),
    voice: field(
      z.string().nullable(),
      "The merchant's text-to-speech voice. Null for the default voice of its language.",
      null,
    ),
    environment: FIELDS.environment.describe('The mode of your key.'),
    order_id: FIELDS.order_id,
    platform_call_id: FIELDS.platform_call_id,
    caller_phone: field(
      z.string().nullable(),
      "The caller's number, E.164. Null if the session was created without one.",
      '+15550101234',
    ),
    caller_first_name: field(
      z.string().nullable(),
      "The caller's first name, for a greeting. Null for an unknown caller. Identity only.",
      'Demo',
    ),
    return_to: field(
      z.string().nullable(),
      'Where the caller goes after paying, as sent to `create_checkout`. Otherwise null.',
      'sip:agent@agents.example.com',
    ),
    success_message: field(
      z.string().nullable(),
      'What the line says after a successful payment. Null for the default sentence.',
      'Thank you, your table is booked.',
    ),
    failure_message: field(
      z.string().nullable(),
      'What the line says after a decline. Null for the default sentence.',
      'That card was not accepted.',
    ),
    charge: field(
      ChargeResource.nullable(),
      'The pending, authorized or succeeded charge. Otherwise the last failed one. Null before the first charge.',
    ),
    cards: field(
      z.array(CardEntry),
      'The caller’s cards that this merchant can charge, newest first. Empty if nothing is due, if the session is paid or expired, or if screening returns `step_up`.',
      [],
    ),
    default_card_id: FIELDS.default_card_id.meta({ examples: [null] }),
    instrument_id: field(
      z.string().nullable(),
      'The card that the caller saved with this checkout. Null if there is none. With some processors it appears only after the payment.',
      null,
    ),
    tokenization: field(
      z
        .object({
          processor: field(
            z.string(),
            'The processor whose browser SDK creates the token: `stripe`, `square`, `authorizenet`, `checkoutcom`, `braintree`, `worldpay`, `adyen`.',
            'stripe',
          ),
          public_key: field(z.string(), "The processor's publishable key or application ID.", 'pk_test_51HxExample'),
          location_id: field(
            z.string().nullable(),
            "Square: the merchant's location. Stripe: the connected account (`stripeAccount` of Stripe.js), or null if the merchant has its own account. Authorize.net: the API login ID (`apiLoginID` of Accept.js). Adyen: the environment of Adyen Web.",
            'L88917EXAMPLE',
          ),
          environment: field(z.string(), "The processor's own name for the environment.", 'sandbox'),
        })
        .nullable(),
      "What the card field of a pay page needs to know about the merchant's processor. Contains no secrets. Null if the processor needs nothing or its configuration is incomplete.",
      null,
    ),
    screen: field(
      ScreenResource.nullable(),
      'What screening found about the caller. Never speak it. Null until a check has finished, two days later, and in events.',
      null,
    ),
    metadata: FIELDS.metadata,
  })
  .meta({
    id: 'CheckoutSession',
    description: 'A checkout session: what is due, the payer, the merchant, and the outcome.',
  });
export type CheckoutSessionResource = z.infer<typeof CheckoutSessionResource>;

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

export interface CheckoutFacts {
  session: CheckoutSession;
  /** Past `expires_at`, by the clock of the database. */
  isOver: boolean;
  /** Null if the session has no merchant or the merchant was deleted. */
  merchant: Merchant | null;
  callerFirstName: string | null;
  charge: ChargeFacts | null;
  /** The cards that the merchant can charge, newest first. */
  cards: readonly SavedCard[];
  /** The card that was saved with the session's charge. */
  savedCardId?: InstrumentId | null;
  /** Null if there was none. */
  lastCall: LastCall | null;
  /** The pay link was texted, or is about to be. */
  hasLink: boolean;
}

/** What the card field of a pay page needs to know about the processor. Contains no secrets. */
export interface PageTokens {
  processor: string;
  publicKey: string;
  locationId: string | null;
  environment: string;
}

interface ReadingContext extends ErrorContext {
  /** The mode of the key. */
  environment: Mode;
  /** Whether saved cards are offered. The default is true. */
  savedCards?: boolean;
  /** For pay pages; events have none. */
  tokenization?: PageTokens | null;
  /** Not in events, because it is stored for two days only, and events are stored longer. */
  screen?: Screen | null;
}

function tokenizationResource(tokens: PageTokens | null): CheckoutSessionResource['tokenization'] {
  if (tokens === null) return null;
  const { processor, publicKey, locationId, environment } = tokens;
  return { processor, public_key: publicKey, location_id: locationId, environment };
}

export function checkoutSessionResource(facts: CheckoutFacts, context: ReadingContext): CheckoutSessionResource {
  const { session, merchant, charge } = facts;
  const status = statusOf(facts);
  const offersCards = status === 'open' && session.verdict !== 'none' && context.savedCards !== false;
  const inLanguage = inLanguageOf(session, merchant, context);
  const shownCharge = charge === null ? null : chargeResource(charge, inLanguage);
  return {
    checkout_session_id: session.id,
    session_status: status,
    agent_message: agentMessageOf(facts, status, shownCharge, inLanguage),
    payment_required: session.verdict,
    purpose: session.purpose,
    amount_cents: session.amount.amountCents,
    ...remainingEntry(charge),
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
    charge: shownCharge,
    ...cardEntries(offersCards ? facts.cards : []),
    instrument_id: facts.savedCardId ?? null,
    tokenization: tokenizationResource(context.tokenization ?? null),
    screen: context.screen == null ? null : screenResource(context.screen),
    metadata: session.metadata,
  };
}

/** A charge that may still fail leaves nothing yet. */
function remainingEntry(charge: ChargeFacts | null): Pick<CheckoutSessionResource, 'remaining_cents'> {
  const isPart = charge !== null && isPaidStatus(charge.status) && charge.remainingCents > 0;
  return isPart ? { remaining_cents: charge.remainingCents } : {};
}

function agentMessageOf(
  { session: { verdict, purpose, amount }, lastCall, hasLink }: CheckoutFacts,
  status: SessionStatus,
  charge: ChargeResource | null,
  { language = null }: ErrorContext,
): string | null {
  const made = charge === null ? null : chargeSaid(charge);
  const charged = charge === null ? amount : { ...amount, amountCents: charge.amount_cents };
  return sessionLine({ status, verdict, purpose, amount: charged, charge: made, lastCall, hasLink }, language);
}

const chargeSaid = ({
  status,
  failure,
  debited_at,
  returned_at,
  capture_failed_at,
  remaining_cents,
}: ChargeResource) => ({
  status,
  failure: failure?.agent_message ?? null,
  isDebited: debited_at !== undefined,
  isReturned: returned_at !== undefined,
  isNotCollected: capture_failed_at !== undefined,
  remainingCents: remaining_cents ?? 0,
});

function inLanguageOf(
  session: CheckoutSession,
  merchant: Merchant | null,
  { requestId, docsUrl }: ErrorContext,
): ErrorContext {
  return { requestId, docsUrl, language: languageOf(session, merchant) };
}

/**
 * The session's status. After `expires_at` it is expired even before the sweeper has updated it, unless a pending charge
 * can still complete it. Only a late charge (`was_late`) changes it from expired to complete.
 */
export function statusOf(facts: {
  session: Pick<CheckoutSession, 'status'>;
  isOver: boolean;
  charge: Pick<ChargeFacts, 'status'> | null;
}): SessionStatus {
  const { session, isOver, charge } = facts;
  return session.status === 'open' && isOver && charge?.status !== 'pending' ? 'expired' : session.status;
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
