/**
 * A fake Authorize.net API: one address, the operation as the name of the one request object, responses with a byte order
 * mark (developer.authorize.net/api/reference). Transactions wait for their settlement, or are settled at once. A request
 * that Authorize.net would not accept is refused and recorded in `violations`.
 */
import { z } from 'zod';
import { isRoutingNumber } from '../../src/domain/bank-account.ts';
import { Secret } from '../../src/domain/secret.ts';
import {
  type BankAccount,
  type Body,
  type Capture,
  type Debit,
  disorderIn,
  LOGIN,
  type Operation,
  REQUESTS,
  type RefundOrder,
  TRANSACTION_KEY,
  TRANSACTIONS,
} from './fake-authorizenet-requests.ts';
import {
  type FakeVendor,
  type Fault,
  startFakeVendorServer,
  type VendorReply,
  type VendorRequest,
} from './fake-vendor-server.ts';

export const GATEWAY = '565697';

/** Visa numbers by outcome. The first is Authorize.net's own (testing guide). */
export const CARDS = {
  good: '4111111111111111',
  declined: '4000000000009995',
  unanswered: '4000000000006702',
  lost: '4000000000006801',
  broken: '4000000000006900',
} as const;

/** Account numbers by outcome. Each is for any valid routing number, as in Authorize.net's sandbox (testing guide). */
export const ACCOUNTS = {
  good: '0009876543210',
  declined: '0009876543229',
  invalid: '0009876543238',
  inReview: '0009876543247',
  lost: '0009876543265',
} as const;

/** Response reason codes of bank accounts. */
const ACCOUNT_REASONS: Readonly<Record<string, string>> = {
  [ACCOUNTS.declined]: '2',
  // "The account number is invalid."
  [ACCOUNTS.invalid]: '10',
  // "This transaction is currently under review", for eChecks only.
  [ACCOUNTS.inReview]: '107',
};

/** Response reason codes by number. Codes from 5 on are of response code 3, a transaction that is not recorded. */
const REASONS: Readonly<Record<string, string>> = {
  [CARDS.declined]: '2',
  '4000000000000069': '8',
  '4000000000000127': '44',
  '4000000000000119': '19',
};
/** Reasons of a decline (response code 2); others are of an error (3). */
const DECLINES = ['2', '3', '4', '27', '44', '45', '65'];

interface Transaction {
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

interface Profile {
  id: string;
  merchantCustomerId: string;
  number: string;
}

export interface FakeAuthorizeNet extends FakeVendor {
  transactions: Transaction[];
  /** `echeckTypes`: what the account is enabled for. Without any, it takes no eChecks. */
  account: { isTestMode: boolean; hasDetailsApi: boolean; echeckTypes: string[] };
  /** The bank returns an eCheck, or sends a notice of change (`C01` …). */
  returnItem(transId: string, code: string): void;
  /** A token of Accept.js, which can be used once. */
  token(number?: string): string;
  /** The handle of a saved card. */
  savedCard(number: string): string;
  /** @returns the refund's ID */
  refundInInterface(transId: string, cents: number): string;
  voidInInterface(transId: string): void;
  isHeld(transId: string): boolean;
  expireHold(transId: string): void;
  /** Settles all that waits. */
  settle(): void;
  countRefunds(transId: string): number;
}

/** A response's body, and how it is broken. */
interface Answer {
  fault?: Fault;
  [member: string]: unknown;
}

/** A response with `resultCode: Error`. */
class Rejection extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** @param options.settlesAtOnce otherwise `settle` settles */
export async function startFakeAuthorizeNet({ settlesAtOnce = true } = {}): Promise<FakeAuthorizeNet> {
  const books = new Books(settlesAtOnce);
  const server = await startFakeVendorServer((request) => books.answer(request));
  return Object.assign(books.face, server);
}

const now = () => new Date().toISOString();

class Books {
  readonly #transactions: Transaction[] = [];
  readonly #profiles: Profile[] = [];
  readonly #tokens = new Map<string, string>();
  readonly #batches: { batchId: string; settlementTimeUTC: string }[] = [];
  readonly #settlesAtOnce: boolean;
  #last = 60_000_000;
  readonly face;

