/**
 * The pages that the bench requests: each list first, deep, and with each filter, with common, rare and missing values;
 * then every other page, and the pages of a small account.
 */

import { seededId } from './seed.ts';
import { BIG_MERCHANT, BUSY_CALLER, paidChargeOf, RARE_MERCHANT, refundedSession, rowsOf } from './seed-tables.ts';

export interface RequestedPage {
  list: string;
  /** Description of the request. */
  by: string;
  /** Path with its query. */
  path: string;
  /** Of a small account, and not of the one with the most charges. */
  isSmall?: true;
}

/** Position of the deep page in the list. */
const DEPTH = 0.9;

/** The filters of the heaviest page. */
export const HEAVIEST = { status: 'failed', merchant_id: BIG_MERCHANT, last_four: '4242' };

type Queries = Record<string, Record<string, string>>;

const SINCE: Queries = { 'last day': { since: '24h' }, 'last 30 days': { since: '30d' } };
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
      'rare outcome': { outcome: 'expired' },
      'outcome of none': { outcome: 'canceled' },
    }),
    ...of('checkouts', 'cs', rows.sessions, {
      ...SINCE,
      ...DAYS,
      ...ORDERS,
      open: { status: 'open' },
      expired: { status: 'expired' },
    }),
    ...of('charges', 'ch', rows.charges, {
      ...SINCE,
      ...DAYS,
      ...ORDERS,
      pending: { status: 'pending' },
      failed: { status: 'failed' },
      'several filters': HEAVIEST,
      'a rare mix': { status: 'pending', merchant_id: RARE_MERCHANT },
      'counted on a day': { ...DAYS['a day'], counted_as: 'failed', decline_code: 'insufficient_funds' },
    }),
    ...of('refunds', 're', rows.refunds, { ...DAYS, ...MERCHANTS, charge: { charge }, failed: { status: 'failed' } }),
    ...of('disputes', 'dp', rows.disputes, { ...DAYS, ...MERCHANTS, lost: { status: 'lost' } }),
    ...pagesOf('payouts', { first: {}, ...DAYS, ...MERCHANTS }),
    ...of('payout-entries', 'pe', rows.events, { ...DAYS, ...MERCHANTS, charge: { charge } }),
    ...of('events', 'evt', rows.events, {
      ...DAYS,
      'common kind': { type: 'checkout.succeeded' },
      'rare kind': { type: 'checkout.expired' },
      'kind of none': { type: 'test' },
      'failed deliveries': { delivery: 'failed' },
      'an endpoint': { webhook_endpoint_id: 'we_bench_1' },
      session: { checkout_session_id: session },
    }),
    ...of('texts', 'txt', rows.events, { ...SINCE, session: { checkout_session_id: session }, charge: { charge } }),
    ...of('requests', 'req', rows.events, {
      ...SINCE,
      'status 402': { status: '402' },
      'status 422': { status: '422' },
      'status 500': { status: '500' },
      'common code': { code: 'card_declined' },
      'rare code': { code: 'session_missing_consumer' },
      'rare path': { path: '/v1/send_link' },
      'path of none': { path: '/v1/cards' },
    }),
    ...of('audit', 'aud', rows.audit, {
      'common action': { action: 'refund.created' },
      'rare action': { action: 'account.secret_rolled' },
      'action of none': { action: 'consumer.erased' },
      object: { object: ids.refund },
    }),
    ...otherPages(ids),
    ...smallPages(),
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

const smallPages = () =>
  [
    'overview',
    'calls',
    'checkouts',
    'charges',
    'refunds',
    'disputes',
    'events',
    'texts',
    'reports',
    'attention',
  ].flatMap((list) =>
    pagesOf(list, { 'small account': {} }).map((page): RequestedPage => ({ ...page, isSmall: true })),
  );

const pagesOf = (list: string, queries: Queries): RequestedPage[] =>
  Object.entries(queries).map(([by, query]) => ({ list, by, path: pagePath(list, query) }));

export function pagePath(list: string, query: Record<string, string>): string {
  return `/dashboard/test/${list}?${new URLSearchParams(query)}`;
}
