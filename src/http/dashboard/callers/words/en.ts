/** English words of the callers' pages. */
import type { CallerProfileResource } from '../../../../contract/callers.ts';

type Consent = CallerProfileResource['consents'][number];

const channels: Readonly<Record<Consent['channel'], string>> = {
  phone: 'On a call',
  page: 'On the pay page',
  rest: 'By your agent',
};

const consentStates: Readonly<Record<Consent['status'], string>> = {
  kept: 'card saved',
  agreed: 'card not saved yet',
  not_kept: 'card not saved',
};

export const en = {
  title: 'Callers',
  kind: 'Caller',
  titleOf: (phone: string) => `Caller ${phone}`,
  endingIn: (digits: string) => `Callers with a number ending in “${digits}”`,
  notices: {
    note: 'The note is saved.',
    link: 'A text with the pay link is on its way.',
    no_link: 'No text was sent: one was sent less than a minute ago, or the number does not accept texts.',
    erased: 'The caller is erased. Payments stay, without the number.',
  },
  find: {
    title: 'Find a caller',
    none: 'No caller has this number',
    text: 'Enter a whole number, with or without the country code, or its last 4 to 10 digits in the search above.',
    number: 'Number',
    name: 'Name',
    savedCards: 'Saved cards',
  },
  heads: {
    amount: 'Amount',
    merchant: 'Merchant',
    order: 'Order',
    created: 'Created',
    payLink: 'Pay link',
    status: 'Status',
    card: 'Card',
    refund: 'Refund',
    started: 'Started',
    outcome: 'Outcome',
    duration: 'Duration',
    text: 'Text',
  },
  textLink: 'Text pay link',
  open: { title: 'Can be paid now', label: 'Open checkouts, newest first' },
  payments: {
    title: 'Payments',
    label: 'Charges, newest first',
    none: 'No payments from this number.',
    all: 'All charges',
    refundLatest: 'Refund latest payment',
  },
  refunds: { title: 'Refunds', label: 'Refunds, newest first' },
  calls: { title: 'Calls', label: 'Calls, newest first', none: 'No calls from this number.', all: 'All calls' },
  texts: { title: 'Texts', label: 'Texts, newest first' },
  erase: {
    action: 'Erase',
    title: 'Erase caller',
    submit: (phone: string) => `Erase ${phone}`,
    noticeTitle: 'This cannot be undone',
    notice:
      'The number, name, email address, note and the words of texts are removed in this mode, and saved cards are deleted, here and at their processors. Payments, refunds and consents stay, without the number.',
  },
  side: {
    name: 'Name',
    email: 'Email',
    savedCards: 'Saved cards',
    none: 'None.',
    consents: 'Consents',
    channels,
    consentStates,
    consent: (channel: string, state: string) => `${channel}, ${state}`,
    note: 'Note',
    saveNote: 'Save note',
    written: 'Written',
  },
};

export type CallerWords = typeof en;
