/** `GET /v1/charges` and one of them: every attempt to take money, newest first. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { errorContext } from '../plugins/errors.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { needsSettlingFilter, paymentFilter, paymentFilters, SESSION_FILTER, sessionFilter } from '../list-filters.ts';
import { PageQuery, pageRequest, requirePage } from '../pages.ts';
import { requireInScope } from '../require-in-scope.ts';
import { parseQuery } from '../validation.ts';
import { noCharge } from '../../checkout/settle-by-hand.ts';
import { ListedChargeResource, listedChargeResource } from '../../contract/charges.ts';
import { FIELDS, field } from '../../contract/fields.ts';
import { findListedCharge, listCharges } from '../../db/charges/charge-lists.ts';
import type { Sql } from '../../db/pool.ts';
import { CHARGE_STATUSES } from '../../domain/charge.ts';
import { parseId } from '../../domain/ids.ts';

export const ListChargesQuery = PageQuery.extend({
  ...paymentFilters('Only charges of a card with these last four digits.'),
  checkout_session_id: SESSION_FILTER,
  status: field(z.enum(CHARGE_STATUSES).optional(), 'Only charges that stand so.', 'succeeded'),
  needs_settling: needsSettlingFilter('charges'),
});

export const ChargeList = z.object({
  charges: field(z.array(ListedChargeResource), 'Newest first.'),
  has_more: FIELDS.has_more,
});
export type ChargeList = z.infer<typeof ChargeList>;

const LIST_CHARGES = {
  id: 'list_charges',
  group: 'Charges',
  summary: 'List charges',
  description: `Every attempt to take money, newest first: on calls, with saved cards, on the pay page; filters narrow it down, all of them together. Of a card there are its
brand and its last four digits, no more. \`starting_after\` is a \`charge_id\`.`,
  query: ListChargesQuery,
  response: ChargeList,
  answers: 'A page of the list.',
  errors: ['merchant_not_found', 'session_not_found'],
  example: { query: { status: 'succeeded', last_four: '4242', limit: '5' } },
} satisfies Operation;

const CHARGE: Need = { name: 'CHARGE', operation: 'charge', field: 'charge_id' };

const RETRIEVE_CHARGE = {
  id: 'retrieve_charge',
  group: 'Charges',
  summary: 'Retrieve a charge',
  description: `How a charge stands now; one that failed has the error object that the charge operation would have answered. A charge of another account does not exist:
\`not_found\`. One of the other mode: \`invalid_key\`.`,
  params: z.object({ charge_id: FIELDS.charge_id }),
  response: ListedChargeResource,
  answers: 'The charge as it is now.',
  errors: ['not_found'],
  example: { needs: [CHARGE], params: { charge_id: '$CHARGE' } },
} satisfies Operation;

export function chargeListRoutes(app: FastifyInstance, { database }: { database: Sql }): void {
  addOperation(app, 'GET /charges', LIST_CHARGES, async (request) => {
    const { scope } = request;
    const query = parseQuery(ListChargesQuery, request.query);
    const filter = {
      ...(await paymentFilter(database, scope, query)),
      sessionId: await sessionFilter(database, scope, query.checkout_session_id),
      status: query.status ?? null,
      needsSettling: query.needs_settling !== undefined,
    };
    const page = requirePage(await listCharges(database, scope, filter, pageRequest(query)));
    const context = errorContext(request);
    return { charges: page.items.map((charge) => listedChargeResource(charge, context)), has_more: page.hasMore };
  });

  addOperation(app, 'GET /charges/:charge_id', RETRIEVE_CHARGE, async (request) => {
    const { params, scope } = request;
    const find = (id: Parameters<typeof findListedCharge>[2]) => findListedCharge(database, scope.accountId, id);
    const charge = await requireInScope(scope, parseId('Charge', params.charge_id), find, noCharge);
    return listedChargeResource(charge, errorContext(request));
  });
}
