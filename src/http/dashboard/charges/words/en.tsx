/** English words of the charges' pages. */
import type { VNode } from 'preact';
import type { FailureCause } from '../../../../domain/charge.ts';
import type { CountedAs } from '../../../../domain/statistics.ts';
import { numberText, plural } from '../../words/formats.ts';

const countedAs: Readonly<Record<CountedAs, string>> = {
  succeeded: 'Succeeded or held',
  failed: 'Failed',
  completed: 'Completed',
  pending: 'Pending',
};

const causes: Readonly<Record<FailureCause, string>> = {
  declined: 'Declined',
  not_received: 'Never reached the processor',
  not_processed: 'Not processed',
  merchant: 'Failed',
};

export const en = {
  title: 'Charges',
  label: 'Charges, newest first',
  kind: 'Charge',
  titleOf: (id: string) => `Charge ${id}`,
  filters: { attention: 'Attention', decline: 'Decline reason', countedAs: 'Counted as' },
  needsAttention: 'Needs attention',
  countedAs,
  totals: 'Totals of these charges',
  reasons: 'Reasons of these failed charges',
  counted: (charges: number, succeeded: number, currency: string) =>
    plural(charges, {
      one: `# charge in ${currency}, ${numberText(succeeded)} succeeded`,
      other: `# charges in ${currency}, ${numberText(succeeded)} succeeded`,
    }),
  sums: { gross: 'Gross', refunded: 'Refunded', net: 'Net' },
  heads: {
    amount: 'Amount',
    status: 'Status',
    card: 'Card',
    merchant: 'Merchant',
    caller: 'Caller',
    order: 'Order',
    source: 'Source',
    created: 'Created',
  },
  sources: { phone: 'Call', saved_card: 'Saved card', page: 'Pay page' },
  withoutCaller: 'Saved card, without the caller',
  empty: {
    title: 'No charges yet',
    text: 'Charges appear here once callers pay: on calls, with saved cards or on the pay page.',
    action: 'Test cards',
  },
  /** Agrees with "charge". */
  badges: {
    returned: 'Returned',
    captureFailed: 'Capture failed',
    partiallyRefunded: 'Partially refunded',
    refunded: 'Refunded',
    refundPending: 'Refund pending',
    partRefundedPartPending: 'Part refunded, part pending',
    cardSaved: 'Card saved',
    paidLate: 'Paid late: needs attention',
    duplicate: 'Duplicate: needs attention',
  },
  causes,
  activity: 'Activity',
  pending: {
    title: 'The processor has not confirmed the outcome',
    text: 'Ringkey keeps checking. Do not ask the caller to pay again: this page and the webhook report the outcome.',
  },
  facts: {
    card: 'Card',
    paidFrom: 'Paid from',
    tip: 'Tip',
    leftToPay: 'Left to pay',
    debited: 'Bank debit accepted',
    returned: 'Returned by the bank',
    captureFailed: 'Capture failed',
    captureBefore: 'Capture before',
    captured: 'Captured',
    fee: 'Fee',
    net: 'Net',
    payout: 'Payout',
    arrival: (day: string) => `Arrival ${day}`,
    refunded: 'Refunded',
    refundPending: 'Refund pending',
    source: 'Source',
    checkout: 'Checkout',
    call: 'Call',
    duplicateOf: 'Duplicate of',
    order: 'Order',
    caller: 'Caller',
    merchant: 'Merchant',
    processor: 'Processor',
    reference: 'Processor reference',
    processorCode: 'Processor code',
    created: 'Created',
    settled: 'Settled',
  },
  late: {
    title: 'This charge was reported as failed, but the processor charged the card',
    text: 'The caller may have heard that nothing was charged. The order counts as paid. Deliver it, or refund the charge.',
    wasDuplicate: 'This charge was a duplicate, and the other charge is refunded',
    duplicateRefundPending: 'This charge may be a duplicate, and the refund of the other charge is pending',
    maybeDuplicate: 'This charge may be a duplicate',
    /** @param status of the other charge */
    other: (other: VNode, status: string) => (
      <>
        It was reported as failed, but the processor charged the card. {other} is for the same checkout or order, and is{' '}
        {status.toLowerCase()}.
      </>
    ),
    wait: 'Wait for its outcome before you refund one of them.',
    refund: (amount: string) => `Refund ${amount} as a duplicate`,
    seen: (at: VNode) => <>Marked as seen {at}.</>,
    markSeen: 'Mark as seen',
  },
  amountIn: (currency: string) => `Amount in ${currency}`,
  next: 'Continue',
  noAmount: (example: string) => `Enter an amount such as ${example}.`,
  back: 'Back to the charge',
  nothingChanged: 'Nothing was changed',
  hold: {
    titles: { capture: 'Capture', void: 'Void' },
    lead: (amount: VNode, card: string) => (
      <>
        Hold of {amount} on {card}
      </>
    ),
    most: (amount: string) => `At most ${amount}. The rest is released.`,
    capture: (amount: string) => `Capture ${amount}`,
    captureAll: 'This captures the whole hold. It cannot be undone.',
    captureRest: (rest: string) => `The rest, ${rest}, is released. This cannot be undone.`,
    release: (amount: string) => `Release ${amount}`,
    releaseText: 'Nothing is charged. This cannot be undone.',
    noAnswer: 'The processor has not answered',
  },
  refund: {
    title: 'Refund',
    lead: (amount: VNode, card: string) => (
      <>
        Charge of {amount} paid with {card}
      </>
    ),
    most: (amount: string) => `You can refund at most ${amount}.`,
    left: (amount: string) => `${amount} can be refunded.`,
    half: (amount: string) => `Half: ${amount}`,
    reason: 'Reason',
    noReason: 'No reason',
    submit: (amount: string) => `Refund ${amount}`,
    confirm: (amount: string, card: string) => `Refund ${amount} to ${card}`,
    live: 'This moves real money and cannot be undone.',
    test: 'No real money moves in test mode.',
    before: (amount: string) => `${amount} of this charge has already been refunded or is being refunded.`,
    refused: 'Nothing was refunded',
    sentBefore: 'This form was already submitted',
    sentBeforeText: 'Submitting it again does not create another refund. See the charge for the status of the refund.',
    unknown: 'The processor has not confirmed the refund',
    stillLeft: (left: string, all: string) => `${left} of ${all} can still be refunded.`,
    noneLeft: (all: string) => `The full ${all} has already been refunded or is being refunded.`,
    again: 'Start over',
  },
};

export type ChargeWords = typeof en;
