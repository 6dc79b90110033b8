/** Sessions and charges as REST answers and webhooks show them: a schema for each, and the function that fills it. */
import { z } from 'zod';
import { languageOf } from '../domain/language.ts';
import { type ChargeSource, type DeclineCode, WALLETS, type Wallet } from '../domain/charge.ts';
import { CardEntry, cardEntries } from './cards.ts';
import { type ErrorContext, errorObject } from './errors.ts';
import { ErrorObject } from './error-object.ts';
import { FIELDS, field } from './fields.ts';
import { ScreenResource, screenResource } from './screen.ts';
import type { ChargeId } from '../domain/ids.ts';
import type { SavedCard } from '../domain/instrument.ts';
import type { Screen } from '../domain/screening.ts';
import type { CheckoutSession, Merchant, Mode, SessionStatus } from '../domain/session.ts';

/** Also in the answer of `charge`. */
export const ChargeStatusField = field(
  z.enum(['pending', 'succeeded', 'failed']),
  '`pending`: no outcome yet. The processor gave none, and the money may have been taken; or the payer, on the pay page, has ten minutes to confirm to the bank (3-D Secure). Start no other payment for this order; the webhook brings the outcome. `succeeded` and `failed` are final.',
  'succeeded',
);

/** Also in the answer of `charge`. */
export const WalletField = field(
  z.enum(WALLETS).optional(),
  "`apple_pay` or `google_pay`, where the payment came by the pay page's wallet button. Absent on card charges.",
  'apple_pay',
);

export const ChargeResource = z
  .object({
    charge_id: FIELDS.charge_id,
    status: ChargeStatusField,
    amount_cents: FIELDS.amount_cents,
    processor_payment_id: FIELDS.processor_payment_id,
    wallet: WalletField,
    failure: field(
      ErrorObject.optional(),
      'Of a failed charge only: the error object, as the charge operation would have answered it.',
    ),
  })
  .meta({ id: 'Charge', description: 'One attempt to take the amount of a session.' });
export type ChargeResource = z.infer<typeof ChargeResource>;

export const CheckoutSessionResource = z
  .object({
    checkout_session_id: FIELDS.checkout_session_id,
    session_status: field(
      z.enum(['open', 'complete', 'expired']),
      '`open`: it can be paid. `complete`: it is paid. `expired`: its time ended without a payment.',
      'complete',
    ),
    payment_required: FIELDS.payment_required,
    amount_cents: FIELDS.amount_cents,
    currency: FIELDS.currency,
    merchant_id: FIELDS.merchant_id.describe('The merchant; an empty string where the dialled number was nobody’s.'),
    business_name: field(
      z.string().nullable(),
      "The merchant's own name, for the head of a pay page. Null if the merchant is gone.",
      'Demo Diner',
    ),
    processor: field(
      z.string().nullable(),
      "The merchant's processor: `sandbox`, `sandbox_page`, `stripe`, `square`. Null where none is connected, or the merchant is gone.",
      'sandbox',
    ),
    voice: field(
      z.string().nullable(),
      "The merchant's text-to-speech voice; null for the default voice of its language.",
      null,
    ),
    environment: FIELDS.environment.describe('The mode of the key that reads.'),
    order_id: FIELDS.order_id,
    platform_call_id: FIELDS.platform_call_id,
    caller_phone: field(
      z.string().nullable(),
      'The number the session was opened for, E.164; null where it was opened without.',
      '+15550101234',
    ),
    caller_first_name: field(
      z.string().nullable(),
      'Who calls, for a greeting; null for an unknown caller. Identity only.',
      'Demo',
    ),
    return_to: field(
      z.string().nullable(),
      'Where the caller goes after paying, as `create_checkout` was given it; else null.',
      'sip:agent@agents.example.com',
    ),
    success_message: field(
      z.string().nullable(),
      'What the line says after a successful payment; null for its own short line.',
      'Thank you, your table is booked.',
    ),
    failure_message: field(
      z.string().nullable(),
      'What the line says of a decline; null for its own short line.',
      'That card was not accepted.',
    ),
    charge: field(
      ChargeResource.nullable(),
      'The charge that is pending or succeeded, else the last that failed. Null before any.',
    ),
    cards: field(
      z.array(CardEntry),
      'The caller’s cards that this merchant can charge, newest first. Empty when nothing is to be paid, once the session is paid or expired, and where screening steps the caller up.',
      [],
    ),
    default_card_id: FIELDS.default_card_id.meta({ examples: [null] }),
    tokenization: field(
      z
        .object({
          processor: field(z.string(), 'Whose browser SDK makes the token: `stripe`, `square`.', 'stripe'),
          public_key: field(z.string(), "The processor's publishable key or application id.", 'pk_test_51HxExample'),
          location_id: field(
            z.string().nullable(),
            "Square: the merchant's location. Stripe: the connected account (`stripeAccount` of Stripe.js), null for an account of the merchant's own.",
            'L88917EXAMPLE',
          ),
          environment: field(z.string(), "The processor's own name of the environment.", 'sandbox'),
        })
        .nullable(),
      "What a pay page's card field needs of the merchant's processor; nothing in it is secret. Null where the processor needs none or its configuration is incomplete.",
      null,
    ),
    screen: field(
      ScreenResource.nullable(),
      'What screening found of the caller. Never to be spoken. Null until anything has resolved, two days later, and in events.',
      null,
    ),
    metadata: FIELDS.metadata,
  })
  .meta({
    id: 'CheckoutSession',
    description: 'A checkout session: what is to be paid, by whom and to whom, and how it went.',
  });
