/**
 * Settling by hand: a person has found in the processor's books how a pending charge or refund ended, and says so.
 * Nothing is sent to the processor. An outcome is final: its events, the receipt and the session's completion follow as
 * from any other.
 *
 * It is for what the resolver has given up. With `now` the command line may do it before, but never call something
 * failed that may be under way still: the payer would pay twice, or get the money back twice.
 */

import type { ToSettle } from '../db/due.ts';
import type { RefundSettlement } from '../db/refunds/refunds.ts';
import type { Actor } from '../domain/audit.ts';
import { holdsCardNumber } from '../domain/card-data.ts';
import { awaitsPayer, type Charge } from '../domain/charge.ts';
import type { ChargeId, RefundId } from '../domain/ids.ts';
import type { Refund } from '../domain/refund.ts';
import { timingsOf } from './deps.ts';
import { NamedOtherwise } from './named-otherwise.ts';
import { REPEATABLE_MS, type Settlement } from './ports.ts';
import { NOT_RECEIVED, type SettleDeps, settleCharge } from './settle-charge.ts';
import { type RefundSettleDeps, settleRefund } from './settle-refund.ts';

/** Long after the last request for something has ended, at the processor too. */
const IN_TRANSIT_MS = 10 * 60_000;

/**
 * Whether an id that a person typed has the form of a processor's: printable and without spaces. A dash in front is what
 * a slip of the hand looks like. It is stored, so it may hold no card number.
 */
export const isIdOfProcessor = (text: string) => /^(?!-)[\x21-\x7e]{1,255}$/.test(text) && !holdsCardNumber(text);

/** `not_received`: the processor knows nothing of the charge, and never will. */
export type ChargeOutcome = { outcome: 'succeeded'; processorPaymentId: string } | { outcome: 'not_received' };

/** `refused`: the processor took the refund on, and it came to nothing. `not_received`: as of a charge. */
export type RefundOutcome =
  | { outcome: 'succeeded'; processorRefundId: string }
  | { outcome: 'refused' }
  | { outcome: 'not_received' };

export type HandRefusal =
  /** Settled before, be it a moment ago. */
  | 'not_pending'
  /** The resolver asks the processor by itself. */
  | 'still_asked'
  /** It may still reach the processor, so that nobody can say yet that it did not. */
  | 'in_transit'
  /** The processor has named the row otherwise, or has named a refund that is said to have never reached it. */
  | 'named_otherwise';

/** `row`: as it is in the database now. */
export type SettledByHand<Row> =
  | { type: 'settled'; row: Row }
  | { type: 'refused'; reason: HandRefusal; row: Row }
  /** The id is that of `other`: what the processor did once counts once. */
  | { type: 'refused'; reason: 'named_another'; row: Row; other: ChargeId | RefundId };

interface ByHand {
  by: Actor;
  /** Also while the resolver still asks. Off where not given. */
  now?: boolean;
}

/** Of several at once, one settles it, and the others are refused as `not_pending`. */
export async function settleChargeByHand(
  deps: SettleDeps & ByHand,
  { charge, givenUp, ageMs }: { charge: Charge } & ToSettle,
  said: ChargeOutcome,
): Promise<SettledByHand<Charge>> {
  const isInTransit = said.outcome === 'not_received' && mayBeTaken(charge, ageMs);
  const reason = whyNotByHand(charge.status, givenUp, isInTransit, deps);
  if (reason !== null) return { type: 'refused', reason, row: charge };
  const settlement: Settlement =
    said.outcome === 'succeeded' ? { status: 'succeeded', processorPaymentId: said.processorPaymentId } : NOT_RECEIVED;
  return orRefused(charge, async () => {
    const { charge: row, isWritten } = await settleCharge(deps, charge, settlement);
    return isWritten ? { type: 'settled', row } : { type: 'refused', reason: 'not_pending', row };
  });
}

/** Of several at once, one settles it, and the others are refused as `not_pending`. */
export async function settleRefundByHand(
  deps: RefundSettleDeps & ByHand,
  { refund, givenUp, ageMs }: { refund: Refund } & ToSettle,
  said: RefundOutcome,
): Promise<SettledByHand<Refund>> {
  const settlement = settlementOf(said);
  const isInTransit = settlement.status === 'failed' && mayBeSent(refund, ageMs);
  const reason = contradictsProcessor(refund, settlement)
    ? (whyNotByHand(refund.status, givenUp, false, deps) ?? 'named_otherwise')
    : whyNotByHand(refund.status, givenUp, isInTransit, deps);
  if (reason !== null) return { type: 'refused', reason, row: refund };
  return orRefused(refund, async () => {
    const { refund: row, isWritten } = await settleRefund(deps, refund, settlement);
    return isWritten ? { type: 'settled', row } : { type: 'refused', reason: 'not_pending', row };
  });
}

async function orRefused<Row>(row: Row, settle: () => Promise<SettledByHand<Row>>): Promise<SettledByHand<Row>> {
  try {
    return await settle();
  } catch (error) {
    if (!(error instanceof NamedOtherwise)) throw error;
    const { conflict } = error;
    return conflict.type === 'named_another'
      ? { type: 'refused', reason: conflict.type, row, other: conflict.other }
      : { type: 'refused', reason: conflict.type, row };
  }
}

function whyNotByHand(
  status: Charge['status'] | Refund['status'],
  givenUp: boolean,
  isInTransit: boolean,
  { now = false }: ByHand,
): HandRefusal | null {
  if (status !== 'pending') return 'not_pending';
  if (givenUp) return null;
  if (!now) return 'still_asked';
  return isInTransit ? 'in_transit' : null;
}

function settlementOf(said: RefundOutcome): RefundSettlement {
  if (said.outcome === 'succeeded') return { status: 'succeeded', processorRefundId: said.processorRefundId };
  return { status: 'failed', reason: said.outcome, processorCode: null };
}

function contradictsProcessor({ processorRefundId }: Refund, settlement: RefundSettlement): boolean {
  if (processorRefundId === null) return false;
  if (settlement.status === 'failed') return settlement.reason === 'not_received';
  return settlement.processorRefundId !== processorRefundId;
}

/** A charge that the processor has named waits for its payer, or did: whose confirmation is a request, too. */
function mayBeTaken(charge: Charge, ageMs: number): boolean {
  const payerMs = charge.processorPaymentId === null ? 0 : timingsOf({}).actionLimitMs;
  return awaitsPayer(charge) || ageMs < payerMs + IN_TRANSIT_MS;
}

/** The resolver sends again what the processor has not named, for {@link REPEATABLE_MS}. */
function mayBeSent({ processorRefundId }: Refund, ageMs: number): boolean {
  return processorRefundId === null && ageMs < REPEATABLE_MS + IN_TRANSIT_MS;
}
