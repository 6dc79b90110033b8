/**
 * A fake Stripe API: form-encoded requests, JSON answers, API keys, idempotency keys, errors. Objects have the fields
 * of the published OpenAPI fixtures (github.com/stripe/openapi) that the product may read. A request that Stripe would
 * not accept is refused with Stripe's error and recorded in `violations`.
 */
import { z } from 'zod';
import { missing, ok, StripeRefusal } from './fake-stripe-answers.ts';
import { type Domain, StripeDomains } from './fake-stripe-domains.ts';
import { cancelIntent, captureIntent, endDialog, type Intent } from './fake-stripe-intents.ts';
import { type Method, methodObject, type Setup, StripeMethods } from './fake-stripe-methods.ts';
import { StripePayments } from './fake-stripe-payments.ts';
import { listSince, listTransactions, type Payout } from './fake-stripe-payouts.ts';
import { type Refund, refundObject, StripeRefunds } from './fake-stripe-refunds.ts';
import {
  CANCEL_INTENT,
  CAPTURE_INTENT,
  CONFIRM_INTENT,
  hasField,
  LIST_DOMAINS,
  LIST_INTENTS,
  LIST_REFUNDS,
  LIST_SINCE,
  LIST_TRANSACTIONS,
  NEW_CUSTOMER,
  NEW_DOMAIN,
  NEW_DRAFT,
  NEW_INTENT,
  NEW_METHOD,
  NEW_REFUND,
  NEW_SETUP,
  NEW_SETUP_DRAFT,
  parseForm,
  SEARCH_INTENTS,
  VALIDATE_DOMAIN,
} from './fake-stripe-requests.ts';
import { type FakeVendor, startFakeVendorServer, type VendorReply, type VendorRequest } from './fake-vendor-server.ts';

export const SECRET_KEY = 'sk_test_51StandIn0000000000000000';
/**
 * A restricted key with all permissions for payments. Stripe has no permission with which such a key can read its
 * account.
 */
export const RESTRICTED_KEY = 'rk_test_51StandIn0000000000000000';
/** A restricted key without permissions. */
export const USELESS_KEY = 'rk_test_51Useless0000000000000000';
const API_VERSION = '2026-10-28.endive';

export interface FakeStripe extends FakeVendor {
  domains: Domain[];
  /** Whether Apple verifies a host as soon as it is registered; otherwise when it is validated again. */
  validatesAtOnce: boolean;
  intents: Map<string, Intent>;
  methods: Map<string, Method>;
  setups: Map<string, Setup>;
  refunds: Refund[];
  /** As docs.stripe.com/api/payouts/object has them, by ID, and the balance transactions of each. */
  payouts: Map<string, Payout>;
  /** As docs.stripe.com/api/disputes/object has them, by ID. */
  disputes: Map<string, object>;
  /** The account of the keys. */
  accountId: string;
  /** Whether the account can accept payments. */
  chargesEnabled: boolean;
  /** Whether Stripe has enabled MOTO payments, and card numbers sent to its API, for the account. */
  takesMoto: boolean;
  takesCardNumbers: boolean;
  /** A token or payment method, as from Stripe.js. */
  token(kind: 'tok' | 'pm' | 'ctoken', number?: string, wallet?: string): string;
  /** Returns `cus_…/pm_…` of a saved card. */
  savedCard(number: string): string;
  /** The payer of this charge ends the dialog of Stripe.js. */
  endDialog(chargeId: string, result: 'done' | 'refused'): void;
  /** Stripe cancels a hold that was not captured in time. */
  expireHold(paymentIntent: string): void;
  /** A user refunds a payment in Stripe's dashboard. */
  /** @returns the refund's ID */
  refundInDashboard(paymentIntent: string, amount: number): string;
  /** Forgets all idempotency keys, as Stripe does after at least a day. */
  forgetKeys(): void;
  /** Search finds no objects of the last hour, as in an outage (docs.stripe.com/api/payment_intents/search). */
  searchLags: boolean;
  /** The bank asks the payer of this charge once more at the next confirmation. */
  asksAgain(chargeId: string): void;
}

