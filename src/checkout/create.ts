/** Opens a checkout session: resolves merchant and price, applies the payment policy, inserts the session. */
import type { Scope } from '../domain/account.ts';
import { checkoutLine } from '../contract/agent-lines.ts';
import { ApiError, withErrorsIn } from '../contract/errors.ts';
import { newId, parseId, randomToken } from '../domain/ids.ts';
import type { SavedCard } from '../domain/instrument.ts';
import type { E164 } from '../domain/phone-number.ts';
import { type LineItem, type Merchant, type Metadata, verdictOf } from '../domain/session.ts';
import type { Log } from '../observability/log.ts';
import { orderAmountCents } from '../orders/amount.ts';
import { vocabularyOf } from '../speech/vocabulary.ts';
import type { CheckoutContext } from '../db/sessions/checkouts.ts';
import type { NewSession } from '../db/sessions/sessions.ts';
import type { CheckoutDeps, TransferTarget } from './ports.ts';

const DEFAULT_TTL_SECONDS = 30 * 60;

/** A parsed request. It has at least one of the merchant fields, and at least one of order and amount. */
export interface CheckoutRequest {
  /** Sent to the order source and logged. */
  requestId: string;
  /** The request's logger. */
  log: Pick<Log, 'warn' | 'error'>;
  merchantId: string | null;
  merchantNumber: E164 | null;
  callerPhone: E164 | null;
  orderId: string | null;
  amountCents: number | null;
  platformCallId: string | null;
  returnTo: string | null;
  successMessage: string | null;
  failureMessage: string | null;
  metadata: Metadata;
  ttlSeconds: number | null;
  /** Shown on the pay page and the receipt. The amount is not computed from them. */
  lineItems: LineItem[];
}

/** An open session, and what the agent does with it. */
export interface Checkout {
  session: NewSession;
  agentLine: string;
  /** SIP URI with the session's token in the clear, which is stored nowhere. Null: do not transfer. */
  transferTo: string | null;
  transferToNumber: string | null;
  /** Chargeable at this merchant, newest first; none when nothing is to be paid. */
  cards: SavedCard[];
}

/**
 * @throws ApiError `merchant_not_found`, `invalid_value` (merchant fields that disagree), `invalid_key`,
 *   `order_lookup_failed`, `order_lookup_unsupported`, `merchant_not_connected`, `session_create_failed`
 */
export async function createCheckout(deps: CheckoutDeps, scope: Scope, request: CheckoutRequest): Promise<Checkout> {
  const context = await readContext(deps, scope, request);
  const merchant = resolveMerchant(scope, request, context);
  const price = await withErrorsIn(merchant?.language ?? null, () => resolvePrice(deps, merchant, request));
  const session = newSession(deps.now(), scope, request, { ...context, merchant, price });
  await deps.checkouts.insert(session).catch((cause: unknown) => {
    throw new ApiError('session_create_failed', { cause });
  });
  deps.onCheckout?.(session.verdict);
  if (session.verdict === 'required' && merchant !== null) {
    const { log } = request;
    deps.background.start('prepare speech', log, () => deps.speech.prepare(vocabularyOf(session, merchant), log));
  }
  const cards = session.verdict === 'none' ? [] : context.cards;
  const others = { hasCards: cards.length > 0, canText: session.callerPhone !== null };
  return {
    session,
    agentLine: checkoutLine(merchant, session.verdict, others),
    cards,
    ...transferOf(deps.transfer, session),
  };
}

function readContext(deps: CheckoutDeps, scope: Scope, request: CheckoutRequest): Promise<CheckoutContext> {
  const merchantId = request.merchantId === null ? null : parseId('Merchant', request.merchantId);
  if (request.merchantId !== null && merchantId === null) throw merchantNotFound();
  const { merchantNumber, callerPhone } = request;
  return deps.checkouts.findContext({ scope, merchantId, merchantNumber, callerPhone });
}

/** @returns null when no merchant has the dialled number: that is no error, there is just nothing to pay */
function resolveMerchant(scope: Scope, request: CheckoutRequest, context: CheckoutContext): Merchant | null {
  const { merchant, dialledMerchantId } = context;
  if (request.merchantId === null) return merchant;
  if (merchant === null) throw merchantNotFound();
  if (merchant.mode !== scope.mode) throw new ApiError('invalid_key');
  if (request.merchantNumber !== null && dialledMerchantId !== merchant.id) {
    throw new ApiError('invalid_value', {
      param: 'merchant_number',
      message: 'merchant_number is not a number of the merchant in merchant_id.',
    });
  }
  return merchant;
}

function merchantNotFound(): ApiError {
  return new ApiError('merchant_not_found', { param: 'merchant_id' });
}

interface Price {
  amountCents: number;
  source: 'order' | 'request';
}

/** An order's own amount wins over the request's. Without a merchant there is no order source, and nothing is charged. */
async function resolvePrice(deps: CheckoutDeps, merchant: Merchant | null, request: CheckoutRequest): Promise<Price> {
  if (merchant === null || request.orderId === null) {
    return { amountCents: request.amountCents ?? 0, source: 'request' };
  }
  const amountCents = await orderAmountCents(deps.orders, merchant, request.orderId, request.requestId);
  return { amountCents, source: 'order' };
}

/** @throws ApiError `merchant_not_connected` where something is to be paid */
function newSession(
  now: Date,
  scope: Scope,
  request: CheckoutRequest,
  { merchant, price, consumerId, accountCurrency }: CheckoutContext & { price: Price },
): NewSession {
  const verdict = merchant === null ? 'none' : verdictOf(merchant.policy, price.amountCents);
  if (verdict !== 'none' && merchant?.processor === null) throw new ApiError('merchant_not_connected');
  const ttlMs = (request.ttlSeconds ?? DEFAULT_TTL_SECONDS) * 1_000;
  return {
    id: newId('CheckoutSession'),
    accountId: scope.accountId,
    mode: scope.mode,
    merchantId: merchant?.id ?? null,
    consumerId,
    verdict,
    amount: { amountCents: price.amountCents, currency: merchant?.currency ?? accountCurrency },
    amountSource: price.source,
    callerPhone: request.callerPhone,
    orderId: request.orderId,
    platformCallId: request.platformCallId,
    returnTo: request.returnTo,
    successMessage: request.successMessage,
    failureMessage: request.failureMessage,
    lineItems: request.lineItems,
    metadata: request.metadata,
    transferToken: verdict === 'required' ? randomToken() : null,
    expiresAt: new Date(now.getTime() + ttlMs),
  };
}

/** A call to the number finds its session by the caller's number, so it needs one. */
function transferOf(target: TransferTarget, session: NewSession): Pick<Checkout, 'transferTo' | 'transferToNumber'> {
  if (session.transferToken === null) return { transferTo: null, transferToNumber: null };
  return {
    transferTo: `sip:${session.id}-${session.transferToken}@${target.domain}`,
    transferToNumber: session.callerPhone === null ? null : target.number,
  };
}
