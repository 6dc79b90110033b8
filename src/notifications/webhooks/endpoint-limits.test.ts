import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../domain/ids.ts';
import { EndpointLimits } from './endpoint-limits.ts';

const MOST = 24;
const newKey = (endpointId = newId('WebhookEndpoint')) => ({ endpointId, eventId: newId('Event') });

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

function startAll(limits: EndpointLimits, id: ReturnType<typeof newId<'WebhookEndpoint'>>, count: number) {
  return Array.from({ length: count }, () => newKey(id)).filter((key) => limits.start(key));
}

it('limits the concurrent deliveries to one endpoint, each once, without delaying other endpoints', () => {
  const limits = new EndpointLimits();
  const id = newId('WebhookEndpoint');
  const [first = newKey(), ...rest] = startAll(limits, id, 100);
  expect(rest).toHaveLength(MOST - 1);
  expect(limits.underWay(id)).toBe(MOST);
  expect(limits.start(newKey())).toBe(true);
  limits.end(first);
  expect(rest.map((key) => limits.start(key))).not.toContain(true);
  expect(limits.start(first)).toBe(true);
  expect(limits.start(newKey(id))).toBe(false);
});

it('keeps capacity for others however many endpoints are slow', () => {
  const limits = new EndpointLimits();
  const slow = Array.from({ length: 100 }, () => newId('WebhookEndpoint'));
  for (let round = 0; round < MOST; round += 1) for (const id of slow) limits.start(newKey(id));
  const started = slow.map((id) => limits.underWay(id));
  expect(Math.min(...started)).toBeGreaterThan(5);
  expect(startAll(limits, newId('WebhookEndpoint'), MOST).length).toBeGreaterThan(5);
});

it('spreads waiting deliveries by the endpoint’s response time over half a minute, and delays no more than that', () => {
  const waitsAfter = (tookMs: number) => {
    const limits = new EndpointLimits();
    const id = newId('WebhookEndpoint');
    startAll(limits, id, MOST);
    vi.advanceTimersByTime(tookMs);
    return Array.from({ length: 1_000 }, () => limits.putOff(id));
  };
  const [fast, slow, slowest] = [waitsAfter(10), waitsAfter(200), waitsAfter(15_000)];
  expect([fast[0], fast.at(-1)]).toEqual([21, 1_020]);
  expect([slow[0], slow.at(-1)]).toEqual([29, 8_354]);
  const waits = slowest.filter((wait) => wait !== null);
  expect(slowest).toEqual([...waits, ...Array(1_000 - waits.length).fill(null)]);
  expect([waits[0], waits.length, waits.at(-1)]).toEqual([645, 47, 29_395]);
});

it('does not slow an endpoint that answers because one delivery hangs', () => {
  const limits = new EndpointLimits();
  const id = newId('WebhookEndpoint');
  const [_hanging, ...others] = startAll(limits, id, MOST);
  vi.advanceTimersByTime(10);
  for (const key of others) limits.end(key);
  vi.advanceTimersByTime(10_000);
  startAll(limits, id, MOST - 1);
  expect(Array.from({ length: 100 }, () => limits.putOff(id)).at(-1)).toBe(120);
});

describe('a waiting delivery', () => {
  const full = () => {
    const limits = new EndpointLimits();
    const id = newId('WebhookEndpoint');
    const running = startAll(limits, id, MOST);
    return { limits, id, running, started: [] as string[] };
  };

  it('starts when one to the same endpoint ends, the oldest first', () => {
    const { limits, id, running, started } = full();
    const [first, second] = [newKey(id), newKey(id)];
    for (const key of [first, second, first]) expect(limits.wait(key, () => started.push(key.eventId))).toBe(true);
    expect(limits.start(newKey())).toBe(true);
    expect(started).toEqual([]);
    for (const key of running.slice(0, 3)) limits.end(key);
    expect(started).toEqual([first.eventId, second.eventId]);
  });

  it('is left to the sweep before the sweep takes it', () => {
    const { limits, id, running, started } = full();
    const [old, fresh] = [newKey(id), newKey(id)];
    limits.wait(old, () => started.push(old.eventId));
    vi.advanceTimersByTime(12_000);
    limits.wait(fresh, () => started.push(fresh.eventId));
    if (running[0] !== undefined) limits.end(running[0]);
    expect(started).toEqual([fresh.eventId]);
  });

  it('needs another one that runs, and room', () => {
    const { limits, id, running, started } = full();
    expect(limits.wait(newKey(), () => undefined)).toBe(false);
    const waiting = Array.from({ length: 1_001 }, () => newKey(id));
    const accepted = waiting.map((key) => limits.wait(key, () => started.push(key.eventId)));
    expect(accepted.filter(Boolean)).toHaveLength(1_000);
    // None of them begins: the last one that ends starts all the others.
    for (const key of running) limits.end(key);
    expect(started).toHaveLength(1_000);
  });

  it('is forgotten at the end of the process', () => {
    const { limits, id, running, started } = full();
    limits.wait(newKey(id), () => started.push('started'));
    limits.clear();
    for (const key of running) limits.end(key);
    expect(started).toEqual([]);
  });
});
