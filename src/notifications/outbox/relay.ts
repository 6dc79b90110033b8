/** Relays the outbox: each event becomes a delivery to every endpoint that subscribes to it, and maybe a text. */

import { claimUnrelayed, relayEvents } from '../../db/events/outbox.ts';
import type { Database } from '../../db/pool.ts';
import type { DeliveryKey } from '../../db/webhooks/deliveries.ts';
import { queueTexts } from '../sms/queue-texts.ts';
import { bodiesOf } from './bodies.ts';
import { type Quarantined, quarantine } from './quarantine.ts';

/** Small enough, because nothing of a batch is sent before its commit. */
const BATCH = 250;

export interface RelayDeps {
  database: Database;
  /** Base of `doc_url` in failures. */
  docsUrl: string;
}

export interface Relayed {
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
    const quarantined = await quarantine(sql, events, { body: bodies.unrendered, text: texts.unrendered });
    return { deliveries, texts: texts.queued, quarantined, more: events.length === BATCH };
  });
}
