/** Renders the items of a list. If one item cannot be rendered, which is a bug, the others are still rendered. */
import type { EventId } from '../domain/ids.ts';

export interface Unrendered {
  eventId: EventId;
  error: unknown;
}

/** @param eventIdOf the ID of an item's event */
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
