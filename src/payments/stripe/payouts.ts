/**
 * Payouts at Stripe, and the balance transactions that each contains (docs.stripe.com/api/payouts,
 * docs.stripe.com/api/balance_transactions/list). All amounts are in the currency of the bank account.
 */
import type Stripe from 'stripe';
import type { PayoutEntryKind, PayoutStatus } from '../../domain/payout.ts';
import { unknown } from '../port/answers.ts';
import type { ListedItem, ListRequest } from '../port/listed.ts';
import { MOST_ENTRIES, type PayoutAnswer, type Payouts, type ReadPayoutEntry } from '../port/payouts.ts';
import { causeOf } from '../vendor-api/faults.ts';
import { PAGE, readableRecords, TOO_MANY } from '../vendor-api/lookup.ts';
import type { OpenStripe } from './client.ts';
import { faultOf, isStripeError } from './errors.ts';
import { seconds } from './look-up.ts';

export function stripePayouts(open: OpenStripe): Payouts {
  return {
    async read({ payoutId, ...access }, signal) {
      try {
        return await readPayout(await open(access, signal), payoutId);
      } catch (error) {
        if (isStripeError(error) && error.code === 'resource_missing') return { status: 'not_found' };
        return unknown(causeOf(faultOf(error)));
      }
    },
    list: (request, signal) => readableRecords(listPayouts(open, request, signal), faultOf),
  };
}

async function* listPayouts(
  open: OpenStripe,
  { since, ...access }: ListRequest,
  signal: AbortSignal,
): AsyncIterable<ListedItem> {
  const stripe = await open(access, signal);
  const params = { created: { gte: seconds(since) }, limit: PAGE };
  for await (const { id, status } of stripe.payouts.list(params)) yield { id, state: status };
}

const STATUSES: Readonly<Record<string, PayoutStatus>> = {
  pending: 'pending',
  in_transit: 'pending',
  paid: 'paid',
  failed: 'failed',
  canceled: 'canceled',
};

async function readPayout(stripe: Stripe, payoutId: string): Promise<PayoutAnswer> {
  const { status: word, automatic, amount, currency, arrival_date: arrival } = await stripe.payouts.retrieve(payoutId);
  const status = STATUSES[word];
  if (status === undefined || !Number.isSafeInteger(amount)) return unknown('answer');
  const entries: ReadPayoutEntry[] = [];
  // "For automatic Stripe payouts only".
  if (automatic) {
    const params = { payout: payoutId, limit: PAGE, expand: ['data.source'] };
    for await (const item of stripe.balanceTransactions.list(params)) {
      if (entries.length === MOST_ENTRIES) return unknown(TOO_MANY);
      // The payout itself is in the list, too.
      if (!item.type.startsWith('payout')) entries.push(entryOf(item));
    }
  }
  const arrivalDate = new Date(arrival * 1_000).toISOString().slice(0, 10);
  return {
    status: 'found',
    payout: { status, amountCents: amount, currency: currency.toUpperCase(), arrivalDate, entries },
  };
}

const KINDS: Readonly<Record<string, PayoutEntryKind>> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  refund_failure: 'refund',
  payment_refund: 'refund',
  payment_failure_refund: 'refund',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
};

function entryOf({ id, type, amount, fee, net, source }: Stripe.BalanceTransaction): ReadPayoutEntry {
  const object: object | null = typeof source === 'string' ? null : source;
  const isDispute = object !== null && 'object' in object && object.object === 'dispute';
  return {
    processorEntryId: id,
    kind: isDispute ? 'dispute' : (KINDS[type] ?? 'other'),
    paymentId: intentOf(object),
    grossCents: amount,
    feeCents: fee,
    netCents: net,
  };
}

/** Charges, refunds and disputes name it. */
function intentOf(object: object | null): string | null {
  if (object === null || !('payment_intent' in object)) return null;
  const { payment_intent: intent } = object;
  return typeof intent === 'string' ? intent : null;
}
