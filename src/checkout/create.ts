/** Creates a checkout session: finds merchant and price, applies the payment policy, inserts the session. */
import { checkoutLine, orderLine } from '../contract/agent-lines.ts';
import {
  ApiError,
  type CanSendLinks,
  merchantNotFound,
  merchantOfOtherMode,
  withErrorsIn,
} from '../contract/errors.ts';
import { isDuplicate } from '../db/error-kinds.ts';
import type { Checkouts } from '../db/sessions/batched-checkouts.ts';
import type { CheckoutContext } from '../db/sessions/checkouts.ts';
import type { NewSession } from '../db/sessions/sessions.ts';
import type { Scope } from '../domain/account.ts';
import type { CaptureMode } from '../domain/hold.ts';
import { newId, parseId, randomToken } from '../domain/ids.ts';
import type { SavedCard } from '../domain/instrument.ts';
import { type Merchant, verdictOf } from '../domain/merchant.ts';
import type { E164 } from '../domain/phone-number.ts';
import { isSteppedUp } from '../domain/screening.ts';
import type { Purpose, Verdict } from '../domain/session.ts';
import { isWithinReach } from '../domain/texts.ts';
import { newTransferCode, type TransferNumbers, transferNumberFor } from '../domain/transfer-number.ts';
import { MAX_SAVED_CARDS } from '../flow/limits.ts';
import type { Background } from '../lib/concurrency/in-flight.ts';
import { waitAtMost } from '../lib/concurrency/time-limit.ts';
import type { Log } from '../lib/observability/log.ts';
import type { Fingerprint } from '../lib/vault/fingerprint.ts';
import type { Screening } from '../screening/screening.ts';
import type { Speech } from '../speech/ports.ts';
import { vocabulariesOf } from '../speech/vocabulary.ts';
import { type OrderSource, orderAmountCents } from './orders/amount.ts';
import type { TakesOnPage } from './page-advice.ts';
import { requireAllowedReturn } from './return-target.ts';
import { hashNewTransferCode } from './transfer-code.ts';

const DEFAULT_TTL_SECONDS = 30 * 60;

export interface CheckoutDeps {
  checkouts: Pick<Checkouts, 'findContext' | 'insert'>;
  orders: OrderSource;
  speech: Pick<Speech, 'prepare'>;
  background: Background;
  transfer: TransferTarget;
  /** Whether RINGKEY_RETURN_ALLOWED lists a host. */
  isOperatorHost: (host: string) => boolean;
  /** RINGKEY_SAVED_CARDS: whether saved cards are offered. True by default. */
  savedCards?: boolean;
  /** Screens callers. Without it, no caller is screened anew, but stored results still count. */
  screening?: Pick<Screening, 'screenCaller'>;
  canSendLinks: CanSendLinks;
  takesOnPage: TakesOnPage;
  /** Whether the merchant's processor accepts cards entered on the keypad. */
  takesKeypad: (merchant: Pick<Merchant, 'processor' | 'mode'>) => boolean;
  /** Whether the processor can hold an amount. */
  canHold: (processor: string) => boolean;
  /** Whether the processor makes bank debits. Absent: none does. */
  canDebit?: (processor: string) => boolean;
  /** Whether the processor verifies and saves cards without a payment, on the line or on the pay page. */
  canVerify: (processor: string) => boolean;
  /** Whether the processor can charge a saved card without its owner. */
  canChargeAlone: (processor: string) => boolean;
  /** Whether this service can store saved cards. */
  canStoreCards: boolean;
  /** For transfer codes. Without it, there are none. */
  fingerprint?: Fingerprint | null;
  /** Counts created checkouts. */
  onCheckout?: (verdict: Verdict) => void;
}

/** Where calls are transferred. */
export interface TransferTarget {
  /** `sips`: SIP over TLS on every hop. */
  scheme: 'sip' | 'sips';
  /** Right-hand side of the SIP URI: host, port unless 5060, transport unless UDP. */
  domain: string;
  /** Numbers that reach the payment line. */
  numbers: TransferNumbers;
}

/** Copied from the request to the session. */
type SessionDetails = Pick<
  NewSession,
  | 'orderId'
  | 'platformCallId'
  | 'returnTo'
  | 'successMessage'
  | 'failureMessage'
  | 'metadata'
  | 'lineItems'
  | 'saving'
  | 'payerName'
>;

