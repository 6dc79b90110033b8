/** Rows of `order_sources`: where a merchant's orders are looked up. */
import type { MerchantId } from '../../domain/ids.ts';
import type { Merchant, OrderSourceSetting } from '../../domain/merchant.ts';
import { readOne, type Sql } from '../pool.ts';

/**
 * SQL: the {@link OrderSourceSetting} of a merchant; null if it has none. A check of the table keeps kind and
 * columns together. @param merchantId SQL
 */
export function orderSourceOf(merchantId: string): string {
  return `(select json_strip_nulls(json_build_object('kind', kind, 'url', url, 'signingSecret', signing_secret))
             from order_sources where merchant_id = ${merchantId})`;
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
interface OrderLookup {
  setting: OrderSourceSetting | null;
  /** Minor units; null when the sandbox has no such order. */
  sandboxAmountCents: number | null;
}

export function findOrderSource(sql: Sql, merchantId: MerchantId, orderId: string): Promise<OrderLookup> {
  return readOne(sql, {
    name: 'order_source',
    text: `select ${orderSourceOf('$1')} as setting, (select amount_cents from sandbox_orders
                   where merchant_id = $1 and order_id = $2) as "sandboxAmountCents"`,
    values: [merchantId, orderId],
  });
}
