/** Checkout sessions in lists: without cards, screening and page tokens, which only `retrieve_checkout_session` adds. */
import { z } from 'zod';
import type { CheckoutSession } from '../domain/session.ts';
import { type ChargeFacts, chargeResource } from './charge-resource.ts';
import type { ErrorContext } from './errors.ts';
import { FIELDS, field } from './fields.ts';
import { CheckoutSessionResource, statusOf } from './session-resource.ts';

const { session_status, merchant_id, business_name, caller_phone, charge } = CheckoutSessionResource.shape;

export const ListedSessionResource = z
  .object({
    checkout_session_id: FIELDS.checkout_session_id,
    session_status,
    payment_required: FIELDS.payment_required,
    purpose: FIELDS.purpose,
    amount_cents: FIELDS.amount_cents,
    currency: FIELDS.currency,
    merchant_id,
    business_name,
    environment: FIELDS.environment,
    order_id: FIELDS.order_id,
    platform_call_id: FIELDS.platform_call_id,
    caller_phone,
    charge,
    metadata: FIELDS.metadata,
    created_at: FIELDS.created_at,
    expires_at: field(
      z.iso.datetime(),
      'When the session expires and can no longer be paid: ISO 8601, in UTC.',
      '2026-11-20T12:30:00.000Z',
    ),
  })
  .meta({ id: 'ListedCheckoutSession', description: 'A checkout session in a list.' });
export type ListedSessionResource = z.infer<typeof ListedSessionResource>;

export interface ListedSession {
  session: CheckoutSession;
  /** Past `expires_at`, by the clock of the database. */
  isOver: boolean;
  /** Null for a session without a merchant. */
  businessName: string | null;
  /** The caller's language for the words of a failure, BCP 47. */
  spokenLanguage: string | null;
  /** The pending or succeeded charge. Otherwise the last failed one. */
  charge: ChargeFacts | null;
}

export function listedSessionResource(facts: ListedSession, context: ErrorContext): ListedSessionResource {
  const { session, charge: paidBy, spokenLanguage: language } = facts;
  return {
    checkout_session_id: session.id,
    session_status: statusOf(facts),
    payment_required: session.verdict,
    purpose: session.purpose,
    amount_cents: session.amount.amountCents,
    currency: session.amount.currency,
    merchant_id: session.merchantId ?? '',
    business_name: facts.businessName,
    environment: session.mode,
    order_id: session.orderId,
    platform_call_id: session.platformCallId,
    caller_phone: session.callerPhone,
    charge: paidBy === null ? null : chargeResource(paidBy, { ...context, language }),
    metadata: session.metadata,
    created_at: session.createdAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
  };
}
