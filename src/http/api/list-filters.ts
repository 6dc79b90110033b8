/** Filters that several lists share. */
import { z } from 'zod';
import { sessionIdOf, sessionNotFound } from '../../checkout/charge.ts';
import { ApiError, ofOtherMode } from '../../contract/errors.ts';
import { field } from '../../contract/fields.ts';
import { findSessionMode } from '../../db/charges/charged-session.ts';
import type { TimeRange } from '../../db/conditions.ts';
import { readMerchantOrigins } from '../../db/merchants/merchants.ts';
import type { Sql } from '../../db/pool.ts';
import { findNumbersEndingIn } from '../../db/sessions/caller-numbers.ts';
import type { Scope } from '../../domain/account.ts';
import { countriesOf, dialedText, MAX_CALLER_TEXT, parseCallerSearch } from '../../domain/caller-search.ts';
import type { CheckoutSessionId, MerchantId } from '../../domain/ids.ts';
import { requireMerchant } from './require-in-scope.ts';
import { anyId, text } from './text-schemas.ts';

const NO_CALLER = 'must be a phone number or its last 4 to 10 digits';

/** As in `create_checkout`. */
const MAX_ID_LENGTH = 255;

const time = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time with a time zone' }).optional();

export const TIME_FILTERS = {
  created_after: field(
    time,
    'Only items created at this time or later: ISO 8601, with `Z` or an offset.',
    '2026-11-01T00:00:00Z',
  ),
  created_before: field(time, 'Only items created before this time.', '2100-01-01T00:00:00Z'),
};

/** A number as people write it. */
const callerText = z
  .string()
  .max(MAX_CALLER_TEXT)
  .refine((text) => dialedText(text) !== null, { error: NO_CALLER });

export const ORDER_FILTERS = {
  merchant_id: field(anyId.optional(), 'Only items of this merchant.', 'mer_demo_diner'),
  order_id: field(
    text(MAX_ID_LENGTH).optional(),
    "Only items of the merchant's order with exactly this ID.",
    'order_1001',
  ),
  caller_phone: field(
    callerText.optional(),
    "Only items of callers with this number. Send it in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or as its last 4 to 10 digits. You can write digits as words in English, Spanish, French or German. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. A merchant's country comes from its currency, language and numbers. Withheld and cleared numbers match nothing.",
    '+15550101234',
  ),
  platform_call_id: field(
    text(MAX_ID_LENGTH).optional(),
    "Only items of the voice platform's call with this ID, as sent to `create_checkout`.",
    'call-7f3a',
  ),
};

const lastFour = z
  .string()
  .regex(/^\d{4}$/)
  .optional();

/**
 * For lists whose items have an order and a card.
 * @param only the description of `last_four`
 */
export const paymentFilters = (only: string) => ({
  ...TIME_FILTERS,
  ...ORDER_FILTERS,
  last_four: field(lastFour, only, '4242'),
});

/** @param resources such as `charges` */
export const needsSettlingFilter = (resources: string) =>
  field(
    z.enum(['true']).optional(),
    `\`true\`: only ${resources} that need settlement, see their \`needs_settling\`.`,
    'true',
  );

export const SESSION_FILTER = field(
  anyId.optional(),
  'Only items of this checkout session.',
  'cs_wj3degzdpcf54erf5dhqd3dqci',
);

type PaymentFilters = z.infer<z.ZodObject<ReturnType<typeof paymentFilters>>>;

/** The times of a parsed query. */
export function timeRange(query: {
  created_after?: string | undefined;
  created_before?: string | undefined;
}): TimeRange {
  return { after: dateOf(query.created_after), before: dateOf(query.created_before) };
}

function dateOf(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text);
}

/** The filter for {@link paymentFilters}. @throws ApiError as {@link merchantFilter} */
export async function paymentFilter(sql: Sql, scope: Scope, query: PaymentFilters) {
  return {
    ...timeRange(query),
    merchantId: await merchantFilter(sql, scope, query.merchant_id),
    orderId: query.order_id ?? null,
    callers: await callerFilter(sql, scope, query.caller_phone),
    platformCallId: query.platform_call_id ?? null,
    lastFour: query.last_four ?? null,
  };
}

/** As {@link findCallers}; null if there is no text. */
export function callerFilter(sql: Sql, scope: Scope, text: string | undefined): Promise<readonly string[] | null> {
  return text === undefined ? Promise.resolve(null) : findCallers(sql, scope, text);
}

/** The numbers that a text as people write it can mean. A whole number need not be known. @throws ApiError `invalid_value` */
export async function findCallers(sql: Sql, scope: Scope, text: string): Promise<readonly string[]> {
  const isWhole = text.trim().startsWith('+');
  const countries = isWhole ? [] : countriesOf(await readMerchantOrigins(sql, scope));
  const search = parseCallerSearch(text, countries);
  if (search !== null) {
    const { numbers, ending } = search;
    return ending === null ? numbers : [...new Set([...numbers, ...(await findNumbersEndingIn(sql, scope, ending))])];
  }
  throw new ApiError('invalid_value', { param: 'caller_phone', message: `\`caller_phone\` ${NO_CALLER}.` });
}

/** @throws ApiError `merchant_not_found`; `invalid_key` for a merchant of the other mode */
export async function merchantFilter(sql: Sql, scope: Scope, id: string | undefined): Promise<MerchantId | null> {
  return id === undefined ? null : (await requireMerchant(sql, { scope }, id)).merchant.id;
}

/** @throws ApiError `session_not_found`; `invalid_key` for a session of the other mode */
export async function sessionFilter(
  sql: Sql,
  scope: Scope,
  text: string | undefined,
): Promise<CheckoutSessionId | null> {
  if (text === undefined) return null;
  const id = sessionIdOf(text);
  const mode = await findSessionMode(sql, scope.accountId, id);
  if (mode === null) throw sessionNotFound();
  if (mode !== scope.mode) throw ofOtherMode(scope.mode);
  return id;
}
