/** Filters shared by lists: of calls, checkouts and charges, and of what needs settlement. Their names are those of REST. */
import { type Filter, SINCE } from './filters.tsx';

/** Filters of a list of what belongs to orders. @param own of the list */
export const orderFilters = (...own: readonly Filter[]): readonly Filter[] => [
  SINCE,
  ...own,
  { kind: 'merchant', name: 'merchant_id', label: 'Merchant' },
  { kind: 'text', name: 'caller_phone', label: 'Caller', hint: 'Number or last digits' },
  { kind: 'text', name: 'order_id', label: 'Order', hint: 'Exact match' },
  { kind: 'text', name: 'last_four', label: 'Card’s last 4', hint: '4242' },
  { kind: 'text', name: 'platform_call_id', label: 'Platform call', hint: 'ID' },
];

/** Pending charges and refunds that need manual settlement. */
export const TO_SETTLE: Filter = {
  kind: 'choice',
  name: 'needs_settling',
  label: 'Settlement',
  choices: [['true', 'Needs settlement']],
};
