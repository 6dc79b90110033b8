/**
 * Bank debits at Authorize.net: eCheck transactions of type TEL, "telephone-initiated"
 * (developer.authorize.net/api/reference/features/echeck.html; sample code, "DebitBankAccount"). As for cards, there is no
 * idempotency key: `duplicateWindow` rejects a second transaction with our invoice number.
 */
import type { KeyedBankAccount } from '../../domain/bank-account.ts';
import { majorUnits } from '../../domain/money.ts';
import { type ProcessorAnswer, refused, unknown } from '../port/answers.ts';
import type { BankDebits, DebitAnswer, DebitRequest } from '../port/debits.ts';
import { type AccountPlaces, accountParts, accountPlaces, bankName } from '../vendor-api/account-request.ts';
import { describeCharge, SOURCE_OF } from '../vendor-api/descriptions.ts';
import { chargeFailure, passes } from '../vendor-api/faults.ts';
import { askAgain } from '../vendor-api/no-retry.ts';
import { DUPLICATE_WINDOW, duplicateOf } from './charge.ts';
import type { AuthorizeNet, OpenAuthorizeNet } from './client.ts';
import { DUPLICATES, declineOf, errorAnswer, faultOf, rejectionFault } from './errors.ts';
import { NO_ID, shortReference, TRANSACTION_ANSWER, type TransactionAnswer } from './transactions.ts';

/** "The name of the person who holds the bank account. String, up to 22 characters." */
const NAME_LENGTH = 22;

export function authorizeNetDebits(open: OpenAuthorizeNet): BankDebits {
  return {
    async debit(request, signal) {
      try {
        const api = await open(request, signal);
        return signal.aborted ? unknown('timeout') : await debitAccount(api, request, signal);
      } catch (error) {
        return chargeFailure(faultOf(error));
      }
    },
  };
}

async function debitAccount(api: AuthorizeNet, request: DebitRequest, signal: AbortSignal): Promise<DebitAnswer> {
  const { account, chargeId } = request;
  const places = accountPlaces();
  const { code, answer } = await askAgain(
    signal,
    () =>
      api.askTransaction(TRANSACTION_ANSWER, {
        body: { transactionRequest: debitOf(request, places) },
        refId: shortReference(chargeId),
        keyed: { places, parts: accountParts(account) },
      }),
    (error) => passes(faultOf(error)),
  );
  if (answer === null) return chargeFailure(rejectionFault(code ?? ''));
  return debitAnswer(await answerOf(api, request, answer.transactionResponse));
}

/** In the schema's order. */
function debitOf(request: DebitRequest, places: AccountPlaces): object {
  const { amount, account, chargeId, sessionId, orderId } = request;
  const { currency } = amount;
  const described = { chargeId, sessionId, source: SOURCE_OF.phone, currency };
  return {
    transactionType: 'authCaptureTransaction',
    amount: majorUnits(amount),
    currencyCode: currency,
    payment: { bankAccount: bankAccountOf(account, places) },
    order: { invoiceNumber: shortReference(chargeId), description: describeCharge(described, orderId) },
    transactionSettings: { setting: [DUPLICATE_WINDOW] },
  };
}

const bankAccountOf = ({ type, holderName }: KeyedBankAccount, { routingNumber, accountNumber }: AccountPlaces) => ({
  accountType: type,
  routingNumber,
  accountNumber,
  nameOnAccount: bankName(holderName, NAME_LENGTH),
  echeckType: 'TEL',
});

async function answerOf(api: AuthorizeNet, request: DebitRequest, answer: TransactionAnswer): Promise<ProcessorAnswer> {
  const id = answer.transId === NO_ID ? null : answer.transId;
  const reason = answer.errors?.[0]?.errorCode ?? '0';
  switch (answer.responseCode) {
    case '1':
      // "Transactions submitted in test mode are not stored and will return a transaction ID of zero" (testing guide).
      return id === null ? refused('account_in_test_mode') : { status: 'debited', processorPaymentId: id };
    case '2':
      return declineOf(reason, id);
    case '3':
      if (DUPLICATES.includes(reason)) return await duplicateOf(api, request, answer);
      return IN_REVIEW.includes(reason) ? unknown('under_review') : errorAnswer(reason, id);
    case '4':
      return unknown('held_for_review');
    default:
      return unknown('answer');
  }
}

/** "This transaction is currently under review", for eChecks only (response reason codes 104 … 110). */
const IN_REVIEW = ['104', '105', '106', '107', '108', '109', '110'];

/** A duplicate can only be an earlier debit. */
function debitAnswer(answer: ProcessorAnswer): DebitAnswer {
  return answer.status === 'authorized' || answer.status === 'action_required' ? unknown('answer') : answer;
}
