/**
 * The pages that the bench requests: each list first, deep, and with each filter, with common, rare and missing values;
 * then pairs of filters, every other page, and the lists of a small account and of users who are limited to merchants.
 */

import { seededId, seededPayout } from './seed.ts';
import {
  BIG_MERCHANT,
  BUSY_CALLER,
  disputedSession,
  paidChargeOf,
  RARE_MERCHANT,
  refundedSession,
  rowsOf,
} from './seed-tables.ts';

export interface RequestedPage {
  list: string;
  /** Description of the request. */
  by: string;
  /** Path with its query. */
  path: string;
  /** Default: the owner of the account with the most charges. */
  visitor?: Visitor;
}

/** The owner of a small account, or a user of the big one who is limited to a merchant with many, few or no rows. */
export const VISITORS = ['small account', 'limited to big', 'limited to rare', 'limited to empty'] as const;
export type Visitor = (typeof VISITORS)[number];

/** Position of the deep page in the list. */
const DEPTH = 0.9;

/** The filters of the heaviest page. */
export const HEAVIEST = { status: 'failed', merchant_id: BIG_MERCHANT, last_four: '4242' };

type Queries = Record<string, Record<string, string>>;

const SINCE: Queries = { 'last hour': { since: '1h' }, 'last day': { since: '24h' }, 'last 30 days': { since: '30d' } };
const MERCHANTS: Queries = {
  'big merchant': { merchant_id: BIG_MERCHANT },
  'rare merchant': { merchant_id: RARE_MERCHANT },
};
const ORDERS: Queries = {
  ...MERCHANTS,
  caller: { caller_phone: '+15551001077' },
  'busy caller': { caller_phone: BUSY_CALLER },
  order: { order_id: 'order_1077' },
  'order of none': { order_id: 'order_none' },
  'common card': { last_four: '4242' },
  'rare card': { last_four: '0007' },
  'card of none': { last_four: '9999' },
  'platform call': { platform_call_id: 'platform_1077' },
};
const DAYS: Queries = {
  today: { from: dayBefore(0), to: dayBefore(0) },
  'a day': { from: dayBefore(90), to: dayBefore(90) },
  'a month': { from: dayBefore(120), to: dayBefore(90) },
};

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** @param charges number of seeded charges */
export function requestedPages(charges: number): RequestedPage[] {
  const rows = rowsOf(charges);
  const ids = idsOf();
  const { session, charge } = ids;
  const of = (list: string, prefix: string, count: number, queries: Queries): RequestedPage[] => {
    const deep = { starting_after: seededId(prefix, Math.floor(count * DEPTH)) };
    return pagesOf(list, { first: {}, deep, ...queries });
  };
  return [
    ...of('calls', 'call', rows.sessions, {
      ...SINCE,
      ...DAYS,
      ...ORDERS,
      'common outcome': { outcome: 'succeeded' },
      'rare outcome': { outcome: 'expired' },
      'outcome of none': { outcome: 'canceled' },
      'common step': { reached: 'charge' },
      'step of none': { reached: 'tip' },
      'common step, big merchant': { reached: 'charge', merchant_id: BIG_MERCHANT },
      'step of none, a month': { ...DAYS['a month'], reached: 'tip' },
      'rare outcome, big merchant': { outcome: 'expired', merchant_id: BIG_MERCHANT },
      'rare outcome, rare merchant': { outcome: 'expired', merchant_id: RARE_MERCHANT },
      'outcome of none, last 30 days': { outcome: 'canceled', since: '30d' },
    }),
    ...of('checkouts', 'cs', rows.sessions, {
      ...SINCE,
      ...DAYS,
      ...ORDERS,
      open: { status: 'open' },
      expired: { status: 'expired' },
      complete: { status: 'complete' },
      'expired, a month': { ...DAYS['a month'], status: 'expired' },
    }),
    ...of('charges', 'ch', rows.charges, {
      ...SINCE,
      ...DAYS,
      ...ORDERS,
      pending: { status: 'pending' },
      failed: { status: 'failed' },
      succeeded: { status: 'succeeded' },
      authorized: { status: 'authorized' },
      'to settle': { needs_settling: 'true' },
      'needs attention': { needs_attention: 'true' },
      'common decline': { decline_code: 'insufficient_funds' },
      'decline of none': { decline_code: 'lost_card' },
      'counted as succeeded': { counted_as: 'succeeded' },
      'counted as pending': { counted_as: 'pending' },
      'several filters': HEAVIEST,
      'succeeded, common card': { status: 'succeeded', last_four: '4242' },
      'authorized, big merchant': { status: 'authorized', merchant_id: BIG_MERCHANT },
      'decline of none, big merchant': { decline_code: 'lost_card', merchant_id: BIG_MERCHANT },
      'decline of none, a month': { ...DAYS['a month'], decline_code: 'lost_card' },
      'rare card, big merchant': { last_four: '0007', merchant_id: BIG_MERCHANT },
      'card of none, a month': { ...DAYS['a month'], last_four: '9999' },
      'busy caller, rare merchant': { caller_phone: BUSY_CALLER, merchant_id: RARE_MERCHANT },
      'a rare mix': { status: 'pending', merchant_id: RARE_MERCHANT },
      'counted on a day': { ...DAYS['a day'], counted_as: 'failed', decline_code: 'insufficient_funds' },
    }),
    ...of('refunds', 're', rows.refunds, {
      ...SINCE,
      ...DAYS,
      ...MERCHANTS,
      charge: { charge },
      succeeded: { status: 'succeeded' },
      failed: { status: 'failed' },
      'to settle': { needs_settling: 'true' },
      'failed, big merchant': { status: 'failed', merchant_id: BIG_MERCHANT },
    }),
    ...of('disputes', 'dp', rows.disputes, {
      ...SINCE,
      ...DAYS,
      ...MERCHANTS,
      charge: { charge: ids.disputedCharge },
      lost: { status: 'lost' },
      'under review': { status: 'under_review' },
      'under review, big merchant': { status: 'under_review', merchant_id: BIG_MERCHANT },
    }),
    ...pagesOf('payouts', {
      first: {},
      ...SINCE,
      ...DAYS,
      ...MERCHANTS,
      paid: { status: 'paid' },
      failed: { status: 'failed' },
      arrival: { arrival_date: dayBefore(90) },
    }),
    ...of('payout-entries', 'pe', rows.events, {
      ...SINCE,
      ...DAYS,
      ...MERCHANTS,
      payout: { payout: seededPayout(BIG_MERCHANT, 77) },
      'arrival day': { arrival_date: dayBefore(90) },
      'arrival day of none': { arrival_date: dayBefore(1000) },
      'arrival day, rare merchant': { arrival_date: dayBefore(90), merchant_id: RARE_MERCHANT },
    }),
    ...of('events', 'evt', rows.events, {
      ...SINCE,
      ...DAYS,
      'common kind': { type: 'checkout.succeeded' },
      'rare kind': { type: 'checkout.expired' },
      'kind of none': { type: 'test' },
      'failed deliveries': { delivery: 'failed' },
      'an endpoint': { webhook_endpoint_id: 'we_bench_1' },
      session: { checkout_session_id: session },
      'waiting deliveries': { delivery: 'waiting' },
      'delivered deliveries': { delivery: 'delivered' },
      'canceled deliveries': { delivery: 'canceled' },
      'kind of none, last 30 days': { type: 'test', since: '30d' },
      'rare kind, an endpoint': { type: 'checkout.expired', webhook_endpoint_id: 'we_bench_1' },
      'kind of none, an endpoint': { type: 'test', webhook_endpoint_id: 'we_bench_1' },
      'kind of none, failed deliveries': { type: 'test', delivery: 'failed' },
      'kind of none, delivered deliveries': { type: 'test', delivery: 'delivered' },
    }),
    ...of('texts', 'txt', rows.events, {
      ...SINCE,
      ...DAYS,
      session: { checkout_session_id: session },
      charge: { charge },
      caller: { caller_phone: '+15551001077' },
      'busy caller': { caller_phone: BUSY_CALLER },
      'caller of none': { caller_phone: '+15550009999' },
      undelivered: { undelivered: 'true' },
      'undelivered, last day': { undelivered: 'true', since: '24h' },
      'undelivered, busy caller': { undelivered: 'true', caller_phone: BUSY_CALLER },
    }),
    ...of('requests', 'req', rows.events, {
      ...SINCE,
      ...DAYS,
      'status 200': { status: '200' },
      'status 402': { status: '402' },
      'status 422': { status: '422' },
      'status 500': { status: '500' },
      'common code': { code: 'card_declined' },
      'rare code': { code: 'session_missing_consumer' },
      'rare path': { path: '/v1/send_link' },
      'path of none': { path: '/v1/cards' },
      'a key': { key_id: seededId('key', 7) },
      'key of none': { key_id: 'key_none' },
      'common path, status 500': { path: '/v1/charge', status: '500' },
      'common path, rare code': { path: '/v1/charge', code: 'session_missing_consumer' },
      'status 200, path of none': { status: '200', path: '/v1/cards' },
      'status 200, rare path': { status: '200', path: '/v1/send_link' },
      'a key, status 422': { key_id: seededId('key', 7), status: '422' },
    }),
    ...of('audit', 'aud', rows.audit, {
      ...SINCE,
      ...DAYS,
      'common action': { action: 'refund.created' },
      'rare action': { action: 'account.secret_rolled' },
      'action of none': { action: 'consumer.erased' },
      object: { object: ids.refund },
      'action of none, a month': { ...DAYS['a month'], action: 'consumer.erased' },
      'action of none, object': { action: 'consumer.erased', object: ids.refund },
    }),
    ...otherPages(ids),
    ...VISITORS.flatMap(pagesOfVisitor),
  ];
}

