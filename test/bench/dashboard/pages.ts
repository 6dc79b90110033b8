/**
 * The pages that the bench requests: each list first, deep, and with each filter, with common, rare and missing values; and
 * the pages of attention and of callers.
 */
import { othersOf, RARE_MERCHANT, seededId } from './seed.ts';

export interface RequestedPage {
  list: string;
  /** Description of the request. */
  by: string;
  /** Path with its query. */
  path: string;
}

/** Position of the deep page in the list. */
const DEPTH = 0.9;

/** The filters of the heaviest page. */
export const HEAVIEST = { status: 'failed', merchant_id: 'mer_demo_diner', last_four: '4242' };

const SINCE: Queries = { 'last day': { since: '24h' }, 'last 30 days': { since: '30d' } };
const ORDERS: Queries = {
  'big merchant': { merchant_id: 'mer_demo_diner' },
  'rare merchant': { merchant_id: RARE_MERCHANT },
  caller: { caller_phone: '+15551001077' },
  order: { order_id: 'order_1077' },
  'order of none': { order_id: 'order_none' },
  'common card': { last_four: '4242' },
  'rare card': { last_four: '0007' },
  'card of none': { last_four: '9999' },
  'platform call': { platform_call_id: 'platform_1077' },
};

type Queries = Record<string, Record<string, string>>;

/** @param charges number of seeded charges */
export function requestedPages(charges: number): RequestedPage[] {
  const others = othersOf(charges);
  const session = seededId('cs', 1_077);
  const charge = seededId('ch', 1_076);
  const of = (list: string, prefix: string, rows: number, queries: Queries): RequestedPage[] => {
    const deep = { starting_after: seededId(prefix, Math.floor(rows * DEPTH)) };
    return Object.entries({ first: {}, deep, ...queries }).map(([by, query]) => ({
      list,
      by,
      path: pagePath(list, query),
    }));
  };
  return [
    ...of('calls', 'call', others, {
      ...SINCE,
      ...ORDERS,
      'rare outcome': { outcome: 'expired' },
      'outcome of none': { outcome: 'canceled' },
    }),
    ...of('checkouts', 'cs', others, { ...SINCE, ...ORDERS, open: { status: 'open' }, expired: { status: 'expired' } }),
    ...of('charges', 'ch', charges, {
      ...SINCE,
      ...ORDERS,
      pending: { status: 'pending' },
      failed: { status: 'failed' },
      'several filters': HEAVIEST,
      'a rare mix': { status: 'pending', merchant_id: RARE_MERCHANT },
    }),
    ...of('refunds', 're', others, { charge: { charge } }),
    ...of('events', 'evt', others, {
      'common kind': { type: 'checkout.succeeded' },
      'rare kind': { type: 'checkout.expired' },
      'kind of none': { type: 'test' },
      session: { checkout_session_id: session },
    }),
    ...of('texts', 'txt', others, { ...SINCE, session: { checkout_session_id: session }, charge: { charge } }),
    ...of('requests', 'req', others, {
      ...SINCE,
      'status 402': { status: '402' },
      'status 422': { status: '422' },
      'status 500': { status: '500' },
      'common code': { code: 'card_declined' },
      'rare code': { code: 'session_missing_consumer' },
      'rare path': { path: '/v1/send_link' },
      'path of none': { path: '/v1/cards' },
    }),
    ...of('audit', 'aud', others, {
      'common action': { action: 'refund.created' },
      'rare action': { action: 'account.secret_rolled' },
      'action of none': { action: 'consumer.erased' },
      object: { object: seededId('re', 1_077) },
    }),
    { list: 'attention', by: 'open', path: pagePath('attention', {}) },
    { list: 'attention', by: 'closed', path: pagePath('attention', { status: 'closed' }) },
    { list: 'callers', by: 'a number', path: pagePath('callers', { number: '+15551001077' }) },
    { list: 'callers', by: 'last digits', path: pagePath('callers', { number: '1077' }) },
  ];
}

export function pagePath(list: string, query: Record<string, string>): string {
  return `/dashboard/test/${list}?${new URLSearchParams(query)}`;
}
