/** Looks up an order at its merchant's order source: the sandbox's table, or the merchant's URL. */
import { z } from 'zod';
import { orderSourceContext } from '../../accounts/merchants/order-source.ts';
import { findOrderSource } from '../../db/merchants/order-sources.ts';
import type { Sql } from '../../db/pool.ts';
import { type Merchant, type OrderSourceSetting, orderSourceKind } from '../../domain/merchant.ts';
import { isChargeable, MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { post } from '../../lib/http-client/post.ts';
import { isPublicOnly } from '../../lib/http-client/public-addresses.ts';
import { signatureHeaders } from '../../lib/http-client/signature.ts';
import type { Log } from '../../lib/observability/log.ts';
import { requireVault, type Vault } from '../../lib/vault/vault.ts';
import type { LookUp, OrderAnswer, OrderSource } from './amount.ts';

interface OrderSourcesDeps {
  sql: Sql;
  vault: Vault | null;
  /** Order sources of test merchants can have private addresses. */
  privateTargets: boolean;
  now: () => Date;
  log: Pick<Log, 'warn'>;
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

/** @param amountCents null if the sandbox does not know the order */
function sandboxAnswer(amountCents: number | null): OrderAnswer {
  if (amountCents === null) return { status: 'unknown' };
  return isChargeable(amountCents) ? { status: 'found', amountCents } : { status: 'unavailable', why: 'amount' };
}

type HttpSetting = Extract<OrderSourceSetting, { kind: 'http' }>;

const ANSWER_LIMIT_BYTES = 64 * 1024;

/** Other members are ignored. */
const Order = z.object({ amount_cents: z.int().min(1).max(MAX_AMOUNT_CENTS), currency: z.string().nullish() });

/** A failing source is `unavailable`, and logged. */
async function lookUpByHttp(
  deps: OrderSourcesDeps,
  merchant: Merchant,
  setting: HttpSetting,
  orderId: string,
  lookUp: LookUp,
): Promise<OrderAnswer> {
  const facts = { request_id: lookUp.requestId, merchantId: merchant.id };
  try {
    const answer = await askSource(deps, merchant, setting, orderId, lookUp);
    if (answer.status === 'unavailable') deps.log.warn({ ...facts, why: answer.why }, 'order source failed');
    return answer;
  } catch (error) {
    const why = lookUp.signal.aborted ? 'late' : 'unreachable';
    deps.log.warn({ ...facts, why, err: error }, 'order source failed');
    return { status: 'unavailable', why };
  }
}

/** Signed POST `{order_id, merchant_id, mode}` → 200 `{amount_cents, currency?}`. */
async function askSource(
  deps: OrderSourcesDeps,
  merchant: Merchant,
  setting: HttpSetting,
  orderId: string,
  { requestId, signal }: LookUp,
): Promise<OrderAnswer> {
  const secret = requireVault(deps.vault).open(setting.signingSecret, orderSourceContext(merchant.id));
  const body = JSON.stringify({ order_id: orderId, merchant_id: merchant.id, mode: merchant.mode });
  const answer = await post({
    url: setting.url,
    body,
    headers: signatureHeaders(requestId, deps.now(), body, [secret]),
    publicOnly: isPublicOnly(merchant.mode, deps.privateTargets),
    answerLimitBytes: ANSWER_LIMIT_BYTES,
    signal,
  });
  if (answer.status === 404) return { status: 'unknown' };
  return answer.status === 200 ? orderOf(answer.text, merchant) : { status: 'unavailable', why: 'status' };
}

function orderOf(text: string, merchant: Merchant): OrderAnswer {
  const order = Order.safeParse(parseJson(text));
  const isOurCurrency = (order.data?.currency?.toUpperCase() ?? merchant.currency) === merchant.currency;
  if (!order.success || !isOurCurrency) return { status: 'unavailable', why: 'amount' };
  return { status: 'found', amountCents: order.data.amount_cents };
}

/** Undefined for invalid JSON. The parser's error would repeat the text, which must not be logged. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
