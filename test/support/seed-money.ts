/** Inserts refunds, disputes and payouts at chosen times by SQL. */
import type { Sql } from '../../src/db/pool.ts';
import type { Scope } from '../../src/domain/account.ts';
import { newId } from '../../src/domain/ids.ts';

interface Seeded {
  merchant: string;
  /** In ISO 8601. */
  at: string;
  cents: number;
  currency?: string;
  status: string;
}

/** A refund or dispute of the merchant's highest charge in the currency. */
export async function seedOfCharge(
  sql: Sql,
  { accountId, mode }: Scope,
  table: 'refunds' | 'disputes',
  { merchant, at, cents, currency = 'USD', status }: Seeded,
): Promise<void> {
  const own =
    table === 'refunds'
      ? {
          columns: 'processor_payment_id, resolve_at, failure, settled_at',
          values: `'pay', now() + interval '1 hour', case when $4::text = 'failed' then 'refused' end,
                   case when $4::text <> 'pending' then now() end`,
          status: 'refund_status',
        }
      : {
          columns: 'processor_dispute_id, kind, reason, version',
          values: `'dispute_' || $1, 'chargeback', 'fraudulent', 1`,
          status: 'text',
        };
  const { rowCount } = await sql.query(
    `insert into ${table} (id, charge_id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, processor,
                           created_at, ${own.columns})
     select $1, c.id, c.session_id, c.account_id, c.mode, c.merchant_id, $4::text::${own.status}, $5, c.currency, c.processor,
            $6::timestamptz, ${own.values}
       from charges c where c.account_id = $2 and c.mode = $3 and c.merchant_id = $7 and c.currency = $8
        and c.status = 'succeeded' order by c.amount_cents desc limit 1`,
    [newId(table === 'refunds' ? 'Refund' : 'Dispute'), accountId, mode, status, cents, at, merchant, currency],
  );
  if (rowCount !== 1) throw new Error('the merchant has no succeeded charge in this currency');
}

/** A payout with one entry: a fee of a tenth. @param arrival `2026-11-23` @param reference at the processor */
export async function seedPayout(
  sql: Sql,
  { accountId, mode }: Scope,
  {
    merchant,
    at,
    cents,
    currency = 'USD',
    status,
    arrival,
    reference,
  }: Seeded & { arrival: string; reference?: string },
): Promise<void> {
  const id = newId('Payout');
  const of = [accountId, mode, merchant];
  await sql.query(
    `insert into payouts (id, account_id, mode, merchant_id, processor, processor_payout_id, status, amount_cents, currency,
                          arrival_date, version, created_at)
     values ($1::text, $2, $3, $4, 'sandbox', coalesce($10, 'payout_' || $1::text), $5, $6, $7, $8, 1, $9)`,
    [id, ...of, status, cents, currency, arrival, at, reference ?? null],
  );
  const fee = Math.round(cents / 10);
  await sql.query(
    `insert into payout_entries (id, payout_id, account_id, mode, merchant_id, processor_entry_id, kind, gross_cents, fee_cents,
                                 net_cents, created_at)
     values ($1, $2, $3, $4, $5, 'entry', 'charge', $6::bigint, $7::bigint, $6::bigint - $7::bigint, $8)`,
    [newId('PayoutEntry'), id, ...of, cents + fee, fee, at],
  );
}
