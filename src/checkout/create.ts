/** Opens a checkout: whose it is, what it costs, whether it must be paid on this call, and where the call goes. */
import type { Scope } from '../domain/account.ts';
import { checkoutLine } from '../domain/agent-lines.ts';
import { ApiError } from '../domain/errors.ts';
import { newId, parseId, randomToken } from '../domain/ids.ts';
import type { SavedCard } from '../domain/instrument.ts';
import type { Money } from '../domain/money.ts';
import type { E164 } from '../domain/phone-number.ts';
import { type LineItem, type Merchant, type Verdict, verdictOf } from '../domain/session.ts';
import { vocabularyOf } from '../speech/vocabulary.ts';
import { type CheckoutContext, findCheckoutContext } from '../store/checkouts.ts';
import { insertSession, type NewSession } from '../store/sessions.ts';
import type { CheckoutDeps, TransferTarget } from './ports.ts';

const DEFAULT_TTL_SECONDS = 30 * 60;
const ORDER_LIMIT_MS = 3_000;

/** What is asked for; the fields' own rules are checked already. At least one merchant field, and one of order and amount. */
export interface CheckoutRequest {
  merchantId: string | null;
  merchantNumber: E164 | null;
  callerPhone: E164 | null;
  orderId: string | null;
  amountCents: number | null;
  platformCallId: string | null;
  returnTo: string | null;
  successMessage: string | null;
  failureMessage: string | null;
  /** The object's text as it came. */
  metadataJson: string;
  ttlSeconds: number | null;
  /** Shown on the pay page and the receipt; the amount is not made of them. */
  lineItems: LineItem[];
}

/** An open session, and what the agent does with it. */
export interface Checkout {
  session: NewSession;
  agentLine: string;
  /** The only place that ever has the token in the clear. Null: do not transfer. */
  transferTo: string | null;
  transferToNumber: string | null;
  /** Chargeable at this merchant, newest first; none when nothing is to be paid. */
  cards: SavedCard[];
}

/**
 * @throws ApiError missing or unknown merchant, merchants that disagree, key of the wrong mode, an order that can't be
 *   looked up, a merchant without a processor, a record that does not take the session.
 */
export async function createCheckout(deps: CheckoutDeps, scope: Scope, request: CheckoutRequest): Promise<Checkout> {
  const parties = {
    merchantId: request.merchantId === null ? null : parseId('Merchant', request.merchantId),
    merchantNumber: request.merchantNumber,
    callerPhone: request.callerPhone,
  };
  const context = await findCheckoutContext(deps.database, scope, parties, deps.now());
  const merchant = resolveMerchant(scope, request, context);
  const price = await resolvePrice(deps, merchant, request, context);
  const verdict = merchant === null ? 'none' : verdictOf(merchant.policy, price.amount.amountCents);
  if (verdict !== 'none' && merchant?.processor === null) throw new ApiError('merchant_not_connected');

  const session = newSession({ deps, scope, request, context, merchant, price, verdict });
  await insertSession(deps.database, session).catch((cause: unknown) => {
    throw new ApiError('session_create_failed', { cause });
  });
  deps.onCheckout?.(verdict);
  if (verdict === 'required' && merchant !== null) {
    deps.background.start('prepare speech', () => deps.speech.prepare(vocabularyOf(session, merchant)));
  }
  const cards = verdict === 'none' ? [] : context.cards;
  return {
    session,
    agentLine: checkoutLine(merchant, verdict, cards.length > 0),
    cards,
    ...transferOf(deps.transfer, session),
  };
}

/** @returns null when the dialled number is nobody's: not an error, there is just nothing to pay. */
function resolveMerchant(scope: Scope, request: CheckoutRequest, context: CheckoutContext): Merchant | null {
  const { merchantById, merchantByNumber } = context;
  if (request.merchantId === null) return merchantByNumber;
  if (merchantById === null) throw new ApiError('merchant_not_found', { param: 'merchant_id' });
  if (merchantById.mode !== scope.mode) throw new ApiError('invalid_key');
  if (request.merchantNumber !== null && merchantByNumber?.id !== merchantById.id) {
    throw new ApiError('invalid_value', {
      param: 'merchant_number',
      message: 'merchant_number is not a number of the merchant in merchant_id.',
    });
  }
  return merchantById;
}

interface Price {
  amount: Money;
  source: 'order' | 'request';
}

/** The order is the authority where there is one. Without a merchant nobody can be asked, and nothing will be charged. */
async function resolvePrice(
  deps: CheckoutDeps,
  merchant: Merchant | null,
  request: CheckoutRequest,
  context: CheckoutContext,
): Promise<Price> {
  const currency = merchant?.currency ?? context.accountCurrency;
  if (merchant === null || request.orderId === null) {
    return { amount: { amountCents: request.amountCents ?? 0, currency }, source: 'request' };
  }
  return { amount: await orderAmount(deps, merchant, request.orderId), source: 'order' };
}

/**
 * What the merchant's order source says that an order costs.
 * @throws ApiError `order_lookup_failed`, `order_lookup_unsupported`
 */
export async function orderAmount(
  deps: Pick<CheckoutDeps, 'orders'>,
  merchant: Merchant,
  orderId: string,
): Promise<Money> {
  const answer = await deps.orders.lookUp(merchant, orderId, AbortSignal.timeout(ORDER_LIMIT_MS));
  switch (answer.status) {
    case 'found':
      return { amountCents: answer.amountCents, currency: merchant.currency };
    case 'unknown':
      throw new ApiError('order_lookup_failed', {
        param: 'order_id',
        message: "The merchant's order source has no such order.",
      });
    case 'unavailable':
      throw new ApiError('order_lookup_failed', {
        param: 'order_id',
        message: "The merchant's order source did not give an amount that can be charged.",
      });
    case 'unsupported':
      throw new ApiError('order_lookup_unsupported', { param: 'order_id' });
  }
}

interface SessionParts {
  deps: CheckoutDeps;
  scope: Scope;
  request: CheckoutRequest;
  context: CheckoutContext;
  merchant: Merchant | null;
  price: Price;
  verdict: Verdict;
}

function newSession({ deps, scope, request, context, merchant, price, verdict }: SessionParts): NewSession {
  const ttlMs = (request.ttlSeconds ?? DEFAULT_TTL_SECONDS) * 1_000;
  return {
    id: newId('CheckoutSession'),
    accountId: scope.accountId,
    mode: scope.mode,
    merchantId: merchant?.id ?? null,
    consumerId: context.consumerId,
    verdict,
    amount: price.amount,
    amountSource: price.source,
    callerPhone: request.callerPhone,
    orderId: request.orderId,
    platformCallId: request.platformCallId,
    returnTo: request.returnTo,
    successMessage: request.successMessage,
    failureMessage: request.failureMessage,
    lineItems: request.lineItems,
    metadataJson: request.metadataJson,
    transferToken: verdict === 'required' ? randomToken() : null,
    expiresAt: new Date(deps.now().getTime() + ttlMs),
  };
}

/** A call to the number is known by its caller alone, so without `caller_phone` there is no number to call. */
function transferOf(target: TransferTarget, session: NewSession): Pick<Checkout, 'transferTo' | 'transferToNumber'> {
  if (session.transferToken === null) return { transferTo: null, transferToNumber: null };
  return {
    transferTo: `sip:${session.id}-${session.transferToken}@${target.domain}`,
    transferToNumber: session.callerPhone === null ? null : target.number,
  };
}