export async function startFakeStripe(): Promise<FakeStripe> {
  const books = new Books();
  const server = await startFakeVendorServer((request) => books.answer(request));
  return Object.assign(books.face, server);
}

class Books {
  readonly #violations: string[] = [];
  readonly #methods = new StripeMethods(this.#violations);
  readonly #payments = new StripePayments(this.#methods, this.#violations);
  readonly #refunds = new StripeRefunds(this.#payments.all);
  readonly #domains = new StripeDomains();
  readonly #answered = new Map<string, { details: string; reply: VendorReply }>();
  readonly face;

  constructor() {
    this.face = {
      intents: this.#payments.all,
      methods: this.#methods.all,
      setups: this.#methods.setups,
      refunds: this.#refunds.all,
      disputes: new Map<string, object>(),
      payouts: new Map<string, Payout>(),
      domains: this.#domains.all,
      validatesAtOnce: true,
      violations: this.#violations,
      accountId: 'acct_1StandIn',
      chargesEnabled: true,
      takesMoto: true,
      takesCardNumbers: true,
      searchLags: false,
      refundInDashboard: (of: string, amount: number) => {
        this.#refunds.create({ payment_intent: of, amount, metadata: {} });
        return this.#refunds.all.at(-1)?.id ?? '';
      },
      expireHold: (of: string) => cancelIntent(this.#payments.intent(of), 'automatic'),
      forgetKeys: () => this.#answered.clear(),
      token: this.#methods.token.bind(this.#methods),
      savedCard: this.#methods.savedCard.bind(this.#methods),
      endDialog: (chargeId: string, result: 'done' | 'refused') => {
        for (const intent of this.#payments.intentsOf(chargeId)) endDialog(intent, result);
        for (const setup of this.#setupsOf(chargeId)) this.#methods.endSetupDialog(setup, result);
      },
      asksAgain: (chargeId: string) => this.#payments.asksAgain.add(chargeId),
      countPayments: (chargeId: string) => this.#payments.intentsOf(chargeId).length + this.#setupsOf(chargeId).length,
    };
  }

  #setupsOf(chargeId: string): Setup[] {
    return [...this.#methods.setups.values()].filter(({ metadata }) => metadata.ringkey_charge === chargeId);
  }

  answer(request: VendorRequest): VendorReply {
    try {
      this.#checkHeaders(request);
      if (request.method !== 'POST') return this.#read(request);
      return this.#once(request);
    } catch (error) {
      return this.#refusal(error);
    }
  }

  #refusal(error: unknown): VendorReply {
    if (error instanceof StripeRefusal) return error.reply;
    if (!(error instanceof z.ZodError)) throw error;
    this.#violations.push(JSON.stringify(error.issues));
    const param = String(error.issues[0]?.path[0] ?? '');
    return new StripeRefusal(400, { code: 'parameter_unknown', param, message: `Received unknown parameter: ${param}` })
      .reply;
  }

  #checkHeaders({ method, path, headers, body }: VendorRequest): void {
    const key = String(headers.authorization).replace(/^Bearer /, '');
    if (![SECRET_KEY, RESTRICTED_KEY, USELESS_KEY].includes(key)) {
      throw new StripeRefusal(401, { message: 'Invalid API Key provided' });
    }
    if (key === USELESS_KEY || (key === RESTRICTED_KEY && path === '/v1/account')) {
      throw new StripeRefusal(403, { message: 'The provided key does not have the required permissions.' });
    }
    const wrong = [
      headers['stripe-version'] === API_VERSION ? null : 'stripe-version',
      headers['x-stripe-client-telemetry'] === undefined ? null : 'telemetry',
      method !== 'POST' || body === '' || headers['content-type'] === 'application/x-www-form-urlencoded'
        ? null
        : 'type',
      method !== 'POST' || headers['idempotency-key'] !== undefined ? null : 'idempotency-key',
    ].filter((name) => name !== null);
    if (wrong.length > 0) this.#violations.push(`headers: ${wrong.join()}`);
  }

  /**
   * Repeats the first answer to an idempotency key. Different details are an error
   * (docs.stripe.com/api/idempotent_requests).
   */
  #once(request: VendorRequest): VendorReply {
    const key = String(request.headers['idempotency-key']);
    const details = `${request.path}?${request.body}`;
    const earlier = this.#answered.get(key);
    if (earlier === undefined) {
      const reply = this.#execute(request, (done) => this.#answered.set(key, { details, reply: done }));
      return reply;
    }
    if (earlier.details === details) return { ...earlier.reply, headers: { 'idempotent-replayed': 'true' } };
    throw new StripeRefusal(400, {
      type: 'idempotency_error',
      message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
    });
  }