  constructor(settlesAtOnce: boolean) {
    this.#settlesAtOnce = settlesAtOnce;
    const find = (transId: string) => this.#find(transId);
    this.face = {
      transactions: this.#transactions,
      violations: [] as string[],
      account: { isTestMode: false, hasDetailsApi: true, echeckTypes: ['TEL', 'PPD'] },
      returnItem: (transId: string, code: string) => {
        const transaction = find(transId);
        transaction.returns = [...(transaction.returns ?? []), code];
      },
      token: (number: string = CARDS.good) => {
        const token = `eyJjb2RlIjoi${this.#id()}${'NTBfMl8w'.repeat(40)}`;
        this.#tokens.set(token, number);
        return token;
      },
      savedCard: (number: string) => {
        const id = this.#keep(this.#id(), number).id;
        return `cust${id}/pay${id}`;
      },
      refundInInterface: (transId: string, cents: number) => {
        const refund = this.#credit(find(transId), cents / 100, { invoiceNumber: '', description: '' });
        this.#settleIfAtOnce();
        return refund.transId;
      },
      voidInInterface: (transId: string) => {
        find(transId).transactionStatus = 'voided';
      },
      isHeld: (transId: string) => find(transId).transactionStatus === 'authorizedPendingCapture',
      expireHold: (transId: string) => {
        find(transId).transactionStatus = 'expired';
      },
      settle: () => this.#settle(),
      countPayments: (chargeId: string) =>
        this.#profiles.filter(({ merchantCustomerId }) => merchantCustomerId === chargeId.slice(-20)).length +
        this.#transactions.filter(({ description }) => description.startsWith(`${chargeId} `)).length,
      countRefunds: (transId: string) =>
        this.#transactions.filter((one) => one.refTransId === transId).length +
        (this.#transactions.some((one) => one.transId === transId && one.transactionStatus === 'voided') ? 1 : 0),
    };
  }

  answer(request: VendorRequest): VendorReply {
    const { operation, refId, body } = this.#read(request);
    const echo = { ...(refId !== undefined && { refId }) };
    try {
      return replyOf({ ...this.#answer(operation, body), ...echo });
    } catch (error) {
      if (error instanceof Rejection) return replyOf({ ...echo, messages: messages(error.code) });
      if (!(error instanceof z.ZodError)) throw error;
      this.face.violations.push(`${operation}: ${error.message}`);
      return replyOf({ ...echo, messages: messages('E00003') });
    } finally {
      this.#settleIfAtOnce();
    }
  }

  #read({ method, path, headers, body: text }: VendorRequest) {
    if (method !== 'POST' || path !== '/xml/v1/request.api') this.face.violations.push(`${method} ${path}`);
    if (headers['content-type'] !== 'application/json') this.face.violations.push('content-type');
    const root = JSON.parse(text) as Record<string, Record<string, unknown>>;
    const [[name, members] = ['', {}]] = Object.entries(root);
    const disorder = disorderIn(members);
    if (disorder !== null) this.face.violations.push(`order of ${disorder}`);
    const { merchantAuthentication, refId, ...body } = members;
    if (refId !== undefined && String(refId).length > 20) this.face.violations.push('refId');
    return { operation: name.replace(/Request$/, ''), refId, body: { ...body, merchantAuthentication } };
  }

  #answer(name: string, { merchantAuthentication, ...body }: Record<string, unknown>): Answer {
    const { name: login, transactionKey } = merchantAuthentication as { name: string; transactionKey: string };
    if (login !== LOGIN || transactionKey !== TRANSACTION_KEY) throw new Rejection('E00007');
    if (!Object.hasOwn(REQUESTS, name)) throw new Rejection('E00004');
    const operation = name as Operation;
    if (!this.face.account.hasDetailsApi && /^get(?:Unsettled|Settled|Transaction)/.test(name)) {
      throw new Rejection('E00011');
    }
    const handlers: { [Name in Operation]: (details: Body<Name>) => Answer } = {
      createTransaction: ({ transactionRequest }) => this.#transact(transactionRequest),
      getTransactionDetails: ({ transId }) => {
        if (!/^\d+$/.test(transId)) throw new Rejection('E00013');
        const found = this.#find(transId);
        const batch = this.#batches.find(({ batchId }) => batchId === found.batchId);
        return { messages: messages(), transaction: { ...detailsOf(found), ...(batch !== undefined && { batch }) } };
      },
      getUnsettledTransactionList: (details) => this.#list(null, details.paging),
      getSettledBatchList: (details) => this.#batchesIn(details),
      getTransactionList: ({ batchId, paging }) => this.#list(batchId, paging),
      getMerchantDetails: () => ({
        messages: messages(),
        isTestMode: this.face.account.isTestMode,
        merchantName: 'Test Developer',
        paymentMethods: ['Visa', 'MasterCard', ...(this.face.account.echeckTypes.length > 0 ? ['Echeck'] : [])],
        gatewayId: GATEWAY,
        currencies: ['USD'],
      }),
      createCustomerProfile: (details) => this.#saveToken(details),
      createCustomerProfileFromTransaction: ({ transId, customer }) => {
        const { number } = this.#find(transId);
        this.#keepOnce(customer.merchantCustomerId, number);
        return { messages: messages() };
      },
      getCustomerProfile: ({ merchantCustomerId }) => {
        const found = this.#profiles.find((profile) => profile.merchantCustomerId === merchantCustomerId);
        if (found === undefined) throw new Rejection('E00040');
        return { messages: messages(), profile: profileOf(found) };
      },
      deleteCustomerProfile: ({ customerProfileId }) => {
        const at = this.#profiles.findIndex(({ id }) => id === customerProfileId);
        if (at < 0) throw new Rejection('E00040');
        this.#profiles.splice(at, 1);
        return { messages: messages() };
      },
    };
    const handle = handlers[operation] as (details: unknown) => Answer;
    return handle(REQUESTS[operation].parse(body));
  }

  #transact(request: object): Answer {
    const details = TRANSACTIONS.parse(request);
    if (isDebit(details)) return this.#debit(details);
    switch (details.transactionType) {
      case 'authCaptureTransaction':
      case 'authOnlyTransaction':
        return this.#charge(details);
      case 'priorAuthCaptureTransaction':
        return this.#captureHold(details.refTransId, Number(details.amount));
      case 'refundTransaction':
        return this.#refund(details);
      case 'voidTransaction':
        return this.#void(details.refTransId);
    }
  }

