/** What cannot be rendered is a bug of ours that one row met: it waits by itself, and the others go on. */
import type { EventId } from '../domain/ids.ts';
import type { Sql } from '../db/pool.ts';
import { setAsideEvents, type UnrelayedEvent } from '../db/events/outbox.ts';

/** After each failure; over five hours in all, time to mend what is wrong before somebody has to ask for the event. */
const RETRY_DELAYS_MS: readonly number[] = [5_000, 25_000, 125_000, 625_000, 3_125_000, 15_625_000];

/** What of an event could not be rendered: what is posted to endpoints, or what its caller is texted. */
export type EventPart = 'body' | 'text';

export interface Unrendered {
  eventId: EventId;
  error: unknown;
}

export interface SetAside extends Unrendered {
  part: EventPart;
  /** From 1. */
  attempt: number;
  /** Null: given up. A text for good; a body until the event is asked for again. */
  retryInMs: number | null;
}

/** Renders each; what throws is told of and keeps none of the others. */
export function renderEach<T, R>(
  all: readonly T[],
  eventIdOf: (one: T) => EventId,
  render: (one: T) => R,
): { rendered: R[]; unrendered: Unrendered[] } {
  const [rendered, unrendered]: [R[], Unrendered[]] = [[], []];
  for (const one of all) {
    try {
      rendered.push(render(one));
    } catch (error) {
      unrendered.push({ eventId: eventIdOf(one), error });
    }
  }
  return { rendered, unrendered };
}

/**
 * In the relay's transaction, after the others were relayed.
 * @returns what there is to tell of when it is committed, in the order of `events`
 */
export async function setAside(
  sql: Sql,
  events: readonly UnrelayedEvent[],
  unrendered: Readonly<Record<EventPart, readonly Unrendered[]>>,
): Promise<SetAside[]> {
  const errors = (part: EventPart) => new Map(unrendered[part].map(({ eventId, error }) => [eventId, { part, error }]));
  // Without its body nothing of the event is done: that counts for more than its text.
  const failures = new Map([...errors('text'), ...errors('body')]);
  const all = events.flatMap(({ id, relayFailures }): SetAside[] => {
    const failure = failures.get(id);
    if (failure === undefined) return [];
    return [{ eventId: id, ...failure, attempt: relayFailures + 1, retryInMs: RETRY_DELAYS_MS[relayFailures] ?? null }];
  });
  // An event whose text is given up stays relayed: its webhooks are on their way.
  const waiting = all.filter(({ part, retryInMs }) => part === 'body' || retryInMs !== null);
  if (waiting.length > 0) {
    await setAsideEvents(
      sql,
      waiting.map(({ eventId, part, ...rest }) => ({ id: eventId, textOnly: part === 'text', ...rest })),
    );
  }
  return all;
}
