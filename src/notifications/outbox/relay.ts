/** Relays the outbox: each event becomes a delivery to every endpoint that subscribes to it, and maybe a text and an email. */
import { claimUnrelayed, quarantineEvents, relayEvents, type UnrelayedEvent } from '../../db/events/outbox.ts';
import type { Database, Sql } from '../../db/pool.ts';
import type { DeliveryKey } from '../../db/webhooks/deliveries.ts';
import { queueEmails } from '../email/queue-emails.ts';
import type { Unrendered } from '../render-each.ts';
import { queueTexts } from '../sms/queue-texts.ts';
import { bodiesOf } from './event-body.ts';

/** Small enough, because nothing of a batch is sent before its commit. */
const BATCH = 250;

interface RelayDeps {
  database: Database;
  /** Base of `doc_url` in failures. */
  docsUrl: string;
}

interface Relayed {
  deliveries: DeliveryKey[];
  /** IDs of texts. */
  texts: string[];
  /** Events that could not be rendered. */
  quarantined: Quarantined[];
  more: boolean;
}

/** Relays one batch in one transaction, so a crash leaves all of it or nothing. */
export function relayBatch({ database, docsUrl }: RelayDeps): Promise<Relayed> {
  return database.transaction(async (sql) => {
    const events = await claimUnrelayed(sql, BATCH);
    if (events.length === 0) return { deliveries: [], texts: [], quarantined: [], more: false };
    // A resent event has its body already, and keeps it.
    const bodies = await bodiesOf(sql, events, docsUrl);
    const deliveries = await relayEvents(sql, bodies.rendered);
    const texts = await queueTexts(sql, events);
    await queueEmails(sql, events);
    const quarantined = await quarantine(sql, events, { body: bodies.unrendered, text: texts.unrendered });
    return { deliveries, texts: texts.queued, quarantined, more: events.length === BATCH };
  });
}

/** After each failure. Together more than five hours, to fix the bug before the operator must resend the event. */
const RETRY_DELAYS_MS: readonly number[] = [5_000, 25_000, 125_000, 625_000, 3_125_000, 15_625_000];

/** The part of an event that could not be rendered: the body for endpoints, or the caller's text. */
type EventPart = 'body' | 'text';

export interface Quarantined extends Unrendered {
  part: EventPart;
  /** From 1. */
  attempt: number;
  /** Null: given up. A text is given up for good, a body until the event is resent. */
  retryInMs: number | null;
}

/**
 * An event that cannot be rendered, which is a bug, waits in quarantine while the others are relayed. Runs in the relay's
 * transaction, after the other events were relayed.
 * @returns what to log after the commit, in the order of `events`
 */
async function quarantine(
  sql: Sql,
  events: readonly UnrelayedEvent[],
  unrendered: Readonly<Record<EventPart, readonly Unrendered[]>>,
): Promise<Quarantined[]> {
  const errors = (part: EventPart) => new Map(unrendered[part].map(({ eventId, error }) => [eventId, { part, error }]));
  // An event without a body was not relayed at all, so that failure takes precedence over its text's.
  const failures = new Map([...errors('text'), ...errors('body')]);
  const all = events.flatMap(({ id, relayFailures }): Quarantined[] => {
    const failure = failures.get(id);
    if (failure === undefined) return [];
    return [{ eventId: id, ...failure, attempt: relayFailures + 1, retryInMs: RETRY_DELAYS_MS[relayFailures] ?? null }];
  });
  // An event whose text is given up stays relayed: its webhooks are being delivered.
  const waiting = all.filter(({ part, retryInMs }) => part === 'body' || retryInMs !== null);
  if (waiting.length > 0) {
    await quarantineEvents(
      sql,
      waiting.map(({ eventId, part, ...rest }) => ({ id: eventId, textOnly: part === 'text', ...rest })),
    );
  }
  return all;
}
