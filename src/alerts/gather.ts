/** Writes the next messages of each alert target: what opened and closed since its last one, the daily summary, and the reports of a month. */
import type { BaseLogger } from 'pino';
import { attentionWords } from '../contract/attention-words.ts';
import { deleteOldAlerts, insertAlertMessage } from '../db/alerts/alert-messages.ts';
import {
  findNews,
  findReadyTarget,
  listReadyTargets,
  lockReadyTarget,
  noteNews,
  type ReadyTarget,
} from '../db/alerts/alert-news.ts';
import type { Database, Sql } from '../db/pool.ts';
import { type AlertNews, type AlertTargetId, isUrgent, urgentFirst } from '../domain/alerts.ts';
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
export async function gatherAlerts(deps: GatherDeps): Promise<void> {
  const { database, log } = deps;
  for (let after = ''; ; ) {
    const ids = await listReadyTargets(database, after, BATCH);
    for (const id of ids) {
      // The others get theirs.
      await gatherFor(deps, id).catch((error: unknown) => log.error({ err: error, alertTargetId: id }, FAILED));
    }
    const last = ids.at(-1);
    if (last === undefined || ids.length < BATCH) break;
    after = last;
  }
  await deleteOldAlerts(database);
}

const FAILED = 'alerts could not be gathered';

/**
 * The news, the summary and the report are gathered apart: one that fails delays no other. Each is in one transaction with
 * the note of what it tells, so that nothing is told twice or never. If several are due, the next one is made once the one
 * before is sent. The report comes last, because it reads the most.
 */
async function gatherFor(deps: GatherDeps, id: AlertTargetId): Promise<void> {
  const { database, log } = deps;
  const attempt = <T>(part: string, work: () => Promise<T>) =>
    work().catch((error: unknown) => {
      log.error({ err: error, alertTargetId: id, part }, FAILED);
      return undefined;
    });
  const told = await attempt('news', () => gatherNews(database, id));
  const due = told === undefined ? await findReadyTarget(database, id) : told;
  if (due === null) return;
  if (due.dayToSummarize !== null) await attempt('summary', () => gatherDay(database, id));
  if (due.monthToReport !== null) await attempt('report', () => gatherReport(deps, id));
}

function gatherDay(database: Database, id: AlertTargetId): Promise<void> {
  return database.transaction(async (sql) => {
    const target = await lockReadyTarget(sql, id);
    if (target !== null && target.dayToSummarize !== null) await gatherSummary(sql, target, target.dayToSummarize);
  });
}

/** @returns what is due. Null: the target is not ready */
function gatherNews(database: Database, id: AlertTargetId): Promise<ReadyTarget | null> {
  return database.transaction(async (sql) => {
    const target = await lockReadyTarget(sql, id);
    if (target !== null) await writeNews(sql, target);
    return target;
  });
}

async function writeNews(sql: Sql, target: ReadyTarget): Promise<void> {
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
    opened: urgentFirst(opened, (line) => line.isUrgent).slice(0, MOST_NAMED),
    openedCount: opened.length,
    closed: closed.slice(0, MOST_NAMED).map(({ title }) => title),
    closedCount: closed.length,
  };
  await insertAlertMessage(sql, target, 'alert', content);
  await noteNews(sql, target.id, news);
}
