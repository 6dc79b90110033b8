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

const STEPS = 100;

/** For two servers: all pairs of numbers between 0 and 1, evenly spaced. */
function pairs(): () => number {
  let requests = 0;
  return () => {
    const pair = Math.floor(requests / 2);
    const place = requests % 2 === 0 ? pair % STEPS : (pair * 37 + Math.floor(pair / STEPS)) % STEPS;
    requests += 1;
    return (place + 0.5) / STEPS;
  };
}

/** The share of these calls that the first server gets, in percent. `isKept`: whether the calls go on. */
function shareOfFirst(servers: readonly Server[], calls: number, callsContinue: boolean): number {
  const random = pairs();
  let taken = 0;
  for (let call = 0; call < calls; call += 1) {
    const [chosen] = inCallOrder(servers, random);
    if (chosen === servers[0]) taken += 1;
    if (callsContinue && chosen !== undefined) chosen.load += 1;
  }
  return Math.round((taken / calls) * 100);
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
    expect(shareOfFirst([found('a', { weight: 10 }), found('b', { weight: 30 })], 400, true)).toBe(25);
  });

  it('spreads calls that come one by one at random, in proportion to the weights', () => {
    expect(shareOfFirst([found('a', { weight: 10 }), found('b', { weight: 30 })], STEPS ** 2, false)).toBe(25);
  });

  it('gives a server of weight 0 almost nothing beside others, and an equal share among its like', () => {
    expect(shareOfFirst([found('a', { weight: 0 }), found('b', { weight: 10 })], 400, true)).toBe(0);
    expect(shareOfFirst([found('a', { weight: 0 }), found('b', { weight: 0 })], 400, true)).toBe(50);
  });
});
