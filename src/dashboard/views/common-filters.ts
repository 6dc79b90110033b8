/** Filters that the lists of calls, checkouts and charges share, by the names that REST has for them. */
import type { MerchantResource } from '../../contract/merchants.ts';
import type { Visit } from '../visit.ts';
import { type Filter, SINCE } from './filters.tsx';

/** With the merchants of the account by their names. */
export async function orderFilters(visit: Visit, own: readonly Filter[]): Promise<readonly Filter[]> {
  const { merchants } = await visit.ask<{ merchants: MerchantResource[] }>({
    path: '/v1/merchants',
    query: { limit: '100' },
  });
  const choices = merchants.map(({ merchant_id, business_name }) => [merchant_id, business_name] as const);
  return [SINCE, ...own, { kind: 'choice', name: 'merchant_id', label: 'Merchant', choices }, ...ORDER_FILTERS];
}

/** For a file, which needs no names. */
export const ORDER_FILTERS: readonly Filter[] = [
  { kind: 'phone', name: 'caller_phone', label: 'Caller', hint: '+15550101234' },
  { kind: 'text', name: 'order_id', label: 'Order', hint: 'Exactly' },
  { kind: 'text', name: 'last_four', label: 'Card’s last four', hint: '4242' },
];

export const PLATFORM_CALL: Filter = { kind: 'text', name: 'platform_call_id', label: 'Platform’s call', hint: 'Id' };
export const MERCHANT: Filter = { kind: 'text', name: 'merchant_id', label: 'Merchant' };