/** Of rows that belong together. */
function idsOf() {
  const refund = 1_077;
  const session = refundedSession(refund);
  return {
    refund: seededId('re', refund),
    session: seededId('cs', session),
    call: seededId('call', session),
    charge: seededId('ch', paidChargeOf(session)),
    event: seededId('evt', 1_077),
    request: seededId('req', 1_077),
    dispute: seededId('dp', 1_077),
    disputedCharge: seededId('ch', paidChargeOf(disputedSession(1_077))),
  };
}

function otherPages(ids: ReturnType<typeof idsOf>): RequestedPage[] {
  const month = dayBefore(45).slice(0, 7);
  return [
    ...['7', '30', '90'].flatMap((days) => pagesOf('overview', { [`${days} days`]: { days } })),
    ...pagesOf('overview', {
      'big merchant, 30 days': { days: '30', merchant_id: BIG_MERCHANT },
      'New York, 90 days': { days: '90', zone: 'America/New_York' },
    }),
    ...pagesOf('reports', {
      'big merchant': { merchant_id: BIG_MERCHANT, month },
      'rare merchant': { merchant_id: RARE_MERCHANT, month },
    }),
    ...pagesOf('attention', { open: {}, closed: { status: 'closed' } }),
    ...pagesOf('callers', {
      'a number': { number: '+15551001077' },
      'last digits': { number: '1077' },
      'busy caller': { number: BUSY_CALLER },
    }),
    ...['search', 'palette'].flatMap((page) =>
      pagesOf(page, {
        'a number': { q: '+1 555 100 1077' },
        'four digits': { q: '4242' },
        order: { q: 'order_1077' },
        'nothing found': { q: 'zzz' },
      }),
    ),
    ...['now', 'wall', 'wall/figures', 'tail', 'start'].flatMap((page) => pagesOf(page, { page: {} })),
    ...['merchants', 'webhooks', 'webhooks/we_bench_1', 'keys', 'users', 'alerts', 'account'].flatMap((page) =>
      // Pages with a form redirect without it.
      pagesOf(`setup/${page}`, { page: { attempt: 'bench_attempt' } }),
    ),
    { list: 'go live', by: 'page', path: '/dashboard/live/setup/go-live' },
    ...pagesOf(`calls/${ids.call}`, { page: {} }),
    ...pagesOf(`checkouts/${ids.session}`, { page: {} }),
    ...pagesOf(`charges/${ids.charge}`, { page: {} }),
    ...pagesOf(`refunds/${ids.refund}`, { page: {} }),
    ...pagesOf(`disputes/${ids.dispute}`, { page: {} }),
    ...pagesOf(`events/${ids.event}`, { page: {} }),
    ...pagesOf(`requests/${ids.request}`, { page: {} }),
  ];
}

const LISTS = ['calls', 'checkouts', 'charges', 'refunds', 'disputes', 'payouts', 'payout-entries', 'events', 'texts'];

function pagesOfVisitor(visitor: Visitor): RequestedPage[] {
  const pages = [...LISTS, 'overview', 'reports', 'attention', 'now', 'wall/figures'].flatMap((list) =>
    pagesOf(list, { [visitor]: {} }),
  );
  return [
    ...pages,
    ...LISTS.flatMap((list) => pagesOf(list, { [`${visitor}, last 30 days`]: { since: '30d' } })),
    ...pagesOf('callers', { [`${visitor}, busy caller`]: { number: BUSY_CALLER } }),
    ...pagesOf('search', { [`${visitor}, four digits`]: { q: '4242' }, [`${visitor}, nothing found`]: { q: 'zzz' } }),
  ].map((page): RequestedPage => ({ ...page, visitor }));
}

const pagesOf = (list: string, queries: Queries): RequestedPage[] =>
  Object.entries(queries).map(([by, query]) => ({ list, by, path: pagePath(list, query) }));

export function pagePath(list: string, query: Record<string, string>): string {
  return `/dashboard/test/${list}?${new URLSearchParams(query)}`;
}
