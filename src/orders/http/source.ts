/** The merchant's own URL, asked with a signed POST: `{order_id, merchant_id, mode}` → 200 `{amount_cents, currency?}`. */
import { z } from 'zod';
import { newId } from '../../domain/ids.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import type { Merchant } from '../../domain/session.ts';
import type { Log } from '../../log.ts';
import { orderSourceContext } from '../../merchants/order-source.ts';
import { isPublicOnly } from '../../outbound/addresses.ts';
import { post } from '../../outbound/post.ts';
import { signatureHeaders } from '../../outbound/signature.ts';
import type { OrderSourceSetting } from '../../store/merchant-records.ts';
import type { Vault } from '../../vault/vault.ts';
import type { OrderAnswer } from '../ports.ts';

export interface HttpOrdersDeps {
  vault: Vault | null;
  /** Order sources of test merchants may be at private addresses. */
  privateTargets: boolean;
  now: () => Date;
  log: Pick<Log, 'warn'>;
}

export interface HttpOrders {
  /** Never throws: whatever goes wrong at the other end is `unavailable`. */
  lookUp(
    merchant: Merchant,
    setting: Extract<OrderSourceSetting, { kind: 'http' }>,
    orderId: string,
    signal: AbortSignal,
  ): Promise<OrderAnswer>;
}

const LIMIT_MS = 3_000;
const ANSWER_LIMIT_BYTES = 64 * 1024;

/** More may stand in it; what we charge is read strictly. */
const Order = z.object({ amount_cents: z.int().min(1).max(MAX_AMOUNT_CENTS), currency: z.string().optional() });

const UNAVAILABLE: OrderAnswer = { status: 'unavailable' };

export function httpOrders(deps: HttpOrdersDeps): HttpOrders {
  return {
    async lookUp(merchant, setting, orderId, signal) {
      try {
        return await ask(deps, merchant, setting, orderId, signal);
      } catch (error) {
        deps.log.warn({ err: error, merchantId: merchant.id }, 'order source failed');
        return UNAVAILABLE;
      }
    },
  };
}

async function ask(
  deps: HttpOrdersDeps,
  merchant: Merchant,
  setting: Extract<OrderSourceSetting, { kind: 'http' }>,
  orderId: string,
  signal: AbortSignal,
): Promise<OrderAnswer> {
  if (deps.vault === null) return UNAVAILABLE;
  const secret = deps.vault.open(setting.signingSecret, orderSourceContext(merchant.id));
  const body = JSON.stringify({ order_id: orderId, merchant_id: merchant.id, mode: merchant.mode });
  const answer = await post({
    url: setting.url,
    body,
    headers: signatureHeaders(newId('Request'), deps.now(), body, [secret]),
    publicOnly: isPublicOnly(merchant.mode, deps.privateTargets),
    answerLimitBytes: ANSWER_LIMIT_BYTES,
    signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
  });
  if (answer.status === 404) return { status: 'unknown' };
  return answer.status === 200 ? read(answer.text, merchant) : UNAVAILABLE;
}

/** @throws SyntaxError when it is no JSON */
function read(text: string, merchant: Merchant): OrderAnswer {
  const order = Order.safeParse(JSON.parse(text));
  if (!order.success) return UNAVAILABLE;
  const { amount_cents: amountCents, currency } = order.data;
  // An amount in another currency than we would charge is no amount.
  if (currency !== undefined && currency.toUpperCase() !== merchant.currency) return UNAVAILABLE;
  return { status: 'found', amountCents };
}
