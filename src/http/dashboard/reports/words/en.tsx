/** English words of the month-end report. */
import type { VNode } from 'preact';
import { numberText, plural } from '../../words/formats.ts';

export const en = {
  title: 'Month-end report',
  titleOf: (merchant: string, month: string) => `Month-end report, ${merchant}, ${month}`,
  lead: {
    live: (merchant: VNode, month: string, zone: string) => (
      <>
        {merchant}, {month}, days in {zone}
      </>
    ),
    test: (merchant: VNode, month: string, zone: string) => (
      <>
        {merchant}, {month}, days in {zone}, test mode
      </>
    ),
  },
  print: 'Print',
  filters: 'Merchant and month',
  merchant: 'Merchant',
  month: 'Month',
  show: 'Show',
  empty: {
    title: (month: string) => `No activity in ${month}`,
    text: 'This merchant had no payments, refunds, disputes or payouts in this month.',
  },
  notes:
    'Payments and refunds count on the day they were made. Net is gross less refunds. Disputes and fees are not subtracted. Payouts count on the day they arrive, and only those of processors that report them.',
  noMerchants: {
    title: 'No merchants yet',
    text: 'Each merchant has a report for each month. Add a merchant first.',
    action: 'Add merchant',
  },
  totalsIn: (currency: string) => `Totals in ${currency}`,
  figures: { net: 'Net', gross: 'Gross', refunded: 'Refunded', disputed: 'Disputed', paidOut: 'Paid out' },
  grossLessRefunds: 'Gross less refunds',
  payments: (count: number) => plural(count, { one: '# payment', other: '# payments' }),
  refunds: (count: number) => plural(count, { one: '# refund', other: '# refunds' }),
  disputes: (count: number) => plural(count, { one: '# dispute', other: '# disputes' }),
  payouts: (count: number) => plural(count, { one: '# payout', other: '# payouts' }),
  lost: (amount: string) => `${amount} lost`,
  fees: (amount: string) => `${amount} fees`,
  /** Of payouts. */
  shared: (count: number) => `${numberText(count)} shared with other merchants`,
  bySource: 'By source',
  bySourceIn: (currency: string) => `Payments in ${currency} by source`,
  byDay: 'By day',
  byDayIn: (currency: string) => `Payments in ${currency} by day`,
  sources: { phone: 'Call', page: 'Pay page', saved_card: 'Saved card' },
  heads: { source: 'Source', day: 'Day', payments: 'Payments', gross: 'Gross', refunded: 'Refunded', net: 'Net' },
};

export type ReportWords = typeof en;
