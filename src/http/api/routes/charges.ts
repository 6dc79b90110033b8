/** `/v1/charges`: the list of all attempts, and one charge. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { noCharge } from '../../../checkout/manual-settlement.ts';
import { ListedChargeResource, listedChargeResource } from '../../../contract/charges.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { findListedCharge, listCharges } from '../../../db/charges/charge-lists.ts';
import type { Sql } from '../../../db/pool.ts';
import { CHARGE_STATUSES } from '../../../domain/charge.ts';
import { parseId } from '../../../domain/ids.ts';
import { needsSettlingFilter, paymentFilter, paymentFilters, SESSION_FILTER, sessionFilter } from '../list-filters.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';
import { errorContext } from '../plugins/errors.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { requireInScope } from '../require-in-scope.ts';

const ListChargesQuery = PageQuery.extend({
  ...paymentFilters('Only charges of a card with these last four digits.'),
  checkout_session_id: SESSION_FILTER,
  status: field(z.enum(CHARGE_STATUSES).optional(), 'Only charges with this status.', 'succeeded'),
  needs_settling: needsSettlingFilter('charges'),
  needs_attention: field(
    z.enum(['true']).optional(),
    '`true`: only late charges that need attention, see their `needs_attention`.',
    'true',
  ),
});

const LIST_CHARGES = {
  id: 'list_charges',
  group: 'Charges',
  summary: 'List charges',
  description: `Lists every attempt to charge a card, newest first: on calls, with saved cards, and on the pay page. If you send
several filters, all of them must match. Cards are shown with their brand and last four digits only.
\`starting_after\` is a \`charge_id\`.`,
  query: ListChargesQuery,
  response: listOf('charges', ListedChargeResource),
  errors: ['merchant_not_found', 'session_not_found'],
  example: { query: { status: 'succeeded', last_four: '4242', limit: '5' } },
} satisfies ListOperation;

const CHARGE: Need = { name: 'CHARGE', operation: 'charge', field: 'charge_id' };

const RETRIEVE_CHARGE = {
  id: 'retrieve_charge',
  group: 'Charges',
  summary: 'Retrieve a charge',
  description: `Returns a charge in its current state. A failed charge has the error object that the charge operation would have
returned. For a charge of another account, returns \`not_found\`. For a charge of the other mode, returns
\`invalid_key\`.`,
  params: z.object({ charge_id: FIELDS.charge_id }),
  response: ListedChargeResource,
  answers: 'The charge in its current state.',
  errors: ['not_found'],
  example: { needs: [CHARGE], params: { charge_id: '$CHARGE' } },
} satisfies Operation;

export function chargeListRoutes(app: FastifyInstance, { database }: { database: Sql }): void {
  addList(app, 'GET /charges', LIST_CHARGES, listedChargeResource, async ({ query }, { scope }) => {
    const filter = {
      ...(await paymentFilter(database, scope, query)),
      sessionId: await sessionFilter(database, scope, query.checkout_session_id),
      status: query.status ?? null,
      needsSettling: query.needs_settling !== undefined,
      needsAttention: query.needs_attention !== undefined,
    };
    return listCharges(database, scope, filter, pageRequest(query));
  });

  addOperation(app, 'GET /charges/:charge_id', RETRIEVE_CHARGE, async ({ params }, request) => {
    const { scope } = request;
    const find = (id: Parameters<typeof findListedCharge>[2]) => findListedCharge(database, scope.accountId, id);
    const charge = await requireInScope(scope, parseId('Charge', params.charge_id), find, noCharge);
    return listedChargeResource(charge, errorContext(request));
  });
}
