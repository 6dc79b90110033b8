/** English words of the overview. */
import type { StatisticsFigures } from '../../../../contract/statistics.ts';
import { numberText, plural } from '../../words/formats.ts';

const steps: Readonly<Record<StatisticsFigures['funnel'][number]['step'], string>> = {
  answered: 'Call answered',
  method: 'Payment method requested',
  saved_card: 'Saved card offered',
  card_number: 'Card number requested',
  expiry: 'Expiry date requested',
  security_code: 'Security code requested',
  postal_code: 'Postal code requested',
  part: 'Partial payment offered',
  part_amount: 'Partial amount requested',
  tip: 'Tip offered',
  routing_number: 'Routing number requested',
  account_number: 'Account number requested',
  account_number_again: 'Account number requested again',
  account_type: 'Account type requested',
  debit_terms: 'Bank debit authorization requested',
  keep_card: 'Card saving offered',
  confirmation: 'Confirmation requested',
  charge: 'Card charged',
  returned: 'Returned to the agent',
};

const daysBefore = (days: number) => (days === 1 ? 'the day before' : `the ${days} days before`);
const inDaysBefore = (days: number) => `${days === 1 ? 'on' : 'in'} ${daysBefore(days)}`;
const rangeText = (from: string, to: string) => (from === to ? from : `${from} to ${to}`);

export const en = {
  title: 'Overview',
  /** @param before the first and the last day of the period before */
  lead: (first: string, days: number, before: readonly [from: string, to: string], place: string) =>
    `${first} until now, compared with ${daysBefore(days)}: ${rangeText(...before)}, up to the same time of day. Days in ${place}.`,
  leadOfDays: (first: string, last: string, days: number, before: readonly [from: string, to: string], place: string) =>
    `${rangeText(first, last)}, compared with ${daysBefore(days)}: ${rangeText(...before)}. Days in ${place}.`,
  filters: 'Period and merchant',
  period: 'Period',
  periods: {
    '7': 'Last 7 days',
    '30': 'Last 30 days',
    '90': 'Last 90 days',
    this_month: 'This month',
    last_month: 'Last month',
  },
  chosenDays: 'Chosen days',
  daysIn: 'Days in',
  merchant: 'Merchant',
  all: 'All',
  apply: 'Apply',
  empty: {
    title: 'No data yet',
    text: 'Payments, success rate and call steps appear here once there are calls in this period.',
    action: 'Getting started',
  },
  figures: {
    label: 'Figures',
    payments: 'Payments',
    net: (currency: string) => `Net, ${currency}`,
    netOf: (gross: string, refunded: string) => `${gross} gross, ${refunded} refunded`,
    rate: 'Success rate',
    rateOf: (succeeded: number, completed: number) =>
      `${numberText(succeeded)} of ${plural(completed, { one: '# completed charge', other: '# completed charges' })}`,
    time: 'Time to pay',
    timeOf: 'Median time from answering the call to the charge',
  },
  /** Compared with as many days before. */
  change: {
    alsoNone: (days: number) => `Also none ${inDaysBefore(days)}`,
    noneBefore: (days: number) => `None ${inDaysBefore(days)}`,
    same: (days: number) => `Same as ${inDaysBefore(days)}`,
    more: (percent: string, days: number) => `${percent} more than ${inDaysBefore(days)}`,
    less: (percent: string, days: number) => `${percent} less than ${inDaysBefore(days)}`,
    noData: 'No data for this period',
    noDataBefore: (days: number) => `No data for ${daysBefore(days)}`,
    higher: (points: number, days: number) =>
      `${plural(points, { one: '# point', other: '# points' })} higher than ${inDaysBefore(days)}`,
    lower: (points: number, days: number) =>
      `${plural(points, { one: '# point', other: '# points' })} lower than ${inDaysBefore(days)}`,
    slower: (seconds: number, days: number) => `${seconds} s slower than ${inDaysBefore(days)}`,
    faster: (seconds: number, days: number) => `${seconds} s faster than ${inDaysBefore(days)}`,
  },
  chart: {
    title: 'Charges by day',
    weeksTitle: 'Charges by week',
    days: (from: string, to: string) => `${from} to ${to}`,
    succeeded: 'Succeeded',
    failed: 'Failed',
    todaySoFar: 'Today so far',
    currentWeek: 'Current week',
    soFar: (day: string) => `${day}, so far`,
    net: (amount: string) => `${amount} net`,
    failedShare: (failed: number, percent: string) => `${numberText(failed)} failed (${percent})`,
    table: 'Show as table',
    tableLabel: 'Charges by day, newest first',
    day: 'Day',
    dayNotOver: 'so far',
  },
  /** Of charges. */
  counts: {
    succeeded: (count: number) => `${numberText(count)} succeeded`,
    failed: (count: number) => `${numberText(count)} failed`,
  },
  heads: { succeeded: 'Succeeded', failed: 'Failed', gross: 'Gross', refunded: 'Refunded', net: 'Net' },
  funnel: {
    title: 'Call funnel',
    ofAll: 'Steps of completed calls',
    some: 'Steps of some calls',
    ofSome: 'Steps that only some calls take',
    step: 'Step',
    share: 'Share',
    calls: 'Calls',
    lost: 'Dropped off',
    none: 'None',
    count: (calls: number) => plural(calls, { one: '# call', other: '# calls' }),
    /** Of a step, for screen readers. */
    ofCalls: (reached: number, all: number) =>
      `${numberText(reached)} of ${plural(all, { one: '# call', other: '# calls' })}`,
    saved: (calls: number) => `${numberText(calls)} saved a card`,
    /** Calls that did not go on from a step. */
    left: {
      answered: (calls: number, percent: string) => `${numberText(calls)} reached no question (${percent})`,
      charge: (calls: number, percent: string) => `${numberText(calls)} not paid (${percent})`,
      returned: (calls: number, percent: string) => `${numberText(calls)} not returned (${percent})`,
      other: (calls: number, percent: string) => `${numberText(calls)} ended here (${percent})`,
    },
  },
  steps,
  declines: {
    title: 'Why charges failed',
    none: 'No failed charges.',
    label: 'Reasons for failed charges',
    reason: 'Reason',
    share: 'Share',
    charges: 'Charges',
    count: (charges: number) => plural(charges, { one: '# charge', other: '# charges' }),
  },
  merchants: { title: 'By merchant', label: 'Merchants, most charges first' },
};

export type OverviewWords = typeof en;
