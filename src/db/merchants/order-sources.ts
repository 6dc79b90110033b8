/** Rows of `order_sources`: where a merchant's orders are looked up. */
import type { MerchantId } from '../../domain/ids.ts';
import type { OrderSourceSetting } from '../../domain/order-source.ts';
import type { Merchant } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';

export interface OrderSourceRow {
  kind: OrderSourceSetting['kind'];
  url: string | null;
  signing_secret: string | null;
}

/** @param row null: the merchant has no setting. A check of the table keeps the kind and its columns together. */
export function orderSourceOf(row: OrderSourceRow | null): OrderSourceSetting | null {
  if (row === null) return null;
  if (row.kind !== 'http') return { kind: row.kind };
  if (row.url === null || row.signing_secret === null) throw new Error('an http order source without its columns');
  return { kind: 'http', url: row.url, signingSecret: row.signing_secret };
}

/** Replaces the merchant's order source. @param source with its secret encrypted */
export async function setOrderSource(sql: Sql, merchant: Merchant, source: OrderSourceSetting): Promise<void> {
  const http = source.kind === 'http' ? source : null;
  await sql.query(
    `insert into order_sources (merchant_id, account_id, mode, kind, url, signing_secret)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (merchant_id) do update
        set kind = excluded.kind, url = excluded.url, signing_secret = excluded.signing_secret`,
    [merchant.id, merchant.accountId, merchant.mode, source.kind, http?.url ?? null, http?.signingSecret ?? null],
  );
}

/** The merchant's order source, and what the sandbox's table says that an order costs. */
export interface OrderLookup {
  setting: OrderSourceSetting | null;
  /** Minor units; null when the sandbox has no such order. */
  sandboxAmountCents: number | null;
}

export async function findOrderSource(sql: Sql, merchantId: MerchantId, orderId: string): Promise<OrderLookup> {
  const { rows } = await sql.query<{ setting: OrderSourceRow | null; sandbox_amount_cents: number | null }>({
    name: 'order_source',
    text: `
      select to_jsonb(o) as setting, s.amount_cents as sandbox_amount_cents
        from (select $1::text as id) m
        left join order_sources o on o.merchant_id = m.id
        left join sandbox_orders s on s.merchant_id = m.id and s.order_id = $2`,
    values: [merchantId, orderId],
  });
  return {
    setting: orderSourceOf(rows[0]?.setting ?? null),
    sandboxAmountCents: rows[0]?.sandbox_amount_cents ?? null,
  };
}
