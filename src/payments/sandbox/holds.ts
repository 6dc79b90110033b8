/** Holds at the sandbox. Some test cards make a hold expire soon, or a capture unanswered or refused. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../db/pool.ts';
import { unknown } from '../port/answers.ts';
import type { CaptureRequest, HoldAnswer, HoldRequest, HoldState, Holds } from '../port/holds.ts';
import { isHeld, unreachable } from './answers.ts';
import { type HoldBehaviour, TEST_CARDS } from './cards.ts';
import type { SandboxPayment } from './ledger.ts';
import type { SandboxTimings } from './timings.ts';

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;
const TIMED_OUT = unknown('timeout');

const behaviourOf = (cardName: string | null): HoldBehaviour | undefined =>
  TEST_CARDS.find(({ name }) => name === cardName)?.hold;

/** How long a hold on the test card lasts. */
export function holdMsOf(cardName: string | null, { settleMs }: SandboxTimings): number {
  return behaviourOf(cardName)?.kind === 'expires' ? settleMs : WEEK_MS;
}

export function sandboxHolds(sql: Sql, times: SandboxTimings): Holds {
  /** Makes a change, and does not answer it if the card is one that hangs. */
  async function change(request: HoldRequest, signal: AbortSignal, make: () => Promise<boolean>): Promise<HoldAnswer> {
    if (signal.aborted) return TIMED_OUT;
    const isMade = await make();
    const hold = await findHold(sql, request);
    if (hold === null) return refused('not_capturable', 'no_payment');
    if (isMade && behaviourOf(hold.cardName)?.kind === 'hangs') {
      await delay(times.hangMs, undefined, { signal }).catch(() => undefined);
      return TIMED_OUT;
    }
    const state = stateOf(hold);
    return state.status === 'held' ? refused('refused', 'capture_refused') : state;
  }
  return {
    partial: true,
    capture: (request, signal) =>
      request.amount.amountCents > request.held.amountCents
        ? Promise.resolve(refused('amount_too_large', 'too_much'))
        : change(request, signal, () => capture(sql, request)).catch(unreachable),
    void: (request, signal) => change(request, signal, () => voidHold(sql, request)).catch(unreachable),
    read: async (request) => {
      try {
        const hold = await findHold(sql, request);
        return hold === null ? unknown('no_payment') : stateOf(hold);
      } catch (error) {
        return unreachable(error);
      }
    },
  };
}

type Refused = Extract<HoldAnswer, { status: 'refused' }>;

function refused(reason: Refused['reason'], processorCode: string): Refused {
  return { status: 'refused', reason, processorCode };
}

interface Hold extends Pick<SandboxPayment, 'status' | 'captureBefore' | 'cardName'> {
  amountCents: number;
  currency: string;
}

/** @returns null if it is unknown, or was never held */
async function findHold(sql: Sql, { processorPaymentId }: HoldRequest): Promise<Hold | null> {
  const { rows } = await sql.query<Hold>(
    `select status, capture_before as "captureBefore", card_name as "cardName", currency,
            coalesce(captured_cents, amount_cents) as "amountCents"
       from sandbox_payments where payment_id = $1 and status in ('authorized', 'succeeded', 'voided')`,
    [processorPaymentId],
  );
  return rows[0] ?? null;
}

function stateOf({ amountCents, currency, ...hold }: Hold): HoldState {
  if (isHeld(hold)) return { status: 'held', captureBefore: hold.captureBefore };
  switch (hold.status) {
    case 'succeeded':
      return { status: 'captured', captured: { amountCents, currency } };
    case 'voided':
      return { status: 'voided' };
    default:
      return { status: 'expired' };
  }
}

const HELD = `payment_id = $1 and status = 'authorized' and capture_before > clock_timestamp()`;
/** SQL: the cards whose captures are refused. */
const REFUSED_CARDS = TEST_CARDS.flatMap(({ name, hold }) => (hold?.kind === 'refuses' ? [name] : []));

/** @returns whether the hold was captured now */
async function capture(sql: Sql, { processorPaymentId, amount }: CaptureRequest): Promise<boolean> {
  const { rowCount } = await sql.query(
    `update sandbox_payments set status = 'succeeded', captured_cents = $2
      where ${HELD} and amount_cents >= $2::integer and currency = $3 and (card_name is null or card_name <> all($4))`,
    [processorPaymentId, amount.amountCents, amount.currency, REFUSED_CARDS],
  );
  return rowCount === 1;
}

async function voidHold(sql: Sql, { processorPaymentId }: HoldRequest): Promise<boolean> {
  const { rowCount } = await sql.query(`update sandbox_payments set status = 'voided' where ${HELD}`, [
    processorPaymentId,
  ]);
  return rowCount === 1;
}
