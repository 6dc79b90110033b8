/** English words of the payouts' pages. */
import { plural } from '../../words/formats.ts';

export const en = {
  title: 'Payouts',
  lead: 'What the processors pay to the bank accounts of your merchants.',
  label: 'Payouts, newest first',
  kind: 'Payout',
  titleOf: (id: string) => `Payout ${id}`,
  totals: 'Totals of these payouts',
  counted: (payouts: number, currency: string) =>
    plural(payouts, { one: `# payout in ${currency}`, other: `# payouts in ${currency}` }),
  sums: { pending: 'Pending', paid: 'Paid' },
  heads: {
    payout: 'Payout',
    amount: 'Amount',
    status: 'Status',
    arrival: 'Arrival',
    arrivalShort: 'Arrival',
    processor: 'Processor',
    created: 'Created',
  },
  empty: {
    title: 'No payouts yet',
    text: 'A payout appears here when a processor notifies Ringkey. Set up the notifications of each merchant, with the payout events.',
    action: 'Payouts in the docs',
  },
  contents: 'Contents',
  noContents: 'The processor does not say what it contains.',
  allEntries: 'All entries and CSV',
  asList: 'Entries as a list and CSV',
  facts: {
    merchant: 'Merchant',
    arrival: 'Arrival',
    processor: 'Processor',
    reference: 'Processor reference',
    created: 'Created',
    updated: 'Updated',
  },
  entries: {
    title: 'Payout entries',
    lead: 'Each charge, refund, dispute and fee in a payout. To reconcile a day, filter by arrival and export CSV.',
    label: 'Payout entries, newest first',
    totals: 'Totals of these entries',
    counted: (entries: number, currency: string) =>
      plural(entries, { one: `# entry in ${currency}`, other: `# entries in ${currency}` }),
    sums: { gross: 'Gross', fees: 'Fees', net: 'Net' },
    heads: { kind: 'Kind', charge: 'Charge', order: 'Order', gross: 'Gross', fee: 'Fee', net: 'Net' },
    empty: { title: 'No payout entries yet', text: 'They appear here with the payouts of the processors.' },
  },
};

export type PayoutWords = typeof en;
