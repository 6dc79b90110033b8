/** What an alert says, apart from its form. */
import type { DueAlert } from '../db/alerts/alert-messages.ts';
import type { AlertLine, AlertNews } from '../domain/alerts.ts';
import type { LanguageTag } from '../languages/index.ts';
import { alertTexts } from './words/index.ts';

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
  language: LanguageTag;
  subject: string;
  heading: string;
  /** Where it comes from: the account, and the mode if it is a test. */
  lead: string;
  blocks: readonly AlertBlock[];
  footer: string;
  /** Where alerts are changed. Null if the dashboard's address is unknown. */
  settings: AlertLink | null;
}

export type AlertContext = Pick<DueAlert, 'mode' | 'accountName' | 'isOwn' | 'channel' | 'language'> & {
  /** Ends in `/dashboard`. Null: unknown, so there are no links. */
  dashboardUrl: string | null;
};

/** A page of the dashboard. @param path within the mode */
export function pageLink({ dashboardUrl, mode }: AlertContext, path: string, label: string): AlertLink | null {
  return dashboardUrl === null ? null : { label, url: `${dashboardUrl}/${mode}${path}` };
}

/** Of the account's targets, whose messages are in English. */
const WHY_OF_ACCOUNT = {
  email: 'You get this email because your address was added to the alerts of the account.',
  slack: 'This channel was added to the alerts of the account.',
} as const;

/** What every message has. */
export function envelope(context: AlertContext, heading: string): Omit<AlertMessage, 'blocks'> {
  const { mode, accountName, isOwn, channel, language } = context;
  const w = alertTexts(language);
  const lead = mode === 'test' ? w.testMode(accountName) : accountName;
  const footer = isOwn ? w.why : WHY_OF_ACCOUNT[channel];
  const settings = pageLink(context, isOwn ? '/your-alerts' : '/setup/alerts', w.settings);
  return { language, subject: w.subject(lead, heading), heading, lead, footer, settings };
}

export function newsMessage(context: AlertContext, news: AlertNews): AlertMessage {
  const w = alertTexts(context.language);
  const more = news.openedCount - news.opened.length;
  return {
    ...envelope(context, headingOf(context, news)),
    blocks: [
      ...news.opened.map((line) => problemBlock(context, line)),
      ...(more > 0 ? [{ title: w.more(more), link: pageLink(context, '/attention', w.showAll) }] : []),
      ...closedBlocks(context, news),
    ],
  };
}

function headingOf(context: AlertContext, news: AlertNews): string {
  const w = alertTexts(context.language);
  const { opened, openedCount, closed, closedCount } = news;
  const [first] = opened;
  if (openedCount === 1 && first !== undefined) return titleOf(context, first);
  if (openedCount > 1) return w.problems(openedCount);
  return closedCount === 1 ? w.resolvedItem(closed[0] ?? '') : w.resolvedCount(closedCount);
}

const titleOf = ({ language }: AlertContext, { title, isUrgent }: AlertLine) =>
  isUrgent ? alertTexts(language).urgent(title) : title;

const problemBlock = (context: AlertContext, line: AlertLine): AlertBlock => ({
  title: titleOf(context, line),
  lines: [line.detail, line.advice],
  link: pageLink(context, line.path, alertTexts(context.language).open),
});

function closedBlocks({ language }: AlertContext, { closed, closedCount, openedCount }: AlertNews): AlertBlock[] {
  if (closedCount === 0) return [];
  const w = alertTexts(language);
  const more = closedCount - closed.length;
  // The heading says which one.
  if (openedCount === 0 && closedCount === 1) return [{ title: w.nothingMore.title, lines: [w.nothingMore.text] }];
  return [{ title: w.resolved, lines: [...closed, ...(more > 0 ? [w.more(more)] : [])] }];
}

export function testMessage(context: AlertContext): AlertMessage {
  const w = alertTexts(context.language).test;
  return {
    ...envelope(context, w.heading),
    blocks: [{ title: w.title, lines: [w.text], link: pageLink(context, '/attention', w.show) }],
  };
}
