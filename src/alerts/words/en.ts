/** English words of messages: alerts, the daily summary and month-end reports. */
import { alertFormats } from './formats.ts';

const { number, plural } = alertFormats('en');

export const en = {
  /** Of the account and the heading. */
  subject: (from: string, heading: string) => `${from}: ${heading}`,
  testMode: (account: string) => `${account}, test mode`,
  labeled: (label: string, value: string) => `${label}: ${value}`,
  why: 'You get this email because you turned on alerts.',
  settings: 'Alert settings',
  open: 'Open in the dashboard',
  more: (count: number) => `${number(count)} more`,
  showAll: 'Show everything that needs attention',
  urgent: (title: string) => `Urgent: ${title}`,
  problems: (count: number) => plural(count, { one: '# problem needs attention', other: '# problems need attention' }),
  resolvedItem: (title: string) => `Resolved: ${title}`,
  resolvedCount: (count: number) => plural(count, { one: '# problem is resolved', other: '# problems are resolved' }),
  resolved: 'Resolved',
  nothingMore: { title: 'Nothing more to do', text: 'Its cause is gone.' },
  test: {
    heading: 'Test message',
    title: 'Alerts arrive here',
    text: 'This is what a message looks like. There is nothing to do.',
    show: 'Show what needs attention',
  },
  summary: {
    heading: (day: string) => `Summary of ${day}`,
    title: 'Calls and payments',
    calls: 'Calls',
    noCalls: 'None',
    ofCalls: (calls: number, paid: number) => `${number(calls)}, ${number(paid)} of them paid`,
    rate: 'Charges that succeeded',
    ofCharges: (succeeded: number, all: number, rate: string) => `${number(succeeded)} of ${number(all)}, ${rate}`,
    ofChargesWithUsual: (succeeded: number, all: number, rate: string, usual: string) =>
      `${number(succeeded)} of ${number(all)}, ${rate} (${usual} in the week before)`,
    open: 'Open the overview',
    attention: 'Needs attention',
    nothing: 'Nothing',
    show: 'Show what to do',
  },
  /** With its currency, if there are several. */
  inCurrency: (label: string, currency: string) => `${label}, ${currency}`,
  money: { payments: 'Payments', refunded: 'Refunded', net: 'Net' },
  ofPayments: (count: number, amount: string) => `${number(count)}, ${amount}`,
  report: {
    heading: (month: string) => `Report of ${month}`,
    open: 'Open the report',
    notCounted: 'The report could not be counted. Try to open it in the dashboard.',
    none: 'No payments, refunds, disputes or payouts',
    disputed: 'Disputed',
    ofDisputes: (amount: string, lost: string) => `${amount}, ${lost} lost`,
    paidOut: 'Paid out',
    afterFees: (amount: string, fees: string) => `${amount}, after ${fees} fees`,
    shared: (paid: string, shared: number, payouts: number) =>
      `${paid} (${number(shared)} of ${number(payouts)} payouts shared with other merchants)`,
  },
};

export type AlertTexts = typeof en;
