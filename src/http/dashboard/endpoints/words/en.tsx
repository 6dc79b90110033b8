/** English words of the webhook endpoints' pages. */
import type { VNode } from 'preact';
import { numberText, plural } from '../../words/formats.ts';
import type { EndpointNotice } from '../endpoint.tsx';
import type { FailedSince } from '../resend-failures.tsx';

const notices: Readonly<Record<EndpointNotice, string>> = {
  changed: 'Saved',
  resent: 'The failed events are being sent again',
  resent_part: '1,000 failed events are being sent again, the oldest ones. There are more',
  none_failed: 'No delivery has failed since then',
  tested: 'Test event sent. Its delivery appears below in a moment',
  on: 'Endpoint enabled',
  off: 'Endpoint disabled',
};

const failedSince: Readonly<Record<FailedSince, string>> = {
  '1': 'In the last hour',
  '24': 'In the last 24 hours',
  '168': 'In the last 7 days',
  '720': 'In the last 30 days',
};

export const en = {
  list: {
    title: 'Webhook endpoints',
    lead: 'Ringkey sends every outcome to your endpoints in a signed request, however the call ended.',
    label: 'Webhook endpoints, newest first',
    add: 'Add endpoint',
    addTitle: 'Add webhook endpoint',
    heads: {
      url: 'URL',
      types: 'Event types',
      status: 'Status',
      lastDay: 'Delivered, last 24 h',
      lastDayShort: 'Last 24 h',
      added: 'Added',
    },
    /** @param share such as 97% */
    lastDay: (share: string, attempts: number) => `${share} of ${numberText(attempts)}`,
    /** @param answer to a failed attempt: a status or why there was none */
    lastAttempt: (answer: string) => `Last attempt: ${answer}`,
    failedDeliveries: 'Failed deliveries',
    failedOf: (failed: string, endpoint: string) => `${failed} of ${endpoint}`,
    empty: {
      title: 'No webhook endpoints yet',
      text: 'Add the URL of a server that should receive payment events. Calls work without an endpoint, but the webhook is the reliable source of outcomes.',
    },
  },
  enabled: 'Enabled',
  failing: 'Failing',
  failingSince: (time: VNode) => <>since {time}</>,
  disabled: 'Disabled',
  url: 'URL',
  urlHint: 'An https URL on the public internet.',
  types: 'Event types',
  secret: {
    added: 'Endpoint added',
    rolled: 'New signing secret',
    copyNow: 'Copy the signing secret now',
    copy: 'Copy the signing secret',
    what: 'Your server uses it to verify that events come from Ringkey (Standard Webhooks).',
  },
  title: 'Webhook endpoint',
  notices,
  lastFailed: (response: string) => `The last attempt failed: ${response}`,
  settings: 'Settings',
  save: 'Save',
  deliveries: {
    title: 'Recent deliveries',
    none: 'No deliveries yet.',
    label: 'Deliveries, newest event first',
    heads: {
      event: 'Event',
      status: 'Status',
      response: 'Response',
      attempts: 'Attempts',
      lastAttempt: 'Last attempt',
    },
    notYet: 'Not yet',
    sendTest: 'Send test event',
  },
  roll: {
    title: 'Signing secret',
    text: 'The new secret is shown once. Until the old secret expires, events carry both signatures.',
    submit: 'Roll secret',
    expires: 'Old secret expires',
  },
  state: {
    titleOn: 'Disable or delete',
    titleOff: 'Enable endpoint',
    text: 'A disabled endpoint receives no events. Deleting it also deletes its secret and deliveries.',
    enable: 'Enable',
    disable: 'Disable',
    remove: 'Delete endpoint',
  },
  health: {
    title: 'Health',
    summary: (attempts: number, failures: number) =>
      plural(attempts, {
        one: `# attempt in the last 7 days, ${numberText(failures)} failed`,
        other: `# attempts in the last 7 days, ${numberText(failures)} failed`,
      }),
    bars: (summary: string) => `${summary}. Delivered above the line, failed below it, by hour.`,
    byDay: 'By day',
    label: 'Attempts by day, newest first',
    heads: { day: 'Day (UTC)', attempts: 'Attempts', failed: 'Failed' },
    sent: (count: number) => `${numberText(count)} sent`,
    failed: (count: number) => `${numberText(count)} failed`,
  },
  failedEvents: {
    title: 'Failed events',
    text: 'All events that failed can be sent again now, without waiting for their retries: oldest first, with the same IDs and bodies.',
    submit: 'Resend failed events',
    next: 'Resend the next ones',
    label: 'Failed',
  },
  failedSince,
  verify: {
    title: 'Verify signatures',
    text: 'Your server checks the signature of each event with the signing secret of this endpoint.',
    link: 'How signatures work',
  },
};

export type EndpointWords = typeof en;
