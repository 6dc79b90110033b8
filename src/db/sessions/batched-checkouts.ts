/**
 * Reads and inserts checkouts for requests: those of one turn of the event loop in one statement, by `dataloader`. What it
 * buys (`npm run bench:rest`, 64 connections): CPU of app, PostgreSQL and Redis a request falls from 1.4 to 0.65 ms for
 * create_checkout and from 0.75 to 0.33 ms for retrieve. Without it both miss their aims. No request waits for a later turn.
 */
import DataLoader from 'dataloader';
import type { AccountId, CheckoutSessionId } from '../../domain/ids.ts';
import type { Sql } from '../pool.ts';
import { isTransient } from '../transient.ts';
import {
  type CheckoutContext,
  type CheckoutParties,
  type CheckoutReading,
  findCheckoutContexts,
  readCheckouts,
} from './checkouts.ts';
import { insertSessions, type NewSession } from './sessions.ts';

export interface Checkouts {
  findContext(parties: CheckoutParties): Promise<CheckoutContext>;
  insert(session: NewSession): Promise<void>;
  /** The account's session, in either mode. */
  read(key: { accountId: AccountId; id: CheckoutSessionId }): Promise<CheckoutReading | null>;
}

/** Nothing is cached: each call reads or writes the database. */
const OPTIONS = { cache: false, maxBatchSize: 32, batchScheduleFn: (run: () => void) => void setImmediate(run) };

/** @param now saved cards that have expired by then are left out */
export function batchedCheckouts(sql: Sql, now: () => Date): Checkouts {
  const contexts = new DataLoader((all: readonly CheckoutParties[]) => findCheckoutContexts(sql, all, now()), OPTIONS);
  const inserts = new DataLoader((all: readonly NewSession[]) => insertEach(sql, all), OPTIONS);
  const readings = new DataLoader(
    (all: readonly Parameters<Checkouts['read']>[0][]) => readEach(sql, all, now()),
    OPTIONS,
  );
  return {
    findContext: (parties) => contexts.load(parties),
    insert: (session) => inserts.load(session),
    read: (key) => readings.load(key),
  };
}

/** A session that the database refuses does not keep the others of its batch from being inserted. */
async function insertEach(sql: Sql, sessions: readonly NewSession[]): Promise<(undefined | Error)[]> {
  try {
    await insertSessions(sql, sessions);
    return sessions.map(() => undefined);
  } catch (error) {
    // After a broken connection it is not known whether they were inserted.
    if (sessions.length === 1 || isTransient(error)) throw error;
    const results = await Promise.allSettled(sessions.map((session) => insertSessions(sql, [session])));
    return results.map((result) => (result.status === 'rejected' ? result.reason : undefined));
  }
}

async function readEach(
  sql: Sql,
  keys: readonly { accountId: AccountId; id: CheckoutSessionId }[],
  at: Date,
): Promise<(CheckoutReading | null)[]> {
  const accountIds = [...new Set(keys.map(({ accountId }) => accountId))];
  const found = await readCheckouts(
    sql,
    accountIds,
    keys.map(({ id }) => id),
    at,
  );
  const byId = new Map(found.map((reading) => [reading.session.id, reading]));
  return keys.map(({ id, accountId }) => {
    const reading = byId.get(id);
    return reading?.session.accountId === accountId ? reading : null;
  });
}
