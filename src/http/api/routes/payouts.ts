/** `/v1/payouts` and `/v1/payout_entries`: what the processors pay out, and what each payout contains. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { requireChargeInScope } from '../../../checkout/refund.ts';
import { ApiError } from '../../../contract/errors.ts';
import { field } from '../../../contract/fields.ts';
import { PayoutEntryResource, PayoutResource, payoutEntryResource, payoutResource } from '../../../contract/payouts.ts';
import { findPayout, listPayoutEntries, listPayouts } from '../../../db/payouts/payout-lists.ts';
import type { Sql } from '../../../db/pool.ts';
import type { Scope } from '../../../domain/account.ts';
import { parseId } from '../../../domain/ids.ts';
import { PAYOUT_STATUSES, type PayoutId } from '../../../domain/payout.ts';
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

const LIST_PAYOUTS = {
  id: 'list_payouts',
  group: 'Payouts',
  summary: 'List payouts',
  description: `Lists payouts, newest first. If you send several filters, all of them must match. \`starting_after\` is a
\`payout_id\`.

We learn of payouts from the notifications of Stripe and Square, and read them there. Amounts are in the currency of
the bank account: never add up payouts of different currencies.`,
  query: PageQuery.extend({
    ...SHARED_FILTERS,
    status: field(z.enum(PAYOUT_STATUSES).optional(), 'Only payouts with this status.', 'paid'),
  }),
  response: listOf('payouts', PayoutResource),
  errors: ['merchant_not_found'],
  example: { query: { limit: '5' } },
} satisfies ListOperation;

const PAYOUT: Need = { name: 'PAYOUT', operation: 'list_payouts', field: 'payouts.0.payout_id' };

const RETRIEVE_PAYOUT = {
  id: 'retrieve_payout',
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
  group: 'Payouts',
  summary: 'List payout entries',
  description: `Lists what payouts contain, newest first: charges, refunds, disputes and fees, each with its gross amount, fee and
net amount. Filter by \`payout\`, \`charge\` or \`arrival_date\`. \`starting_after\` is a \`payout_entry_id\`.`,
  query: PageQuery.extend({
    ...SHARED_FILTERS,
    payout: field(anyId.optional(), 'Only entries of this payout.', 'po_q8k3m7x2vhwz5t9nb4cryj6fed'),
    charge: field(anyId.optional(), 'Only entries of this charge.', 'ch_x6ueh4kxj94cewxy97eft8edv6'),
  }),
  response: listOf('payout_entries', PayoutEntryResource),
  errors: ['merchant_not_found', 'not_found'],
  example: { query: { limit: '5' } },
} satisfies ListOperation;

const noPayout = () =>
  new ApiError('not_found', { param: 'payout_id', message: 'No payout of this account has this ID.' });

export function payoutRoutes(app: FastifyInstance, { database }: { database: Sql }): void {
  const requirePayout = (scope: Scope, text: string) =>
    requireInScope(
      scope,
      parseId('Payout', text),
      (id: PayoutId) => findPayout(database, scope.accountId, id),
      noPayout,
    );

  addList(app, 'GET /payouts', LIST_PAYOUTS, payoutResource, async ({ query }, { scope }) => {
    const filter = {
      ...timeRange(query),
      merchantId: await merchantFilter(database, scope, query.merchant_id),
      status: query.status ?? null,
      arrivalDate: query.arrival_date ?? null,
    };
    return listPayouts(database, scope, filter, pageRequest(query));
  });

  addOperation(app, 'GET /payouts/:id', RETRIEVE_PAYOUT, async ({ params }, { scope }) =>
    payoutResource(await requirePayout(scope, params.id)),
  );

  addList(app, 'GET /payout_entries', LIST_PAYOUT_ENTRIES, payoutEntryResource, async ({ query }, { scope }) => {
    const filter = {
      ...timeRange(query),
      merchantId: await merchantFilter(database, scope, query.merchant_id),
      payoutId: query.payout === undefined ? null : (await requirePayout(scope, query.payout)).id,
      chargeId: query.charge === undefined ? null : await requireChargeInScope(database, scope, query.charge),
      arrivalDate: query.arrival_date ?? null,
    };
    return listPayoutEntries(database, scope, filter, pageRequest(query));
  });
}
