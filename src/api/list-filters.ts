/** The filters that several lists share, as a query string has them. */
import { z } from 'zod';
import { requireMerchant } from './require-in-scope.ts';
import { anyId, phoneNumber, text } from './text-schemas.ts';
import { sessionIdOf, sessionNotFound } from '../checkout/charge.ts';
import { ApiError } from '../contract/errors.ts';
import { field } from '../contract/fields.ts';
import { findSessionMode } from '../db/charges/charged-session.ts';
import type { TimeRange } from '../db/conditions.ts';
import type { Sql } from '../db/pool.ts';
import type { Scope } from '../domain/account.ts';
import type { CheckoutSessionId, MerchantId } from '../domain/ids.ts';

/** As `create_checkout` takes them. */
const MAX_ID_LENGTH = 255;

const time = z.iso.datetime({ offset: true, error: 'is no time in ISO 8601, with its zone' }).optional();

export const TIME_FILTERS = {
  created_after: field(
    time,
    'Only what was made at this time or after it: ISO 8601, with `Z` or an offset.',
    '2026-11-01T00:00:00Z',
  ),
  created_before: field(time, 'Only what was made before this time.', '2100-01-01T00:00:00Z'),
};

export const ORDER_FILTERS = {
  merchant_id: field(anyId.optional(), 'Only of this merchant.', 'mer_demo_diner'),
  order_id: field(text(MAX_ID_LENGTH).optional(), "Only of the merchant's order of this id, exactly.", 'order_1001'),
  caller_phone: field(
    phoneNumber.optional(),
    'Only of the caller with this number: E.164, its `+` as `%2B` in a URL. Calls from a withheld number, and what was cleared since, have none.',
    '+15550101234',
  ),
  platform_call_id: field(
    text(MAX_ID_LENGTH).optional(),
    "Only of the voice platform's call of this id, as `create_checkout` was given it.",
    'call-7f3a',
  ),
};

const lastFour = z
  .string()
  .regex(/^\d{4}$/)
  .optional();

/** Of lists whose entries are about an order and its card. @param only `Only charges of a card with these last four digits.` */
export const paymentFilters = (only: string) => ({
  ...TIME_FILTERS,
  ...ORDER_FILTERS,
  last_four: field(lastFour, only, '4242'),
});

/** @param things `charges`, `refunds` */
export const needsSettlingFilter = (things: string) =>
  field(
    z.enum(['true']).optional(),
    `\`true\`: only ${things} that wait for somebody to settle them by hand, see their \`needs_settling\`.`,
    'true',
  );

export const SESSION_FILTER = field(
  anyId.optional(),
  'Only of this checkout session.',
  'cs_wj3degzdpcf54erf5dhqd3dqci',
);

type PaymentFilters = z.infer<z.ZodObject<ReturnType<typeof paymentFilters>>>;

/** The times of a checked query. */
export function timeRange(query: {
  created_after?: string | undefined;
  created_before?: string | undefined;
}): TimeRange {
  return { after: dateOf(query.created_after), before: dateOf(query.created_before) };
}

function dateOf(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text);
}

/** What {@link paymentFilters} say. @throws ApiError as {@link merchantFilter} */
export async function paymentFilter(sql: Sql, scope: Scope, query: PaymentFilters) {
  return {
    ...timeRange(query),
    merchantId: await merchantFilter(sql, scope, query.merchant_id),
    orderId: query.order_id ?? null,
    callerPhone: query.caller_phone ?? null,
    platformCallId: query.platform_call_id ?? null,
    lastFour: query.last_four ?? null,
  };
}

/** @throws ApiError `merchant_not_found`; `invalid_key` for one of the other mode */
export async function merchantFilter(sql: Sql, scope: Scope, id: string | undefined): Promise<MerchantId | null> {
  return id === undefined ? null : (await requireMerchant(sql, { scope }, id)).merchant.id;
}

/** @throws ApiError `session_not_found`; `invalid_key` for one of the other mode */
export async function sessionFilter(
  sql: Sql,
  scope: Scope,
  text: string | undefined,
): Promise<CheckoutSessionId | null> {
  if (text === undefined) return null;
  const id = sessionIdOf(text);
  const mode = await findSessionMode(sql, scope.accountId, id);
  if (mode === null) throw sessionNotFound();
  if (mode !== scope.mode) throw new ApiError('invalid_key');
  return id;
}
