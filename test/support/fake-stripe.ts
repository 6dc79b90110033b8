/**
 * A fake Stripe API: form-encoded requests, JSON answers, API keys, idempotency keys, errors. Objects have the fields
 * of the published OpenAPI fixtures (github.com/stripe/openapi) that the product may read. A request that Stripe would
 * not accept is refused with Stripe's error and recorded in `violations`.
 */
import { z } from 'zod';
import { declineError, missing, ok, StripeRefusal, unexpectedState } from './fake-stripe-answers.ts';
import { stripeCards, type TestOutcome } from './fake-stripe-cards.ts';
import { type Domain, StripeDomains } from './fake-stripe-domains.ts';
import {
  approveIntent,
  askPayer,
  cancelIntent,
  captureIntent,
  chargeObject,
  endDialog,
  type Intent,
  newIntent,
} from './fake-stripe-intents.ts';
import { type Method, methodObject, type Setup, StripeMethods } from './fake-stripe-methods.ts';
import { type Refund, refundObject, StripeRefunds } from './fake-stripe-refunds.ts';
import {
  CANCEL_INTENT,
  CAPTURE_INTENT,
  CONFIRM_INTENT,
  hasField,
  isWithin,
  LIST_DOMAINS,
  LIST_INTENTS,
  LIST_REFUNDS,
  LIST_SINCE,
  LIST_TRANSACTIONS,
  METADATA_QUERY,
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
  payouts: Map<string, { payout: object; transactions: readonly { id: string }[] }>;
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
  readonly #intents = new Map<string, Intent>();
  readonly #violations: string[] = [];
  readonly #methods = new StripeMethods(this.#violations);
  readonly #refunds = new StripeRefunds(this.#intents);
  readonly #domains = new StripeDomains();
  /** Charge IDs. */
  readonly #asksAgain = new Set<string>();
  readonly #answered = new Map<string, { details: string; reply: VendorReply }>();
  readonly face;

  constructor() {
    this.face = {
      intents: this.#intents,
      methods: this.#methods.all,
      setups: this.#methods.setups,
      refunds: this.#refunds.all,
      disputes: new Map<string, object>(),
      payouts: new Map<string, { payout: object; transactions: readonly { id: string }[] }>(),
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
      expireHold: (of: string) => cancelIntent(this.#intent(of), 'automatic'),
      forgetKeys: () => this.#answered.clear(),
      token: this.#methods.token.bind(this.#methods),
      savedCard: this.#methods.savedCard.bind(this.#methods),
      endDialog: (chargeId: string, result: 'done' | 'refused') => {
        for (const intent of this.#intentsOf(chargeId)) endDialog(intent, result);
        for (const setup of this.#setupsOf(chargeId)) this.#methods.endSetupDialog(setup, result);
      },
      asksAgain: (chargeId: string) => this.#asksAgain.add(chargeId),
      countPayments: (chargeId: string) => this.#intentsOf(chargeId).length + this.#setupsOf(chargeId).length,
    };
  }

  #intentsOf(chargeId: string): Intent[] {
    return [...this.#intents.values()].filter(({ metadata }) => metadata.ringkey_charge === chargeId);
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
      return () => this.#change(canceled, (intent) => cancelIntent(intent, reason));
    }
    const canceledSetup = /^\/v1\/setup_intents\/(\w+)\/cancel$/.exec(path)?.[1];
    if (canceledSetup !== undefined) {
      CANCEL_INTENT.parse(params);
      return () => this.#methods.cancelSetup(canceledSetup);
    }
    const captured = /^\/v1\/payment_intents\/(\w+)\/capture$/.exec(path)?.[1];
    if (captured !== undefined) {
      const { amount_to_capture: amount } = CAPTURE_INTENT.parse(params);
      return () => this.#change(captured, (intent) => captureIntent(intent, amount ?? intent.amount_capturable));
    }
    const confirmed = /^\/v1\/payment_intents\/(\w+)\/confirm$/.exec(path)?.[1];
    if (confirmed !== undefined) {
      CONFIRM_INTENT.parse(params);
      return () => this.#confirm(confirmed);
    }
    switch (path) {
      case '/v1/payment_intents': {
        if (!hasField(params, 'confirm')) {
          const draft = NEW_DRAFT.parse(params);
          this.#checkAccess(draft);
          return () => this.#newDraft(draft);
        }
        const details = NEW_INTENT.parse(params);
        this.#checkAccess(details);
        return () => this.#newIntent(details);
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
    if (path === '/v1/payment_intents/search') return this.#search(SEARCH_INTENTS.parse(params));
    if (path === '/v1/payment_intents') return this.#list(LIST_INTENTS.parse(params));
    if (path === '/v1/setup_intents') return this.#methods.listSetups(LIST_INTENTS.parse(params));
    if (path === '/v1/refunds') {
      return this.#refunds.list(LIST_REFUNDS.parse(params), (intent) => this.#intentObject(intent));
    }
    if (path === '/v1/payment_method_domains') {
      return this.#domains.list(LIST_DOMAINS.parse(params));
    }
    const [, , kind, of = ''] = path.split('/');
    const refund = kind === 'refunds' ? this.#refunds.all.find((candidate) => candidate.id === of) : undefined;
    if (refund !== undefined) return ok(refundObject(refund));
    if (path === '/v1/disputes')
      return this.#listSince(path, [...this.face.disputes.values()], LIST_SINCE.parse(params));
    if (path === '/v1/payouts') {
      const all = [...this.face.payouts.values()].map(({ payout }) => payout);
      return this.#listSince(path, all, LIST_SINCE.parse(params));
    }
    if (path === '/v1/balance_transactions') return this.#listTransactions(LIST_TRANSACTIONS.parse(params));
    const payout = kind === 'payouts' ? this.face.payouts.get(of) : undefined;
    if (payout !== undefined) return ok(payout.payout);
    const dispute = kind === 'disputes' ? this.face.disputes.get(of) : undefined;
    if (dispute !== undefined) return ok(dispute);
    if (kind === 'setup_intents') return this.#methods.readSetup(of);
    const intent = kind === 'payment_intents' ? this.#intents.get(of) : undefined;
    if (intent !== undefined) return ok(this.#intentObject(intent));
    const method = kind === 'payment_methods' ? this.#methods.all.get(of) : undefined;
    if (method !== undefined) return ok(methodObject(method));
    throw missing(of);
  }

  #listSince(
    url: string,
    all: readonly object[],
    { created: { gte }, limit, starting_after: after }: z.output<typeof LIST_SINCE>,
  ): VendorReply {
    const recent = (all as { id: string; created: number }[]).filter(({ created }) => created >= gte);
    const rest = recent.slice(after === undefined ? 0 : recent.findIndex(({ id }) => id === after) + 1);
    return ok({ object: 'list', url, has_more: rest.length > limit, data: rest.slice(0, limit) });
  }

  /** Pages of one payout (docs.stripe.com/api/balance_transactions/list). */
  #listTransactions({ payout, limit, starting_after: after }: z.output<typeof LIST_TRANSACTIONS>): VendorReply {
    const all = this.face.payouts.get(payout)?.transactions ?? [];
    const rest = all.slice(after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1);
    const list = { object: 'list', url: '/v1/balance_transactions', has_more: rest.length > limit };
    return ok({ ...list, data: rest.slice(0, limit) });
  }

  /**
   * Searches by one key of the metadata. New data is searchable after a minute (docs.stripe.com/search#data-freshness).
   */
  #search({ query }: z.output<typeof SEARCH_INTENTS>): VendorReply {
    const [, name = '', value] = METADATA_QUERY.exec(query) ?? [];
    const newest = Date.now() / 1_000 - (this.face.searchLags ? 3_600 : 60);
    const found = [...this.#intents.values()].filter(
      ({ metadata, created }) => metadata[name] === value && created <= newest,
    );
    const data = found.map((intent) => this.#intentObject(intent));
    return ok({ object: 'search_result', url: '/v1/payment_intents/search', has_more: false, data });
  }

  #list({ created, limit, starting_after: after }: z.output<typeof LIST_INTENTS>): VendorReply {
    const newestFirst = [...this.#intents.values()].reverse();
    const start = after === undefined ? 0 : newestFirst.findIndex((intent) => intent.id === after) + 1;
    const fitting = newestFirst
      .slice(start)
      .filter((intent) => created === undefined || isWithin(intent.created, created));
    const data = fitting.slice(0, limit).map((intent) => this.#intentObject(intent));
    return ok({ object: 'list', url: '/v1/payment_intents', has_more: fitting.length > limit, data });
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

  #newDraft(details: z.output<typeof NEW_DRAFT>): VendorReply {
    const intent = newIntent(details);
    this.#intents.set(intent.id, intent);
    return ok(this.#intentObject(intent));
  }

  #intent(of: string): Intent {
    const intent = this.#intents.get(of);
    if (intent === undefined) throw missing(of);
    return intent;
  }

  #change(of: string, change: (intent: Intent) => void): VendorReply {
    const intent = this.#intent(of);
    change(intent);
    return ok(this.#intentObject(intent));
  }

  #newIntent(details: z.output<typeof NEW_INTENT>): VendorReply {
    const method = this.#methods.forIntent(details);
    const card = stripeCards(method.number);
    if (card.fault?.taken === false) return { status: 0, body: {}, fault: card.fault.kind };
    const intent = newIntent(details);
    intent.customer = details.customer ?? null;
    intent.confirmation_method = details.confirmation_method ?? 'automatic';
    intent.setup_future_usage = details.setup_future_usage ?? null;
    intent.capture_method = details.capture_method ?? 'automatic';
    if (details.payment_method_options?.card.moto === 'true') intent.payment_method_options = { card: { moto: true } };
    this.#intents.set(intent.id, intent);
    if (!card.asks || details.payment_method_options !== undefined) return this.#take(intent, method);
    if (details.off_session === 'true' || details.error_on_requires_action === 'true') {
      return this.#declined(intent, 'authentication_required');
    }
    if (details.use_stripe_sdk !== 'true') this.#violations.push('neither use_stripe_sdk nor a return_url');
    askPayer(intent, method.id);
    return ok(this.#intentObject(intent));
  }

  #confirm(of: string): VendorReply {
    const intent = this.#intent(of);
    const method = this.#methods.all.get(intent.payment_method ?? '');
    if (intent.status !== 'requires_confirmation' || method === undefined) throw unexpectedState(intent.status);
    if (!this.#asksAgain.delete(intent.metadata.ringkey_charge ?? '')) return this.#take(intent, method);
    askPayer(intent, method.id);
    return ok(this.#intentObject(intent));
  }

  /** Attempts the payment. */
  #take(intent: Intent, method: Method): VendorReply {
    const { outcome, fault } = stripeCards(method.number);
    if (outcome !== 'approved') return this.#declined(intent, outcome);
    approveIntent(intent);
    intent.payment_method = method.id;
    if (intent.setup_future_usage !== null) method.customer = intent.customer;
    method.used = true;
    return { ...ok(this.#intentObject(intent)), ...(fault !== undefined && { fault: fault.kind }) };
  }

  #declined(intent: Intent, outcome: TestOutcome): VendorReply {
    const error = declineError(outcome);
    intent.status = 'requires_payment_method';
    intent.payment_method = null;
    intent.last_payment_error = error;
    return { status: 402, body: { error: { ...error, payment_intent: this.#intentObject(intent) } } };
  }

  #intentObject({ refunded: _, ...intent }: Intent) {
    const method = intent.payment_method === null ? null : this.#methods.all.get(intent.payment_method);
    return {
      ...intent,
      object: 'payment_intent',
      livemode: false,
      payment_method_types: ['card'],
      payment_method: method == null ? null : methodObject(method),
      latest_charge: method == null ? null : chargeObject(intent),
    };
  }
}
