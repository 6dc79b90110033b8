/**
 * Charges at Authorize.net (developer.authorize.net/api/reference, "createTransactionRequest"). There is no idempotency key.
 * Instead, `duplicateWindow` rejects a second transaction with the same card, amount and invoice number, which is from our
 * charge ID, for eight hours, and names the first one
 * (developer.authorize.net/guides/SIM/Transaction_Response/Response_for_Duplicate_Transactions.htm;
 * support.authorize.net, "Error 11", lists the compared fields).
 */
import { majorUnits } from '../../domain/money.ts';
import { declinedUnpaid, type ProcessorAnswer, refused, unknown } from '../port/answers.ts';
import type { ChargeRequest } from '../port/charges.ts';
import { type CardPlaces, cardParts, cardPlaces } from '../vendor-api/card-request.ts';
import { describeCharge, SOURCE_OF } from '../vendor-api/descriptions.ts';
import { chargeFailure, type Fault, passes } from '../vendor-api/faults.ts';
import { askAgain } from '../vendor-api/no-retry.ts';
import type { AuthorizeNet, OpenAuthorizeNet } from './client.ts';
import { DUPLICATES, declineOf, errorAnswer, faultOf, rejectionFault } from './errors.ts';
import { detailsOrNull, readDetails } from './lists.ts';
import { findByReference } from './look-up.ts';
import {
  answerOfDetails,
  captureBeforeOf,
  describedCharge,
  factsOf,
  NO_ID,
  shortReference,
  TRANSACTION_ANSWER,
  type TransactionAnswer,
  tokenPayment,
} from './transactions.ts';
import { partsOf } from './wallet.ts';

/** The longest, in seconds. */
export const DUPLICATE_WINDOW = { settingName: 'duplicateWindow', settingValue: '28800' };
/** `settingName` of transactionSettings. A partial approval would be an amount that the payer did not agree to. */
export const SETTINGS = {
  setting: [{ settingName: 'allowPartialAuth', settingValue: 'false' }, DUPLICATE_WINDOW],
};

/**
 * Mail order or telephone order, on a device of unknown type: both are required with `retail` (response reason codes 84 and
 * 85). A token of Accept.js can only be used without it ("Opaque data can only be used with ECOM market type").
 */
const MOTO = { retail: { marketType: '1', deviceType: '1' } };

/** Accept.js encodes it in base 64. */
export const AUTHORIZE_NET_TOKEN = /^[A-Za-z0-9+/=_-]{20,4096}$/;

