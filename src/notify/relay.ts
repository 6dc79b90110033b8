/** The outbox's relay: each event becomes a delivery for every endpoint that is to have it, and maybe a text. */
import type { WebhookEndpointId } from '../domain/ids.ts';
import { readCheckouts } from '../store/checkouts.ts';
import type { Database, Sql } from '../store/database.ts';
import { claimUnrelayed, relayEvents, type UnrelayedEvent } from '../store/outbox.ts';
import { eventJson } from './event-body.ts';
import { renderEach, type SetAside, setAside } from './set-aside.ts';
import { queueTexts } from './sms/queue.ts';

/** What is behind it waits for it, and delivery begins when it is committed: not too many. */
const BATCH = 250;

export interface RelayDeps {
  database: Database;
  /** Base of `doc_url` in what events say of failures. */
  docsUrl: string;
}

export interface Relayed {
  /** Endpoints that have something to do now. */
  endpoints: WebhookEndpointId[];
  texts: number;
  /** What could not be rendered. */
  setAside: SetAside[];
  more: boolean;
}

/** Relays one batch, in one transaction: after a crash nothing of it has happened, or all of it. */
export function relayBatch({ database, docsUrl }: RelayDeps): Promise<Relayed> {
  return database.transaction(async (sql) => {
    const events = await claimUnrelayed(sql, BATCH);
    if (events === null || events.length === 0) return { endpoints: [], texts: 0, setAside: [], more: false };
    const bodies = await bodiesOf(sql, events, docsUrl);
    const endpoints = await relayEvents(sql, bodies.rendered);
    const texts = await queueTexts(sql, events);
    const aside = await setAside(sql, events, { body: bodies.unrendered, text: texts.unrendered });
    return { endpoints, texts: texts.queued, setAside: aside, more: events.length === BATCH };
  });
}

/** An event that goes out once more has its body already, and keeps it. */
async function bodiesOf(sql: Sql, events: readonly UnrelayedEvent[], docsUrl: string) {
  const fresh = events.filter(({ body }) => body === null);
  const ids = fresh.flatMap(({ sessionId }) => sessionId ?? []);
  const found = await readCheckouts(sql, unique(fresh.map(({ accountId }) => accountId)), unique(ids));
  const readings = new Map(found.map((reading) => [reading.session.id, reading]));
  return renderEach(
    events,
    ({ id }) => id,
    (event) => {
      const session = event.sessionId === null ? null : (readings.get(event.sessionId) ?? null);
      return { id: event.id, body: event.body ?? eventJson(event, session, docsUrl) };
    },
  );
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
