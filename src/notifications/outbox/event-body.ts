/** The bodies of events for endpoints and the list of events: an event's facts, inside the current session. */
import { type AttentionItemResource, attentionItemResource } from '../../contract/attention.ts';
import { type ChargeFacts, type ChargeResource, chargeResource } from '../../contract/charge-resource.ts';
import { type DisputeResource, disputeResource } from '../../contract/disputes.ts';
import { type ErrorContext, errorObject } from '../../contract/errors.ts';
import { type RefundFacts, refundResource } from '../../contract/refunds.ts';
import { type CheckoutFacts, checkoutSessionResource } from '../../contract/session-resource.ts';
import type { AttentionEventItem, LoggedEvent } from '../../db/events/event-log.ts';
import type { EventFacts } from '../../db/events/events.ts';
import type { Sql } from '../../db/pool.ts';
import { readCheckouts } from '../../db/sessions/checkouts.ts';
import type { EventId } from '../../domain/ids.ts';
import { languageOf } from '../../domain/language.ts';
import { renderEach, type Unrendered } from '../render-each.ts';

/**
 * The event's JSON text.
 * @param session null for `test` and `attention.` events, which have none
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
  if (event.attention !== null) {
    return { checkout_session: null, charge: null, attention_item: itemResourceOf(event, event.attention) };
  }
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
    { ...session, session: then, isOver: then.expiresAt <= event.createdAt, charge: facts, ...NO_CALL },
    { ...context, environment: event.mode },
  );
  // The status at the time of the event, even if the session has expired since.
  const checkoutSession = { ...resource, session_status: event.facts.session_status };
  const refund = refundFactsOf(event.facts, session);
  if (refund !== null) return { checkout_session: checkoutSession, charge, refund: refundResource(refund, context) };
  const dispute = disputeOf(event.facts, session);
  if (dispute !== null) return { checkout_session: checkoutSession, charge, dispute };
  if (event.type.startsWith('charge.')) return { checkout_session: checkoutSession, charge };
  const failure = failureOf(facts, charge, context);
  return { checkout_session: checkoutSession, charge, ...failure, outcome: event.facts.outcome };
}

/** Without the account's marks: a new item has none, and a closed one does not need them. */
function itemResourceOf({ accountId, mode }: LoggedEvent, attention: AttentionEventItem): AttentionItemResource {
  const { isService, openedAt, closedAt, ...item } = attention;
  return attentionItemResource({
    ...item,
    accountId: isService ? null : accountId,
    mode: isService ? null : mode,
    openedAt: new Date(openedAt),
    closedAt: closedAt === null ? null : new Date(closedAt),
    doneAt: null,
    quietUntil: null,
  });
}

/** An event reports its charge, whether or not the caller is still on the payment line. */
const NO_CALL = { lastCall: null, hasLink: false };

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
    capture: charge.capture ?? 'automatic',
    captureBeforeMs: charge.capture_before_ms ?? null,
    capturedCents: charge.captured_cents ?? null,
    tipCents: charge.tip_cents ?? 0,
    remainingCents: charge.remaining_cents ?? 0,
    paymentMethod: charge.payment_method ?? 'card',
    debitedAtMs: charge.debited_at_ms ?? null,
    returnedAtMs: charge.returned_at_ms ?? null,
    captureFailedAtMs: charge.capture_failed_at_ms ?? null,
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
    origin: refund.origin ?? 'ringkey',
    metadata: refund.metadata,
    processorRefundId: refund.processor_refund_id,
    failure: refund.failure,
    processorCode: refund.processor_code,
    createdAt: new Date(refund.created_at),
  };
}

/** Null if the event is not about a dispute. */
function disputeOf({ charge, dispute }: EventFacts, { session }: CheckoutFacts): DisputeResource | null {
  if (dispute === undefined || charge === null) return null;
  return disputeResource({
    id: dispute.dispute_id,
    chargeId: charge.charge_id,
    sessionId: session.id,
    merchantId: dispute.merchant_id,
    processor: dispute.processor,
    processorDisputeId: dispute.processor_dispute_id,
    kind: dispute.kind,
    status: dispute.status,
    reason: dispute.reason,
    processorReason: dispute.processor_reason,
    amountCents: dispute.amount_cents,
    currency: dispute.currency,
    evidenceDueAt: dispute.evidence_due_at === null ? null : new Date(dispute.evidence_due_at),
    createdAt: new Date(dispute.created_at),
    updatedAt: new Date(dispute.updated_at),
  });
}

/** `failure`: the error object that the charge operation would have returned. */
function failureOf(facts: ChargeFacts | null, charge: ChargeResource | null, context: ErrorContext): object {
  if (charge?.failure !== undefined) return { failure: charge.failure };
  if (facts?.status !== 'pending') return {};
  return { failure: errorObject('processor_unavailable', { charge: facts.id }, context) };
}

interface Bodies {
  /** JSON texts in the order of the events, without those that cannot be rendered. */
  rendered: { id: EventId; body: string }[];
  unrendered: Unrendered[];
}

/**
 * Reads or renders the bodies. An event that was relayed before has its body already, byte for byte.
 * @param docsUrl base of `doc_url` in failures
 */
export async function bodiesOf(sql: Sql, events: readonly LoggedEvent[], docsUrl: string): Promise<Bodies> {
  const fresh = events.filter(({ body }) => body === null);
  const ids = unique(fresh.flatMap(({ sessionId }) => sessionId ?? []));
  const found = ids.length === 0 ? [] : await readCheckouts(sql, ids);
  const readings = new Map(found.map((reading) => [reading.session.id, reading]));
  return renderEach(
    events,
    ({ id }) => id,
    (event) => {
      const reading = event.sessionId === null ? undefined : readings.get(event.sessionId);
      const session = reading?.session.accountId === event.accountId ? reading : null;
      return { id: event.id, body: event.body ?? eventJson(event, session, docsUrl) };
    },
  );
}

/** The JSON text of an event that cannot be rendered: `data` is null. It is listed, but never delivered. */
export function bodyWithoutData(event: LoggedEvent, docsUrl: string): string {
  return JSON.stringify({ ...JSON.parse(eventJson({ ...event, attention: null }, null, docsUrl)), data: null });
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
