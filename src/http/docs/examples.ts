/**
 * The example of all pages: the demo's caller pays `order_1001` at the diner. Events and headers are made by the code
 * that sends them, so that the pages always show what is sent.
 */

import { type CallEventResource, callEventResource } from '../../contract/call-events.ts';
import { DEMO_SIGNING_SECRET } from '../../contract/demo.ts';
import type { CheckoutFacts } from '../../contract/session-resource.ts';
import type { AttentionEventItem, LoggedEvent } from '../../db/events/event-log.ts';
import type { EventFacts, EventType } from '../../db/events/events.ts';
import type { AttentionEventType } from '../../domain/attention.ts';
import { CALL_EVENT_TYPES, type CallEventType } from '../../domain/call-progress.ts';
import { type Id, type IdKind, parseId } from '../../domain/ids.ts';
import { MERCHANT_DEFAULTS, type Merchant } from '../../domain/merchant.ts';
import type { OutcomeFacts } from '../../domain/outcome.ts';
import type { CheckoutSession } from '../../domain/session.ts';
import { signatureHeaders } from '../../lib/http-client/signature.ts';
import { eventJson } from '../../notifications/outbox/event-body.ts';

export const EXAMPLE_TIME = new Date('2026-11-20T12:00:00.000Z');
/** Of no endpoint. */
export const WEBHOOK_SECRET = 'whsec_RXhhbXBsZUV4YW1wbGVFeGFtcGxlRXhhbXBsZUV4YW0=';
export const SIP_SECRET = DEMO_SIGNING_SECRET;

const AMOUNT = { amountCents: 4_250, currency: 'USD' } as const;
const SESSION = id('CheckoutSession', 'cs_wj3degzdpcf54erf5dhqd3dqci');
const CHARGE = id('Charge', 'ch_x6ueh4kxj94cewxy97eft8edv6');
const MERCHANT = id('Merchant', 'mer_demo_diner');
const ACCOUNT = id('Account', 'acct_demo');
export const RETURN_TO = 'sip:agent@agents.example.com';

export const exampleMerchant: Merchant = {
  ...MERCHANT_DEFAULTS,
  id: MERCHANT,
  accountId: ACCOUNT,
  mode: 'test',
  slug: 'demo-diner',
  businessName: 'Demo Diner',
  processor: 'sandbox',
};

const session: CheckoutSession = {
  id: SESSION,
  accountId: ACCOUNT,
  mode: 'test',
  merchantId: MERCHANT,
  consumerId: null,
  status: 'open',
  verdict: 'required',
  purpose: 'payment',
  amount: AMOUNT,
  amountSource: 'order',
  capture: 'automatic',
  payerName: null,
  callerPhone: '+15550101234',
  orderId: 'order_1001',
  platformCallId: 'call-7f3a',
  returnTo: RETURN_TO,
  successMessage: null,
  failureMessage: null,
  lineItems: [],
  saving: null,
  metadata: { table: '12' },
  language: null,
  chosenLanguage: null,
  createdAt: EXAMPLE_TIME,
  expiresAt: new Date(EXAMPLE_TIME.getTime() + 30 * 60_000),
};

const reading: CheckoutFacts = {
  session,
  isOver: false,
  merchant: exampleMerchant,
  callerFirstName: 'Demo',
  charge: null,
  cards: [],
  lastCall: null,
  hasLink: false,
};

const PAID: NonNullable<EventFacts['charge']> = {
  charge_id: CHARGE,
  status: 'succeeded',
  amount_cents: 4_250,
  processor_payment_id: 'sandbox_4ew2sxkn6wz7m9cw',
  decline_code: null,
  processor_code: null,
};

const REFUNDED: NonNullable<EventFacts['refund']> = {
  refund_id: id('Refund', 're_h7c2mzk4vq9x3w5t8bnyd6rjfa'),
  merchant_id: MERCHANT,
  status: 'succeeded',
  amount_cents: 1_000,
  currency: 'USD',
  reason: 'requested_by_customer',
  origin: 'ringkey',
  metadata: { ticket: '4711' },
  processor_refund_id: 'sandbox_refund_7wq3nxk5t9zr',
  failure: null,
  processor_code: null,
  created_at: EXAMPLE_TIME.toISOString(),
};

const DISPUTED: NonNullable<EventFacts['dispute']> = {
  dispute_id: id('Dispute', 'dp_m4k7x2vqh9wzt6nb3cry8jfe5d'),
  merchant_id: MERCHANT,
  processor: 'sandbox',
  processor_dispute_id: 'sandbox_dispute_4ew2sxkn6wz7m9cw',
  kind: 'chargeback',
  status: 'needs_response',
  reason: 'not_received',
  processor_reason: 'not_received',
  amount_cents: 4_250,
  currency: 'USD',
  evidence_due_at: '2026-11-29T23:59:59.000Z',
  created_at: EXAMPLE_TIME.toISOString(),
  updated_at: EXAMPLE_TIME.toISOString(),
};

const PAID_SESSION: EventFacts = { session_status: 'complete', outcome: 'succeeded', charge: PAID };

const HELD = { ...PAID, capture: 'manual', capture_before_ms: EXAMPLE_TIME.getTime() + 604_800_000 } as const;

