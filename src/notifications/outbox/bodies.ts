/** Reads or renders the bodies of events. An event that was relayed before has its body already, byte for byte. */

import type { LoggedEvent } from '../../db/events/event-log.ts';
import type { Sql } from '../../db/pool.ts';
import { readCheckouts } from '../../db/sessions/checkouts.ts';
import type { EventId } from '../../domain/ids.ts';
import { renderEach, type Unrendered } from '../../domain/render-each.ts';
import { eventJson } from './event-body.ts';

export interface Bodies {
  /** JSON texts in the order of the events, without those that cannot be rendered. */
  rendered: { id: EventId; body: string }[];
  unrendered: Unrendered[];
}

/** @param docsUrl base of `doc_url` in failures */
export async function bodiesOf(sql: Sql, events: readonly LoggedEvent[], docsUrl: string): Promise<Bodies> {
  const fresh = events.filter(({ body }) => body === null);
  const ids = unique(fresh.flatMap(({ sessionId }) => sessionId ?? []));
  const found = ids.length === 0 ? [] : await readCheckouts(sql, ids);
  const readings = new Map(found.map((reading) => [reading.session.id, reading]));
  return renderEach(
    events,
    ({ id }) => id,
    (event) => {
      const reading = event.sessionId === null ? undefined : readings.get(event.sessionId);
      const session = reading?.session.accountId === event.accountId ? reading : null;
      return { id: event.id, body: event.body ?? eventJson(event, session, docsUrl) };
    },
  );
}

/** The JSON text of an event that cannot be rendered: `data` is null. It is listed, but never delivered. */
export function bodyWithoutData(event: LoggedEvent, docsUrl: string): string {
  return JSON.stringify({ ...JSON.parse(eventJson(event, null, docsUrl)), data: null });
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
