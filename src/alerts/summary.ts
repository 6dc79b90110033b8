/** The daily summary: the figures of a day, and what needs attention. */
import { attentionWords } from '../contract/attention-words.ts';
import { insertAlertMessage } from '../db/alerts/alert-messages.ts';
import type { ReadyTarget } from '../db/alerts/alert-news.ts';
import { noteSummary } from '../db/alerts/alert-targets.ts';
import { readDayFigures } from '../db/alerts/day-figures.ts';
import { countOpenAttention, listAttentionItems } from '../db/attention/attention-items.ts';
import type { Sql } from '../db/pool.ts';
import type { AlertSummary } from '../domain/alerts.ts';
import type { LanguageTag } from '../languages/index.ts';
import { type AlertBlock, type AlertContext, type AlertMessage, envelope, pageLink } from './message.ts';
import { moneyRows } from './money-rows.ts';
import { alertFormats } from './words/formats.ts';
import { alertTexts } from './words/index.ts';

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
    open: (open?.items ?? []).map((item) => attentionWords(item, target).title),
    openCount,
  };
  if (!isEmpty || target.summaryIfEmpty) await insertAlertMessage(sql, target, 'summary', summary);
  await noteSummary(sql, target.id, day);
}

export function summaryMessage(context: AlertContext, summary: AlertSummary): AlertMessage {
  const { language } = context;
  const w = alertTexts(language).summary;
  const { calls, paidCalls, payments } = summary;
  const rate = rateText(language, summary);
  return {
    ...envelope(context, w.heading(alertFormats(language).day(summary.day))),
    blocks: [
      {
        title: w.title,
        rows: [
          [w.calls, calls === 0 ? w.noCalls : w.ofCalls(calls, paidCalls)],
          ...(rate === null ? [] : [[w.rate, rate] as const]),
          ...payments.flatMap((each) => moneyRows(language, each, payments.length > 1)),
        ],
        link: pageLink(context, '/overview', w.open),
      },
      attentionBlock(context, summary),
    ],
  };
}

function attentionBlock(context: AlertContext, { open, openCount }: AlertSummary): AlertBlock {
  const { more, summary: w } = alertTexts(context.language);
  if (openCount === 0) return { title: w.attention, lines: [w.nothing] };
  const left = openCount - open.length;
  return {
    title: w.attention,
    lines: [...open, ...(left > 0 ? [more(left)] : [])],
    link: pageLink(context, '/attention', w.show),
  };
}

function rateText(language: LanguageTag, { succeeded, failed, usualRate }: AlertSummary): string | null {
  const all = succeeded + failed;
  if (all === 0) return null;
  const w = alertTexts(language).summary;
  const { percent } = alertFormats(language);
  const rate = percent(succeeded / all);
  return usualRate === null
    ? w.ofCharges(succeeded, all, rate)
    : w.ofChargesWithUsual(succeeded, all, rate, percent(usualRate));
}
