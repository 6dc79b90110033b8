/**
 * A fake Braintree GraphQL API: single-use and vaulted payment methods, transactions and refunds (inputs and types:
 * github.com/braintree/graphql-api, schema.graphql; errors: developer.paypal.com/braintree/graphql/guides). A second transaction with
 * the order ID, amount and card of an approved one is rejected as its duplicate (…/articles/control-panel/transactions/
 * duplicate-checking). A request that Braintree would not accept is refused and recorded in `violations`.
 */
import { z } from 'zod';
import { CARDS, DECLINES, FAULTS } from './fake-braintree-cards.ts';
import {
  type Answer,
  accountsOf,
  type Event,
  type FakeTransaction,
  facts,
  globalOf,
  isApproved,
  isWithin,
  methodOf,
  named,
  pageOf,
  type Refund,
  Refusal,
} from './fake-braintree-objects.ts';
import {
  CAPTURE,
  DELETE,
  FIND_CUSTOMER,
  FIND_DISPUTES,
  LEGACY_IDS,
  MERCHANT,
  NEW_CUSTOMER,
  NEW_TRANSACTION,
  PRIVATE_KEY,
  PUBLIC_KEY,
  REFUND,
  REQUEST,
  REVERSE,
  SEARCH,
  type Search,
  TOKENIZE,
  VAULT,
  VERIFY,
} from './fake-braintree-requests.ts';
import { BraintreeIds, PaymentMethods } from './fake-braintree-vault.ts';
import { type FakeVendor, startFakeVendorServer, type VendorReply, type VendorRequest } from './fake-vendor-server.ts';

export interface FakeBraintree extends FakeVendor {
  transactions: FakeTransaction[];
  token(number?: string): string;
  savedCard(number: string): string;
  isHeld(id: string): boolean;
  expireHold(id: string): void;
  countRefunds(id: string): number;
  /** In the Control Panel: a refund has the order ID of its transaction. @returns the refund's ID */
  refundInPanel(id: string, cents: number): string;
  settle(id: string): void;
  /** As if it was settled between being read and being reversed. */
  settleBeforeReversal(id: string): void;
  /** Objects of the type `Dispute`, by short ID. */
  disputes: Map<string, object>;
}

/** @param settlesAtOnce otherwise `settle` has to be called */
export async function startFakeBraintree({ settlesAtOnce = true } = {}): Promise<FakeBraintree> {
  const books = new Books(settlesAtOnce);
  const server = await startFakeVendorServer((request) => books.answer(request));
  return Object.assign(books.face, server);
}

const HOLD_MS = 7 * 86_400_000;
class Books {
  readonly #transactions: FakeTransaction[] = [];
  readonly #ids = new BraintreeIds();
  readonly #methods = new PaymentMethods(this.#ids);
  readonly #settling = new Set<string>();
  readonly #settlesAtOnce: boolean;
  readonly face;