/** A parsed request. It has at least one of the merchant fields, and at least one of order and amount. */
export interface CheckoutRequest extends SessionDetails {
  /** Sent to the order source and logged. */
  requestId: string;
  /** The request's logger. */
  log: Pick<Log, 'warn' | 'error'>;
  merchantId: string | null;
  merchantNumber: E164 | null;
  callerPhone: E164 | null;
  /** For the receipt. */
  callerEmail: string | null;
  /** Not computed from the line items, which are for display only. */
  amountCents: number | null;
  ttlSeconds: number | null;
  /** The order can be paid even if another session has paid it. */
  allowRepeat: boolean;
  capture: CaptureMode;
  /** `save_card`: there is no amount and no order, but a caller and what the caller is asked to agree to. */
  purpose: Purpose;
  /** The caller's, BCP 47; null: the merchant's. */
  language: string | null;
}

/** A new session, and what the agent needs for it. */
export interface Checkout {
  session: NewSession & { expiresAt: Date };
  agentLine: string;
  /** SIP URI with the session's plain token, which is not stored anywhere. Null: do not transfer. */
  transferTo: string | null;
  transferToNumber: string | null;
  /** Names the session on a call to the account's number. Only its hash is stored. Null without such a number. */
  transferCode: string | null;
  /** Chargeable at this merchant, newest first. Empty if nothing is to be paid. */
  cards: SavedCard[];
}

/**
 * @throws ApiError `merchant_not_found`, `invalid_value` (merchant fields that do not match, a forbidden `return_to`),
 * `invalid_key`, `order_lookup_failed`, `order_lookup_unsupported`, `merchant_not_connected`, `session_create_failed`
 */
export async function createCheckout(deps: CheckoutDeps, scope: Scope, request: CheckoutRequest): Promise<Checkout> {
  const context = await readContext(deps, scope, request);
  const merchant = resolveMerchant(scope, request, context);
  requireAllowedReturn(request.returnTo, context.returns, { mode: scope.mode, isOperatorHost: deps.isOperatorHost });
  const spokenTo = merchant === null ? null : { language: request.language ?? merchant.language };
  const price = await withErrorsIn(spokenTo?.language ?? null, () => resolvePrice(deps, merchant, request, context));
  requireHolds(deps, request, merchant);
  requireBankDebits(deps, request, merchant);
  requireSaving(deps, request, merchant);
  const session = newSession(scope, request, { ...context, ...price, merchant });
  const transfer = transferOf(deps.transfer, session, context.isOnlyAccount);
  const { expiresAt, transferCode } = await insertWithCode(deps, session, transfer.hasNumber).catch(
    (cause: unknown) => {
      throw new ApiError('session_create_failed', { cause });
    },
  );
  deps.onCheckout?.(session.verdict);
  if (session.verdict === 'required' && merchant !== null) {
    const { log, language } = request;
    const languages = { language, chosenLanguage: null };
    const saving = session.saving ?? null;
    const vocabularies = vocabulariesOf({ ...session, ...languages, saving }, merchant, false);
    const offered = deps.savedCards === false ? [] : context.cards.slice(0, MAX_SAVED_CARDS);
    deps.background.start('prepare speech', log, async () => {
      await Promise.all(vocabularies.map((vocabulary) => vocabulary && deps.speech.prepare(vocabulary, log, offered)));
    });
  }
  const cards = await offeredCards(deps, session, context, request);
  const ways = {
    takesKeypad: merchant === null || deps.takesKeypad(merchant),
    hasCards: cards.length > 0,
    canText: await canPayByText(deps, session, context, merchant),
  };
  return {
    session: { ...session, expiresAt },
    agentLine:
      orderLine(spokenTo, context.orderCharge) ?? checkoutLine(spokenTo, session.verdict, ways, request.purpose),
    cards,
    transferTo: transfer.transferTo,
    transferToNumber: transfer.transferToNumber,
    transferCode,
  };
}

/** Of 10,000 open sessions, one in 10,000 codes is taken. */
const CODE_TRIES = 3;

/** @param hasNumber the account has a number on which a code can be keyed */
async function insertWithCode(
  { checkouts, fingerprint = null }: CheckoutDeps,
  session: NewSession,
  hasNumber: boolean,
): Promise<{ expiresAt: Date; transferCode: string | null }> {
  if (!hasNumber || fingerprint === null) return { expiresAt: await checkouts.insert(session), transferCode: null };
  for (let tries = 1; ; tries += 1) {
    const transferCode = newTransferCode();
    const transferCodeHash = hashNewTransferCode(fingerprint, session.accountId, transferCode);
    try {
      return { expiresAt: await checkouts.insert({ ...session, transferCodeHash }), transferCode };
    } catch (error) {
      if (tries >= CODE_TRIES || !isDuplicate(error)) throw error;
    }
  }
}

