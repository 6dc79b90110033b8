/** English words of alerts: the account's targets, and the user's own alerts. */
import type { VNode } from 'preact';
import type { AlertTargetResource } from '../../../../contract/alerts.ts';
import type { AlertTopic } from '../../../../domain/alerts.ts';
import type { Mode } from '../../../../domain/session.ts';

type LastMessage = NonNullable<AlertTargetResource['last_message']>;

const topics: Readonly<Record<AlertTopic, string>> = {
  payments: 'Payments: to settle, paid late or twice, failed later, disputed',
  processors: 'Processors: refusing or slow, low success rates',
  deliveries: 'Deliveries: webhooks, texts, emails and alerts',
  keys: 'API keys and certificates: about to expire, or expired',
  service: 'Service: limits at 80%, missing workers, phone processes, media and SIP servers',
};

/** Agree with "message". */
const statuses: Readonly<Record<LastMessage['status'], string>> = {
  waiting: 'Waiting',
  sent: 'Sent',
  failed: 'Failed',
};

const messages: Readonly<Record<LastMessage['kind'], string>> = {
  alert: 'Alert',
  summary: 'Summary',
  report: 'Report',
  test: 'Test',
};

/** Of sending a message. Other codes are shown as they are. */
const failures: Readonly<Record<string, string>> = {
  timeout: 'no answer in time',
  connection: 'no connection',
  forbidden_address: 'not a public address',
  not_configured: 'no mail server is set',
};

export const en = {
  title: 'Alerts',
  lead: 'Messages about what needs attention, to your team. Each user can also turn on alerts at “Your alerts”.',
  label: 'Alert targets, newest first',
  add: 'Add alert',
  heads: { to: 'To', channel: 'Channel', last: 'Last message', added: 'Added' },
  channels: { email: 'Email', slack: 'Slack' },
  empty: {
    title: 'No alerts yet',
    text: 'Add an email address or a Slack channel. It gets a message about each problem, and a daily summary and month-end reports if you like.',
  },
  address: 'Address',
  settings: 'Settings',
  save: 'Save',
  fields: {
    email: 'Email address',
    emailHint: 'Or the URL of a Slack channel below.',
    slack: 'Slack webhook URL',
    slackHint:
      'In Slack, add an app with incoming webhooks, and copy the URL of the channel. It is stored encrypted and not shown again.',
    name: 'Name',
    nameHint: 'Such as #payments.',
    topics: 'Problems',
    urgent: 'Urgent problems only',
    urgentHint: 'Callers cannot pay, or a payment was made late or twice, or was lost.',
    zoneHint: 'Such as America/New_York.',
    quietFrom: 'Quiet hours from',
    quietHint: 'During quiet hours, only urgent problems are sent.',
    quietUntil: 'Quiet hours until',
    noQuiet: 'No quiet hours',
    summary: 'Daily summary at',
    noSummary: 'No summary',
    ifEmpty: 'Also send the summary of a day on which nothing happened',
    reports: 'Month-end reports',
    reportsHint: 'Sent on the first day of each month, at the hour of the summary or at 08:00.',
  },
  topics,
  notices: {
    added: 'Alert added. Send a test message to check it',
    changed: 'Saved',
    tested: 'Test message sent. Its result appears below in a moment',
    removed: 'Alerts turned off',
  },
  remove: {
    title: 'Remove',
    about: 'No more messages are sent, and the address is deleted.',
    submit: 'Remove alert',
  },
  lastMessage: {
    none: 'None yet',
    of: (message: string, at: VNode) => (
      <>
        {message}, {at}
      </>
    ),
    code: (code: string) => `code ${code}`,
    again: ', will be sent again',
  },
  statuses,
  messages,
  failures,
  test: {
    title: 'Test',
    about: 'The message arrives within seconds, or this page shows why it does not.',
    send: 'Send test message',
  },
  own: {
    title: 'Your alerts',
    lead: (email: VNode, mode: Mode) => (
      <>
        Emails to {email} about what needs attention in {mode} mode.
      </>
    ),
    turnOn: 'Turn on alerts',
    off: 'Turn off',
    offAbout: (mode: Mode) => `No more alerts are sent to you in ${mode} mode.`,
    turnOff: 'Turn off alerts',
  },
};

export type AlertWords = typeof en;