  constructor(settlesAtOnce: boolean) {
    this.#settlesAtOnce = settlesAtOnce;
    this.face = {
      transactions: this.#transactions,
      violations: [] as string[],
      token: (number: string = CARDS.good) => this.#methods.tokenize(number),
      savedCard: (number: string) => this.#methods.keep(number),
      isHeld: (id: string) => this.#find(id).status === 'AUTHORIZED',
      expireHold: (id: string) => this.#move(this.#find(id), { status: 'AUTHORIZATION_EXPIRED' }),
      countPayments: (chargeId: string) =>
        this.#methods.cardsAt(chargeId).length +
        this.#transactions.filter(
          ({ orderId, status }) => orderId.startsWith(chargeId) && status !== 'GATEWAY_REJECTED',
        ).length,
      countRefunds: (id: string) => this.#find(id).refunds.length + (this.#find(id).voidedAt === null ? 0 : 1),
      refundInPanel: (id: string, cents: number) => {
        const paid = this.#find(id);
        return this.#book(paid, (cents / 100).toFixed(2), paid.orderId).id;
      },
      settle: (id: string) => this.#move(this.#find(id), { status: 'SETTLED' }),
      settleBeforeReversal: (id: string) => this.#settling.add(id),
      disputes: new Map<string, object>(),
    };
  }

  answer(request: VendorRequest): VendorReply {
    const requestId = 'a-uuid-for-the-request';
    const login = Buffer.from(`${PUBLIC_KEY}:${PRIVATE_KEY}`).toString('base64');
    const { query, variables } = REQUEST.parse(JSON.parse(request.body));
    const [, field = '', name = ''] = /^(query|mutation) (\w+)/.exec(query) ?? [];
    if (request.headers['braintree-version'] !== '2019-01-01') this.face.violations.push('version');
    try {
      if (request.headers.authorization !== `Basic ${login}`) throw new Refusal('AUTHENTICATION');
      const { data, fault } = this.#run(name, variables);
      return { status: 200, body: { data, extensions: { requestId } }, ...(fault !== undefined && { fault }) };
    } catch (error) {
      if (!(error instanceof Refusal) && !(error instanceof z.ZodError)) throw error;
      if (error instanceof z.ZodError) this.face.violations.push(`${name}: ${error.message}`);
      const { errorClass, legacyCode } = error instanceof Refusal ? error : new Refusal('VALIDATION', '1');
      const message = 'Not possible.';
      const errors = [{ message, path: [field], extensions: { errorClass, legacyCode } }];
      return { status: 200, body: { data: { [field]: null }, errors, extensions: { requestId } } };
    }
  }

  #run(name: string, { input, id = '', after }: z.output<typeof REQUEST>['variables']): Answer {
    switch (name) {
      case 'TokenizeCard': {
        const { number } = TOKENIZE.parse(input).creditCard;
        if (!/^[45]/.test(number)) throw new Refusal('VALIDATION', '81715');
        return { data: { tokenizeCreditCard: { paymentMethod: { id: this.#methods.tokenize(number) } } } };
      }
      case 'ChargeCard':
        return named('chargeCreditCard', this.#charge(NEW_TRANSACTION.parse(input), false));
      case 'AuthorizeCard':
        return named('authorizeCreditCard', this.#charge(NEW_TRANSACTION.parse(input), true));
      case 'CaptureHold':
        return named('captureTransaction', { transaction: this.#capture(CAPTURE.parse(input)) });
      case 'ReverseTransaction':
        return { data: { reverseTransaction: { reversal: this.#reverse(REVERSE.parse(input).transactionId) } } };
      case 'RefundTransaction':
        return { data: { refundTransaction: { refund: this.#refund(REFUND.parse(input)) } } };
      case 'VaultCard':
        return {
          data: { vaultCreditCard: { paymentMethod: this.#methods.vaulted(VAULT.parse(input).paymentMethodId) } },
        };
      case 'CreateCustomer': {
        const customer = this.#methods.createCustomer(NEW_CUSTOMER.parse(input).customer.company);
        return { data: { createCustomer: { customer: { id: customer } } } };
      }
      case 'VerifyCard':
        return this.#methods.verify(VERIFY.parse(input));
      case 'FindCard':
        return { data: { search: { customers: this.#methods.customersAt(FIND_CUSTOMER.parse(input).company.is) } } };
      case 'DeleteCard':
        this.#methods.remove(DELETE.parse(input).paymentMethodId);
        return { data: { deletePaymentMethodFromVault: { clientMutationId: null } } };
      case 'ConvertIds':
        return { data: { idsFromLegacyIds: LEGACY_IDS.parse(input).ids.map(globalOf) } };
      case 'ReadDispute':
        return { data: { node: this.#dispute(id) } };
      case 'ListDisputes':
        FIND_DISPUTES.parse(input);
        return { data: { search: { disputes: pageOf([...this.face.disputes.values()], after) } } };
      case 'ReadOrder':
        return { data: { node: { orderId: this.#orderOf(id) } } };
      case 'ReadTransaction':
        return { data: { node: this.#objectOf(this.#find(id)) } };
      case 'FindCharge':
      case 'ListTransactions':
        return { data: { search: { transactions: pageOf(this.#search(SEARCH.parse(input)), after) } } };
      case 'ListRefunds':
        return { data: { search: { refunds: pageOf(this.#searchRefunds(SEARCH.parse(input)), after) } } };
      default:
        return { data: { viewer: { merchant: { id: MERCHANT, merchantAccounts: accountsOf(input) } } } };
    }
  }

  #charge({ paymentMethodId, transaction: details }: z.output<typeof NEW_TRANSACTION>, isHold: boolean) {
    const number = this.#methods.numberOf(paymentMethodId);
    if (number === CARDS.lost) return { transaction: null, fault: 'hang' as const };
    const { orderId } = details;
    const money = { value: details.amount, currencyCode: 'USD' };
    const first = this.#transactions.find(
      (other) => other.orderId === orderId && other.number === number && isApproved(other),
    );
    const code = DECLINES[number];
    const expiry = new Date(Date.now() + HOLD_MS).toISOString();
    const made: FakeTransaction = {
      id: this.#ids.of('transaction'),
      orderId,
      status: '',
      createdAt: new Date().toISOString(),
      amount: money,
      number,
      voidedAt: null,
      method: this.#methods.has(paymentMethodId) ? paymentMethodId : null,
      statusHistory: [],
      refunds: [],
    };
    this.#transactions.push(made);
    if (first !== undefined) {
      const event = { gatewayRejectionReason: 'DUPLICATE', duplicateOf: { id: first.id } };
      this.#move(made, { status: 'GATEWAY_REJECTED', ...event });
    } else if (code !== undefined) {
      this.#move(made, { status: 'PROCESSOR_DECLINED', processorResponse: { legacyCode: code } });
    } else {
      this.#move(made, { status: 'AUTHORIZED', authorizationExpiresAt: expiry });
      if (!isHold) this.#move(made, { status: 'SUBMITTED_FOR_SETTLEMENT' });
      if (details.vaultPaymentMethodAfterTransacting !== undefined) made.method = this.#methods.keep(number);
    }
    const transaction = this.#objectOf(made);
    if (this.#settlesAtOnce && made.status === 'SUBMITTED_FOR_SETTLEMENT') this.#move(made, { status: 'SETTLED' });
    const fault = FAULTS[number];
    return { transaction, ...(fault !== undefined && { fault }) };
  }

  #capture({ transactionId, transaction }: z.output<typeof CAPTURE>) {
    const held = this.#find(transactionId);
    if (held.status !== 'AUTHORIZED') throw new Refusal('VALIDATION', '91507');
    if (Number(transaction.amount) > Number(held.amount.value)) throw new Refusal('VALIDATION', '91522');
    held.amount.value = transaction.amount;
    this.#move(held, { status: 'SUBMITTED_FOR_SETTLEMENT' });
    const captured = this.#objectOf(held);
    if (this.#settlesAtOnce) this.#move(held, { status: 'SETTLED' });
    return captured;
  }

  #reverse(id: string): object {
    const paid = this.#find(id);
    if (this.#settling.delete(id)) this.#move(paid, { status: 'SETTLED' });
    if (paid.status === 'SETTLED') {
      const { id: refund, status } = this.#book(paid, paid.amount.value, paid.orderId);
      return { __typename: 'Refund', id: refund, status };
    }
    if (!isApproved(paid) || paid.status === 'VOIDED') throw new Refusal('VALIDATION', '91504');
    this.#move(paid, { status: 'VOIDED' });
    paid.voidedAt = new Date().toISOString();
    return { __typename: 'Transaction', id, status: paid.status };
  }

  #refund({ transactionId, refund }: z.output<typeof REFUND>): Refund {
    const paid = this.#find(transactionId);
    if (paid.status !== 'SETTLED') throw new Refusal('VALIDATION', '91506');
    const left =
      Number(paid.amount.value) - paid.refunds.reduce((sum, { amount: { value } }) => sum + Number(value), 0);
    if (left < 0.005) throw new Refusal('VALIDATION', '91512');
    if (Number(refund.amount) > left + 0.005) throw new Refusal('VALIDATION', '91521');
    return this.#book(paid, refund.amount, refund.orderId);
  }

  #book(paid: FakeTransaction, value: string, orderId: string): Refund {
    const id = this.#ids.of('refund');
    const createdAt = new Date().toISOString();
    const refund = { id, orderId, status: 'SUBMITTED_FOR_SETTLEMENT', createdAt, amount: { ...paid.amount, value } };
    paid.refunds.push(refund);
    return refund;
  }

  #search({ orderId, createdAt, statusTransition }: Search): object[] {
    return this.#transactions
      .filter(
        (one) =>
          (orderId === undefined || one.orderId.startsWith(orderId.startsWith)) &&
          isWithin(createdAt, one.createdAt) &&
          isWithin(statusTransition?.voidedAt, one.voidedAt),
      )
      .map((one) => this.#objectOf(one));
  }

  #searchRefunds({ createdAt }: Search): object[] {
    return this.#transactions.flatMap(({ refunds, ...paid }) =>
      refunds
        .filter((refund) => isWithin(createdAt, refund.createdAt))
        .map((refund) => ({ ...refund, refundedTransaction: { id: paid.id, orderId: paid.orderId } })),
    );
  }

  #move(transaction: FakeTransaction, event: Event): void {
    transaction.status = event.status;
    transaction.statusHistory.unshift(event);
  }

  #find(id: string): FakeTransaction {
    const found = this.#transactions.find((one) => one.id === id);
    if (found === undefined) throw new Refusal('NOT_FOUND');
    return found;
  }

  #dispute(id: string): object {
    const found = this.face.disputes.get(Buffer.from(id, 'base64url').toString().replace('dispute_', ''));
    if (found === undefined) throw new Refusal('NOT_FOUND');
    return found;
  }

  #orderOf(id: string): string {
    const refund = this.#transactions.flatMap(({ refunds }) => refunds).find((one) => one.id === id);
    return refund?.orderId ?? this.#find(id).orderId;
  }

  #objectOf({ number, method, voidedAt: _, ...transaction }: FakeTransaction): object {
    const { brandCode, last4 } = facts(number);
    const paymentMethod = method === null || !this.#methods.has(method) ? null : methodOf(method, number);
    const snapshot = { creditCard: { brandCode, last4 } };
    return structuredClone({ ...transaction, paymentMethodSnapshot: snapshot, paymentMethod });
  }
}
