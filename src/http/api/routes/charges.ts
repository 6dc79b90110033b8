/** `/v1/charges`: the list of all attempts, one charge, and the acknowledgement of a late one. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { noCharge } from '../../../checkout/manual-settlement.ts';
import {
  ChargeTotalsResource,
  chargeTotalsResource,
  ListedChargeResource,
  listedChargeResource,
} from '../../../contract/charges.ts';
import { ApiError } from '../../../contract/errors.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { type ChargeFilter, findListedCharge, listCharges } from '../../../db/charges/charge-lists.ts';
import { readChargeTotals, readDeclines } from '../../../db/charges/charge-totals.ts';
import type { Database, Sql } from '../../../db/pool.ts';
import type { Scope } from '../../../domain/account.ts';
import { CHARGE_STATUSES, DECLINE_CODES, type ListedCharge } from '../../../domain/charge.ts';
import { type ChargeId, parseId } from '../../../domain/ids.ts';
import { COUNTED_AS } from '../../../domain/statistics.ts';
import { acknowledgeLateCharge } from '../../../payments/manual/acknowledge.ts';
import { needsSettlingFilter, paymentFilter, paymentFilters, SESSION_FILTER, sessionFilter } from '../list-filters.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';
import { errorContext } from '../plugins/errors.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { requireInScope } from '../require-in-scope.ts';

const ChargeFilters = z.object({
  ...paymentFilters('Only charges of a card with these last four digits.'),
  checkout_session_id: SESSION_FILTER,
  status: field(z.enum(CHARGE_STATUSES).optional(), 'Only charges with this status.', 'succeeded'),
  needs_settling: needsSettlingFilter('charges'),
  needs_attention: field(
    z.enum(['true']).optional(),
    '`true`: only late charges that need attention, see their `needs_attention`.',
    'true',
  ),
  counted_as: field(
    z.enum(COUNTED_AS).optional(),
    'Only charges that the statistics count this way. `succeeded` includes holds, `completed` is succeeded or failed. Charges that only verify a card are not counted.',
    'completed',
  ),
  decline_code: field(
    z.enum([...DECLINE_CODES, 'none']).optional(),
    'Only charges that failed for this reason. `none`: only charges that failed, but not because of the card.',
    'insufficient_funds',
  ),
});

const ListChargesQuery = PageQuery.extend(ChargeFilters.shape);

const LIST_CHARGES = {
  id: 'list_charges',
  limited: 'read',
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

const RETRIEVE_CHARGE_TOTALS = {
  id: 'retrieve_charge_totals',
  limited: 'read',
  group: 'Charges',
  summary: 'Retrieve totals of charges',
  description: `Sums the charges that match the filters of \`list_charges\`, by currency: how many there are, how many succeeded, and
what they took, gross and net of refunds. If you ask for failed charges, also counts their reasons. A charge counts at the time it was created, and its refunds with it, whenever they
were made.`,
  query: ChargeFilters,
  response: ChargeTotalsResource,
  answers: 'The sums by currency.',
  errors: ['merchant_not_found', 'session_not_found'],
  example: { query: { created_after: '2026-11-01T00:00:00Z', merchant_id: 'mer_demo_diner' } },
} satisfies Operation;

const CHARGE: Need = { name: 'CHARGE', operation: 'charge', field: 'charge_id' };

const RETRIEVE_CHARGE = {
  id: 'retrieve_charge',
  limited: 'read',
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

const LATE_CHARGE: Need = {
  name: 'CHARGE',
  operation: 'list_charges',
  field: 'charges.0.charge_id',
  query: { needs_attention: 'true', limit: '1' },
};

const ACKNOWLEDGE_CHARGE = {
  id: 'acknowledge_charge',
  limited: { object: 'charges', field: 'charge_id' },
  group: 'Charges',
  scope: 'full',
  role: 'support',
  summary: 'Acknowledge a late charge',
  description: `Marks a charge with \`was_late\` as seen by a person: it no longer has \`needs_attention\`. \`list_charges\` finds
these charges. Nothing else about the charge changes, and you can still refund it. Repeating the request changes
nothing. For a charge without \`was_late\`, returns 400 \`invalid_value\`. The audit trail shows who acknowledged the
charge.`,
  params: z.object({ charge_id: FIELDS.charge_id }),
  response: ListedChargeResource,
  answers: 'The acknowledged charge.',
  errors: ['not_found'],
  example: { needs: [LATE_CHARGE], params: { charge_id: '$CHARGE' } },
} satisfies Operation;

export function chargeListRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  addList(app, 'GET /charges', LIST_CHARGES, listedChargeResource, async ({ query }, { scope }) =>
    listCharges(database, scope, await chargeFilter(database, scope, query), pageRequest(query)),
  );

  addOperation(app, 'GET /charges/totals', RETRIEVE_CHARGE_TOTALS, async ({ query }, { scope }) => {
    const filter = await chargeFilter(database, scope, query);
    const [totals, declines] = await Promise.all([
      readChargeTotals(database, scope, filter),
      readDeclines(database, scope, filter),
    ]);
    return chargeTotalsResource(totals, declines);
  });

  addOperation(app, 'GET /charges/:charge_id', RETRIEVE_CHARGE, async ({ params }, request) => {
    const charge = await requireCharge(database, request.scope, params.charge_id);
    return listedChargeResource(charge, errorContext(request));
  });

  addOperation(app, 'POST /charges/:charge_id/acknowledge', ACKNOWLEDGE_CHARGE, async ({ params }, request) => {
    const { scope, actor } = request;
    const charge = await requireCharge(database, scope, params.charge_id);
    if (!(await acknowledgeLateCharge(database, actor, charge))) {
      const message = 'Only a charge with `was_late` can be acknowledged.';
      throw new ApiError('invalid_value', { param: 'charge_id', charge: charge.id, message });
    }
    return listedChargeResource(await requireCharge(database, scope, charge.id), errorContext(request));
  });
}

async function chargeFilter(sql: Sql, scope: Scope, query: z.infer<typeof ChargeFilters>): Promise<ChargeFilter> {
  return {
    ...(await paymentFilter(sql, scope, query)),
    sessionId: await sessionFilter(sql, scope, query.checkout_session_id),
    status: query.status ?? null,
    needsSettling: query.needs_settling !== undefined,
    needsAttention: query.needs_attention !== undefined,
    countedAs: query.counted_as ?? null,
    declineCode: query.decline_code ?? null,
  };
}

/** @throws ApiError `not_found`; `invalid_key` for a charge of the other mode */
function requireCharge(sql: Sql, scope: Scope, text: string): Promise<ListedCharge> {
  const find = (id: ChargeId) => findListedCharge(sql, scope.accountId, id);
  return requireInScope(scope, parseId('Charge', text), find, noCharge);
}
