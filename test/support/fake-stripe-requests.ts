/** Requests as Stripe accepts them, without unknown parameters (docs.stripe.com/api, version 2026-10-28). */
import { z } from 'zod';

const positive = z
  .string()
  .regex(/^[1-9]\d*$/)
  .transform(Number);
const flag = z.enum(['true', 'false']);
const metadata = z.record(z.string().max(40), z.string().max(500));
const expand = z.array(z.string()).optional();
const keyedCard = z.strictObject({
  number: z.string().regex(/^\d{12,19}$/),
  exp_month: positive,
  exp_year: positive,
  cvc: z.string().regex(/^\d{3,4}$/),
});

export const NEW_INTENT = z.strictObject({
  amount: positive,
  currency: z.string().regex(/^[a-z]{3}$/),
  confirm: z.literal('true'),
  capture_method: z.literal('manual').optional(),
  allowed_payment_method_types: z.tuple([z.literal('card')]),
  expand,
  metadata,
  customer: z.string().optional(),
  setup_future_usage: z.literal('off_session').optional(),
  off_session: flag.optional(),
  error_on_requires_action: flag.optional(),
  confirmation_method: z.enum(['automatic', 'manual']).optional(),
  use_stripe_sdk: flag.optional(),
  payment_method: z.string().optional(),
  confirmation_token: z.string().optional(),
  payment_method_data: z
    .strictObject({
      type: z.literal('card'),
      card: z.union([keyedCard, z.strictObject({ token: z.string() })]),
      billing_details: z.strictObject({ address: z.strictObject({ postal_code: z.string() }) }).optional(),
    })
    .optional(),
  payment_method_options: z.strictObject({ card: z.strictObject({ moto: z.literal('true') }) }).optional(),
});

/** An unconfirmed intent without a card. */
export const NEW_DRAFT = z.strictObject({
  amount: positive,
  currency: z.string().regex(/^[a-z]{3}$/),
  allowed_payment_method_types: z.tuple([z.literal('card')]),
  payment_method_options: z.strictObject({ card: z.strictObject({ moto: z.literal('true') }) }).optional(),
  metadata,
});
export const CONFIRM_INTENT = z.strictObject({ use_stripe_sdk: flag.optional(), expand });
export const CANCEL_INTENT = z.strictObject({
  cancellation_reason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']),
  expand,
});
/** docs.stripe.com/api/payment_intents/capture */
export const CAPTURE_INTENT = z.strictObject({ amount_to_capture: positive.optional(), expand });
export const NEW_METHOD = z.strictObject({
  type: z.literal('card'),
  card: z.union([z.strictObject({ token: z.string() }), keyedCard]),
  billing_details: z.strictObject({ address: z.strictObject({ postal_code: z.string() }) }).optional(),
});
export const NEW_CUSTOMER = z.strictObject({ metadata });
export const NEW_SETUP = z.strictObject({
  customer: z.string(),
  payment_method: z.string().optional(),
  confirmation_token: z.string().optional(),
  use_stripe_sdk: flag.optional(),
  allowed_payment_method_types: z.tuple([z.literal('card')]),
  confirm: z.literal('true'),
  usage: z.literal('off_session'),
  payment_method_options: z.strictObject({ card: z.strictObject({ moto: z.literal('true') }) }).optional(),
  metadata,
  expand,
});
/** An unconfirmed SetupIntent without a card. */
export const NEW_SETUP_DRAFT = z.strictObject({ allowed_payment_method_types: z.tuple([z.literal('card')]), metadata });
export const NEW_REFUND = z.strictObject({
  payment_intent: z.string(),
  amount: positive,
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata,
});
export const LIST_INTENTS = z.strictObject({
  created: z.strictObject({ gte: positive, lte: positive.optional(), lt: positive.optional() }).optional(),
  limit: positive.refine((limit) => limit <= 100),
  starting_after: z.string().optional(),
  expand,
});
/** docs.stripe.com/search#metadata */
export const METADATA_QUERY = /^metadata\['(\w{1,40})'\]:'([^']{1,500})'$/;
export const SEARCH_INTENTS = z.strictObject({ query: z.string().regex(METADATA_QUERY), expand });
export const NEW_DOMAIN = z.strictObject({ domain_name: z.string().regex(/^[a-z0-9.-]+$/) });
export const VALIDATE_DOMAIN = z.strictObject({});
export const LIST_DOMAINS = z.strictObject({ domain_name: z.string(), limit: positive });
/** Refunds of a payment, or of a period (docs.stripe.com/api/refunds/list). */
/** Disputes and payouts (docs.stripe.com/api/disputes/list, docs.stripe.com/api/payouts/list). */
export const LIST_SINCE = z.strictObject({
  created: z.strictObject({ gte: positive }),
  limit: positive,
  starting_after: z.string().optional(),
});
export const LIST_REFUNDS = z.strictObject({
  payment_intent: z.string().optional(),
  created: z.strictObject({ gte: positive, lt: positive }).optional(),
  limit: positive,
  starting_after: z.string().optional(),
  expand,
});

/** Of an automatic payout (docs.stripe.com/api/balance_transactions/list). */
export const LIST_TRANSACTIONS = z.strictObject({
  payout: z.string(),
  limit: positive,
  starting_after: z.string().optional(),
  expand,
});

/** `a[b][0]=c` as Stripe reads it. */
export function parseForm(text: string): unknown {
  const root: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[');
    const last = path.pop() ?? '';
    let node = root;
    for (const step of path) {
      node[step] ??= {};
      node = node[step] as Record<string, unknown>;
    }
    node[last] = value;
  }
  return listsIn(root);
}

function listsIn(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => [key, listsIn(value)] as const);
  const isList = entries.length > 0 && entries.every(([key], place) => key === String(place));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

/** Whether a parsed request has a parameter. */
export function hasField(params: unknown, name: string): boolean {
  return typeof params === 'object' && params !== null && name in params;
}

/** Whether a time is within a list request's range. */
export function isWithin(
  at: number,
  { gte, lte = at, lt = at + 1 }: { gte: number; lte?: number | undefined; lt?: number | undefined },
): boolean {
  return at >= gte && at <= lte && at < lt;
}
