/**
 * A fake Braintree GraphQL API: single-use and vaulted payment methods, transactions and refunds (inputs and types:
 * github.com/braintree/graphql-api, schema.graphql; errors: developer.paypal.com/braintree/graphql/guides). A second transaction with
 * the order ID, amount and card of an approved one is rejected as its duplicate (…/articles/control-panel/transactions/
 * duplicate-checking). A request that Braintree would not accept is refused and recorded in `violations`.
 */
import { z } from 'zod';
import {
  type FakeVendor,
  type Fault,
  startFakeVendorServer,
  type VendorReply,
  type VendorRequest,
} from './fake-vendor-server.ts';

export const PUBLIC_KEY = 'v4ndq314c2s5c28r';
export const PRIVATE_KEY = '93b78bc88be90d93ac282e50ae569fdd';
export const MERCHANT_ACCOUNT = 'ringkey_usd';
export const MERCHANT = 'bWVyY2hhbnRfa2p0';

/** Test numbers and amounts of Braintree's sandbox decline by amount. The fake declines by number. */
export const CARDS = {
  good: '4111111111111111',
  noMoney: '4000111111111115',
  unanswered: '4005519200000004',
  lost: '4009348888881881',
  broken: '4012000033330026',
} as const;

const DECLINES: Readonly<Record<string, string>> = {
  [CARDS.noMoney]: '2001',
  '4012000077777777': '2000',
  '4217651111111119': '2004',
};

interface Event {
  status: string;
  authorizationExpiresAt?: string;
  processorResponse?: { legacyCode: string };
  gatewayRejectionReason?: string;
  duplicateOf?: { id: string } | null;
}

interface Refund {
  id: string;
  orderId: string;
  status: string;
  createdAt: string;
  amount: { value: string; currencyCode: string };
}

export interface FakeTransaction {
  id: string;
  orderId: string;
  status: string;
  createdAt: string;
  amount: { value: string; currencyCode: string };
  number: string;
  voidedAt: string | null;
  method: string | null;
  statusHistory: Event[];
  refunds: Refund[];
}

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

/** An error of the whole operation. */
class Refusal extends Error {
  readonly errorClass: string;
  readonly legacyCode: string | undefined;
  constructor(errorClass: string, legacyCode?: string) {
    super(errorClass);
    this.errorClass = errorClass;
    this.legacyCode = legacyCode;
  }
}

/** @param settlesAtOnce otherwise `settle` has to be called */
export async function startFakeBraintree({ settlesAtOnce = true } = {}): Promise<FakeBraintree> {
  const books = new Books(settlesAtOnce);
  const server = await startFakeVendorServer((request) => books.answer(request));
  return Object.assign(books.face, server);
}

const amount = z.string().regex(/^\d+\.\d\d$/);
const TOKENIZE = z.strictObject({
  creditCard: z.strictObject({
    number: z.string().regex(/^\d{12,19}$/),
    expirationMonth: z.string().regex(/^(0[1-9]|1[0-2])$/),
    expirationYear: z.string().regex(/^20\d\d$/),
    cvv: z.string().regex(/^\d{3,4}$/),
    billingAddress: z.strictObject({ postalCode: z.string().max(9) }).optional(),
  }),
  options: z.strictObject({ validate: z.literal(true) }),
});
const NEW_TRANSACTION = z.strictObject({
  paymentMethodId: z.string(),
  transaction: z.strictObject({
    amount,
    merchantAccountId: z.literal(MERCHANT_ACCOUNT),
    orderId: z.string().max(255),
    paymentInitiator: z.enum(['MOTO', 'UNSCHEDULED']).optional(),
    vaultPaymentMethodAfterTransacting: z.strictObject({ when: z.literal('ON_SUCCESSFUL_TRANSACTION') }).optional(),
  }),
});
const CAPTURE = z.strictObject({ transactionId: z.string(), transaction: z.strictObject({ amount }) });
const REVERSE = z.strictObject({ transactionId: z.string() });
const REFUND = z.strictObject({
  transactionId: z.string(),
  refund: z.strictObject({ amount, orderId: z.string().max(255) }),
});
const VAULT = z.strictObject({
  paymentMethodId: z.string(),
  verification: z.strictObject({ merchantAccountId: z.literal(MERCHANT_ACCOUNT) }),
});
const NEW_CUSTOMER = z.strictObject({ customer: z.strictObject({ company: z.string().max(255) }) });
const VERIFY = VAULT.extend({ customerId: z.string() });
const FIND_CUSTOMER = z.strictObject({ company: z.strictObject({ is: z.string() }) });
const LEGACY_TYPE = z.enum(['DISPUTE', 'REFUND', 'TRANSACTION']);
const LEGACY_IDS = z.strictObject({
  ids: z
    .array(z.strictObject({ legacyId: z.string().min(1), type: LEGACY_TYPE }))
    .min(1)
    .max(50),
});
const FIND_DISPUTES = z.strictObject({
  effectiveDate: z.strictObject({ greaterThanOrEqualTo: z.iso.date() }),
  transaction: z.strictObject({ merchantAccountId: z.strictObject({ is: z.literal(MERCHANT_ACCOUNT) }) }),
});
const DELETE = z.strictObject({ paymentMethodId: z.string() });
const SEARCH = z.strictObject({
  orderId: z.strictObject({ startsWith: z.string() }).optional(),
  merchantAccountId: z.strictObject({ is: z.literal(MERCHANT_ACCOUNT) }).optional(),
  createdAt: z.strictObject({ greaterThanOrEqualTo: z.string(), lessThanOrEqualTo: z.string() }).optional(),
  statusTransition: z
    .strictObject({ voidedAt: z.strictObject({ greaterThanOrEqualTo: z.string(), lessThanOrEqualTo: z.string() }) })
    .optional(),
});
type Search = z.output<typeof SEARCH>;
const REQUEST = z.strictObject({
  query: z.string(),
  variables: z.object({ input: z.unknown().optional(), id: z.string().optional(), after: z.string().nullish() }),
});