  #charge(details: Capture): Answer {
    const isHold = details.transactionType === 'authOnlyTransaction';
    const isMoto = details.retail !== undefined;
    if (isMoto && details.payment !== undefined && 'opaqueData' in details.payment) return response('3', '0', '153');
    const number = this.#cardOf(details);
    if (this.face.account.isTestMode) return response('1', '0');
    const duplicate = this.#duplicateOf(details.transactionType, details.order.invoiceNumber, details.amount);
    if (duplicate !== undefined) return response('3', duplicate.transId, '11');
    if (number === CARDS.lost) return { fault: 'hang' };
    const reason = details.billTo?.zip === '46282' ? '2' : (REASONS[number] ?? '1');
    if (reason !== '1' && !DECLINES.includes(reason)) return response('3', '0', reason);
    const transaction = this.#record({
      transactionType: details.transactionType,
      transactionStatus:
        reason !== '1' ? 'declined' : isHold ? 'authorizedPendingCapture' : 'capturedPendingSettlement',
      reason,
      ...details.order,
      amount: Number(details.amount),
      number,
    });
    const fault = number === CARDS.unanswered ? 'hang' : number === CARDS.broken ? 'html_500' : undefined;
    const answer = response(reason === '1' ? '1' : '2', transaction.transId, reason, number);
    return { ...answer, ...(fault !== undefined && { fault }) };
  }

  #debit({ payment: { bankAccount }, order, amount }: Debit): Answer {
    const { echeckTypes, isTestMode } = this.face.account;
    const { accountNumber: number, routingNumber, echeckType, ...bank } = bankAccount;
    // "ACH transactions are not accepted by this merchant", "This eCheck.Net type is not allowed", "The ABA code is invalid".
    if (echeckTypes.length === 0) return response('3', '0', '18');
    if (!echeckTypes.includes(echeckType)) return response('3', '0', '246');
    if (!isRoutingNumber(Secret.of(routingNumber))) return response('3', '0', '9');
    if (isTestMode) return response('1', '0');
    const duplicate = this.#duplicateOf('authCaptureTransaction', order.invoiceNumber, amount);
    if (duplicate !== undefined) return response('3', duplicate.transId, '11');
    if (number === ACCOUNTS.lost) return { fault: 'hang' };
    const reason = ACCOUNT_REASONS[number] ?? '1';
    if (reason !== '1' && !DECLINES.includes(reason)) return response('3', '0', reason, number, 'eCheck');
    const { transId } = this.#record({
      transactionType: 'authCaptureTransaction',
      transactionStatus: reason === '1' ? 'capturedPendingSettlement' : 'declined',
      reason,
      ...order,
      amount: Number(amount),
      number,
      bank: { ...bank, routingNumber, echeckType },
    });
    return response(reason === '1' ? '1' : '2', transId, reason, number, 'eCheck');
  }

  #cardOf({ payment, profile }: Capture): string {
    if (profile !== undefined) {
      const found = this.#profiles.find(({ id }) => id === profile.customerProfileId);
      if (found === undefined || found.id !== profile.paymentProfile.paymentProfileId) throw new Rejection('E00040');
      return found.number;
    }
    if (payment === undefined) throw new Rejection('E00014');
    return 'creditCard' in payment ? payment.creditCard.cardNumber : this.#useToken(payment.opaqueData.dataValue);
  }

  #useToken(token: string): string {
    const number = this.#tokens.get(token);
    if (number === undefined) throw new Rejection('E00114');
    this.#tokens.delete(token);
    return number;
  }

  #duplicateOf(type: string, invoice: string, amount: string): Transaction | undefined {
    return this.#transactions.find(
      (one) => one.transactionType === type && one.invoiceNumber === invoice && one.amount === Number(amount),
    );
  }

  #refund(details: RefundOrder): Answer {
    const paid = this.#transactions.find(({ transId }) => transId === details.refTransId);
    if (paid === undefined) return response('3', '0', '16');
    const duplicate = this.#duplicateOf('refundTransaction', details.order.invoiceNumber, details.amount);
    if (duplicate !== undefined) return response('3', duplicate.transId, '11');
    if (paid.transactionStatus !== 'settledSuccessfully') return response('3', '0', '54');
    const refusal = this.#refusalOf(details.payment, paid);
    if (refusal !== null) return response('3', '0', refusal);
    const before = this.#transactions.filter(({ refTransId }) => refTransId === paid.transId);
    const cents = [...before, { amount: Number(details.amount) }].reduce((sum, one) => sum + one.amount * 100, 0);
    if (Math.round(cents) > Math.round(paid.amount * 100)) return response('3', '0', '55');
    const { transId } = this.#credit(paid, Number(details.amount), details.order);
    return response('1', transId, '1', paid.number);
  }

  /** The reason code; null if the refund is to the payment's card or account. */
  #refusalOf(payment: RefundOrder['payment'], { number, bank, returns }: Transaction): string | null {
    if ('creditCard' in payment) {
      return bank === undefined && payment.creditCard.cardNumber === number.slice(-4) ? null : '54';
    }
    const { accountNumber, echeckType } = payment.bankAccount;
    if (!this.face.account.echeckTypes.includes(echeckType)) return '246';
    const isOfOther = bank === undefined || accountNumber !== `XXXX${number.slice(-4)}`;
    return isOfOther || returns?.some((code) => code.startsWith('R')) ? '54' : null;
  }

  #credit(paid: Transaction, amount: number, order: { invoiceNumber: string; description: string }): Transaction {
    return this.#record({
      transactionType: 'refundTransaction',
      transactionStatus: 'refundPendingSettlement',
      refTransId: paid.transId,
      reason: '1',
      ...order,
      amount,
      number: paid.number,
    });
  }

  #captureHold(transId: string, amount: number): Answer {
    const held = this.#referenced(transId);
    if (held === undefined) return response('3', '0', '16');
    // "This transaction has already been captured."
    if (held.transactionStatus === 'capturedPendingSettlement') return response('1', transId, '311');
    if (held.transactionStatus !== 'authorizedPendingCapture') return response('3', '0', '16');
    if (amount > held.amount) return response('3', '0', '47');
    held.amount = amount;
    held.transactionStatus = 'capturedPendingSettlement';
    return response('1', transId, '1', held.number);
  }

  #referenced(transId: string): Transaction | undefined {
    if (!/^\d+$/.test(transId)) throw new Rejection('E00013');
    return this.#transactions.find((one) => one.transId === transId);
  }

  #void(transId: string): Answer {
    const paid = this.#referenced(transId);
    if (paid === undefined) return response('3', '0', '16');
    // "This transaction has already been voided."
    if (paid.transactionStatus === 'voided') return response('1', transId, '310');
    if (!VOIDABLE.includes(paid.transactionStatus)) return response('3', '0', '327');
    paid.transactionStatus = 'voided';
    return response('1', paid.transId, '1', paid.number);
  }

  #saveToken({ profile }: Body<'createCustomerProfile'>): Answer {
    const [{ payment }] = profile.paymentProfiles;
    const number =
      'creditCard' in payment ? payment.creditCard.cardNumber : this.#useToken(payment.opaqueData.dataValue);
    if (REASONS[number] !== undefined) throw new Rejection('E00027');
    this.#keepOnce(profile.merchantCustomerId, number);
    return { messages: messages(), ...(number === CARDS.unanswered && { fault: 'hang' as const }) };
  }

  #keepOnce(merchantCustomerId: string, number: string): void {
    if (this.#profiles.some((profile) => profile.merchantCustomerId === merchantCustomerId)) {
      throw new Rejection('E00039');
    }
    this.#keep(merchantCustomerId, number);
  }

  #keep(merchantCustomerId: string, number: string): Profile {
    const profile = { id: this.#id(), merchantCustomerId, number };
    this.#profiles.push(profile);
    return profile;
  }

  #record(facts: Omit<Transaction, 'transId' | 'submitTimeUTC' | 'batchId'>): Transaction {
    const transaction = { ...facts, transId: this.#id(), submitTimeUTC: now(), batchId: null };
    this.#transactions.push(transaction);
    return transaction;
  }

  #find(transId: string): Transaction {
    const found = this.#transactions.find((one) => one.transId === transId);
    if (found === undefined) throw new Rejection('E00040');
    return found;
  }

  #list(batchId: string | null, { limit, offset }: { limit: number; offset: number }): Answer {
    const listed = this.#transactions.filter((one) => one.batchId === batchId).reverse();
    const page = listed.slice((offset - 1) * limit, offset * limit).map(summaryOf);
    // An empty list is left out.
    if (page.length === 0) return { messages: messages('I00004', 'Ok') };
    return { messages: messages(), transactions: page, totalNumInResultSet: page.length };
  }

  #batchesIn({ firstSettlementDate: first, lastSettlementDate: last }: Body<'getSettledBatchList'>): Answer {
    if (Date.parse(last) - Date.parse(first) > 31 * 86_400_000) throw new Rejection('E00013');
    const batchList = this.#batches.filter(({ settlementTimeUTC: at }) => at >= first && at <= last);
    return batchList.length === 0 ? { messages: messages('I00004', 'Ok') } : { messages: messages(), batchList };
  }

  #settleIfAtOnce(): void {
    if (this.#settlesAtOnce) this.#settle();
  }

  /** Captures can be refunded after it. Refunds stay pending until the next settlement. */
  #settle(): void {
    const waiting = this.#transactions.filter(({ batchId, transactionStatus }) =>
      batchId === null && !WAITING.includes(transactionStatus)
        ? transactionStatus !== 'refundPendingSettlement' || !this.#settlesAtOnce
        : false,
    );
    if (waiting.length === 0) return;
    const batchId = this.#id();
    for (const transaction of waiting) {
      transaction.batchId = batchId;
      transaction.transactionStatus = SETTLED[transaction.transactionStatus] ?? transaction.transactionStatus;
    }
    this.#batches.push({ batchId, settlementTimeUTC: now() });
  }

  #id(): string {
    this.#last += 1;
    return String(this.#last);
  }
}

