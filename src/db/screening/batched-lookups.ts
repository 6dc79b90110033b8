/**
 * Keeps what look-ups say: the answers of one turn of the event loop in one statement, by `dataloader`, as
 * batched-checkouts.ts inserts the sessions that they belong to. What it is to buy (`npm run bench:rest`, "screened"):
 * that create_checkout of callers who are looked up for the first time keeps 0.9 of its requests a second.
 */
import DataLoader from 'dataloader';
import type { Sql } from '../pool.ts';
import { type AnsweredLookup, saveLookups } from './number-lookups.ts';

const OPTIONS = { cache: false, maxBatchSize: 32, batchScheduleFn: (run: () => void) => void setImmediate(run) };

export type SaveLookup = (answer: AnsweredLookup) => Promise<void>;

export function batchedLookups(sql: Sql): SaveLookup {
  const saves = new DataLoader<AnsweredLookup, true>(async (answers) => {
    await saveLookups(sql, lastOfEach(answers));
    return answers.map(() => true);
  }, OPTIONS);
  return async (answer) => void (await saves.load(answer));
}

/** In the order of their keys: two processes that keep the same numbers take turns. */
function lastOfEach(answers: readonly AnsweredLookup[]): AnsweredLookup[] {
  const byNumber = new Map(answers.map((answer) => [`${answer.accountId} ${answer.mode} ${answer.phone}`, answer]));
  return [...byNumber].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, answer]) => answer);
}
