/**
 * Texts the pay link to callers whose call dropped before they paid, if the merchant enables it. Once per session, by
 * `send_link`.
 */
import type { BaseLogger } from 'pino';
import { ApiError } from '../contract/errors.ts';
import { claimDueText, type DueText, settleDueText } from '../db/calls/texts-after-drop.ts';
import type { Database, Sql } from '../db/pool.ts';
import { type SendLinkDeps, sendLink } from './send-link.ts';

export type TextAfterDropDeps = Omit<SendLinkDeps, 'database' | 'log'> & {
  database: Database;
  log: Pick<BaseLogger, 'info' | 'warn'>;
};

/**
 * Texts one due link. One transaction queues the text and settles the row: after a crash in between, another process
 * repeats both.
 * @returns whether there was one
 */
export async function textNextAfterDrop(deps: TextAfterDropDeps): Promise<{ more: boolean }> {
  const settled = await deps.database.transaction(async (sql) => {
    const due = await claimDueText(sql);
    if (due === null) return null;
    const isTexted = due.isWanted && (await isLinkTexted(deps, sql, due));
    await settleDueText(sql, due.sessionId, isTexted);
    return { sessionId: due.sessionId, isTexted };
  });
  if (settled === null) return { more: false };
  if (settled.isTexted) deps.onTextQueued?.();
  deps.log.info(settled, 'decided whether to text a pay link after a dropped call');
  return { more: true };
}

/**
 * @returns false also if the session cannot be paid any more, its number opted out or was just texted, or a limit is
 * reached
 */
async function isLinkTexted(
  deps: TextAfterDropDeps,
  sql: Sql,
  { sessionId, accountId, mode }: DueText,
): Promise<boolean> {
  // The text is queued in the transaction that settles the row.
  const database = {
    query: sql.query.bind(sql) as Sql['query'],
    transaction: <T>(work: (sql: Sql) => Promise<T>) => work(sql),
  };
  try {
    const { onTextQueued: _, ...rest } = deps;
    const sent = await sendLink({ ...rest, database }, { accountId, mode }, sessionId);
    return sent.isSent;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
