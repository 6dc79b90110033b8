import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { MediaServerState } from '../db/calls/media-servers.ts';
import type { PhoneDeps } from './deps.ts';
import { MediaDrains } from './media-drains.ts';

const SERVER: MediaServerState = {
  host: '10.0.0.1:8021',
  isConnected: true,
  isLeaving: false,
  isDrained: false,
  calls: 0,
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function reportsWithin(ms: number, states: readonly MediaServerState[]): Promise<number> {
  const query = vi.fn(async () => ({ rows: [] }));
  const deps = { sql: { query }, lease: { held: true }, log: { warn: vi.fn() } } as unknown as PhoneDeps;
  const drains = await MediaDrains.start(deps, { states, setDrained: () => undefined });
  await vi.advanceTimersByTimeAsync(ms);
  await drains.close();
  return query.mock.calls.length;
}

it.each([
  { name: 'a call', servers: [Object.assign({}, SERVER, { calls: 1 })] },
  { name: 'two media servers', servers: [SERVER, Object.assign({}, SERVER, { host: '10.0.0.2:8021' })] },
  { name: 'a media server that is away', servers: [Object.assign({}, SERVER, { isConnected: false })] },
])('reports every two seconds with $name', async ({ servers }) => {
  expect(await reportsWithin(11_000, servers)).toBe(6);
});

it('reports every ten seconds with one media server and no calls', async () => {
  expect(await reportsWithin(11_000, [SERVER])).toBe(2);
});
