/** The merchant's own URL, asked with a signed POST: `{order_id, merchant_id, mode}` → 200 `{amount_cents, currency?}`. */
import { z } from 'zod';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import type { Merchant } from '../../domain/session.ts';
import type { Log } from '../../observability/log.ts';
import { requireVault } from '../../merchants/deps.ts';
import { orderSourceContext } from '../../merchants/order-source.ts';
import { isPublicOnly } from '../../outgoing-http/public-addresses.ts';
import { post } from '../../outgoing-http/post.ts';
import { signatureHeaders } from '../../outgoing-http/signature.ts';
import type { OrderSourceSetting } from '../../db/merchants/merchant-records.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Asking, OrderAnswer } from '../ports.ts';

export interface HttpOrdersDeps {
  vault: Vault | null;
  /** Order sources of test merchants may be at private addresses. */
  privateTargets: boolean;
  now: () => Date;
  log: Pick<Log, 'warn'>;
}

type HttpSetting = Extract<OrderSourceSetting, { kind: 'http' }>;

export interface HttpOrders {
  /** Never throws: whatever goes wrong at the other end is `unavailable`. */
  lookUp(merchant: Merchant, setting: HttpSetting, orderId: string, asking: Asking): Promise<OrderAnswer>;
}

const LIMIT_MS = 3_000;
const ANSWER_LIMIT_BYTES = 64 * 1024;

/** More may stand in it; what we charge is read strictly. */
const Order = z.object({ amount_cents: z.int().min(1).max(MAX_AMOUNT_CENTS), currency: z.string().nullish() });

export function httpOrders(deps: HttpOrdersDeps): HttpOrders {
  return {
    async lookUp(merchant, setting, orderId, { requestId, signal }) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
      const facts = { request_id: requestId, merchantId: merchant.id };
      try {
        const answer = await ask(deps, merchant, setting, orderId, { requestId, signal: limit });
        if (answer.status === 'unavailable') deps.log.warn({ ...facts, why: answer.why }, 'order source failed');
        return answer;
      } catch (error) {
        const why = limit.aborted ? 'late' : 'unreachable';
        deps.log.warn({ ...facts, why, err: error }, 'order source failed');
        return { status: 'unavailable', why };
      }
    },
  };
}

/** @throws whatever kept it from being asked */
async function ask(
  deps: HttpOrdersDeps,
  merchant: Merchant,
  setting: HttpSetting,
  orderId: string,
  { requestId, signal }: Asking,
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
  return answer.status === 200 ? read(answer.text, merchant) : { status: 'unavailable', why: 'status' };
}

function read(text: string, merchant: Merchant): OrderAnswer {
  const order = Order.safeParse(parsed(text));
  // An amount in another currency than we would charge is no amount.
  const isOurs = (order.data?.currency?.toUpperCase() ?? merchant.currency) === merchant.currency;
  if (!order.success || !isOurs) return { status: 'unavailable', why: 'amount' };
  return { status: 'found', amountCents: order.data.amount_cents };
}

/** Undefined for what is no JSON: the parser's own words repeat it, and go to no log. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
