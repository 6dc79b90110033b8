import { expect, it } from 'vitest';
import { newId } from '../domain/ids.ts';
import { EndpointLimits } from './endpoint-limits.ts';

const MOST = 24;

function enterAll(limits: EndpointLimits, id: ReturnType<typeof newId<'WebhookEndpoint'>>, count: number) {
  return Array.from({ length: count }, () => limits.enter(id));
}

it('lets so many deliveries to one endpoint begin, the next ones at turns of their own, and others at once', () => {
  const limits = new EndpointLimits();
  const [id, other] = [newId('WebhookEndpoint'), newId('WebhookEndpoint')];
  expect(enterAll(limits, id, MOST)).toEqual(Array(MOST).fill(null));
  const waits = enterAll(limits, id, 100).map(Number);
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect(waits[99]).toBeGreaterThan(Number(waits[0]) + 100);
  expect(limits.enter(other)).toBe(null);
  limits.leave(id, 5);
  expect(limits.enter(id)).toBe(null);
});

it('spreads those that wait by how long the endpoint takes, a minute at most', () => {
  const wait = (tookMs: number) => {
    const limits = new EndpointLimits();
    const id = newId('WebhookEndpoint');
    enterAll(limits, id, MOST);
    for (let round = 0; round < 50; round += 1) {
      limits.leave(id, tookMs);
      limits.enter(id);
    }
    return Number(enterAll(limits, id, 1_000).at(-1));
  };
  expect(wait(10)).toBeLessThan(wait(100));
  expect(wait(15_000)).toBe(60_000);
});