export type CheckoutSessionResource = z.infer<typeof CheckoutSessionResource>;

/** What a charge's resource shows. */
export interface ChargeFacts {
  id: ChargeId;
  status: 'pending' | 'succeeded' | 'failed';
  amountCents: number;
  processorPaymentId: string | null;
  declineCode: DeclineCode | null;
  processorCode: string | null;
  source: ChargeSource;
  wallet: Wallet | null;
}

/** What a session's resource shows. */
export interface CheckoutFacts {
  session: CheckoutSession;
  /** Its time is over, by the clock of the database. */
  isOver: boolean;
  /** Null for a session without a merchant, or whose merchant was deleted. */
  merchant: Merchant | null;
  callerFirstName: string | null;
  charge: ChargeFacts | null;
  /** Chargeable at the merchant, newest first. */
  cards: readonly SavedCard[];
}

/** What a pay page's card field needs to know of the processor. Nothing in it is secret. */
export interface PageTokens {
  processor: string;
  publicKey: string;
  locationId: string | null;
  environment: string;
}

export interface ReadingContext extends ErrorContext {
  /** Mode of the key that reads. */
  environment: Mode;
  /** Whether saved cards are offered; true where not given. */
  savedCards?: boolean;
  /** For pay pages; events have none. */
  tokenization?: PageTokens | null;
  /** Likewise: what carriers say of a caller is kept for two days, events for longer. */
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
    charge: charge === null ? null : chargeResource(charge, inLanguageOf(session, merchant, context)),
    ...cardEntries(offersCards ? facts.cards : []),
    tokenization: tokenizationResource(context.tokenization ?? null),
    screen: context.screen == null ? null : screenResource(context.screen),
    metadata: session.metadata,
  };
}

function inLanguageOf(
  session: CheckoutSession,
  merchant: Merchant | null,
  { requestId, docsUrl }: ErrorContext,
): ErrorContext {
  return { requestId, docsUrl, language: languageOf(session, merchant) };
}

/**
 * The session's status. Past its time it is expired even before the sweep has written that, unless a charge is pending: the
 * charge may still complete it, and nothing goes from expired to complete.
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
    ...(charge.status === 'failed' && { failure: failureObject(charge, context) }),
  };
}

function failureObject(charge: ChargeFacts, context: ErrorContext): ErrorObject {
  const { id, source, declineCode, processorCode } = charge;
  const facts = { charge: id, ...(processorCode !== null && { processorCode }) };
  if (declineCode === null) return errorObject('merchant_credentials_invalid', facts, context);
  return errorObject('card_declined', { ...facts, declineCode, isSavedCard: source === 'saved_card' }, context);
}