  #execute(request: VendorRequest, keep: (reply: VendorReply) => void): VendorReply {
    const params = parseForm(request.body);
    const create = this.#prepare(request.path, params);
    let reply: VendorReply;
    try {
      reply = create();
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      reply = error.reply;
    }
    if (reply.fault !== 'hang' || reply.status !== 0) keep(reply);
    return reply;
  }

  /** Validates the request before it is executed. */
  #prepare(path: string, params: unknown): () => VendorReply {
    const detach = /^\/v1\/payment_methods\/(\w+)\/detach$/.exec(path)?.[1];
    if (detach !== undefined) return () => this.#methods.detach(detach);
    const validated = /^\/v1\/payment_method_domains\/(\w+)\/validate$/.exec(path)?.[1];
    if (validated !== undefined) {
      VALIDATE_DOMAIN.parse(params);
      return () => this.#domains.validate(validated);
    }
    const canceled = /^\/v1\/payment_intents\/(\w+)\/cancel$/.exec(path)?.[1];
    if (canceled !== undefined) {
      const { cancellation_reason: reason } = CANCEL_INTENT.parse(params);
      return () => this.#payments.change(canceled, (intent) => cancelIntent(intent, reason));
    }
    const canceledSetup = /^\/v1\/setup_intents\/(\w+)\/cancel$/.exec(path)?.[1];
    if (canceledSetup !== undefined) {
      CANCEL_INTENT.parse(params);
      return () => this.#methods.cancelSetup(canceledSetup);
    }
    const captured = /^\/v1\/payment_intents\/(\w+)\/capture$/.exec(path)?.[1];
    if (captured !== undefined) {
      const { amount_to_capture: amount } = CAPTURE_INTENT.parse(params);
      return () =>
        this.#payments.change(captured, (intent) => captureIntent(intent, amount ?? intent.amount_capturable));
    }
    const confirmed = /^\/v1\/payment_intents\/(\w+)\/confirm$/.exec(path)?.[1];
    if (confirmed !== undefined) {
      CONFIRM_INTENT.parse(params);
      return () => this.#payments.confirm(confirmed);
    }
    switch (path) {
      case '/v1/payment_intents': {
        if (!hasField(params, 'confirm')) {
          const draft = NEW_DRAFT.parse(params);
          this.#checkAccess(draft);
          return () => this.#payments.newDraft(draft);
        }
        const details = NEW_INTENT.parse(params);
        this.#checkAccess(details);
        return () => this.#payments.newIntent(details);
      }
      case '/v1/customers':
        NEW_CUSTOMER.parse(params);
        return () => ok({ id: this.#methods.newCustomer(), object: 'customer', livemode: false });
      case '/v1/payment_methods': {
        const { card } = NEW_METHOD.parse(params);
        if ('token' in card) return () => ok(methodObject(this.#methods.ofToken(card.token)));
        this.#checkNumberAccess();
        return () => ok(methodObject(this.#methods.create(card.number, card.exp_month, card.exp_year)));
      }
      case '/v1/setup_intents': {
        if (!hasField(params, 'confirm')) {
          const draft = NEW_SETUP_DRAFT.parse(params);
          return () => this.#methods.draftSetup(draft);
        }
        const details = NEW_SETUP.parse(params);
        this.#checkAccess(details);
        return () => this.#methods.setUp(details);
      }
      case '/v1/payment_method_domains': {
        const { domain_name } = NEW_DOMAIN.parse(params);
        return () => this.#domains.create(domain_name, this.face.validatesAtOnce);
      }
      case '/v1/refunds': {
        const details = NEW_REFUND.parse(params);
        return () => this.#refunds.create(details);
      }
      default:
        throw new StripeRefusal(404, { message: `Unrecognized request URL (POST: ${path})` });
    }
  }

  #read({ path, query }: VendorRequest): VendorReply {
    const params = parseForm(query.toString());
    if (path === '/v1/account') {
      return ok({ id: this.face.accountId, object: 'account', charges_enabled: this.face.chargesEnabled });
    }
    if (path === '/v1/payment_intents/search')
      return this.#payments.search(SEARCH_INTENTS.parse(params), this.face.searchLags);
    if (path === '/v1/payment_intents') return this.#payments.list(LIST_INTENTS.parse(params));
    if (path === '/v1/setup_intents') return this.#methods.listSetups(LIST_INTENTS.parse(params));
    if (path === '/v1/refunds') {
      return this.#refunds.list(LIST_REFUNDS.parse(params), (intent) => this.#payments.intentObject(intent));
    }
    if (path === '/v1/payment_method_domains') {
      return this.#domains.list(LIST_DOMAINS.parse(params));
    }
    const [, , kind, of = ''] = path.split('/');
    const refund = kind === 'refunds' ? this.#refunds.all.find((candidate) => candidate.id === of) : undefined;
    if (refund !== undefined) return ok(refundObject(refund));
    if (path === '/v1/disputes') return listSince(path, [...this.face.disputes.values()], LIST_SINCE.parse(params));
    if (path === '/v1/payouts') {
      const all = [...this.face.payouts.values()].map(({ payout }) => payout);
      return listSince(path, all, LIST_SINCE.parse(params));
    }
    if (path === '/v1/balance_transactions')
      return listTransactions(this.face.payouts, LIST_TRANSACTIONS.parse(params));
    const payout = kind === 'payouts' ? this.face.payouts.get(of) : undefined;
    if (payout !== undefined) return ok(payout.payout);
    const dispute = kind === 'disputes' ? this.face.disputes.get(of) : undefined;
    if (dispute !== undefined) return ok(dispute);
    if (kind === 'setup_intents') return this.#methods.readSetup(of);
    const intent = kind === 'payment_intents' ? this.#payments.all.get(of) : undefined;
    if (intent !== undefined) return ok(this.#payments.intentObject(intent));
    const method = kind === 'payment_methods' ? this.#methods.all.get(of) : undefined;
    if (method !== undefined) return ok(methodObject(method));
    throw missing(of);
  }

  /** Checks what Stripe must enable for an account: MOTO payments, and card numbers sent to its API. */
  #checkAccess(
    details: Partial<Pick<z.output<typeof NEW_INTENT>, 'payment_method_options' | 'payment_method_data'>>,
  ): void {
    const { payment_method_options: options, payment_method_data: data } = details;
    if (options !== undefined && !this.face.takesMoto) {
      const param = 'payment_method_options[card][moto]';
      throw new StripeRefusal(400, {
        code: 'parameter_unknown',
        param,
        message: `Received unknown parameter: ${param}`,
      });
    }
    if (data !== undefined && 'number' in data.card) this.#checkNumberAccess();
  }

  #checkNumberAccess(): void {
    if (!this.face.takesCardNumbers) {
      throw new StripeRefusal(402, { message: 'Sending credit card numbers directly to the Stripe API is unsafe.' });
    }
  }
}
