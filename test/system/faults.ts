/** Kills processes (SIGKILL) or stops them (SIGTERM), one after the other at moments that the seed sets, and replaces them. */
import type { Part } from '../bench/scale/part.ts';
import type { Random } from '../support/random.ts';

interface Fault {
  part: Part;
  signal: 'SIGKILL' | 'SIGTERM';
  /** How much of the run's actions have begun by then: 0 to 1. */
  at: number;
}

/** Each process has its turn before one has its second. */
export function planFaults(parts: readonly Part[], count: number, random: Random): Fault[] {
  const order = parts.map((part) => ({ part, key: random.next() })).sort((one, other) => one.key - other.key);
  return Array.from({ length: count }, (_, place) => {
    const { part } = order[place % order.length] ?? {};
    if (part === undefined) throw new Error('there are no processes');
    // Not in the last tenth, so that every fault happens while something else does.
    return { part, signal: random.oneIn(2) ? 'SIGKILL' : 'SIGTERM', at: (0.9 * (place + random.next())) / count };
  });
}

/** @param reached resolves when this much of the actions has begun. @returns what did not go well, in words */
export async function makeFaults(
  faults: readonly Fault[],
  reached: (share: number) => Promise<void>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const { part, signal, at } of faults) {
    await reached(at);
    if (!part.isRunning) wrong.push(`${part.name} ended by itself`);
    if (!(await part.end(signal))) wrong.push(`${part.name} did not end after ${signal}`);
    await part.start().catch((error: Error) => wrong.push(error.message));
  }
  return wrong;
}
