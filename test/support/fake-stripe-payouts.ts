/** Lists of the fake Stripe's payouts, their balance transactions, and disputes. */
import type { z } from 'zod';
import { ok } from './fake-stripe-answers.ts';
import type { LIST_SINCE, LIST_TRANSACTIONS } from './fake-stripe-requests.ts';
import type { VendorReply } from './fake-vendor-server.ts';

/** As docs.stripe.com/api/payouts/object has a payout, and its balance transactions. */
export interface Payout {
  payout: object;
  transactions: readonly { id: string }[];
}

export function listSince(
  url: string,
  all: readonly object[],
  { created: { gte }, limit, starting_after: after }: z.output<typeof LIST_SINCE>,
): VendorReply {
  const recent = (all as { id: string; created: number }[]).filter(({ created }) => created >= gte);
  const rest = recent.slice(after === undefined ? 0 : recent.findIndex(({ id }) => id === after) + 1);
  return ok({ object: 'list', url, has_more: rest.length > limit, data: rest.slice(0, limit) });
}

/** Pages of one payout (docs.stripe.com/api/balance_transactions/list). */
export function listTransactions(
  payouts: ReadonlyMap<string, Payout>,
  { payout, limit, starting_after: after }: z.output<typeof LIST_TRANSACTIONS>,
): VendorReply {
  const all = payouts.get(payout)?.transactions ?? [];
  const rest = all.slice(after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1);
  const list = { object: 'list', url: '/v1/balance_transactions', has_more: rest.length > limit };
  return ok({ ...list, data: rest.slice(0, limit) });
}
