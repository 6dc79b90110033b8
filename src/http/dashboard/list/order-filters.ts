/** Filters shared by the lists of calls, checkouts and charges. Their names are those of REST. */
import type { MerchantResource } from '../../../contract/merchants.ts';
import type { Visit } from '../page/visit.ts';
import { type Filter, SINCE } from './filters.tsx';
import { type ListReading, type ListSource, readList } from './list-reading.ts';

/** A page of a list of what belongs to orders; and its filters, with the merchants of the account by their names. */
export async function readOrderList<T>(
  visit: Visit,
  source: ListSource<T>,
  own: readonly Filter[],
): Promise<{ filters: readonly Filter[]; reading: ListReading<T> }> {
  const [choices, reading] = await Promise.all([
    merchantChoices(visit),
    readList(visit, source, orderListFilters(own)),
  ]);
  return { filters: orderListFilters(own, { ...MERCHANT, kind: 'choice', choices }), reading };
}

/** @param own of the list @param merchant as it is shown; a file needs no names */
export function orderListFilters(own: readonly Filter[], merchant: Filter = MERCHANT): readonly Filter[] {
  return [SINCE, ...own, merchant, ...ORDER_FILTERS, PLATFORM_CALL];
}

async function merchantChoices(visit: Visit): Promise<[id: string, name: string][]> {
  const { merchants } = await visit.ask<{ merchants: MerchantResource[] }>({
    path: '/v1/merchants',
    query: { limit: '100' },
  });
  return merchants.map(({ merchant_id, business_name }) => [merchant_id, business_name]);
}

const ORDER_FILTERS: readonly Filter[] = [
  { kind: 'text', name: 'caller_phone', label: 'Caller', hint: 'Number or last digits' },
  { kind: 'text', name: 'order_id', label: 'Order', hint: 'Exact match' },
  { kind: 'text', name: 'last_four', label: 'Card’s last 4', hint: '4242' },
];

const PLATFORM_CALL: Filter = { kind: 'text', name: 'platform_call_id', label: 'Platform call', hint: 'ID' };
const MERCHANT: Filter & { kind: 'text' } = { kind: 'text', name: 'merchant_id', label: 'Merchant' };

/** Pending charges and refunds that need manual settlement. */
export const TO_SETTLE: Filter = {
  kind: 'choice',
  name: 'needs_settling',
  label: 'Settlement',
  choices: [['true', 'Needs settlement']],
};
