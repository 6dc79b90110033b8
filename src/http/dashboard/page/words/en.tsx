/** English words of every page: the frame, its navigation, its parts and errors. */
import type { VNode } from 'preact';
import type { BrowserWords } from '../browser-words.ts';
import type { FaultKind } from '../faults.ts';
import type { GroupId, SectionId } from '../navigation.tsx';

const sections: Readonly<Record<SectionId, string>> = {
  start: 'Getting started',
  attention: 'Attention',
  now: 'Now',
  overview: 'Overview',
  calls: 'Calls',
  checkouts: 'Checkouts',
  charges: 'Charges',
  refunds: 'Refunds',
  disputes: 'Disputes',
  payouts: 'Payouts',
  'payout-entries': 'Payout entries',
  reports: 'Reports',
  events: 'Events',
  texts: 'Texts',
  emails: 'Emails',
  requests: 'Requests',
  audit: 'Audit',
  setup: 'Settings',
  try: 'Try it',
};

const groups: Readonly<Record<GroupId, string>> = {
  payments: 'Payments',
  activity: 'Activity',
  account: 'Your account',
};

const faults: Readonly<Record<FaultKind, { title: string; text: string }>> = {
  not_found: {
    title: 'Page not found',
    text: 'This account has no such page in this mode. The page may exist in the other mode or in another account.',
  },
  forbidden: {
    title: 'Your role does not allow this',
    text: 'Ask an owner of the account to do it or to change your role.',
  },
  stale_form: {
    title: 'This form has expired',
    text: 'Nothing was changed. Go back, reload the page and submit the form again.',
  },
  refused: {
    title: 'Invalid request',
    text: 'A filter or field has an invalid value. Nothing was changed.',
  },
  too_many: { title: 'Too many requests', text: 'Wait a moment, then reload the page.' },
  away: {
    title: 'The service cannot reach its database',
    text: 'No data is lost. Calls and payments continue as far as possible. Reload this page in a moment.',
  },
  failed: {
    title: 'Something went wrong',
    text: 'An internal error occurred and was logged. Reload the page, or go back.',
  },
};

const browser: BrowserWords = {
  copied: 'Copied',
  notCopied: 'Your browser blocked copying',
  noResults: 'No results',
  shown: { one: '# shown', other: '# shown' },
  noAnswer: 'The service is not responding. The list has not changed.',
  upToDate: 'Up to date',
  polling: 'Updates every 3 s',
  noConnection: 'No connection',
  liveCalls: { one: '# live call', other: '# live calls' },
  results: { one: '# result', other: '# results' },
  onThisPage: 'On this page',
  pause: 'Pause',
  resume: 'Resume',
  resumeNew: { one: 'Resume (# new)', other: 'Resume (# new)' },
  failed: 'Something went wrong. Reload the page.',
  noPasskey: 'No passkey was used. Try again, or sign in another way.',
};

export const en = {
  modes: { test: 'Test', live: 'Live' },
  modeNotes: {
    test: 'Test mode: no real money moves',
    live: 'Live mode: real cards, real money',
  },
  mode: 'Mode',
  skip: 'Skip to content',
  timesIn: (zone: VNode) => <>Times in {zone}</>,
  menu: 'Menu',
  navigation: 'Dashboard',
  documentation: 'Documentation',
  search: 'Search',
  searchHint: 'ID, phone, order or last 4',
  signedInAs: (name: string) => `Signed in as ${name}`,
  demo: 'The demo account. No sign-in is needed on this machine.',
  inRole: (account: VNode, role: string) => (
    <>
      {account}, role: {role}
    </>
  ),
  yourAlerts: 'Your alerts',
  yourSignIn: 'Your sign-in',
  signOut: 'Sign out',
  signOutEverywhere: 'Sign out everywhere',
  density: 'Density',
  densities: { comfortable: 'Comfortable', compact: 'Compact' },
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  sections,
  groups,
  faults,
  cardData:
    'A value looks like a card number or a security code. Ringkey never stores these and never searches for them. Search for the last four digits of the card.',
  request: (id: VNode) => <>Request {id}</>,
  done: 'done',
  notDone: 'not done',
  noPayment: 'No payment',
  copyId: 'Copy the ID',
  copyReference: 'Copy the processor reference',
  copySipCallId: 'Copy the SIP Call-ID',
  copyPlatformCallId: 'Copy the platform call ID',
  facts: 'Facts',
  none: 'None',
  ofCaller: (text: string, phone: string) => `${text} of ${phone}`,
  card: 'Card',
  bankAccount: 'Bank account',
  browser,
};

export type PageWords = typeof en;
