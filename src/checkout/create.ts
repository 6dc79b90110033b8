/** Opens a checkout: whose it is, what it costs, whether it must be paid on this call, and where the call goes. */
import type { Scope } from '../domain/account.ts';
import { checkoutLine } from '../contract/agent-lines.ts';
import { ApiError, inLanguage } from '../contract/errors.ts';
import { type ConsumerId, newId, parseId, randomToken } from '../domain/ids.ts';
import type { SavedCard } from '../domain/instrument.ts';
import type { Currency, Money } from '../domain/money.ts';
import type { E164 } from '../domain/phone-number.ts';
import { type LineItem, type Merchant, verdictOf } from '../domain/session.ts';
import type { Log } from '../observability/log.ts';
import type { Unavailability } from '../orders/ports.ts';
import { vocabularyOf } from '../speech/vocabulary.ts';
import { type CheckoutContext, findCheckoutContext } from '../db/sessions/checkouts.ts';
import type { ReadMerchant } from '../db/merchants/known-merchants.ts';
import { insertSession, type NewSession } from '../db/sessions/sessions.ts';
import type { CheckoutDeps, TransferTarget } from './ports.ts';

const DEFAULT_TTL_SECONDS = 30 * 60;
const ORDER_LIMIT_MS = 3_000;

/** What is asked for; the fields' own rules are checked already. At least one merchant field, and one of order and amount. */
export interface CheckoutRequest {
  /** Of the request that opens it: an order source's question and log line carry it. */
  requestId: string;
  /** Names that request on each line. */
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

/** A merchant that changes this often while one checkout is opened is changed by a fault. */
const MAX_TRIES = 3;

/**
 * Asks the record once where the merchant is known already; as a rule twice else.
 * @throws ApiError missing or unknown merchant, merchants that disagree, key of the wrong mode, an order that can't be
 *   looked up, a merchant without a processor, a record that does not take the session.
 */
export async function createCheckout(deps: CheckoutDeps, scope: Scope, request: CheckoutRequest): Promise<Checkout> {
  let parties = knownParties(deps, scope, request) ?? (await readParties(deps, scope, request));
  const merchant = parties.read?.merchant ?? null;
  const price = await inLanguage(merchant?.language ?? null, () => resolvePrice(deps, merchant, request));
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const session = newSession({ deps, scope, request, parties, price });
    const cards = await record(deps, session, parties).catch((cause: unknown) => {
      throw new ApiError('session_create_failed', { cause });
    });
    if (cards !== null) return opened(deps, request, { session, parties, cards });
    parties = await readParties(deps, scope, request);
  }
  throw new ApiError('session_create_failed', { cause: new Error('the merchant changes all the time') });
}

/** @returns the caller's cards; null when the merchant's row has changed since it was read */
async function record(deps: CheckoutDeps, session: NewSession, { read }: Parties): Promise<SavedCard[] | null> {
  if (read !== null) return deps.open({ session, version: read.version, at: deps.now() });
  await insertSession(deps.database, session);
  return [];
}

function opened(
  deps: CheckoutDeps,
  { log }: CheckoutRequest,
  { session, parties, cards: chargeable }: { session: NewSession; parties: Parties; cards: SavedCard[] },
): Checkout {
  const merchant = parties.read?.merchant ?? null;
  deps.onCheckout?.(session.verdict);
  if (session.verdict === 'required' && merchant !== null) {
    deps.background.start('prepare speech', log, () => deps.speech.prepare(vocabularyOf(session, merchant), log));
  }
  const cards = session.verdict === 'none' ? [] : chargeable;
  return {
    session,
    agentLine: checkoutLine(merchant, session.verdict, {
      hasCards: cards.length > 0,
      canText: session.callerPhone !== null,
    }),
    cards,
    ...transferOf(deps.transfer, session),
  };
}

/** Whom a checkout is for. */
interface Parties {
  /** Null when the dialled number is nobody's: not an error, there is just nothing to pay. */
  read: ReadMerchant | null;
  /** The merchant's, else the account's. */
  currency: Currency;
  /** Only where there is no merchant: else the statement that opens the session finds it. */
  consumerId: ConsumerId | null;
}

/**
 * Of a merchant that we know. One that is named by its number may have lost that since; one whose orders are looked up is
 * read first, so that nothing is looked up for a merchant that has changed.
 */