const VOIDABLE = ['capturedPendingSettlement', 'authorizedPendingCapture'];
const WAITING = ['authorizedPendingCapture', 'expired'];

const SETTLED: Readonly<Record<string, string>> = {
  capturedPendingSettlement: 'settledSuccessfully',
  refundPendingSettlement: 'refundSettledSuccessfully',
};

const isDebit = (details: z.output<typeof TRANSACTIONS>): details is Debit =>
  details.transactionType === 'authCaptureTransaction' &&
  details.payment !== undefined &&
  'bankAccount' in details.payment;

const messages = (code = 'I00001', resultCode = code === 'I00001' ? 'Ok' : 'Error') => ({
  resultCode,
  message: [{ code, text: `Text of ${code}.` }],
});

/** @param reason the response reason code */
function response(
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

function summaryOf({ transId, submitTimeUTC, transactionStatus, invoiceNumber, amount, number, bank }: Transaction) {
  const [accountType, accountNumber] = [bank === undefined ? 'Visa' : 'eCheck', `XXXX${number.slice(-4)}`];
  const order = invoiceNumber === '' ? {} : { invoiceNumber };
  const settleAmount = settledOf({ transactionStatus, amount });
  return { transId, submitTimeUTC, transactionStatus, ...order, accountType, accountNumber, settleAmount };
}

function detailsOf({
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

function profileOf({ id, merchantCustomerId, number }: Profile) {
  const creditCard = { cardNumber: `XXXX${number.slice(-4)}`, expirationDate: '2049-11', cardType: 'Visa' };
  return {
    merchantCustomerId,
    customerProfileId: id,
    paymentProfiles: [{ customerPaymentProfileId: id, payment: { creditCard } }],
  };
}

function replyOf({ fault, ...body }: Answer): VendorReply {
  return { status: 200, body, byteOrderMark: true, ...(fault !== undefined && { fault }) };
}
