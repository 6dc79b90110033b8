/** The sandbox's payouts. One test card is paid out some seconds after the payment, with a made-up fee. */
import type { Sql } from '../../db/pool.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { unknown } from '../port/answers.ts';
import type { PayoutAnswer, Payouts } from '../port/payouts.ts';
import type { SandboxTimings } from './timings.ts';

const PREFIX = 'sandbox_payout_';
/** The test card. */
const PAID_OUT = 'paid_out';

/** Announces the payout of a payment with that card, as a notification that was received. */
export async function payOutLater(
  sql: Sql,
  { settleMs }: Pick<SandboxTimings, 'settleMs'>,
  { cardName, paymentId, reference }: { cardName: string | null; paymentId: string; reference: ChargeId },
): Promise<void> {
  if (cardName !== PAID_OUT) return;
  await sql.query(
    `insert into processor_notifications (merchant_id, processor, account_id, mode, event_id, type, payout_id, due_at)
     select merchant_id, processor, account_id, mode, 'payout.paid_' || $2, 'payout.paid', $2,
            now() + $3 * interval '1 millisecond'
       from charges where id = $1
     on conflict do nothing`,
    [reference, PREFIX + paymentId, settleMs],
  );
}

export function sandboxPayouts(sql: Sql): Payouts {
  return { read: ({ payoutId }) => readSandboxPayout(sql, payoutId).catch(() => unknown('database')) };
}

/** 2.9% and 30 cents. */
const feeOf = (cents: number) => Math.round(cents * 0.029) + 30;

async function readSandboxPayout(sql: Sql, payoutId: string): Promise<PayoutAnswer> {
  if (!payoutId.startsWith(PREFIX)) return { status: 'not_found' };
  const paymentId = payoutId.slice(PREFIX.length);
  const { rows } = await sql.query<{ cents: number; currency: string; day: string }>(
    `select coalesce(captured_cents, amount_cents) as cents, currency,
            (settles_at at time zone 'UTC')::date::text as day
       from sandbox_payments where payment_id = $1 and status = 'succeeded' and card_name = $2`,
    [paymentId, PAID_OUT],
  );
  const row = rows[0];
  if (row === undefined) return { status: 'not_found' };
  const { cents, currency, day } = row;
  const fee = feeOf(cents);
  const entry = {
    processorEntryId: `sandbox_entry_${paymentId}`,
    paymentId,
    kind: 'charge' as const,
    grossCents: cents,
    feeCents: fee,
    netCents: cents - fee,
  };
  const payout = { status: 'paid' as const, amountCents: cents - fee, currency, arrivalDate: day, entries: [entry] };
  return { status: 'found', payout };
}
