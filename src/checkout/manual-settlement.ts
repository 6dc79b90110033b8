/** Manual settlement over REST: finds the charge or refund in the scope, and maps each refusal to its API error. */
import { ApiError, type ApiErrorOptions, ofOtherMode } from '../contract/errors.ts';
import { type ManualOutcome, SETTLEABLE, type SettleableKind } from '../contract/manual-settlement.ts';
import type { Sql } from '../db/pool.ts';
import type { Scope } from '../domain/account.ts';
import type { Charge } from '../domain/charge.ts';
import type { Refund } from '../domain/refund.ts';
import {
  findToSettle,
  type Rows,
  type SettledManually,
  type SettleOrder,
} from '../payments/manual/manual-settlement.ts';
import { noRefund } from './refund.ts';

export interface ManualSettlement {
  database: Sql;
  /** payments/manual/manual-settlement.ts has the rules. */
  settle<K extends SettleableKind>(kind: K, order: SettleOrder<K>): Promise<SettledManually<Rows[K]>>;
}

export const noCharge = () =>
  new ApiError('not_found', { param: 'charge_id', message: 'No charge of this account has this ID.' });

const NOT_FOUND = { charge: noCharge, refund: noRefund };

/** @throws ApiError if the scope has no such charge or refund, or if it cannot be settled manually or not any more */
export async function settleInScope<K extends SettleableKind>(
  { database, settle }: ManualSettlement,
  scope: Scope,
  kind: K,
  { id, ...order }: { id: string; reported: ManualOutcome<K> } & Required<Pick<SettleOrder<K>, 'by' | 'log'>>,
): Promise<Rows[K]> {
  const found = await findToSettle(database, kind, id);
  if (found === null || found.row.accountId !== scope.accountId) throw NOT_FOUND[kind]();
  if (found.row.mode !== scope.mode) throw ofOtherMode(scope.mode);
  const settled = await settle(kind, { ...order, found });
  if (settled.type === 'settled') return settled.row;
  const param = paramOf(kind, settled, order.reported.outcome);
  const charge = 'chargeId' in settled.row ? settled.row.chargeId : settled.row.id;
  throw new ApiError('invalid_value', { ...refusalOf(kind, settled), param, charge });
}

type Refused = Extract<SettledManually<Charge | Refund>, { type: 'refused' }>;

function paramOf(kind: SettleableKind, { reason }: Refused, outcome: string): string {
  const { idField, processorIdField } = SETTLEABLE[kind];
  if (reason !== 'named_otherwise' && reason !== 'named_another') return idField;
  return outcome === 'succeeded' ? processorIdField : 'outcome';
}

function refusalOf(kind: SettleableKind, refused: Refused): ApiErrorOptions {
  const { processorIdField, processorName } = SETTLEABLE[kind];
  switch (refused.reason) {
    case 'not_pending':
      return { message: `The ${kind} is already settled, and that is final: ${ENDINGS[refused.row.status]}` };
    // It may need settlement later.
    case 'still_asked':
    case 'in_transit':
      return {
        isTemporary: true,
        message: `The processor is still being asked about this ${kind}. A webhook reports the outcome. Settle it only when it has \`needs_settling\`.`,
      };
    case 'card_unknown':
      return {
        message:
          'This charge only saves a card, which can only be stored from the answer of the processor. Delete the card there, and settle the charge as `not_received`.',
      };
    case 'named_otherwise':
      return {
        message: `The processor has received this ${kind}: its reference is in \`${processorIdField}\`. No other reference is accepted.`,
      };
    case 'named_another':
      return {
        message: `This processor reference belongs to another ${kind}, ${refused.other}. Each ${processorName} at the processor is one ${kind}: use the reference of this one.`,
      };
  }
}

const ENDINGS: Record<Charge['status'], string> = {
  succeeded: 'it succeeded.',
  authorized: 'it was authorized.',
  voided: 'it was authorized, and then voided.',
  expired: 'it was authorized, and the hold has expired.',
  failed: 'it failed.',
  pending: 'its outcome is being recorded.',
};
