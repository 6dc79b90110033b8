import { describe, expect, it } from 'vitest';
import { inCallOrder } from './server-order.ts';

interface Server {
  name: string;
  priority: number;
  weight: number;
  load: number;
  isFixed: boolean;
}

const found = (name: string, facts: Partial<Server> = {}): Server => ({
  name,
  priority: 0,
  weight: 1,
  load: 0,
  isFixed: false,
  ...facts,
});
const fixed = (name: string, facts: Partial<Server> = {}) => found(name, { isFixed: true, ...facts });
const names = (servers: readonly Server[]) => servers.map(({ name }) => name);

/** Numbers from 0 to below 1, evenly spread and the same in each run. */
function evenly(): () => number {
  let last = 0;
  return () => {
    last = (last + 0.618_033_988_749_895) % 1;
    return last;
  };
}

/** How many of these calls each server gets, if `isKept` says whether they go on. */
function share(servers: readonly Server[], calls: number, isKept: boolean): number[] {
  const random = evenly();
  const taken = new Map(servers.map(({ name }) => [name, 0]));
  for (let call = 0; call < calls; call += 1) {
    const [first] = inCallOrder(servers, random);
    if (first === undefined) throw new Error('no server');
    taken.set(first.name, (taken.get(first.name) ?? 0) + 1);
    if (isKept) first.load += 1;
  }
  return [...taken.values()].map((count) => Math.round((count / calls) * 100));
}

describe('the order of media servers', () => {
  it('begins with the lowest priority, however loaded it is', () => {
    expect(names(inCallOrder([found('spare', { priority: 20 }), found('main', { priority: 10, load: 500 })]))).toEqual([
      'main',
      'spare',
    ]);
  });

  it('is that of the load among fixed servers, then that of the settings', () => {
    const servers = [fixed('a', { load: 2 }), fixed('b', { load: 1 }), fixed('c', { load: 1 })];
    expect(names(inCallOrder(servers))).toEqual(['b', 'c', 'a']);
  });

  it('spreads live calls in proportion to the weights', () => {
    expect(share([found('a', { weight: 10 }), found('b', { weight: 30 })], 400, true)).toEqual([25, 75]);
  });

  it('spreads calls that come one by one at random, in proportion to the weights', () => {
    const [light = 0, heavy = 0] = share([found('a', { weight: 10 }), found('b', { weight: 30 })], 10_000, false);
    expect(light).toBeGreaterThanOrEqual(20);
    expect(light).toBeLessThanOrEqual(30);
    expect(light + heavy).toBe(100);
  });

  it('gives a server of weight 0 almost nothing beside others, and an equal share among its like', () => {
    expect(share([found('a', { weight: 0 }), found('b', { weight: 10 })], 400, true)).toEqual([0, 100]);
    expect(share([found('a', { weight: 0 }), found('b', { weight: 0 })], 400, true)).toEqual([50, 50]);
  });
});
