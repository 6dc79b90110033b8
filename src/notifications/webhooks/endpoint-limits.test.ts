import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newId } from '../../domain/ids.ts';
import { EndpointLimits } from './endpoint-limits.ts';

const MOST = 24;
const newKey = (endpointId = newId('WebhookEndpoint')) => ({ endpointId, eventId: newId('Event') });

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

function beginAll(limits: EndpointLimits, id: ReturnType<typeof newId<'WebhookEndpoint'>>, count: number) {
  return Array.from({ length: count }, () => newKey(id)).filter((key) => limits.begin(key));
}

it('limits the concurrent deliveries to one endpoint, each once, without delaying other endpoints', () => {
  const limits = new EndpointLimits();
  const id = newId('WebhookEndpoint');
  const [first = newKey(), ...rest] = beginAll(limits, id, 100);
  expect(rest).toHaveLength(MOST - 1);
  expect(limits.underWay(id)).toBe(MOST);
  expect(limits.begin(newKey())).toBe(true);
  limits.end(first);
  expect(rest.map((key) => limits.begin(key))).not.toContain(true);
  expect(limits.begin(first)).toBe(true);
  expect(limits.begin(newKey(id))).toBe(false);
});

it('keeps capacity for others however many endpoints are slow', () => {
  const limits = new EndpointLimits();
  const slow = Array.from({ length: 100 }, () => newId('WebhookEndpoint'));
  for (let round = 0; round < MOST; round += 1) for (const id of slow) limits.begin(newKey(id));
  const begun = slow.map((id) => limits.underWay(id));
  expect(Math.min(...begun)).toBeGreaterThan(5);
  expect(beginAll(limits, newId('WebhookEndpoint'), MOST).length).toBeGreaterThan(5);
});

it('spreads waiting deliveries by the endpoint’s response time over half a minute, and delays no more than that', () => {
  const waitsAfter = (tookMs: number) => {
    const limits = new EndpointLimits();
    const id = newId('WebhookEndpoint');
    beginAll(limits, id, MOST);
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
  const [_hanging, ...others] = beginAll(limits, id, MOST);
  vi.advanceTimersByTime(10);
  for (const key of others) limits.end(key);
  vi.advanceTimersByTime(10_000);
  beginAll(limits, id, MOST - 1);
  expect(Array.from({ length: 100 }, () => limits.putOff(id)).at(-1)).toBe(120);
});
