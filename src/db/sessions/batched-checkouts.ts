/**
 * Reads and inserts checkouts for requests, with one statement for each turn of the event loop, by `dataloader`. Gain
 * (`npm run bench:rest`, 64 connections): CPU of app, PostgreSQL and Redis per request falls from 1.4 to 0.65 ms for
 * create_checkout and from 0.75 to 0.33 ms for retrieve. Without it both miss their targets. No request waits for a
 * later turn.
 */
import DataLoader from 'dataloader';
import type { AccountId, CheckoutSessionId } from '../../domain/ids.ts';
import { isTransient } from '../error-kinds.ts';
import type { Sql } from '../pool.ts';
import {
  type CheckoutContext,
  type CheckoutParties,
  type CheckoutReading,
  findCheckoutContexts,
  readCheckouts,
} from './checkouts.ts';
import { insertSession, insertSessions, type NewSession } from './sessions.ts';

interface CheckoutKey {
  accountId: AccountId;
  id: CheckoutSessionId;
}

export interface Checkouts {
  findContext(parties: CheckoutParties): Promise<CheckoutContext>;
  /** @returns its expiry time */
  insert(session: NewSession): Promise<Date>;
  /** The account's session, in either mode. */
  read(key: CheckoutKey): Promise<CheckoutReading | null>;
}

/** Nothing is cached: each call reads or writes the database. */
const OPTIONS = { cache: false, maxBatchSize: 32, batchScheduleFn: (run: () => void) => void setImmediate(run) };

/** @param now saved cards that have expired by then are omitted */
export function batchedCheckouts(sql: Sql, now: () => Date): Checkouts {
  const contexts = new DataLoader((all: readonly CheckoutParties[]) => findCheckoutContexts(sql, all, now()), OPTIONS);
  const inserts = new DataLoader((all: readonly NewSession[]) => insertEach(sql, all), OPTIONS);
  const readings = new DataLoader((all: readonly CheckoutKey[]) => readEach(sql, all, now()), OPTIONS);
  return {
    findContext: (parties) => contexts.load(parties),
    insert: (session) => inserts.load(session),
    read: (key) => readings.load(key),
  };
}

/** Reads outside of the batches: a batch would read with the merchant limit of its first request. */
export async function readCheckoutAlone(sql: Sql, key: CheckoutKey, at: Date): Promise<CheckoutReading | null> {
  return (await readEach(sql, [key], at))[0] ?? null;
}

/** If the database refuses a session, the others of its batch are still inserted. */
async function insertEach(sql: Sql, sessions: readonly NewSession[]): Promise<(Date | Error)[]> {
  try {
    return await insertSessions(sql, sessions);
  } catch (error) {
    // After a broken connection it is not known whether they were inserted.
    if (sessions.length === 1 || isTransient(error)) throw error;
    const results = await Promise.allSettled(sessions.map((session) => insertSession(sql, session)));
    return results.map((result) => (result.status === 'rejected' ? result.reason : result.value));
  }
}

async function readEach(sql: Sql, keys: readonly CheckoutKey[], at: Date): Promise<(CheckoutReading | null)[]> {
  const sessionIds = keys.map(({ id }) => id);
  const found = await readCheckouts(sql, sessionIds, at);
  const byId = new Map(found.map((reading) => [reading.session.id, reading]));
  return keys.map(({ id, accountId }) => {
    const reading = byId.get(id);
    return reading?.session.accountId === accountId ? reading : null;
  });
}
