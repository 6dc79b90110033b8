/** Looks an order up at its merchant's own order source: the sandbox's table, or the merchant's URL. */
import { findOrderSource } from '../db/merchants/order-sources.ts';
import type { Sql } from '../db/pool.ts';
import { isChargeable } from '../domain/money.ts';
import { orderSourceKind } from '../domain/order-source.ts';
import { type HttpOrdersDeps, lookUpByHttp } from './http-source.ts';
import type { OrderAnswer, OrderSource } from './ports.ts';

export interface OrderSourcesDeps extends HttpOrdersDeps {
  sql: Sql;
}

export function orderSources(deps: OrderSourcesDeps): OrderSource {
  return {
    async lookUp(merchant, orderId, request) {
      const { setting, sandboxAmountCents } = await findOrderSource(deps.sql, merchant.id, orderId);
      if (setting?.kind === 'http') return lookUpByHttp(deps, merchant, setting, orderId, request);
      const usesSandbox = merchant.mode === 'test' && orderSourceKind(setting, merchant.mode) === 'sandbox';
      return usesSandbox ? sandboxAnswer(sandboxAmountCents) : { status: 'unsupported' };
    },
  };
}

/** @param amountCents null: the sandbox has no such order */
function sandboxAnswer(amountCents: number | null): OrderAnswer {
  if (amountCents === null) return { status: 'unknown' };
  return isChargeable(amountCents) ? { status: 'found', amountCents } : { status: 'unavailable', why: 'amount' };
}
