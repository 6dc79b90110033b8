/**
 * A fake Authorize.net API: one address, the operation as the name of the one request object, responses with a byte order
 * mark (developer.authorize.net/api/reference). Transactions wait for their settlement, or are settled at once. A request
 * that Authorize.net would not accept is refused and recorded in `violations`.
 */
import { z } from 'zod';
import { isRoutingNumber } from '../../src/domain/bank-account.ts';
import { Secret } from '../../src/domain/secret.ts';
import {
  type Answer,
  detailsOf,
  messages,
  profileOf,
  Rejection,
  replyOf,
  response,
  type Transaction,
} from './fake-authorizenet-answers.ts';
import { ACCOUNT_REASONS, ACCOUNTS, CARDS, DECLINES, REASONS } from './fake-authorizenet-cards.ts';
import { TransactionLedger } from './fake-authorizenet-ledger.ts';
import { CustomerProfiles } from './fake-authorizenet-profiles.ts';
import {
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
import { type FakeVendor, startFakeVendorServer, type VendorReply, type VendorRequest } from './fake-vendor-server.ts';

export const GATEWAY = '565697';

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

/** @param options.settlesAtOnce otherwise `settle` settles */
export async function startFakeAuthorizeNet({ settlesAtOnce = true } = {}): Promise<FakeAuthorizeNet> {
  const books = new Books(settlesAtOnce);
  const server = await startFakeVendorServer((request) => books.answer(request));
  return Object.assign(books.face, server);
}

class Books {
  readonly #ledger: TransactionLedger;
  readonly #profiles: CustomerProfiles;
  readonly face;

  constructor(settlesAtOnce: boolean) {
    this.#ledger = new TransactionLedger(settlesAtOnce);
    this.#profiles = new CustomerProfiles(() => this.#ledger.newId());
    const find = (transId: string) => this.#ledger.find(transId);
    this.face = {
      transactions: this.#ledger.all,
      violations: [] as string[],
      account: { isTestMode: false, hasDetailsApi: true, echeckTypes: ['TEL', 'PPD'] },
      returnItem: (transId: string, code: string) => {
        const transaction = find(transId);
        transaction.returns = [...(transaction.returns ?? []), code];
      },
      token: (number?: string) => this.#profiles.newToken(number),
      savedCard: (number: string) => {
        const { id } = this.#profiles.keep(this.#ledger.newId(), number);
        return `cust${id}/pay${id}`;
      },
      refundInInterface: (transId: string, cents: number) => {
        const refund = this.#ledger.credit(find(transId), cents / 100, { invoiceNumber: '', description: '' });
        this.#ledger.settleIfAtOnce();
        return refund.transId;
      },
      voidInInterface: (transId: string) => {
        find(transId).transactionStatus = 'voided';
      },
      isHeld: (transId: string) => find(transId).transactionStatus === 'authorizedPendingCapture',
      expireHold: (transId: string) => {
        find(transId).transactionStatus = 'expired';
      },
      settle: () => this.#ledger.settle(),
      countPayments: (chargeId: string) =>
        this.#profiles.all.filter(({ merchantCustomerId }) => merchantCustomerId === chargeId.slice(-20)).length +
        this.#ledger.all.filter(({ description }) => description.startsWith(`${chargeId} `)).length,
      countRefunds: (transId: string) =>
        this.#ledger.all.filter((one) => one.refTransId === transId).length +
        (this.#ledger.all.some((one) => one.transId === transId && one.transactionStatus === 'voided') ? 1 : 0),
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
      this.#ledger.settleIfAtOnce();
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
        const found = this.#ledger.find(transId);
        const batch = this.#ledger.batchOf(found);
        return { messages: messages(), transaction: { ...detailsOf(found), ...(batch !== undefined && { batch }) } };
      },
      getUnsettledTransactionList: (details) => this.#ledger.list(null, details.paging),
      getSettledBatchList: (details) => this.#ledger.batchesIn(details),
      getTransactionList: ({ batchId, paging }) => this.#ledger.list(batchId, paging),
      getMerchantDetails: () => ({
        messages: messages(),
        isTestMode: this.face.account.isTestMode,
        merchantName: 'Test Developer',
        paymentMethods: ['Visa', 'MasterCard', ...(this.face.account.echeckTypes.length > 0 ? ['Echeck'] : [])],
        gatewayId: GATEWAY,
        currencies: ['USD'],
      }),
      createCustomerProfile: (details) => this.#profiles.saveToken(details),
      createCustomerProfileFromTransaction: ({ transId, customer }) => {
        const { number } = this.#ledger.find(transId);
        this.#profiles.keepOnce(customer.merchantCustomerId, number);
        return { messages: messages() };
      },
      getCustomerProfile: ({ merchantCustomerId }) => ({
        messages: messages(),
        profile: profileOf(this.#profiles.find(merchantCustomerId)),
      }),
      deleteCustomerProfile: ({ customerProfileId }) => {
        this.#profiles.remove(customerProfileId);
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
    const number = this.#profiles.cardOf(details);
    if (this.face.account.isTestMode) return response('1', '0');
    const duplicate = this.#ledger.duplicateOf(details.transactionType, details.order.invoiceNumber, details.amount);
    if (duplicate !== undefined) return response('3', duplicate.transId, '11');
    if (number === CARDS.lost) return { fault: 'hang' };
    const reason = details.billTo?.zip === '46282' ? '2' : (REASONS[number] ?? '1');
    if (reason !== '1' && !DECLINES.includes(reason)) return response('3', '0', reason);
    const transaction = this.#ledger.record({
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
    const duplicate = this.#ledger.duplicateOf('authCaptureTransaction', order.invoiceNumber, amount);
    if (duplicate !== undefined) return response('3', duplicate.transId, '11');
    if (number === ACCOUNTS.lost) return { fault: 'hang' };
    const reason = ACCOUNT_REASONS[number] ?? '1';
    if (reason !== '1' && !DECLINES.includes(reason)) return response('3', '0', reason, number, 'eCheck');
    const { transId } = this.#ledger.record({
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

  #refund(details: RefundOrder): Answer {
    const paid = this.#ledger.all.find(({ transId }) => transId === details.refTransId);
    if (paid === undefined) return response('3', '0', '16');
    const duplicate = this.#ledger.duplicateOf('refundTransaction', details.order.invoiceNumber, details.amount);
    if (duplicate !== undefined) return response('3', duplicate.transId, '11');
    if (paid.transactionStatus !== 'settledSuccessfully') return response('3', '0', '54');
    const refusal = this.#refusalOf(details.payment, paid);
    if (refusal !== null) return response('3', '0', refusal);
    const before = this.#ledger.all.filter(({ refTransId }) => refTransId === paid.transId);
    const cents = [...before, { amount: Number(details.amount) }].reduce((sum, one) => sum + one.amount * 100, 0);
    if (Math.round(cents) > Math.round(paid.amount * 100)) return response('3', '0', '55');
    const { transId } = this.#ledger.credit(paid, Number(details.amount), details.order);
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

  #captureHold(transId: string, amount: number): Answer {
    const held = this.#ledger.referenced(transId);
    if (held === undefined) return response('3', '0', '16');
    // "This transaction has already been captured."
    if (held.transactionStatus === 'capturedPendingSettlement') return response('1', transId, '311');
    if (held.transactionStatus !== 'authorizedPendingCapture') return response('3', '0', '16');
    if (amount > held.amount) return response('3', '0', '47');
    held.amount = amount;
    held.transactionStatus = 'capturedPendingSettlement';
    return response('1', transId, '1', held.number);
  }

  #void(transId: string): Answer {
    const paid = this.#ledger.referenced(transId);
    if (paid === undefined) return response('3', '0', '16');
    // "This transaction has already been voided."
    if (paid.transactionStatus === 'voided') return response('1', transId, '310');
    if (!VOIDABLE.includes(paid.transactionStatus)) return response('3', '0', '327');
    paid.transactionStatus = 'voided';
    return response('1', paid.transId, '1', paid.number);
  }
}

const VOIDABLE = ['capturedPendingSettlement', 'authorizedPendingCapture'];
const isDebit = (details: z.output<typeof TRANSACTIONS>): details is Debit =>
  details.transactionType === 'authCaptureTransaction' &&
  details.payment !== undefined &&
  'bankAccount' in details.payment;
