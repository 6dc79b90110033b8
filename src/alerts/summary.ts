/** The daily summary: the figures of a day, and what needs attention. */
import { attentionWords } from '../contract/attention-words.ts';
import { insertAlertMessage } from '../db/alerts/alert-messages.ts';
import type { ReadyTarget } from '../db/alerts/alert-news.ts';
import { noteSummary } from '../db/alerts/alert-targets.ts';
import { readDayFigures } from '../db/alerts/day-figures.ts';
import { countOpenAttention, listAttentionItems } from '../db/attention/attention-items.ts';
import type { Sql } from '../db/pool.ts';
import type { AlertSummary } from '../domain/alerts.ts';
import { type AlertBlock, type AlertContext, type AlertMessage, envelope, pageLink } from './message.ts';
import { moneyRows } from './money-rows.ts';

/** The summary names no more items, and counts no more. */
const MOST_NAMED = 5;
const MOST_COUNTED = 1_000;

/** Writes the summary of the day, unless there is nothing to say, and notes that the day is done. */
export async function gatherSummary(sql: Sql, target: ReadyTarget, day: string): Promise<void> {
  const figures = await readDayFigures(sql, target, day, target.timeZone);
  const open = await listAttentionItems(sql, target, 'open', { limit: MOST_NAMED, startingAfter: null });
  const openCount = await countOpenAttention(sql, target, MOST_COUNTED);
  const isEmpty = figures.calls === 0 && figures.payments.length === 0 && figures.failed === 0 && openCount === 0;
  const summary: AlertSummary = {
    ...figures,
    open: (open?.items ?? []).map((item) => attentionWords(item).title),
    openCount,
  };
  if (!isEmpty || target.summaryIfEmpty) await insertAlertMessage(sql, target.id, 'summary', summary);
  await noteSummary(sql, target.id, day);
}

export function summaryMessage(context: AlertContext, summary: AlertSummary): AlertMessage {
  const heading = `Summary of ${dayText(summary.day)}`;
  const { calls, paidCalls, payments } = summary;
  const rate = rateText(summary);
  return {
    ...envelope(context, heading),
    heading,
    blocks: [
      {
        title: 'Calls and payments',
        rows: [
          ['Calls', calls === 0 ? 'None' : `${calls}, ${paidCalls} of them paid`],
          ...(rate === null ? [] : [['Charges that succeeded', rate] as const]),
          ...payments.flatMap((each) => moneyRows(each, payments.length > 1)),
        ],
        link: pageLink(context, '/overview', 'Open the overview'),
      },
      attentionBlock(context, summary),
    ],
  };
}

function attentionBlock(context: AlertContext, { open, openCount }: AlertSummary): AlertBlock {
  if (openCount === 0) return { title: 'Needs attention', lines: ['Nothing'] };
  const more = openCount - open.length;
  return {
    title: 'Needs attention',
    lines: [...open, ...(more > 0 ? [`${more} more`] : [])],
    link: pageLink(context, '/attention', 'Show what to do'),
  };
}

function rateText({ succeeded, failed, usualRate }: AlertSummary): string | null {
  const all = succeeded + failed;
  if (all === 0) return null;
  const percent = (share: number) => `${Math.round(share * 100)}%`;
  const usual = usualRate === null ? '' : ` (${percent(usualRate)} in the week before)`;
  return `${succeeded} of ${all}, ${percent(succeeded / all)}${usual}`;
}

const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

const dayText = (day: string) => DAY.format(new Date(`${day}T00:00:00Z`));