/** Whether the agent can offer a link: the caller can be texted, and the page takes the merchant's cards. */
async function canPayByText(
  { canSendLinks, takesOnPage }: CheckoutDeps,
  session: NewSession,
  context: CheckoutContext,
  merchant: Merchant | null,
): Promise<boolean> {
  if (merchant === null || !offersLink(session)) return false;
  if (!canTextCaller(session, context) || !canSendLinks(session.mode)) return false;
  return takesOnPage(merchant, session.purpose ?? 'payment');
}

/** A session that only saves a card is required, and its card may be saved on the page only. */
const offersLink = ({ verdict, purpose }: NewSession) => verdict === 'optional' || purpose === 'save_card';

function canTextCaller({ callerPhone }: NewSession, { hasOptedOut, textReach }: CheckoutContext): boolean {
  return callerPhone !== null && !hasOptedOut && isWithinReach(callerPhone, textReach);
}

/** How long the response waits for screening if saved cards could be offered. Later results count from then on. */
const SCREENING_WAIT_MS = 300;

/** The caller's saved cards. Empty if nothing is to be paid, or if screening steps the caller up. */
async function offeredCards(
  { screening, savedCards = true }: CheckoutDeps,
  session: NewSession,
  { cards, lookup, attestationUrl }: CheckoutContext,
  { callerPhone, log }: CheckoutRequest,
): Promise<SavedCard[]> {
  if (callerPhone === null || session.verdict === 'none' || session.purpose === 'save_card') return [];
  const run = screening?.screenCaller({ ...session, callerPhone, attestationUrl }, lookup, log);
  const offered = savedCards ? cards : [];
  if (offered.length === 0) return [];
  if (run !== undefined) await waitAtMost(SCREENING_WAIT_MS, run.settled);
  return isSteppedUp(run?.facts ?? { lookup, attestations: [] }) ? [] : offered;
}

function readContext(deps: CheckoutDeps, scope: Scope, request: CheckoutRequest): Promise<CheckoutContext> {
  const merchantId = request.merchantId === null ? null : parseId('Merchant', request.merchantId);
  if (request.merchantId !== null && merchantId === null) throw merchantNotFound(request.merchantId);
  const { merchantNumber, callerPhone, allowRepeat } = request;
  const orderId = allowRepeat ? null : request.orderId;
  return deps.checkouts.findContext({ scope, merchantId, merchantNumber, callerPhone, orderId });
}

/** @returns null if no merchant has the dialed number. That is not an error: there is nothing to pay. */
function resolveMerchant(scope: Scope, request: CheckoutRequest, context: CheckoutContext): Merchant | null {
  const { merchant, dialedMerchantId } = context;
  if (request.merchantId === null) return merchant;
  if (merchant === null) throw merchantNotFound(request.merchantId);
  if (merchant.mode !== scope.mode) throw merchantOfOtherMode(scope.mode, merchant.id);
  if (request.merchantNumber !== null && dialedMerchantId !== merchant.id) {
    throw new ApiError('invalid_value', {
      param: 'merchant_number',
      message: '`merchant_number` must be a number of the merchant in `merchant_id`.',
    });
  }
  return merchant;
}

interface Price extends Pick<NewSession, 'amountSource'> {
  amountCents: number;
}

/**
 * An order's own amount takes precedence over the request's. Without a merchant there is no order source, and nothing
 * is charged. A paid order has the amount of its paid session, because its source may no longer know it.
 */
async function resolvePrice(
  deps: CheckoutDeps,
  merchant: Merchant | null,
  request: CheckoutRequest,
  { orderCharge }: CheckoutContext,
): Promise<Price> {
  if (orderCharge !== null) return { amountCents: orderCharge.amountCents, amountSource: 'order' };
  if (merchant === null || request.orderId === null) {
    return { amountCents: request.amountCents ?? 0, amountSource: 'request' };
  }
  const amountCents = await orderAmountCents(deps.orders, merchant, request.orderId, request.requestId);
  return { amountCents, amountSource: 'order' };
}

/** @throws ApiError `invalid_value` if the merchant's processor takes every payment at once */
function requireHolds({ canHold }: CheckoutDeps, { capture }: CheckoutRequest, merchant: Merchant | null): void {
  const processor = merchant?.processor ?? null;
  if (capture === 'automatic' || processor === null || canHold(processor)) return;
  throw new ApiError('invalid_value', {
    param: 'capture',
    message: "The merchant's processor cannot hold an amount. Omit `capture`.",
  });
}

