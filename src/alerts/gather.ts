/** Writes the next messages of each alert target: what opened and closed since its last one, the daily summary, and the reports of a month. */
import type { BaseLogger } from 'pino';
import { attentionWords } from '../contract/attention-words.ts';
import { deleteOldAlerts, insertAlertMessage } from '../db/alerts/alert-messages.ts';
import { findNews, listReadyTargets, lockReadyTarget, noteNews, type ReadyTarget } from '../db/alerts/alert-news.ts';
import type { Database, Sql } from '../db/pool.ts';
import { type AlertNews, type AlertTargetId, isUrgent } from '../domain/alerts.ts';
import { gatherReport } from './report.ts';
import { gatherSummary } from './summary.ts';

export interface GatherDeps {
  database: Database;
  log: Pick<BaseLogger, 'error'>;
}

const BATCH = 500;
/** A message names no more problems. Its heading has their number. */
const MOST_NAMED = 20;

/** A target is skipped while a message to it waits, so what happens meanwhile is in the next one. */
export async function gatherAlerts({ database, log }: GatherDeps): Promise<void> {
  await deleteOldAlerts(database);
  for (let after = ''; ; ) {
    const ids = await listReadyTargets(database, after, BATCH);
    for (const id of ids) {
      // The others get theirs.
      await gatherFor(database, id).catch((error: unknown) =>
        log.error({ err: error, alertTargetId: id }, 'alerts could not be gathered'),
      );
    }
    const last = ids.at(-1);
    if (last === undefined || ids.length < BATCH) return;
    after = last;
  }
}

/**
 * Each in one transaction: the message and the note of what it tells, so that nothing is told twice or never. The summary
 * and the report read much, so news do not wait for them. If there are news, they are made once these are sent.
 */
async function gatherFor(database: Database, id: AlertTargetId): Promise<void> {
  const due = await database.transaction(async (sql) => {
    const target = await lockReadyTarget(sql, id);
    if (target !== null) await gatherNews(sql, target);
    return target;
  });
  if (due === null) return;
  if (due.monthToReport !== null) await gatherReport(database, id);
  if (due.dayToSummarize === null) return;
  await database.transaction(async (sql) => {
    const target = await lockReadyTarget(sql, id);
    if (target !== null && target.dayToSummarize !== null) await gatherSummary(sql, target, target.dayToSummarize);
  });
}

async function gatherNews(sql: Sql, target: ReadyTarget): Promise<void> {
  const news = await findNews(sql, target);
  if (news.length === 0) return;
  const lines = news.map((item) => ({
    isClosed: item.isClosed,
    isUrgent: isUrgent(item.kind),
    ...attentionWords(item, target),
  }));
  const opened = lines.filter(({ isClosed }) => !isClosed);
  const closed = lines.filter(({ isClosed }) => isClosed);
  const content: AlertNews = {
    opened: urgentFirst(opened).slice(0, MOST_NAMED),
    openedCount: opened.length,
    closed: closed.slice(0, MOST_NAMED).map(({ title }) => title),
    closedCount: closed.length,
  };
  await insertAlertMessage(sql, target, 'alert', content);
  await noteNews(sql, target.id, news);
}

const urgentFirst = <T extends { isUrgent: boolean }>(lines: readonly T[]): T[] =>
  [...lines].sort((one, other) => Number(other.isUrgent) - Number(one.isUrgent));
