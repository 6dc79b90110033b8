/** Settling by hand over REST: finds what is to be settled in the scope, and maps each refusal to its API error. */

import { ApiError, type ApiErrorOptions } from '../contract/errors.ts';
import { ofOtherMode } from '../contract/not-in-scope.ts';
import { findToSettle } from '../db/charges/charges.ts';
import type { ToSettle } from '../db/due.ts';
import type { Sql } from '../db/pool.ts';
import { findRefundToSettle } from '../db/refunds/refund-lists.ts';
import type { Scope } from '../domain/account.ts';
import type { Actor } from '../domain/audit.ts';
import type { Charge } from '../domain/charge.ts';
import { parseId } from '../domain/ids.ts';
import type { Refund } from '../domain/refund.ts';
import type { Log } from '../payments/deps.ts';
import type { ChargeOutcome, RefundOutcome, SettledByHand } from '../payments/settle-by-hand.ts';
import { noRefund } from './refund.ts';

/** Who says how it ended, and what they say. */
interface Said<Outcome> {
  said: Outcome;
  by: Actor;
  /** Names the request. */
  log: Log;
}

type ChargeByHand = { charge: Charge } & ToSettle & Said<ChargeOutcome>;
type RefundByHand = { refund: Refund } & ToSettle & Said<RefundOutcome>;

/** The rules of both are in payments/settle-by-hand.ts. */
export interface SettleByHandDeps {
  database: Sql;
  settleCharge: (order: ChargeByHand) => Promise<SettledByHand<Charge>>;
  settleRefund: (order: RefundByHand) => Promise<SettledByHand<Refund>>;
}

export const noCharge = () =>
  new ApiError('not_found', { param: 'charge_id', message: 'No charge of this account has this ID.' });

/** @throws ApiError for one that is not there, that is not to be settled by hand, or that somebody else has settled */
export async function settleChargeInScope(
  { database, settleCharge }: SettleByHandDeps,
  scope: Scope,
  order: Said<ChargeOutcome> & { id: string },
): Promise<Charge> {
  const { id: text, ...said } = order;
  const id = parseId('Charge', text);
  const found = id === null ? null : await findToSettle(database, id);
  if (found === null || found.charge.accountId !== scope.accountId) throw noCharge();
  if (found.charge.mode !== scope.mode) throw ofOtherMode(scope.mode);
  const settled = await settleCharge({ ...found, ...said });
  if (settled.type === 'settled') return settled.row;
  const param = isAboutName(settled) ? 'processor_payment_id' : 'charge_id';
  throw new ApiError('invalid_value', { ...refusalOf('charge', settled), param, charge: settled.row.id });
}

/** @throws ApiError for one that is not there, that is not to be settled by hand, or that somebody else has settled */
export async function settleRefundInScope(
  { database, settleRefund }: SettleByHandDeps,
  scope: Scope,
  order: Said<RefundOutcome> & { id: string },
): Promise<Refund> {
  const { id: text, ...said } = order;
  const id = parseId('Refund', text);
  const found = id === null ? null : await findRefundToSettle(database, id);
  if (found === null || found.refund.accountId !== scope.accountId) throw noRefund();
  if (found.refund.mode !== scope.mode) throw ofOtherMode(scope.mode);
  const settled = await settleRefund({ ...found, ...said });
  if (settled.type === 'settled') return settled.row;
  const param = isAboutName(settled) ? namedParam(said.said) : 'refund_id';
  throw new ApiError('invalid_value', { ...refusalOf('refund', settled), param, charge: settled.row.chargeId });
}

const namedParam = ({ outcome }: RefundOutcome) => (outcome === 'succeeded' ? 'processor_refund_id' : 'outcome');

type Refused = Extract<SettledByHand<Charge | Refund>, { type: 'refused' }>;

const isAboutName = ({ reason }: Refused) => reason === 'named_otherwise' || reason === 'named_another';

function refusalOf(thing: keyof typeof NAMES, refused: Refused): ApiErrorOptions {
  switch (refused.reason) {
    case 'not_pending':
      return { message: `The ${thing} is already settled, and that is final: ${ENDINGS[refused.row.status]}` };
    // What a person need not do yet, they may have to do later.
    case 'still_asked':
    case 'in_transit':
      return {
        isTemporary: true,
        message: `The processor is still being asked about this ${thing}. A webhook reports the outcome. Settle it only when it has \`needs_settling\`.`,
      };
    case 'named_otherwise':
      return {
        message: `The processor has received this ${thing}: its reference is in \`${NAMES[thing].field}\`. No other reference is accepted.`,
      };
    case 'named_another':
      return {
        message: `This processor reference belongs to another ${thing}, ${refused.other}. Each ${NAMES[thing].entry} at the processor is one ${thing}: use the reference of this one.`,
      };
  }
}

/** What REST and the processor's books call them. */
const NAMES = {
  charge: { field: 'processor_payment_id', entry: 'payment' },
  refund: { field: 'processor_refund_id', entry: 'refund' },
} as const;

const ENDINGS: Record<Charge['status'], string> = {
  succeeded: 'it succeeded.',
  failed: 'it failed.',
  pending: 'its outcome is being recorded.',
};
