/** English words of the page of attention items. */
import type { VNode } from 'preact';
import type { AttentionStatus } from '../../../../domain/attention.ts';
import { FEWEST_USUAL } from '../../../../domain/success-rate.ts';
import type { QuietTime } from '../attention.tsx';

const tabs: Readonly<Record<AttentionStatus, string>> = { open: 'Open', set_aside: 'Set aside', closed: 'Closed' };

const lists: Readonly<Record<AttentionStatus, string>> = {
  open: 'Open, newest first',
  set_aside: 'Set aside, newest first',
  closed: 'Closed, newest first',
};

const empty: Readonly<Record<AttentionStatus, { title: string; text: string }>> = {
  open: {
    title: 'Nothing needs attention',
    text: `Payments without an outcome, late payments, failing webhooks, texts that were not delivered and the like appear here. A merchant’s failed charges are compared with its usual rate once it has ${FEWEST_USUAL} charges in seven days, or in four weeks.`,
  },
  set_aside: {
    title: 'Nothing is set aside',
    text: 'Items that are done or snoozed appear here until their cause is gone.',
  },
  closed: { title: 'No closed items yet', text: 'Closed items are kept for 90 days.' },
};

const times: Readonly<Record<QuietTime, string>> = { '1h': '1 hour', '1d': '1 day', '1w': '1 week' };

export const en = {
  title: 'Needs attention',
  lead: 'Each item closes by itself when its cause is gone.',
  alerts: 'Alerts',
  status: 'Status',
  tabs,
  lists,
  empty,
  onlyNewest: (count: number) => `Only the newest ${count} are shown.`,
  notices: {
    done: 'Marked as done. It appears again if there is a newer cause.',
    quiet: 'Snoozed.',
    reopened: 'Shown again.',
  },
  details: 'Details',
  view: 'View',
  since: (opened: VNode) => <>Since {opened}</>,
  closed: (opened: VNode, closed: VNode) => (
    <>
      Since {opened}, closed {closed}
    </>
  ),
  snoozed: (opened: VNode, until: VNode) => (
    <>
      Since {opened}, snoozed until {until}
    </>
  ),
  done: (opened: VNode, done: VNode) => (
    <>
      Since {opened}, done {done}
    </>
  ),
  showAgain: 'Show again',
  finish: 'Done',
  snooze: 'Snooze',
  snoozeFor: 'Snooze for',
  times,
  showAll: 'Show all',
  showWhatToDo: 'Show what to do',
};

export type AttentionPageWords = typeof en;
