/** `POST /v1/charges/{charge_id}/capture` and `…/void`: takes or releases a held amount. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type ChangeHold, requestHoldChange } from '../../../checkout/hold.ts';
import { noCharge } from '../../../checkout/manual-settlement.ts';
import { ListedChargeResource, listedChargeResource } from '../../../contract/charges.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { findListedCharge } from '../../../db/charges/charge-lists.ts';
import type { Sql } from '../../../db/pool.ts';
import type { HoldChangeKind } from '../../../domain/hold.ts';
import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import { errorContext } from '../plugins/errors.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { rejectEmpty } from '../validation.ts';

const CHARGE: Need = {
  name: 'CHARGE',
  operation: 'list_charges',
  field: 'charges.0.charge_id',
  query: { status: 'authorized', limit: '1' },
};

const UNKNOWN = `424 \`processor_unavailable\`: the outcome is unknown. We look it up, and send the request again if it
never arrived. A webhook reports the outcome; until then, another capture or void returns 409 \`capture_in_progress\`.`;

const CAPTURE_CHARGE = {
  id: 'capture_charge',
  limited: { object: 'charges', field: 'charge_id' },
  group: 'Charges',
  scope: 'full',
  role: 'support',
  summary: 'Capture a hold',
  description: `Takes the amount of an \`authorized\` charge, or a part of it. The rest is released: a hold is captured once. The
charge becomes \`succeeded\`, with \`captured_cents\`, and \`charge.captured\` is sent. Repeating the request returns
the charge. Refunds never exceed the captured amount.

Square captures only whole holds. After \`capture_before\`, returns 409 \`authorization_expired\`.

${UNKNOWN}`,
  params: z.object({ charge_id: FIELDS.charge_id }),
  request: z.strictObject({
    amount_cents: rejectEmpty(
      field(
        z.int().min(1).max(MAX_AMOUNT_CENTS).optional(),
        "The amount to capture, an integer in the currency's minor unit, at most the hold. If you omit the field, the whole hold is captured. `null` is rejected with `invalid_value`.",
        3000,
      ),
    ),
  }),
  response: ListedChargeResource,
  answers: 'The captured charge.',
  errors: [
    'not_found',
    'charge_not_authorized',
    'charge_already_captured',
    'charge_already_voided',
    'authorization_expired',
    'capture_in_progress',
    'capture_amount_too_large',
    'partial_capture_unsupported',
    'capture_refused',
    'processor_unavailable',
  ],
  example: { needs: [CHARGE], params: { charge_id: '$CHARGE' }, body: { amount_cents: 3000 } },
} satisfies Operation;

const VOID_CHARGE = {
  id: 'void_charge',
  limited: { object: 'charges', field: 'charge_id' },
  group: 'Charges',
  scope: 'full',
  role: 'support',
  summary: 'Void a hold',
  description: `Releases the amount of an \`authorized\` charge. Nothing is taken, and another session can pay for the order. The
charge becomes \`voided\`, and \`charge.voided\` is sent. Repeating the request returns the charge. Banks can show
a released hold to the payer for up to a week.

${UNKNOWN}`,
  params: z.object({ charge_id: FIELDS.charge_id }),
  request: z.strictObject({}),
  response: ListedChargeResource,
  answers: 'The voided charge.',
  errors: [
    'not_found',
    'charge_not_authorized',
    'charge_already_captured',
    'authorization_expired',
    'capture_in_progress',
    'capture_refused',
    'processor_unavailable',
  ],
  example: { needs: [CHARGE], params: { charge_id: '$CHARGE' }, body: {} },
} satisfies Operation;

interface HoldRoutesDeps {
  database: Sql;
  changeHold: ChangeHold;
}

export function holdRoutes(app: FastifyInstance, { database, changeHold }: HoldRoutesDeps): void {
  const change = async (
    kind: HoldChangeKind,
    charge: string,
    amountCents: number | null,
    request: Parameters<typeof errorContext>[0],
  ) => {
    const { scope, actor: by, log } = request;
    const { id } = await requestHoldChange(changeHold, { kind, charge, amountCents, scope, by, log });
    const listed = await findListedCharge(database, scope.accountId, id);
    if (listed === null) throw noCharge();
    return listedChargeResource(listed, errorContext(request));
  };
  addOperation(app, 'POST /charges/:charge_id/capture', CAPTURE_CHARGE, ({ params, body }, request) =>
    change('capture', params.charge_id, body.amount_cents ?? null, request),
  );
  addOperation(app, 'POST /charges/:charge_id/void', VOID_CHARGE, ({ params }, request) =>
    change('void', params.charge_id, null, request),
  );
}
