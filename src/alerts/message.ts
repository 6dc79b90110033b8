/** What an alert says, apart from its form. Written in English; a language of the account or the user would choose here. */
import type { DueAlert } from '../db/alerts/alert-messages.ts';
import type { AlertLine, AlertNews } from '../domain/alerts.ts';

/** One item, or a table of figures. */
export interface AlertBlock {
  title: string;
  lines?: readonly string[];
  rows?: readonly (readonly [label: string, value: string])[];
  link?: AlertLink | null;
}

interface AlertLink {
  label: string;
  url: string;
}

export interface AlertMessage {
  subject: string;
  heading: string;
  /** Where it comes from: the account, and the mode if it is a test. */
  lead: string;
  blocks: readonly AlertBlock[];
  footer: string;
  /** Where alerts are changed. Null if the dashboard's address is unknown. */
  settings: AlertLink | null;
}

export type AlertContext = Pick<DueAlert, 'mode' | 'accountName' | 'isOwn' | 'channel'> & {
  /** Ends in `/dashboard`. Null: unknown, so there are no links. */
  dashboardUrl: string | null;
};

/** A page of the dashboard. @param path within the mode */
export function pageLink({ dashboardUrl, mode }: AlertContext, path: string, label: string): AlertLink | null {
  return dashboardUrl === null ? null : { label, url: `${dashboardUrl}/${mode}${path}` };
}

/** What every message has. */
export function envelope(context: AlertContext, subject: string): Omit<AlertMessage, 'heading' | 'blocks'> {
  const { mode, accountName, isOwn, channel } = context;
  const lead = mode === 'test' ? `${accountName}, test mode` : accountName;
  const why = isOwn
    ? 'You get this email because you turned on alerts.'
    : channel === 'email'
      ? 'You get this email because your address was added to the alerts of the account.'
      : 'This channel was added to the alerts of the account.';
  const settings = pageLink(context, isOwn ? '/your-alerts' : '/setup/alerts', 'Alert settings');
  return { subject: `${lead}: ${subject}`, lead, footer: why, settings };
}

export function newsMessage(context: AlertContext, news: AlertNews): AlertMessage {
  const heading = headingOf(news);
  const more = news.openedCount - news.opened.length;
  return {
    ...envelope(context, heading),
    heading,
    blocks: [
      ...news.opened.map((line) => problemBlock(context, line)),
      ...(more > 0
        ? [{ title: `${more} more`, link: pageLink(context, '/attention', 'Show everything that needs attention') }]
        : []),
      ...closedBlocks(news),
    ],
  };
}

function headingOf({ opened: [first], openedCount, closed: [solved = ''], closedCount }: AlertNews): string {
  if (openedCount === 1 && first !== undefined) return titleOf(first);
  if (openedCount > 1) return `${openedCount} problems need attention`;
  return closedCount === 1 ? `Resolved: ${solved}` : `${closedCount} problems are resolved`;
}

const titleOf = ({ title, isUrgent }: AlertLine) => (isUrgent ? `Urgent: ${title}` : title);

const problemBlock = (context: AlertContext, line: AlertLine): AlertBlock => ({
  title: titleOf(line),
  lines: [line.detail, line.advice],
  link: pageLink(context, line.path, 'Open in the dashboard'),
});

function closedBlocks({ closed, closedCount, openedCount }: AlertNews): AlertBlock[] {
  if (closedCount === 0) return [];
  const more = closedCount - closed.length;
  // The heading says which one.
  if (openedCount === 0 && closedCount === 1) return [{ title: 'Nothing more to do', lines: ['Its cause is gone.'] }];
  return [{ title: 'Resolved', lines: [...closed, ...(more > 0 ? [`${more} more`] : [])] }];
}

export function testMessage(context: AlertContext): AlertMessage {
  return {
    ...envelope(context, 'Test message'),
    heading: 'Test message',
    blocks: [
      {
        title: 'Alerts arrive here',
        lines: ['This is what a message looks like. There is nothing to do.'],
        link: pageLink(context, '/attention', 'Show what needs attention'),
      },
    ],
  };
}
