/** The outbox's relay: each event becomes a delivery for every endpoint that is to have it, and maybe a text. */
import type { AccountId, CheckoutSessionId, WebhookEndpointId } from '../domain/ids.ts';
import { type CheckoutReading, readCheckouts } from '../store/checkouts.ts';
import type { Database, Sql } from '../store/database.ts';
import { claimUnrelayed, relayEvents, type UnrelayedEvent } from '../store/outbox.ts';
import { eventJson } from './event-body.ts';
import { queueTexts } from './sms/queue.ts';

const BATCH = 500;

export interface RelayDeps {
  database: Database;
  /** Base of `doc_url` in what events say of failures. */
  docsUrl: string;
}

export interface Relayed {
  /** Endpoints that have something to do now. */
  endpoints: WebhookEndpointId[];
  texts: number;
  more: boolean;
}

/** Relays one batch, in one transaction: after a crash nothing of it has happened, or all of it. */
export function relayBatch({ database, docsUrl }: RelayDeps): Promise<Relayed> {
  return database.transaction(async (sql) => {
    const events = await claimUnrelayed(sql, BATCH);
    if (events === null || events.length === 0) return { endpoints: [], texts: 0, more: false };
    const bodies = await bodiesOf(sql, events, docsUrl);
    const endpoints = await relayEvents(sql, bodies);
    const texts = await queueTexts(sql, events);
    return { endpoints, texts, more: events.length === BATCH };
  });
}

/** An event that goes out once more has its body already, and keeps it. */
async function bodiesOf(sql: Sql, events: readonly UnrelayedEvent[], docsUrl: string) {
  const fresh = events.filter(({ body }) => body === null);
  const readings = new Map<CheckoutSessionId, CheckoutReading>();
  for (const [accountId, ids] of sessionsByAccount(fresh)) {
    for (const reading of await readCheckouts(sql, accountId, [...ids])) readings.set(reading.session.id, reading);
  }
  return events.map((event) => {
    const session = event.sessionId === null ? null : (readings.get(event.sessionId) ?? null);
    return { id: event.id, body: event.body ?? eventJson(event, session, docsUrl) };
  });
}

function sessionsByAccount(events: readonly UnrelayedEvent[]): Map<AccountId, Set<CheckoutSessionId>> {
  const byAccount = new Map<AccountId, Set<CheckoutSessionId>>();
  for (const { accountId, sessionId } of events) {
    if (sessionId === null) continue;
    const ids = byAccount.get(accountId) ?? new Set();
    byAccount.set(accountId, ids.add(sessionId));
  }
  return byAccount;
}
