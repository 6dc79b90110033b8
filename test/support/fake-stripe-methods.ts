/** Payment methods, customers and tokens of the fake Stripe (docs.stripe.com/api/payment_methods). */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { AUTHENTICATION_FAILURE, declineError, missing, ok, StripeRefusal, stripeId } from './fake-stripe-answers.ts';
import { stripeCards } from './fake-stripe-cards.ts';
import {
  isWithin,
  type LIST_INTENTS,
  type NEW_INTENT,
  type NEW_SETUP,
  type NEW_SETUP_DRAFT,
} from './fake-stripe-requests.ts';
import type { VendorReply } from './fake-vendor-server.ts';

export interface Method {
  id: string;
  number: string;
  exp_month: number;
  exp_year: number;
  customer: string | null;
  wallet: { type: string; dynamic_last4: null } | null;
  /** Whether a payment method without a customer was charged; it can't be charged again. */
  used: boolean;
}

/** A SetupIntent (docs.stripe.com/api/setup_intents/object). */
export interface Setup {
  id: string;
  created: number;
  client_secret: string;
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled';
  next_action: { type: 'use_stripe_sdk'; use_stripe_sdk: object } | null;
  cancellation_reason: string | null;
  customer: string | null;
  payment_method: string | null;
  last_setup_error: Record<string, unknown> | null;
  metadata: Record<string, string>;
}

export class StripeMethods {
  /** By ID. */
  readonly all = new Map<string, Method>();
  /** By ID. */
  readonly setups = new Map<string, Setup>();
  readonly #customers = new Set<string>();
  readonly #tokens = new Map<string, Method>();
  readonly #violations: string[];

  constructor(violations: string[]) {
    this.#violations = violations;
  }

  /** A token or payment method, as from Stripe.js. */
  token(kind: 'tok' | 'pm' | 'ctoken', number = '4242424242424242', wallet?: string): string {
    const method = this.create(number, 12, 2049);
    if (wallet !== undefined) method.wallet = { type: wallet, dynamic_last4: null };
    if (kind === 'pm') return method.id;
    const token = stripeId(kind);
    this.#tokens.set(token, method);
    return token;
  }

  /** Returns `cus_…/pm_…` of a saved card. */
  savedCard(number: string): string {
    const method = this.create(number, 12, 2049);
    method.customer = this.newCustomer();
    return `${method.customer}/${method.id}`;
  }

  /** The payment method that a new intent charges. */
  forIntent(details: z.output<typeof NEW_INTENT>): Method {
    const { payment_method_data: data, payment_method: of, confirmation_token: token } = details;
    if (data !== undefined) {
      if ('token' in data.card) return this.ofToken(data.card.token);
      if (details.payment_method_options?.card.moto !== 'true') this.#violations.push('a keyed card without moto');
      return this.create(data.card.number, data.card.exp_month, data.card.exp_year);
    }
    if (token !== undefined) return this.ofToken(token);
    const method = this.all.get(of ?? '');
    if (method === undefined) throw missing(of ?? '', 'payment_method');
    if (method.customer !== null && method.customer !== details.customer) {
      throw new StripeRefusal(400, { param: 'payment_method', message: 'The payment method belongs to a Customer.' });
    }
    if (method.customer === null && (method.used || details.off_session === 'true')) {
      throw new StripeRefusal(400, { param: 'payment_method', message: 'This PaymentMethod may not be used again.' });
    }
    return method;
  }

  ofToken(token: string): Method {
    const method = this.#tokens.get(token);
    if (method === undefined) throw missing(token, token.startsWith('tok_') ? 'source' : 'confirmation_token');
    this.#tokens.delete(token);
    return method;
  }