const RETURNED: NonNullable<EventFacts['charge']> = {
  ...PAID,
  status: 'failed',
  decline_code: 'generic_decline',
  processor_code: 'R10',
  payment_method: 'us_bank_account',
  debited_at_ms: EXAMPLE_TIME.getTime(),
  returned_at_ms: EXAMPLE_TIME.getTime() + 21 * 86_400_000,
};

const FACTS: Record<EventType, EventFacts> = {
  'checkout.succeeded': PAID_SESSION,
  'checkout.failed': {
    session_status: 'open',
    outcome: 'failed',
    charge: { ...PAID, status: 'failed', decline_code: 'insufficient_funds', processor_payment_id: null },
  },
  'checkout.completed': PAID_SESSION,
  'checkout.pending': {
    session_status: 'open',
    outcome: 'pending',
    charge: { ...PAID, status: 'pending', processor_payment_id: null },
  },
  'checkout.expired': { session_status: 'expired', outcome: 'expired', charge: null },
  'charge.captured': { ...PAID_SESSION, charge: { ...HELD, status: 'succeeded', captured_cents: 3_000 } },
  'charge.voided': { ...PAID_SESSION, charge: { ...HELD, status: 'voided' } },
  'charge.authorization_expired': { ...PAID_SESSION, charge: { ...HELD, status: 'expired' } },
  'charge.capture_failed': {
    ...PAID_SESSION,
    outcome: 'failed',
    charge: {
      ...PAID,
      status: 'failed',
      decline_code: 'processing_error',
      processor_code: 'CAPTURE_FAILED',
      capture_failed_at_ms: EXAMPLE_TIME.getTime() + 2 * 86_400_000,
    },
  },
  'charge.returned': { ...PAID_SESSION, outcome: 'failed', charge: RETURNED },
  'refund.succeeded': { ...PAID_SESSION, refund: REFUNDED },
  'refund.failed': {
    ...PAID_SESSION,
    refund: { ...REFUNDED, status: 'failed', processor_refund_id: null, failure: 'not_refundable' },
  },
  'dispute.created': { ...PAID_SESSION, dispute: DISPUTED },
  'dispute.updated': { ...PAID_SESSION, dispute: { ...DISPUTED, status: 'won', evidence_due_at: null } },
};

const EVENT = {
  id: id('Event', 'evt_p8a8yfh2n8m5xf373fkkibj7j8'),
  accountId: ACCOUNT,
  mode: 'test',
  sequence: '1042',
  createdAt: EXAMPLE_TIME,
  body: null,
} as const;

/** An event of this kind, byte for byte as an endpoint is sent it. */
export function eventExample(type: EventType, docsUrl: string): string {
  const event: LoggedEvent = { ...EVENT, type, sessionId: SESSION, facts: FACTS[type], attention: null };
  return eventJson(event, reading, docsUrl);
}

/** The same for an event about an attention item. */
export function attentionEventExample(type: AttentionEventType, docsUrl: string): string {
  const attention: AttentionEventItem = {
    id: id('AttentionItem', 'att_fcat7k2m9vqx4hdw6znt3cbyj8'),
    kind: 'processor_refusing',
    subject: `${MERCHANT}:stripe`,
    merchantId: MERCHANT,
    businessName: exampleMerchant.businessName,
    facts: { processor: 'stripe', count: 4, of: 5 },
    isService: false,
    openedAt: EXAMPLE_TIME.toISOString(),
    closedAt: type === 'attention.closed' ? new Date(EXAMPLE_TIME.getTime() + 1_200_000).toISOString() : null,
  };
  return eventJson({ ...EVENT, type, sessionId: null, facts: null, attention }, null, docsUrl);
}

/** A call event of this kind. */
export function callEventExample(type: CallEventType): CallEventResource {
  return callEventResource({
    id: EVENT.id,
    type,
    at: EXAMPLE_TIME.toISOString(),
    sequence: CALL_EVENT_TYPES.indexOf(type) + 1,
    accountId: ACCOUNT,
    mode: 'test',
    callId: id('Call', 'call_u3m8t5qzj7vdw2nkx9cbyr4heg'),
    sessionId: SESSION,
    merchantId: MERCHANT,
    platformCallId: session.platformCallId,
    step: type === 'call.step' ? { name: 'card_number', attempt: 1 } : null,
    returnRoute: type === 'call.returned' ? 'refer' : null,
    outcome: type === 'call.ended' ? { kind: 'succeeded', reason: null, chargeId: CHARGE } : null,
  });
}

/** The event's signature headers, made with {@link WEBHOOK_SECRET}. */
export function deliveryHeaders(body: string): Record<string, string> {
  return signatureHeaders((JSON.parse(body) as { id: string }).id, EXAMPLE_TIME, body, [WEBHOOK_SECRET]);
}

/** Facts for example outcome headers. */
export function outcomeExample(outcome: OutcomeFacts['outcome']): OutcomeFacts {
  const { orderId, platformCallId } = session;
  return { outcome: { chargeId: CHARGE, ...outcome }, sessionId: SESSION, amount: AMOUNT, orderId, platformCallId };
}

function id<K extends IdKind>(kind: K, text: string): Id<K> {
  const parsed = parseId(kind, text);
  if (parsed === null) throw new Error('an example id has not the shape of an id');
  return parsed;
}
