/** Each merchant's own order source: one question to the record, then the adapter that it names. */
import type { Mode } from '../domain/session.ts';
import { effectiveKind } from '../merchants/order-source.ts';
import type { Sql } from '../db/pool.ts';
import { type OrderSourceSetting, orderSourceOf } from '../db/merchants/merchant-records.ts';
import { type HttpOrdersDeps, httpOrders } from './http/source.ts';
import type { OrderSource } from './ports.ts';
import { sandboxAnswer } from './sandbox/source.ts';

export interface OrderSourcesDeps extends HttpOrdersDeps {
  sql: Sql;
}

interface Row {
  setting: { kind: OrderSourceSetting['kind']; url: string | null; signing_secret: string | null } | null;
  sandbox_amount_cents: number | null;
}

const SELECT = `
  select to_jsonb(o) as setting, s.amount_cents as sandbox_amount_cents
    from (select $1::text as id) m
    left join order_sources o on o.merchant_id = m.id
    left join sandbox_orders s on s.merchant_id = m.id and s.order_id = $2`;

export function orderSources(deps: OrderSourcesDeps): OrderSource {
  const http = httpOrders(deps);
  return {
    async lookUp(merchant, orderId, asking) {
      const { rows } = await deps.sql.query<Row>({
        name: 'order_source',
        text: SELECT,
        values: [merchant.id, orderId],
      });
      const row = rows[0];
      const setting = row?.setting ? orderSourceOf(row.setting) : null;
      if (setting?.kind === 'http') return http.lookUp(merchant, setting, orderId, asking);
      return usesSandbox(setting, merchant.mode)
        ? sandboxAnswer(row?.sandbox_amount_cents ?? null)
        : { status: 'unsupported' };
    },
  };
}

function usesSandbox(setting: OrderSourceSetting | null, mode: Mode): boolean {
  return mode === 'test' && effectiveKind(setting, mode) === 'sandbox';
}
