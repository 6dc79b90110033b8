/** Objects and answers of the fake Authorize.net (developer.authorize.net/api/reference). */
import type { BankAccount } from './fake-authorizenet-requests.ts';
import type { Fault, VendorReply } from './fake-vendor-server.ts';

export interface Transaction {
  transId: string;
  refTransId?: string;
  submitTimeUTC: string;
  transactionType: string;
  transactionStatus: string;
  reason: string;
  invoiceNumber: string;
  description: string;
  amount: number;
  number: string;
  batchId: string | null;
  /** Of an eCheck. */
  bank?: Pick<BankAccount, 'accountType' | 'routingNumber' | 'nameOnAccount' | 'echeckType'>;
  /** Codes of returns and of notices of change. */
  returns?: string[];
}

export interface Profile {
  id: string;
  merchantCustomerId: string;
  number: string;
}

/** A response's body, and how it is broken. */
export interface Answer {
  fault?: Fault;
  [member: string]: unknown;
}

/** A response with `resultCode: Error`. */
export class Rejection extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export const now = () => new Date().toISOString();

export const messages = (code = 'I00001', resultCode = code === 'I00001' ? 'Ok' : 'Error') => ({
  resultCode,
  message: [{ code, text: `Text of ${code}.` }],
});

/** @param reason the response reason code */
export function response(
  responseCode: string,
  transId: string,
  reason = '1',
  number = '',
  accountType = number === '' ? '' : 'Visa',
): Answer {
  const isApproved = responseCode === '1';
  return {
    transactionResponse: {
      responseCode,
      authCode: isApproved ? 'ABC123' : '',
      transId,
      refTransID: '',
      testRequest: '0',
      accountNumber: number === '' ? '' : `XXXX${number.slice(-4)}`,
      accountType,
      ...(isApproved
        ? { messages: [{ code: reason, description: 'This transaction has been approved.' }] }
        : { errors: [{ errorCode: reason, errorText: `Text of reason ${reason} for ${number}.` }] }),
    },
    // A decline is "Ok", too (createTransactionResponse in the reference); an error is E00027.
    messages: responseCode === '3' ? messages('E00027') : messages(),
  };
}

/** In the reference's example, a voided transaction settles nothing. */
const settledOf = ({ transactionStatus, amount }: Pick<Transaction, 'transactionStatus' | 'amount'>) =>
  transactionStatus === 'voided' ? 0 : amount;

export function summaryOf({
  transId,
  submitTimeUTC,
  transactionStatus,
  invoiceNumber,
  amount,
  number,
  bank,
}: Transaction) {
  const [accountType, accountNumber] = [bank === undefined ? 'Visa' : 'eCheck', `XXXX${number.slice(-4)}`];
  const order = invoiceNumber === '' ? {} : { invoiceNumber };
  const settleAmount = settledOf({ transactionStatus, amount });
  return { transId, submitTimeUTC, transactionStatus, ...order, accountType, accountNumber, settleAmount };
}

export function detailsOf({
  reason,
  invoiceNumber,
  description,
  amount,
  number,
  batchId: _,
  bank,
  returns,
  ...facts
}: Transaction) {
  const accountNumber = `XXXX${number.slice(-4)}`;
  const returned = returns?.map((code, at) => ({
    id: String(at),
    dateUTC: now(),
    code,
    description: `Text of ${code}`,
  }));
  return {
    ...facts,
    responseCode: reason === '1' ? 1 : 2,
    responseReasonCode: Number(reason),
    ...(description !== '' && { order: { invoiceNumber, description } }),
    authAmount: amount,
    settleAmount: settledOf({ ...facts, amount }),
    payment:
      bank === undefined
        ? { creditCard: { cardNumber: accountNumber, expirationDate: 'XXXX', cardType: 'Visa' } }
        : { bankAccount: { ...bank, routingNumber: `XXXX${bank.routingNumber.slice(-4)}`, accountNumber } },
    ...(returned !== undefined && { returnedItems: returned }),
  };
}

export function profileOf({ id, merchantCustomerId, number }: Profile) {
  const creditCard = { cardNumber: `XXXX${number.slice(-4)}`, expirationDate: '2049-11', cardType: 'Visa' };
  return {
    merchantCustomerId,
    customerProfileId: id,
    paymentProfiles: [{ customerPaymentProfileId: id, payment: { creditCard } }],
  };
}

export function replyOf({ fault, ...body }: Answer): VendorReply {
  return { status: 200, body, byteOrderMark: true, ...(fault !== undefined && { fault }) };
}
