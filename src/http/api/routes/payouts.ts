/** `/v1/payouts` and `/v1/payout_entries`: what the processors pay out, and what each payout contains. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { requireChargeInScope } from '../../../checkout/refund.ts';
import { ApiError } from '../../../contract/errors.ts';
import { field } from '../../../contract/fields.ts';
import {
  PayoutEntryTotalsResource,
  PayoutTotalsResource,
  payoutEntryTotalsResource,
  payoutTotalsResource,
} from '../../../contract/list-totals.ts';
import { PayoutEntryResource, PayoutResource, payoutEntryResource, payoutResource } from '../../../contract/payouts.ts';
import {
  type EntryFilter,
  findPayout,
  listPayoutEntries,
  listPayouts,
  type PayoutFilter,
} from '../../../db/payouts/payout-lists.ts';
import { readPayoutEntryTotals, readPayoutTotals } from '../../../db/payouts/payout-totals.ts';
import type { Database, Sql } from '../../../db/pool.ts';
import type { Scope } from '../../../domain/account.ts';
import { parseId } from '../../../domain/ids.ts';
import { PAYOUT_STATUSES, type Payout, type PayoutId } from '../../../domain/payout.ts';
import { merchantFilter, ORDER_FILTERS, TIME_FILTERS, timeRange } from '../list-filters.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { requireInScope } from '../require-in-scope.ts';
import { anyId } from '../text-schemas.ts';

const SHARED_FILTERS = {
  ...TIME_FILTERS,
  merchant_id: ORDER_FILTERS.merchant_id,
  arrival_date: field(z.iso.date().optional(), 'Only what arrives on this day.', '2026-11-23'),
};

const PAYOUT_FILTERS = {
  ...SHARED_FILTERS,
  status: field(z.enum(PAYOUT_STATUSES).optional(), 'Only payouts with this status.', 'paid'),
};
const PayoutFilters = z.object(PAYOUT_FILTERS);

const ENTRY_FILTERS = {
  ...SHARED_FILTERS,
  payout: field(anyId.optional(), 'Only entries of this payout.', 'po_q8k3m7x2vhwz5t9nb4cryj6fed'),
  charge: field(anyId.optional(), 'Only entries of this charge.', 'ch_x6ueh4kxj94cewxy97eft8edv6'),
};
const EntryFilters = z.object(ENTRY_FILTERS);

const LIST_PAYOUTS = {
  id: 'list_payouts',
  limited: 'read',
  group: 'Payouts',
  summary: 'List payouts',
  description: `Lists payouts, newest first. If you send several filters, all of them must match. \`starting_after\` is a
\`payout_id\`.

We learn of payouts from the notifications of Stripe, Square and Adyen, and read them there. Amounts are in the
currency of the bank account: never add up payouts of different currencies.`,
  query: PageQuery.extend(PAYOUT_FILTERS),
  response: listOf('payouts', PayoutResource),
  errors: ['merchant_not_found'],
  example: { query: { limit: '5' } },
} satisfies ListOperation;

const PAYOUT: Need = { name: 'PAYOUT', operation: 'list_payouts', field: 'payouts.0.payout_id' };

const RETRIEVE_PAYOUT = {
  id: 'retrieve_payout',
  limited: 'read',
  group: 'Payouts',
  summary: 'Retrieve a payout',
  description: 'Returns a payout as the processor last reported it. `list_payout_entries` returns what it contains.',
  params: z.object({ id: PayoutResource.shape.payout_id }),
  response: PayoutResource,
  answers: 'The payout.',
  errors: ['not_found'],
  example: { needs: [PAYOUT], params: { id: '$PAYOUT' } },
} satisfies Operation;

const LIST_PAYOUT_ENTRIES = {
  id: 'list_payout_entries',
  limited: 'read',
  group: 'Payouts',
  summary: 'List payout entries',
  description: `Lists what payouts contain, newest first: charges, refunds, disputes and fees, each with its gross amount, fee and
net amount. Filter by \`payout\`, \`charge\` or \`arrival_date\`. \`starting_after\` is a \`payout_entry_id\`.`,
  query: PageQuery.extend(ENTRY_FILTERS),
  response: listOf('payout_entries', PayoutEntryResource),
  errors: ['merchant_not_found', 'not_found'],
  example: { query: { limit: '5' } },
} satisfies ListOperation;

const RETRIEVE_PAYOUT_TOTALS = {
  id: 'retrieve_payout_totals',
  limited: 'read',
  group: 'Payouts',
  summary: 'Retrieve totals of payouts',
  description: 'Sums the payouts that match the filters of `list_payouts`, by the currency of the bank accounts.',
  query: PayoutFilters,
  response: PayoutTotalsResource,
  answers: 'The sums by currency.',
  errors: ['merchant_not_found'],
  example: { query: { arrival_date: '2026-11-23' } },
} satisfies Operation;

const RETRIEVE_PAYOUT_ENTRY_TOTALS = {
  id: 'retrieve_payout_entry_totals',
  limited: 'read',
  group: 'Payouts',
  summary: 'Retrieve totals of payout entries',
  description: 'Sums the entries that match the filters of `list_payout_entries`, by the currency of the payouts.',
  query: EntryFilters,
  response: PayoutEntryTotalsResource,
  answers: 'The sums by currency.',
  errors: ['merchant_not_found', 'not_found'],
  example: { query: { arrival_date: '2026-11-23' } },
} satisfies Operation;

const noPayout = () =>
  new ApiError('not_found', { param: 'payout_id', message: 'No payout of this account has this ID.' });

export function payoutRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  addList(app, 'GET /payouts', LIST_PAYOUTS, payoutResource, async ({ query }, { scope }) =>
    listPayouts(database, scope, await payoutFilter(database, scope, query), pageRequest(query)),
  );

  addOperation(app, 'GET /payouts/totals', RETRIEVE_PAYOUT_TOTALS, async ({ query }, { scope }) =>
    payoutTotalsResource(await readPayoutTotals(database, scope, await payoutFilter(database, scope, query))),
  );

  addOperation(app, 'GET /payouts/:id', RETRIEVE_PAYOUT, async ({ params }, { scope }) =>
    payoutResource(await requirePayout(database, scope, params.id)),
  );

  addList(app, 'GET /payout_entries', LIST_PAYOUT_ENTRIES, payoutEntryResource, async ({ query }, { scope }) =>
    listPayoutEntries(database, scope, await entryFilter(database, scope, query), pageRequest(query)),
  );

  addOperation(app, 'GET /payout_entries/totals', RETRIEVE_PAYOUT_ENTRY_TOTALS, async ({ query }, { scope }) =>
    payoutEntryTotalsResource(await readPayoutEntryTotals(database, scope, await entryFilter(database, scope, query))),
  );
}

function requirePayout(sql: Sql, scope: Scope, text: string): Promise<Payout> {
  const find = (id: PayoutId) => findPayout(sql, scope.accountId, id);
  return requireInScope(scope, parseId('Payout', text), find, noPayout);
}

async function payoutFilter(sql: Sql, scope: Scope, query: z.infer<typeof PayoutFilters>): Promise<PayoutFilter> {
  return {
    ...timeRange(query),
    merchantId: await merchantFilter(sql, scope, query.merchant_id),
    status: query.status ?? null,
    arrivalDate: query.arrival_date ?? null,
  };
}

async function entryFilter(sql: Sql, scope: Scope, query: z.infer<typeof EntryFilters>): Promise<EntryFilter> {
  return {
    ...timeRange(query),
    merchantId: await merchantFilter(sql, scope, query.merchant_id),
    payoutId: query.payout === undefined ? null : (await requirePayout(sql, scope, query.payout)).id,
    chargeId: query.charge === undefined ? null : await requireChargeInScope(sql, scope, query.charge),
    arrivalDate: query.arrival_date ?? null,
  };
}
