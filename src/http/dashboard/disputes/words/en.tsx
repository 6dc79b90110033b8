/** English words of the disputes' pages. */
import type { VNode } from 'preact';
import { plural } from '../../words/formats.ts';

export const en = {
  title: 'Disputes',
  label: 'Disputes, newest first',
  kind: 'Dispute',
  titleOf: (id: string) => `Dispute ${id}`,
  chargeFilter: 'Charge',
  totals: 'Totals of these disputes',
  counted: (disputes: number, currency: string) =>
    plural(disputes, { one: `# dispute in ${currency}`, other: `# disputes in ${currency}` }),
  sums: { disputed: 'Disputed', won: 'Won', lost: 'Lost', open: 'Open' },
  heads: {
    dispute: 'Dispute',
    amount: 'Amount',
    status: 'Status',
    reason: 'Reason',
    evidenceDue: 'Evidence due',
    dueShort: 'Due',
    created: 'Created',
  },
  empty: {
    title: 'No disputes yet',
    text: 'A dispute appears here when a payer’s bank questions a charge. Set up the processor’s notifications on the page of each merchant.',
    action: 'Disputes in the docs',
  },
  activity: 'Activity',
  facts: {
    charge: 'Charge',
    checkout: 'Checkout',
    merchant: 'Merchant',
    kind: 'Kind',
    reason: 'Reason',
    processorCode: 'Processor code',
    evidenceDue: 'Evidence due',
    processor: 'Processor',
    reference: 'Processor reference',
    created: 'Created',
    updated: 'Updated',
  },
  answer: {
    titles: {
      inquiry: 'The payer’s bank asks about this payment',
      chargeback: 'The payer’s bank disputes this payment',
    },
    text: 'Send evidence in the processor’s dashboard, or accept the dispute there.',
    until: (at: VNode) => <>The processor accepts evidence until {at}.</>,
    show: 'Show the dispute',
  },
  opened: {
    inquiry: (amount: string) => `The bank asked about ${amount}`,
    chargeback: (amount: string) => `The bank disputed ${amount}`,
  },
  changed: (status: string) => `Dispute: ${status.toLowerCase()}`,
};

export type DisputeWords = typeof en;
