/** The quarantine: an event that cannot be rendered, which is a bug of ours, waits by itself and the others go on. */

import { quarantineEvents, type UnrelayedEvent } from '../../db/events/outbox.ts';
import type { Sql } from '../../db/pool.ts';
import type { Unrendered } from '../../domain/render-each.ts';

/**
 * After each failure; over five hours in all: time to mend what is wrong before the operator has to have the event sent
 * again.
 */
const RETRY_DELAYS_MS: readonly number[] = [5_000, 25_000, 125_000, 625_000, 3_125_000, 15_625_000];

/** What of an event could not be rendered: what is posted to endpoints, or what its caller is texted. */
export type EventPart = 'body' | 'text';

export interface Quarantined extends Unrendered {
  part: EventPart;
  /** From 1. */
  attempt: number;
  /** Null: given up. A text for good; a body until the event is asked for again. */
  retryInMs: number | null;
}

/**
 * In the relay's transaction, after the others were relayed.
 * @returns what is to be logged once it is committed, in the order of `events`
 */
export async function quarantine(
  sql: Sql,
  events: readonly UnrelayedEvent[],
  unrendered: Readonly<Record<EventPart, readonly Unrendered[]>>,
): Promise<Quarantined[]> {
  const errors = (part: EventPart) => new Map(unrendered[part].map(({ eventId, error }) => [eventId, { part, error }]));
  // An event without a body has not been relayed at all, so that failure counts rather than its text's.
  const failures = new Map([...errors('text'), ...errors('body')]);
  const all = events.flatMap(({ id, relayFailures }): Quarantined[] => {
    const failure = failures.get(id);
    if (failure === undefined) return [];
    return [{ eventId: id, ...failure, attempt: relayFailures + 1, retryInMs: RETRY_DELAYS_MS[relayFailures] ?? null }];
  });
  // An event whose text is given up stays relayed: its webhooks are on their way.
  const waiting = all.filter(({ part, retryInMs }) => part === 'body' || retryInMs !== null);
  if (waiting.length > 0) {
    await quarantineEvents(
      sql,
      waiting.map(({ eventId, part, ...rest }) => ({ id: eventId, textOnly: part === 'text', ...rest })),
    );
  }
  return all;
}