const HOLD_MS = 7 * 86_400_000;
const TAKEN = ['SUBMITTED_FOR_SETTLEMENT', 'SETTLED'];

class Books {
  readonly #transactions: FakeTransaction[] = [];
  /** Numbers by single-use and vaulted ID. */
  readonly #singleUse = new Map<string, string>();
  readonly #settling = new Set<string>();
  readonly #vault = new Map<string, string>();
  /** Companies by customer ID, and vaulted IDs by customer ID. */
  readonly #customers = new Map<string, string>();
  readonly #cardsOf = new Map<string, string>();
  readonly #settlesAtOnce: boolean;
  #count = 0;
  readonly face;

  constructor(settlesAtOnce: boolean) {
    this.#settlesAtOnce = settlesAtOnce;
    this.face = {
      transactions: this.#transactions,
      violations: [] as string[],
      token: (number: string = CARDS.good) => this.#tokenize(number),
      savedCard: (number: string) => this.#keep(number),
      isHeld: (id: string) => this.#find(id).status === 'AUTHORIZED',
      expireHold: (id: string) => this.#move(this.#find(id), { status: 'AUTHORIZATION_EXPIRED' }),
      countPayments: (chargeId: string) =>
        this.#cardsAt(chargeId).length +
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
        return { data: { tokenizeCreditCard: { paymentMethod: { id: this.#tokenize(number) } } } };
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
        return { data: { vaultCreditCard: { paymentMethod: this.#vaulted(VAULT.parse(input).paymentMethodId) } } };
      case 'CreateCustomer': {
        const customer = this.#id('customer');
        this.#customers.set(customer, NEW_CUSTOMER.parse(input).customer.company);
        return { data: { createCustomer: { customer: { id: customer } } } };
      }
      case 'VerifyCard':
        return this.#verify(VERIFY.parse(input));
      case 'FindCard':
        return { data: { search: { customers: this.#customersAt(FIND_CUSTOMER.parse(input).company.is) } } };
      case 'DeleteCard':
        if (!this.#vault.delete(DELETE.parse(input).paymentMethodId)) throw new Refusal('NOT_FOUND');
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
    const number = this.#numberOf(paymentMethodId);
    if (number === CARDS.lost) return { transaction: null, fault: 'hang' as const };
    const { orderId } = details;
    const money = { value: details.amount, currencyCode: 'USD' };
    const first = this.#transactions.find(
      (other) => other.orderId === orderId && other.number === number && isApproved(other),
    );
    const code = DECLINES[number];
    const expiry = new Date(Date.now() + HOLD_MS).toISOString();
    const made: FakeTransaction = {
      id: this.#id('transaction'),
      orderId,
      status: '',
      createdAt: new Date().toISOString(),
      amount: money,
      number,
      voidedAt: null,
      method: this.#vault.has(paymentMethodId) ? paymentMethodId : null,
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
      if (details.vaultPaymentMethodAfterTransacting !== undefined) made.method = this.#keep(number);
    }
    const transaction = this.#objectOf(made);
    if (this.#settlesAtOnce && made.status === 'SUBMITTED_FOR_SETTLEMENT') this.#move(made, { status: 'SETTLED' });
    const fault = FAULTS[number];
    return { transaction, ...(fault !== undefined && { fault }) };
  }

  #numberOf(id: string): string {
    const saved = this.#vault.get(id);
    if (saved !== undefined) return saved;
    const number = this.#singleUse.get(id);
    if (number === undefined) throw new Refusal('VALIDATION', '91565');
    if (number === '') throw new Refusal('VALIDATION', '91564');
    this.#singleUse.set(id, '');
    return number;
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
    const id = this.#id('refund');
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
    const paymentMethod = method === null || !this.#vault.has(method) ? null : methodOf(method, number);
    const snapshot = { creditCard: { brandCode, last4 } };
    return structuredClone({ ...transaction, paymentMethodSnapshot: snapshot, paymentMethod });
  }

  #vaulted(id: string): object {
    const number = this.#numberOf(id);
    return methodOf(this.#keep(number), number);
  }

  /** The bank verifies the card before it is vaulted. */
  #verify({ paymentMethodId, customerId }: z.output<typeof VERIFY>): Answer {
    if (!this.#customers.has(customerId)) throw new Refusal('NOT_FOUND');
    const number = this.#numberOf(paymentMethodId);
    const code = DECLINES[number];
    const id = this.#id('verification');
    if (code !== undefined) {
      const verification = { id, status: 'PROCESSOR_DECLINED', processorResponse: { legacyCode: code } };
      return { data: { vaultCreditCard: { paymentMethod: null, verification } } };
    }
    const vaulted = this.#keep(number);
    this.#cardsOf.set(customerId, vaulted);
    const data = {
      vaultCreditCard: { paymentMethod: methodOf(vaulted, number), verification: { id, status: 'VERIFIED' } },
    };
    const fault = FAULTS[number];
    return { data, ...(fault !== undefined && { fault }) };
  }

  #cardsAt(company: string): string[] {
    const ours = [...this.#customers].filter(([, other]) => other === company);
    return ours.flatMap(([customer]) => this.#cardsOf.get(customer) ?? []);
  }

  #customersAt(company: string): object {
    const ours = [...this.#customers].filter(([, other]) => other === company);
    const edges = ours.map(([customer]) => {
      const card = this.#cardsOf.get(customer) ?? '';
      const number = this.#vault.get(card);
      const methods = number === undefined ? [] : [{ node: methodOf(card, number) }];
      return { node: { company, paymentMethods: { edges: methods } } };
    });
    return { edges };
  }

  #tokenize(number: string): string {
    const id = `tokencc_bh_${this.#shortId()}`;
    this.#singleUse.set(id, number);
    return id;
  }

  #keep(number: string): string {
    const id = this.#id('paymentmethod_cc');
    this.#vault.set(id, number);
    return id;
  }

  /** Braintree's IDs are Base64 of a type and a short ID, except those for a single use. */
  #id(kind: string): string {
    return Buffer.from(`${kind}_${this.#shortId()}`).toString('base64url');
  }

  #shortId(): string {
    this.#count += 1;
    return [...String(this.#count)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  }
}

const globalOf = ({ legacyId, type }: z.output<typeof LEGACY_IDS>['ids'][number]) =>
  Buffer.from(`${type.toLowerCase()}_${legacyId}`).toString('base64url');

interface Answer {
  data: object;
  fault?: Fault;
}

const FAULTS: Readonly<Record<string, Fault>> = { [CARDS.unanswered]: 'hang', [CARDS.broken]: 'html_500' };

const named = (field: string, { fault, ...payload }: { fault?: Fault; transaction: object | null }): Answer => ({
  data: { [field]: payload },
  ...(fault !== undefined && { fault }),
});

const isApproved = ({ status }: FakeTransaction) => ['AUTHORIZED', 'VOIDED', ...TAKEN].includes(status);

const facts = (number: string) => ({
  brandCode: 'VISA',
  last4: number.slice(-4),
  expirationMonth: '11',
  expirationYear: '2049',
  uniqueNumberIdentifier: `F${number.slice(-4)}`,
});

const methodOf = (id: string, number: string) => ({ id, usage: 'MULTI_USE', details: facts(number) });

function isWithin(span: { greaterThanOrEqualTo: string; lessThanOrEqualTo: string } | undefined, at: string | null) {
  if (span === undefined) return true;
  return at !== null && at >= span.greaterThanOrEqualTo && at <= span.lessThanOrEqualTo;
}

/** Two items a page, so that each list has several. */
const PAGE = 2;

function pageOf(items: readonly object[], after: string | null | undefined): object {
  // FindCharge asks for its first ten only.
  const size = after === undefined ? 10 : PAGE;
  const start = Number(after ?? 0);
  const end = start + size;
  return {
    edges: items.slice(start, end).map((node) => ({ node })),
    pageInfo: { hasNextPage: end < items.length, endCursor: String(end) },
  };
}

const ASKED = z.strictObject({ id: z.strictObject({ is: z.string() }) });

function accountsOf(input: unknown): object {
  const { is } = ASKED.parse(input).id;
  const node = { id: MERCHANT_ACCOUNT, currencyCode: 'USD', status: 'ACTIVE' };
  return { edges: is === MERCHANT_ACCOUNT ? [{ node }] : [] };
}