  setUp(details: z.output<typeof NEW_SETUP>): VendorReply {
    const { payment_method: of = '', confirmation_token: token } = details;
    const method = token === undefined ? this.all.get(of) : this.ofToken(token);
    if (method === undefined) throw missing(of);
    if (!this.#customers.has(details.customer)) throw missing(details.customer);
    const { asks, fault } = stripeCards(method.number);
    if (fault?.taken === false) return { status: 0, body: {}, fault: fault.kind };
    const setup = this.#newSetup(details.metadata);
    setup.customer = details.customer;
    setup.payment_method = method.id;
    if (asks && details.payment_method_options === undefined) {
      if (details.use_stripe_sdk !== 'true') this.#violations.push('neither use_stripe_sdk nor a return_url');
      setup.status = 'requires_action';
      setup.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } };
      return ok(this.#setupObject(setup));
    }
    if (!this.#finishSetup(setup, method)) {
      return { status: 402, body: { error: { ...setup.last_setup_error, setup_intent: this.#setupObject(setup) } } };
    }
    return { ...ok(this.#setupObject(setup)), ...(fault !== undefined && { fault: fault.kind }) };
  }

  /** @returns false if the bank declines */
  #finishSetup(setup: Setup, method: Method): boolean {
    const { outcome } = stripeCards(method.number);
    setup.next_action = null;
    setup.status = outcome === 'approved' ? 'succeeded' : 'requires_payment_method';
    if (outcome === 'approved') method.customer = setup.customer;
    else [setup.payment_method, setup.last_setup_error] = [null, declineError(outcome)];
    return outcome === 'approved';
  }

  /** Stripe.js ends its dialog. Once the payer has authenticated, Stripe completes the SetupIntent by itself. */
  endSetupDialog(setup: Setup, result: 'done' | 'refused'): void {
    const method = this.all.get(setup.payment_method ?? '');
    if (setup.status !== 'requires_action' || method === undefined)
      throw new Error(`Stripe.js throws: ${setup.status}`);
    if (result === 'done') {
      this.#finishSetup(setup, method);
      return;
    }
    setup.next_action = null;
    setup.status = 'requires_payment_method';
    setup.payment_method = null;
    setup.last_setup_error = { ...AUTHENTICATION_FAILURE, code: 'setup_intent_authentication_failure' };
  }

  readSetup(of: string): VendorReply {
    const setup = this.setups.get(of);
    if (setup === undefined) throw missing(of);
    return ok(this.#setupObject(setup));
  }

  draftSetup({ metadata }: z.output<typeof NEW_SETUP_DRAFT>): VendorReply {
    return ok(this.#setupObject(this.#newSetup(metadata)));
  }

  cancelSetup(of: string): VendorReply {
    const setup = this.setups.get(of);
    if (setup === undefined) throw missing(of);
    if (setup.status === 'succeeded' || setup.status === 'canceled') {
      throw new StripeRefusal(400, { code: 'setup_intent_unexpected_state', message: setup.status });
    }
    setup.status = 'canceled';
    setup.next_action = null;
    setup.cancellation_reason = 'abandoned';
    return ok(this.#setupObject(setup));
  }

  listSetups({ created, limit, starting_after: after }: z.output<typeof LIST_INTENTS>): VendorReply {
    const newestFirst = [...this.setups.values()].reverse();
    const start = after === undefined ? 0 : newestFirst.findIndex((setup) => setup.id === after) + 1;
    const fitting = newestFirst
      .slice(start)
      .filter((setup) => created === undefined || isWithin(setup.created, created));
    const data = fitting.slice(0, limit).map((setup) => this.#setupObject(setup));
    return ok({ object: 'list', url: '/v1/setup_intents', has_more: fitting.length > limit, data });
  }

  #newSetup(metadata: Record<string, string>): Setup {
    const id = stripeId('seti');
    const setup: Setup = {
      id,
      client_secret: stripeId(`${id}_secret`),
      next_action: null,
      cancellation_reason: null,
      created: Math.floor(Date.now() / 1_000),
      status: 'requires_payment_method',
      customer: null,
      payment_method: null,
      last_setup_error: null,
      metadata,
    };
    this.setups.set(setup.id, setup);
    return setup;
  }

  #setupObject(setup: Setup) {
    const method = setup.payment_method === null ? undefined : this.all.get(setup.payment_method);
    const payment_method = method === undefined ? null : methodObject(method);
    return { ...setup, object: 'setup_intent', usage: 'off_session', payment_method };
  }

  detach(of: string): VendorReply {
    const method = this.all.get(of);
    if (method === undefined) throw missing(of);
    if (method.customer === null) {
      throw new StripeRefusal(400, { message: 'The payment method you provided is not attached to a customer.' });
    }
    method.customer = null;
    method.used = true;
    return ok(methodObject(method));
  }

  create(number: string, month: number, year: number): Method {
    const method = {
      id: stripeId('pm'),
      number,
      exp_month: month,
      exp_year: year,
      customer: null,
      wallet: null,
      used: false,
    };
    this.all.set(method.id, method);
    return method;
  }

  newCustomer(): string {
    const customer = stripeId('cus');
    this.#customers.add(customer);
    return customer;
  }
}

export function methodObject({ number, customer, wallet, ...method }: Method) {
  const { id: of, exp_month, exp_year } = method;
  return {
    id: of,
    object: 'payment_method',
    type: 'card',
    livemode: false,
    customer,
    card: {
      brand: stripeCards(number).brand,
      last4: number.slice(-4),
      exp_month,
      exp_year,
      // "Uniquely identifies this particular card number" (PaymentMethod.card.fingerprint).
      fingerprint: createHash('sha256').update(number).digest('base64url').slice(0, 16),
      wallet,
      funding: 'credit',
    },
  };
}