export async function chargeAuthorizeNet(
  open: OpenAuthorizeNet,
  request: ChargeRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer> {
  const { card, channel, chargeId } = request;
  try {
    // Only if `can.pageKeypad` was ignored: the payer of a MOTO payment is on the phone.
    if (card.kind === 'keyed' && channel !== 'phone') return refused('keypad_unsupported');
    const api = await open(request, signal);
    if (signal.aborted) return unknown('timeout');
    const places = cardPlaces();
    const { code, answer } = await askAgain(
      signal,
      () =>
        api.askTransaction(TRANSACTION_ANSWER, {
          body: { transactionRequest: transactionOf(request, places) },
          refId: shortReference(chargeId),
          keyed: card.kind === 'keyed' ? { places, parts: cardParts(card.card) } : undefined,
        }),
      (error) => passes(faultOf(error)),
    );
    if (answer === null) return await rejected(api, request, rejectionFault(code ?? ''));
    return await answerOf(api, request, answer.transactionResponse);
  } catch (error) {
    return chargeFailure(faultOf(error));
  } finally {
    if (card.kind === 'keyed') card.card.securityCode.wipe();
  }
}

/** A token can be used once, so a repeated request is rejected because of it, even if the first was approved. */
async function rejected(api: AuthorizeNet, { card, chargeId, amount }: ChargeRequest, fault: Fault) {
  if (card.kind !== 'token' || fault.kind !== 'declined') return chargeFailure(fault);
  const createdAt = new Date(Date.now() - REPEATED_MS);
  const earlier = await findByReference(api, chargeId, { createdAt }).catch(() => undefined);
  if (earlier === undefined) return unknown('token_used');
  const isOurs = earlier !== null && describedCharge(earlier)?.chargeId === chargeId;
  return isOurs ? answerOfDetails(earlier, amount.currency) : chargeFailure(fault);
}

/** Longer than a charge is sent. */
const REPEATED_MS = 3_600_000;

/** In the schema's order. */
function transactionOf(request: ChargeRequest, places: CardPlaces): object {
  const { amount, card, channel, chargeId, sessionId, orderId, isHold = false } = request;
  const { currency } = amount;
  const described = { chargeId, sessionId, source: SOURCE_OF[channel], currency };
  return {
    transactionType: isHold ? 'authOnlyTransaction' : 'authCaptureTransaction',
    amount: majorUnits(amount),
    currencyCode: currency,
    ...sourceOf(request, places),
    order: { invoiceNumber: shortReference(chargeId), description: describeCharge(described, orderId) },
    ...(card.kind === 'keyed' && card.card.postalCode !== null && { billTo: { zip: places.postalCode } }),
    ...(channel === 'phone' && card.kind !== 'token' && MOTO),
    transactionSettings: SETTINGS,
  };
}

/** A member of the transaction, or of a new payment profile. */
export function sourceOf({ card }: Pick<ChargeRequest, 'card'>, places: CardPlaces): object {
  switch (card.kind) {
    case 'keyed': {
      const { number: cardNumber, month, year, securityCode: cardCode } = places;
      return { payment: { creditCard: { cardNumber, expirationDate: `20${year}-${month}`, cardCode } } };
    }
    case 'token':
      return { payment: tokenPayment(card.token) };
    case 'saved': {
      const { customerProfileId, paymentProfileId } = partsOf(card.handle);
      return { profile: { customerProfileId, paymentProfile: { paymentProfileId } } };
    }
  }
}

async function answerOf(
  api: AuthorizeNet,
  request: ChargeRequest,
  answer: TransactionAnswer,
): Promise<ProcessorAnswer> {
  const id = answer.transId === NO_ID ? null : answer.transId;
  const reason = answer.errors?.[0]?.errorCode ?? '0';
  switch (answer.responseCode) {
    case '1':
      return await approved(api, request, answer, id);
    case '2':
      return declineOf(reason, id);
    case '3':
      return DUPLICATES.includes(reason) ? await duplicateOf(api, request, answer) : errorAnswer(reason, id);
    // Held for review by the merchant's fraud filters: it may still be taken.
    case '4':
      return unknown('held_for_review');
    default:
      return unknown('answer');
  }
}

async function approved(
  api: AuthorizeNet,
  { amount, isHold = false }: ChargeRequest,
  answer: TransactionAnswer,
  id: string | null,
): Promise<ProcessorAnswer> {
  // "Transactions submitted in test mode are not stored and will return a transaction ID of zero" (testing guide).
  if (id === null) return refused('account_in_test_mode');
  // A part of an amount that is paid with several cards.
  if ((answer.splitTenderId ?? '') !== '') return unknown('partial');
  const card = factsOf(answer.accountNumber, answer.accountType);
  // The response has no amount. Without partial approvals it is the requested one.
  const facts = { processorPaymentId: id, ...(card !== null && { card }) };
  if (!isHold) return { status: 'succeeded', ...facts, taken: amount };
  // The expiry counts from the transaction's own time, which only its details have.
  const captureBefore = await readDetails(api, id).then(captureBeforeOf, () => null);
  return { status: 'authorized', ...facts, held: amount, captureBefore };
}

/** The transaction was rejected as a duplicate of an earlier one, which is this charge, or another with the same card. */
export async function duplicateOf(
  api: AuthorizeNet,
  { chargeId, amount }: Pick<ChargeRequest, 'chargeId' | 'amount'>,
  { transId, refTransID }: TransactionAnswer,
): Promise<ProcessorAnswer> {
  const original = [refTransID ?? '', transId].find((id) => id !== '' && id !== NO_ID);
  if (original === undefined) return unknown('duplicate');
  // Whatever prevents the lookup: the earlier one may be this charge.
  const details = await detailsOrNull(api, original).catch(() => null);
  if (details === null) return unknown('duplicate');
  if (describedCharge(details)?.chargeId === chargeId) return answerOfDetails(details, amount.currency);
  return declinedUnpaid('duplicate', 'try_again_later');
}
