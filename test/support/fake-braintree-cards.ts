/** Card numbers of the fake Braintree, by outcome. */
import type { Fault } from './fake-vendor-server.ts';

/** Test numbers and amounts of Braintree's sandbox decline by amount. The fake declines by number. */
export const CARDS = {
  good: '4111111111111111',
  noMoney: '4000111111111115',
  unanswered: '4005519200000004',
  lost: '4009348888881881',
  broken: '4012000033330026',
} as const;

export const DECLINES: Readonly<Record<string, string>> = {
  [CARDS.noMoney]: '2001',
  '4012000077777777': '2000',
  '4217651111111119': '2004',
};

export const FAULTS: Readonly<Record<string, Fault>> = { [CARDS.unanswered]: 'hang', [CARDS.broken]: 'html_500' };
