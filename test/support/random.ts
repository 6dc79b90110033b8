/** Seeded random numbers, so that a run can be repeated. */
export interface Random {
  /** 0 ≤ value < 1. */
  next(): number;
  /** An integer, 0 ≤ value < `limit`. */
  below(limit: number): number;
  /** True once in `n`. */
  oneIn(n: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** The mulberry32 generator. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    oneIn: (n) => below(n) === 0,
    pick: (items) => items[below(items.length)] ?? items[0],
  };
}
