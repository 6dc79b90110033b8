/** Renders the body of an event for endpoints and the list of events: its facts, inside the current session. */

import { type ErrorContext, errorObject } from '../../contract/errors.ts';
import { type RefundFacts, refundResource } from '../../contract/refunds.ts';
import {
  type ChargeFacts,
  type ChargeResource,
  type CheckoutFacts,
  chargeResource,
  checkoutSessionResource,
} from '../../contract/resources.ts';
import type { LoggedEvent } from '../../db/events/event-log.ts';
import type { EventFacts } from '../../db/events/events.ts';
import { languageOf } from '../../domain/language.ts';

/**
 * The event's JSON text.
 * @param session null for a `test` event, which has none
 * @param docsUrl base of `doc_url` in a failure; its `request_id` is the event's ID
 */
export function eventJson(event: LoggedEvent, session: CheckoutFacts | null, docsUrl: string): string {
  return JSON.stringify({
    id: event.id,
    type: event.type,
    created_at: event.createdAt.toISOString(),
    sequence: Number(event.sequence),
    mode: event.mode,
    data: eventData(event, session, docsUrl),
  });
}

function eventData(event: LoggedEvent, session: CheckoutFacts | null, docsUrl: string): object {
  if (session === null || event.facts === null) return { checkout_session: null, charge: null };
  const context: ErrorContext = {
    requestId: event.id,
    docsUrl,
    language: languageOf(session.session, session.merchant),
  };
  const facts = chargeFactsOf(event.facts);
  const charge = facts === null ? null : chargeResource(facts, context);
  const then = { ...session.session, status: event.facts.session_status };
  const resource = checkoutSessionResource(
    { ...session, session: then, isOver: then.expiresAt <= event.createdAt, charge: facts },
    { ...context, environment: event.mode },
  );
  // The status at the time of the event, even if the session has expired since.
  const checkoutSession = { ...resource, session_status: event.facts.session_status };
  const refund = refundFactsOf(event.facts, session);
  if (refund !== null) return { checkout_session: checkoutSession, charge, refund: refundResource(refund, context) };
  const failure = failureOf(facts, charge, context);
  return { checkout_session: checkoutSession, charge, ...failure, outcome: event.facts.outcome };
}

function chargeFactsOf({ charge }: EventFacts): ChargeFacts | null {
  if (charge === null) return null;
  return {
    id: charge.charge_id,
    status: charge.status,
    amountCents: charge.amount_cents,
    processorPaymentId: charge.processor_payment_id,
    declineCode: charge.decline_code,
    processorCode: charge.processor_code,
    source: charge.source ?? 'phone',
    wallet: charge.wallet ?? null,
    wasLate: charge.was_late ?? false,
    duplicateOf: charge.duplicate_of ?? null,
  };
}

/** Null if the event is not about a refund. */
function refundFactsOf({ charge, refund }: EventFacts, { session }: CheckoutFacts): RefundFacts | null {
  if (refund === undefined || charge === null) return null;
  return {
    id: refund.refund_id,
    chargeId: charge.charge_id,
    sessionId: session.id,
    merchantId: refund.merchant_id,
    status: refund.status,
    amount: { amountCents: refund.amount_cents, currency: refund.currency },
    reason: refund.reason,
    metadata: refund.metadata,
    processorRefundId: refund.processor_refund_id,
    failure: refund.failure,
    processorCode: refund.processor_code,
    createdAt: new Date(refund.created_at),
  };
}

/** `failure`: the error object that the charge operation would have returned. */
function failureOf(facts: ChargeFacts | null, charge: ChargeResource | null, context: ErrorContext): object {
  if (charge?.failure !== undefined) return { failure: charge.failure };
  if (facts?.status !== 'pending') return {};
  return { failure: errorObject('processor_unavailable', { charge: facts.id }, context) };
}
