/** English words of all forms. */
import type { VNode } from 'preact';
import type { Mode } from '../../../../domain/session.ts';
import { plural } from '../../words/formats.ts';
import type { Overlap } from '../fields.tsx';
import type { SettingsTab } from '../settings.tsx';

const tabs: Readonly<Record<SettingsTab, string>> = {
  merchants: 'Merchants',
  keys: 'API keys',
  webhooks: 'Webhook endpoints',
  alerts: 'Alerts',
  account: 'Account',
  users: 'Users',
  go_live: 'Go live',
};

/** When a replaced key or secret ends. */
const overlaps: Readonly<Record<Overlap, string>> = {
  '86400': 'In 1 day',
  '3600': 'In 1 hour',
  '604800': 'In 7 days',
  '0': 'Immediately',
};

export const en = {
  cancel: 'Cancel',
  mustSignIn: 'To make changes, sign in again.',
  signInAgain: 'Sign in again',
  nothingChanged: 'Nothing was changed',
  goToField: 'Go to the field',
  sentBefore:
    'This form was already submitted. Check the list for the result. To create another one, open the form again.',
  settings: 'Settings',
  tabs,
  overlaps,
  timeZone: 'Time zone',
  timeZoneHint: 'Type a city, such as New York, and choose its zone.',
  merchants: {
    search: 'Find merchants',
    searchHint: 'Part of the name, or an ID. Selected merchants stay selected.',
    submit: 'Find',
    found: (count: number) => plural(count, { one: '# other merchant found', other: '# other merchants found' }),
    foundMany: 'More than 100 merchants found. These are the newest.',
    /** The name is last: it may contain characters that change the direction of the text after it. */
    inTest: (name: string) => `Test mode: ${name}`,
  },
  shownOnce: 'You won’t be able to see it again.',
  copied: 'I have copied it',
  apiCall: {
    title: 'Copy as API call',
    sendsEntries: 'Sends the entries above.',
    sendsVariables: 'Sends the values of its variables.',
    key: (variable: VNode, mode: Mode, scope: string) => (
      <>
        Set {variable} to a {mode} key with the scope “{scope}”.
      </>
    ),
    copy: 'Copy the API call',
    update: 'Update the API call',
  },
};

export type FormWords = typeof en;
