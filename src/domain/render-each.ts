/**
 * Renders each of a list. One that cannot be rendered is a bug of ours that one row met: it keeps none of the others.
 */
import type { EventId } from './ids.ts';

export interface Unrendered {
  eventId: EventId;
  error: unknown;
}

/** @param eventIdOf the event that a thing is about */
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
