/** Checkout sessions as REST and webhooks show them: their schema, and the function that fills it. */
import { z } from 'zod';
import { isPaidStatus } from '../domain/charge.ts';
import type { InstrumentId } from '../domain/ids.ts';
import type { SavedCard } from '../domain/instrument.ts';
import { languageOf } from '../domain/language.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Screen } from '../domain/screening.ts';
import type { CheckoutSession, Mode, SessionStatus } from '../domain/session.ts';
import { type LastCall, sessionLine } from './agent-lines.ts';
import { CardEntry, cardEntries } from './cards.ts';
import { type ChargeFacts, ChargeResource, chargeResource } from './charge-resource.ts';
import type { ErrorContext } from './errors.ts';
import { FIELDS, field } from './fields.ts';
import { ScreenResource, screenResource } from './screen.ts';

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
