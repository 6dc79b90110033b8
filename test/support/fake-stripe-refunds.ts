/** Refunds of the fake Stripe (docs.stripe.com/api/refunds). */
import type { z } from 'zod';
import { missing, ok, StripeRefusal, stripeId, unexpectedState } from './fake-stripe-answers.ts';
import type { Intent } from './fake-stripe-intents.ts';
import type { LIST_REFUNDS, NEW_REFUND } from './fake-stripe-requests.ts';
import type { VendorReply } from './fake-vendor-server.ts';

export interface Refund {
  id: string;
  created: number;
  amount: number;
  status: string;
  reason: string | null;
  payment_intent: string;
  metadata: Record<string, string>;
  failure_reason?: string;
}

export class StripeRefunds {
  /** The oldest first. */
  readonly all: Refund[] = [];
  readonly #intents: ReadonlyMap<string, Intent>;

  constructor(intents: ReadonlyMap<string, Intent>) {
    this.#intents = intents;
  }

  create(details: z.output<typeof NEW_REFUND>): VendorReply {
    const intent = this.#intents.get(details.payment_intent);
    if (intent === undefined) throw missing(details.payment_intent);
    if (intent.status !== 'succeeded') throw unexpectedState(intent.status);
    const left = intent.amount_received - intent.refunded;
    if (left === 0) throw new StripeRefusal(400, { code: 'charge_already_refunded', message: 'Already refunded.' });
    if (details.amount > left) {
      throw new StripeRefusal(400, { param: 'amount', message: 'Refund amount is greater than unrefunded amount.' });
    }
    intent.refunded += details.amount;
    const refund = {
      id: stripeId('re'),
      created: Math.floor(Date.now() / 1_000),
      amount: details.amount,
      status: 'succeeded',
      reason: details.reason ?? null,
      payment_intent: intent.id,
      metadata: details.metadata,
    };
    this.all.push(refund);
    return ok(refundObject(refund));
  }

  /** Lists refunds, newest first. @param objectOf of expanded payments */
  list(details: z.output<typeof LIST_REFUNDS>, objectOf: (intent: Intent) => object): VendorReply {
    const { payment_intent: of, created, limit, starting_after: after, expand = [] } = details;
    const newestFirst = [...this.all].reverse();
    const start = newestFirst.findIndex(({ id }) => id === after) + 1;
    const fitting = newestFirst
      .slice(start)
      .filter((refund) => of === undefined || refund.payment_intent === of)
      .filter((refund) => created === undefined || (refund.created >= created.gte && refund.created < created.lt));
    const data = fitting.slice(0, limit).map((refund) => {
      const intent = expand.includes('data.payment_intent') ? this.#intents.get(refund.payment_intent) : undefined;
      return { ...refundObject(refund), ...(intent !== undefined && { payment_intent: objectOf(intent) }) };
    });
    return ok({ object: 'list', url: '/v1/refunds', has_more: fitting.length > limit, data });
  }
}

export function refundObject(refund: Refund) {
  return { ...refund, object: 'refund', currency: 'usd' };
}
