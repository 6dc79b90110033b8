/**
 * The order in which media servers are tried for a call. The lowest priority comes first. Within a priority, calls are
 * spread in proportion to the weights: the server with the fewest calls for its weight comes first. Among equals, the
 * fixed servers come first, in their order, and those found by DNS are in the weighted random order of RFC 2782.
 */

interface Candidate {
  priority: number;
  weight: number;
  load: number;
  /** Whether the settings name it. */
  isFixed: boolean;
}

/** RFC 2782: beside others, a server of weight 0 has a very small chance. */
const LEAST_WEIGHT = 0.01;

/** @param random from 0 to below 1 */
export function inCallOrder<T extends Candidate>(servers: readonly T[], random: () => number = Math.random): T[] {
  const placed = servers.map((server) => ({ server, share: shareOf(server, random) }));
  placed.sort((one, other) => one.server.priority - other.server.priority || one.share - other.share);
  return placed.map(({ server }) => server);
}

/** Of exponential variables, each with its weight as the rate, one is the smallest with a chance in proportion to it. */
function shareOf({ load, weight, isFixed }: Candidate, random: () => number): number {
  return (load + (isFixed ? 0 : -Math.log(1 - random()))) / (weight || LEAST_WEIGHT);
}
