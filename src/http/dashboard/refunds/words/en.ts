/** English words of the refunds' pages. */
import { numberText, plural } from '../../words/formats.ts';

export const en = {
  title: 'Refunds',
  label: 'Refunds, newest first',
  kind: 'Refund',
  titleOf: (id: string) => `Refund ${id}`,
  chargeFilter: 'Charge',
  totals: 'Totals of these refunds',
  counted: (refunds: number, succeeded: number, currency: string) =>
    plural(refunds, {
      one: `# refund in ${currency}, ${numberText(succeeded)} succeeded`,
      other: `# refunds in ${currency}, ${numberText(succeeded)} succeeded`,
    }),
  pending: 'Pending',
  refunded: 'Refunded',
  heads: {
    refund: 'Refund',
    amount: 'Amount',
    status: 'Status',
    merchant: 'Merchant',
    caller: 'Caller',
    source: 'Source',
    reason: 'Reason',
    created: 'Created',
  },
  atProcessor: 'Processor',
  empty: {
    title: 'No refunds yet',
    text: 'A refund returns all or part of a charge to the card that paid. Refund a charge on its page or with the API.',
    action: 'Refunds in the API',
  },
  activity: 'Activity',
  metadata: 'Metadata',
  outcomes: {
    succeeded: 'Refunded by the processor',
    pending: 'Refund pending',
    pendingMore:
      'The processor has not confirmed the outcome. Do not create another refund: this page and the webhook report the outcome.',
    failed: 'Refund failed',
    failedMore: 'Nothing was refunded.',
  },
  facts: {
    charge: 'Charge',
    /** Of the charge, by all its refunds. */
    refunded: 'Refunded',
    refundPending: 'Refund pending',
    refundedOf: (refunded: string, all: string) => `${refunded} of ${all}`,
    card: 'Card',
    caller: 'Caller',
    checkout: 'Checkout',
    merchant: 'Merchant',
    source: 'Source',
    processorsDashboard: 'Processor’s dashboard',
    reason: 'Reason',
    reference: 'Processor reference',
    created: 'Created',
  },
};

export type RefundWords = typeof en;
