/** "Did you mean": the known name that a misspelt one is nearest to. */
import leven from 'leven';

/** More changed characters than this, and it is another word. */
const MAX_DISTANCE = 3;

/** @returns null where none is near: less than half of the name may differ */
export function nearestName(name: string, known: Iterable<string>): string | null {
  const limit = Math.min(MAX_DISTANCE, Math.floor((name.length - 1) / 2));
  const near = [...known]
    .map((each) => ({ each, distance: leven(name.toLowerCase(), each.toLowerCase(), { maxDistance: limit + 1 }) }))
    .filter(({ distance }) => distance <= limit)
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.each ?? null;
}

/** A sentence to append to a message, with a blank before it; empty where no known name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === null ? '' : ` Did you mean ${nearest}?`;
}