/** @throws ApiError `invalid_value` if the merchant cannot take the payment from a US bank account */
function requireBankDebits(
  { canDebit }: CheckoutDeps,
  { payerName }: CheckoutRequest,
  merchant: Merchant | null,
): void {
  if (payerName == null || merchant === null) return;
  const why = whyNoBankDebits(merchant, canDebit);
  if (why !== null) throw new ApiError('invalid_value', { param: 'payment_methods', message: why });
}

function whyNoBankDebits(
  { currency, bankDebitPhone, processor }: Merchant,
  canDebit: CheckoutDeps['canDebit'],
): string | null {
  if (currency !== 'USD') return "US bank accounts can pay in USD only. The merchant's currency is another one.";
  if (bankDebitPhone === null)
    return 'The merchant takes no bank debits. Set `bank_debit_phone` with `change_merchant`.';
  if (processor !== null && canDebit?.(processor) !== true)
    return "The merchant's processor makes no bank debits. Omit `us_bank_account`.";
  return null;
}

/**
 * @throws ApiError `not_configured` if this service cannot store cards; `invalid_value` if the merchant's processor cannot
 * save a card without a payment, or cannot charge it as the caller would agree
 */
function requireSaving(deps: CheckoutDeps, { purpose, saving }: CheckoutRequest, merchant: Merchant | null): void {
  const processor = merchant?.processor ?? null;
  if (processor === null) return;
  if (purpose === 'save_card' && !deps.canVerify(processor)) {
    throw new ApiError('invalid_value', {
      param: 'purpose',
      message: "The merchant's processor cannot save a card without a payment. Omit `purpose`.",
    });
  }
  if (saving?.saveTerms === 'merchant_initiated' && !deps.canChargeAlone(processor)) {
    throw new ApiError('invalid_value', {
      param: 'save_terms',
      message: "The merchant's processor cannot charge a saved card without the caller. Use `returning`.",
    });
  }
  if (purpose === 'payment') return;
  if (!deps.canStoreCards || deps.savedCards === false) {
    throw new ApiError('not_configured', { message: 'Saved cards are not set up on this server.' });
  }
}

/** @throws ApiError `merchant_not_connected` if something is to be paid */
function newSession(
  scope: Scope,
  request: CheckoutRequest,
  { merchant, amountCents, amountSource, consumerId, accountCurrency, orderCharge }: CheckoutContext & Price,
): NewSession {
  const isNone = merchant === null || orderCharge !== null;
  const policy = merchant === null ? 'none' : verdictOf(merchant.policy, amountCents);
  const verdict = isNone ? 'none' : request.purpose === 'save_card' ? 'required' : policy;
  if (verdict !== 'none' && merchant?.processor === null) throw new ApiError('merchant_not_connected');
  return {
    ...scope,
    id: newId('CheckoutSession'),
    merchantId: merchant?.id ?? null,
    consumerId,
    verdict,
    amount: { amountCents, currency: merchant?.currency ?? accountCurrency },
    amountSource,
    callerPhone: request.callerPhone,
    callerEmail: request.callerEmail,
    orderId: request.orderId,
    platformCallId: request.platformCallId,
    returnTo: request.returnTo,
    successMessage: request.successMessage,
    failureMessage: request.failureMessage,
    language: request.language,
    lineItems: request.lineItems,
    metadata: request.metadata,
    saving: request.saving ?? null,
    payerName: request.payerName ?? null,
    allowRepeat: request.allowRepeat,
    capture: request.capture,
    purpose: request.purpose,
    transferToken: verdict === 'required' ? randomToken() : null,
    ttlSeconds: request.ttlSeconds ?? DEFAULT_TTL_SECONDS,
  };
}

/** A call to the number finds its session by the caller's number, so the session needs one. */
function transferOf(
  target: TransferTarget,
  session: NewSession,
  isOnlyAccount: boolean,
): Pick<Checkout, 'transferTo' | 'transferToNumber'> & { hasNumber: boolean } {
  if (session.transferToken === null) return { transferTo: null, transferToNumber: null, hasNumber: false };
  const number = transferNumberFor(target.numbers, session, isOnlyAccount);
  return {
    transferTo: `${target.scheme}:${session.id}-${session.transferToken}@${target.domain}`,
    transferToNumber: session.callerPhone === null ? null : number,
    hasNumber: number !== null,
  };
}
