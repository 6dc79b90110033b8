/** The outbox's relay: each event becomes a delivery for every endpoint that is to have it, and maybe a text. */
import type { WebhookEndpointId } from '../domain/ids.ts';
import type { Database } from '../db/pool.ts';
import { claimUnrelayed, relayEvents } from '../db/events/outbox.ts';
import { bodiesOf } from './bodies.ts';
import { type SetAside, setAside } from './quarantine.ts';
import { queueTexts } from '../sms/queue.ts';

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
    // One that goes out once more has its body already, and keeps it.
    const bodies = await bodiesOf(sql, events, docsUrl);
    const endpoints = await relayEvents(sql, bodies.rendered);
    const texts = await queueTexts(sql, events);
    const aside = await setAside(sql, events, { body: bodies.unrendered, text: texts.unrendered });
    return { endpoints, texts: texts.queued, setAside: aside, more: events.length === BATCH };
  });
}