function knownParties(deps: CheckoutDeps, scope: Scope, request: CheckoutRequest): Parties | null {
  const id = request.merchantId === null ? null : parseId('Merchant', request.merchantId);
  if (id === null || request.merchantNumber !== null || request.orderId !== null) return null;
  const read = deps.merchants.find(scope, id);
  return read === null ? null : { read, currency: read.merchant.currency, consumerId: null };
}

async function readParties(deps: CheckoutDeps, scope: Scope, request: CheckoutRequest): Promise<Parties> {
  const context = await findCheckoutContext(deps.database, scope, {
    merchantId: request.merchantId === null ? null : parseId('Merchant', request.merchantId),
    merchantNumber: request.merchantNumber,
    callerPhone: request.callerPhone,
  });
  const read = resolveMerchant(scope, request, context);
  if (read !== null) deps.merchants.keep(read);
  return { read, currency: read?.merchant.currency ?? context.accountCurrency, consumerId: context.consumerId };
}

function resolveMerchant(scope: Scope, request: CheckoutRequest, context: CheckoutContext): ReadMerchant | null {
  const { merchantById, merchantByNumber } = context;
  if (request.merchantId === null) return merchantByNumber;
  if (merchantById === null) throw new ApiError('merchant_not_found', { param: 'merchant_id' });
  if (merchantById.merchant.mode !== scope.mode) throw new ApiError('invalid_key');
  if (request.merchantNumber !== null && merchantByNumber?.merchant.id !== merchantById.merchant.id) {
    throw new ApiError('invalid_value', {
      param: 'merchant_number',
      message: 'merchant_number is not a number of the merchant in merchant_id.',
    });
  }
  return merchantById;
}

interface Price {
  amountCents: number;
  source: 'order' | 'request';
}

/** The order is the authority where there is one. Without a merchant nobody can be asked, and nothing will be charged. */
async function resolvePrice(deps: CheckoutDeps, merchant: Merchant | null, request: CheckoutRequest): Promise<Price> {
  if (merchant === null || request.orderId === null)
    return { amountCents: request.amountCents ?? 0, source: 'request' };
  const { amountCents } = await orderAmount(deps, merchant, request.orderId, request.requestId);
  return { amountCents, source: 'order' };
}

const NO_AMOUNT: Record<Unavailability, string> = {
  late: `The merchant's order source did not answer within ${ORDER_LIMIT_MS / 1_000} seconds.`,
  unreachable: "The merchant's order source could not be asked: it does not take our connection, or breaks it off.",
  status: "The merchant's order source answered with a status that is neither 200 nor 404.",
  amount: "The merchant's order source answered with no amount that can be charged in the merchant's currency.",
};

/**
 * What the merchant's order source says that an order costs.
 * @throws ApiError `order_lookup_failed`, `order_lookup_unsupported`
 */
export async function orderAmount(
  deps: Pick<CheckoutDeps, 'orders'>,
  merchant: Merchant,
  orderId: string,
  requestId: string,
): Promise<Money> {
  const signal = AbortSignal.timeout(ORDER_LIMIT_MS);
  const answer = await deps.orders.lookUp(merchant, orderId, { requestId, signal });
  switch (answer.status) {
    case 'found':
      return { amountCents: answer.amountCents, currency: merchant.currency };
    case 'unknown':
      throw new ApiError('order_lookup_failed', {
        ...{ param: 'order_id', isPassing: true },
        message: "The merchant's order source has no such order.",
      });
    case 'unavailable':
      throw new ApiError('order_lookup_failed', {
        ...{ param: 'order_id', isPassing: true },
        message: NO_AMOUNT[answer.why],
      });
    case 'unsupported':
      throw new ApiError('order_lookup_unsupported', { param: 'order_id' });
  }
}

interface SessionParts {
  deps: CheckoutDeps;
  scope: Scope;
  request: CheckoutRequest;
  parties: Parties;
  price: Price;
}

/** @throws ApiError `merchant_not_connected` where something is to be paid */
function newSession({ deps, scope, request, parties, price }: SessionParts): NewSession {
  const merchant = parties.read?.merchant ?? null;
  const verdict = merchant === null ? 'none' : verdictOf(merchant.policy, price.amountCents);
  if (verdict !== 'none' && merchant?.processor === null) throw new ApiError('merchant_not_connected');
  const ttlMs = (request.ttlSeconds ?? DEFAULT_TTL_SECONDS) * 1_000;
  return {
    id: newId('CheckoutSession'),
    accountId: scope.accountId,
    mode: scope.mode,
    merchantId: merchant?.id ?? null,
    consumerId: parties.consumerId,
    verdict,
    amount: { amountCents: price.amountCents, currency: parties.currency },
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
