/** Payments of the fake Stripe: how a PaymentIntent is created, confirmed, changed and listed. */
import type { z } from 'zod';
import { declineError, missing, ok, unexpectedState } from './fake-stripe-answers.ts';
import { stripeCards, type TestOutcome } from './fake-stripe-cards.ts';
import { approveIntent, askPayer, chargeObject, type Intent, newIntent } from './fake-stripe-intents.ts';
import { type Method, methodObject, type StripeMethods } from './fake-stripe-methods.ts';
import {
  isWithin,
  type LIST_INTENTS,
  METADATA_QUERY,
  type NEW_DRAFT,
  type NEW_INTENT,
  type SEARCH_INTENTS,
} from './fake-stripe-requests.ts';
import type { VendorReply } from './fake-vendor-server.ts';

export class StripePayments {
  readonly all = new Map<string, Intent>();
  readonly #methods: StripeMethods;
  readonly #violations: string[];
  /** IDs of charges whose payer is asked once more. */
  readonly asksAgain = new Set<string>();

  constructor(methods: StripeMethods, violations: string[]) {
    this.#methods = methods;
    this.#violations = violations;
  }

  intentsOf(chargeId: string): Intent[] {
    return [...this.all.values()].filter(({ metadata }) => metadata.ringkey_charge === chargeId);
  }

  newDraft(details: z.output<typeof NEW_DRAFT>): VendorReply {
    const intent = newIntent(details);
    this.all.set(intent.id, intent);
    return ok(this.intentObject(intent));
  }

  newIntent(details: z.output<typeof NEW_INTENT>): VendorReply {
    const method = this.#methods.forIntent(details);
    const card = stripeCards(method.number);
    if (card.fault?.taken === false) return { status: 0, body: {}, fault: card.fault.kind };
    const intent = newIntent(details);
    intent.customer = details.customer ?? null;
    intent.confirmation_method = details.confirmation_method ?? 'automatic';
    intent.setup_future_usage = details.setup_future_usage ?? null;
    intent.capture_method = details.capture_method ?? 'automatic';
    if (details.payment_method_options?.card.moto === 'true') intent.payment_method_options = { card: { moto: true } };
    this.all.set(intent.id, intent);
    if (!card.asks || details.payment_method_options !== undefined) return this.#take(intent, method);
    if (details.off_session === 'true' || details.error_on_requires_action === 'true') {
      return this.#declined(intent, 'authentication_required');
    }
    if (details.use_stripe_sdk !== 'true') this.#violations.push('neither use_stripe_sdk nor a return_url');
    askPayer(intent, method.id);
    return ok(this.intentObject(intent));
  }

  confirm(of: string): VendorReply {
    const intent = this.intent(of);
    const method = this.#methods.all.get(intent.payment_method ?? '');
    if (intent.status !== 'requires_confirmation' || method === undefined) throw unexpectedState(intent.status);
    if (!this.asksAgain.delete(intent.metadata.ringkey_charge ?? '')) return this.#take(intent, method);
    askPayer(intent, method.id);
    return ok(this.intentObject(intent));
  }

  /** Attempts the payment. */
  #take(intent: Intent, method: Method): VendorReply {
    const { outcome, fault } = stripeCards(method.number);
    if (outcome !== 'approved') return this.#declined(intent, outcome);
    approveIntent(intent);
    intent.payment_method = method.id;
    if (intent.setup_future_usage !== null) method.customer = intent.customer;
    method.used = true;
    return { ...ok(this.intentObject(intent)), ...(fault !== undefined && { fault: fault.kind }) };
  }

  #declined(intent: Intent, outcome: TestOutcome): VendorReply {
    const error = declineError(outcome);
    intent.status = 'requires_payment_method';
    intent.payment_method = null;
    intent.last_payment_error = error;
    return { status: 402, body: { error: { ...error, payment_intent: this.intentObject(intent) } } };
  }

  change(of: string, change: (intent: Intent) => void): VendorReply {
    const intent = this.intent(of);
    change(intent);
    return ok(this.intentObject(intent));
  }

  intent(of: string): Intent {
    const intent = this.all.get(of);
    if (intent === undefined) throw missing(of);
    return intent;
  }

  /**
   * Searches by one key of the metadata. New data is searchable after a minute (docs.stripe.com/search#data-freshness).
   */
  search({ query }: z.output<typeof SEARCH_INTENTS>, lags: boolean): VendorReply {
    const [, name = '', value] = METADATA_QUERY.exec(query) ?? [];
    const newest = Date.now() / 1_000 - (lags ? 3_600 : 60);
    const found = [...this.all.values()].filter(
      ({ metadata, created }) => metadata[name] === value && created <= newest,
    );
    const data = found.map((intent) => this.intentObject(intent));
    return ok({ object: 'search_result', url: '/v1/payment_intents/search', has_more: false, data });
  }

  list({ created, limit, starting_after: after }: z.output<typeof LIST_INTENTS>): VendorReply {
    const newestFirst = [...this.all.values()].reverse();
    const start = after === undefined ? 0 : newestFirst.findIndex((intent) => intent.id === after) + 1;
    const fitting = newestFirst
      .slice(start)
      .filter((intent) => created === undefined || isWithin(intent.created, created));
    const data = fitting.slice(0, limit).map((intent) => this.intentObject(intent));
    return ok({ object: 'list', url: '/v1/payment_intents', has_more: fitting.length > limit, data });
  }

  intentObject({ refunded: _, ...intent }: Intent) {
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
