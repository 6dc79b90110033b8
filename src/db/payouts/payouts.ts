/** The tables `payouts` and `payout_entries`: what processors say about payouts, in the currency of each. */
import { newId } from '../../domain/ids.ts';
import type { Payout, PayoutEntryFacts, PayoutFacts } from '../../domain/payout.ts';
import { columnsOf } from '../columns.ts';
import { readFirst, type Sql } from '../pool.ts';
import type { DueNotification } from '../processor-notifications/inbox.ts';

/** SQL: a {@link Payout} from a row of `payouts`. */
export const PAYOUT = columnsOf<Payout>()(
  'payouts',
  ['id accountId mode merchantId processor processorPayoutId status currency createdAt updatedAt'],
  { amountCents: 'payouts.amount_cents::double precision', arrivalDate: 'payouts.arrival_date::text' },
);

/** A payout as it was read. */
export interface NotedPayout extends PayoutFacts {
  processorPayoutId: string;
  /** When the processor was asked, in milliseconds. */
  version: number;
  entries: readonly (PayoutEntryFacts & { processorEntryId: string; paymentId: string | null })[];
}

/** Charges are found among those of this time before now. Later refunds and disputes stay without their charge. */
const CHARGES_SINCE = "interval '120 days'";

/** Writes a payout and its entries. Call it in a transaction. @returns false if a newer answer was written before */
export async function writePayout(
  sql: Sql,
  of: Pick<DueNotification, 'accountId' | 'mode' | 'merchantId' | 'processor'>,
  noted: NotedPayout,
): Promise<boolean> {
  const { accountId, mode, merchantId, processor } = of;
  const row = await readFirst<{ id: string }>(
    sql,
    `insert into payouts (id, account_id, mode, merchant_id, processor, processor_payout_id, status, amount_cents,
                          currency, arrival_date, version)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (merchant_id, processor, processor_payout_id) do update
        set status = excluded.status, amount_cents = excluded.amount_cents, currency = excluded.currency,
            arrival_date = excluded.arrival_date, version = excluded.version, updated_at = now()
      where payouts.version <= excluded.version
     returning id`,
    [
      newId('Payout'),
      accountId,
      mode,
      merchantId,
      processor,
      noted.processorPayoutId,
      noted.status,
      noted.amountCents,
      noted.currency,
      noted.arrivalDate,
      noted.version,
    ],
  );
  if (row === null) return false;
  await writeEntries(sql, of, row.id, noted.entries);
  return true;
}

async function writeEntries(
  sql: Sql,
  { accountId, mode, merchantId, processor }: Pick<DueNotification, 'accountId' | 'mode' | 'merchantId' | 'processor'>,
  payoutId: string,
  entries: NotedPayout['entries'],
): Promise<void> {
  const rows = entries.map((entry) => ({
    id: newId('PayoutEntry'),
    processor_entry_id: entry.processorEntryId,
    payment_id: entry.paymentId,
    kind: entry.kind,
    gross_cents: entry.grossCents,
    fee_cents: entry.feeCents,
    net_cents: entry.netCents,
  }));
  await sql.query('delete from payout_entries where payout_id = $1 and processor_entry_id <> all ($2)', [
    payoutId,
    rows.map((row) => row.processor_entry_id),
  ]);
  await sql.query(
    `with entry as (
       select * from jsonb_to_recordset($6) as e (id text, processor_entry_id text, payment_id text, kind text,
                                                  gross_cents bigint, fee_cents bigint, net_cents bigint)
     ), charge as (
       select distinct on (c.processor_payment_id) c.id, c.processor_payment_id from charges c
        where c.account_id = $2 and c.mode = $3 and c.merchant_id = $4 and c.processor = $5
          and c.created_at > now() - ${CHARGES_SINCE}
          and c.processor_payment_id in (select payment_id from entry)
     )
     insert into payout_entries (id, payout_id, account_id, mode, merchant_id, processor_entry_id, kind, charge_id,
                                 gross_cents, fee_cents, net_cents)
     select e.id, $1, $2, $3, $4, e.processor_entry_id, e.kind, charge.id, e.gross_cents, e.fee_cents, e.net_cents
       from entry e left join charge on charge.processor_payment_id = e.payment_id
     on conflict (payout_id, processor_entry_id) do update
        set kind = excluded.kind, charge_id = coalesce(excluded.charge_id, payout_entries.charge_id),
            gross_cents = excluded.gross_cents, fee_cents = excluded.fee_cents, net_cents = excluded.net_cents`,
    [payoutId, accountId, mode, merchantId, processor, JSON.stringify(rows)],
  );
}

/** SQL: the {@link ChargePayout} of a row of `charges`, as JSON; null if it is in no payout yet. */
export const CHARGE_PAYOUT = `(
  select json_build_object('payoutId', p.id, 'currency', p.currency, 'arrivalDate', p.arrival_date,
                           'feeCents', e.fee_cents, 'netCents', e.net_cents)
    from payout_entries e join payouts p on p.id = e.payout_id
   where e.charge_id = charges.id and e.kind = 'charge' order by p.created_at desc limit 1)`;
