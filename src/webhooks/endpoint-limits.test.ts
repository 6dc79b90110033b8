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
  expect(enterAll(limits, id, MOST)).toEqual(Array(MOST).fill('now'));
  const waits = enterAll(limits, id, 100).map(Number);
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect(waits[99]).toBeGreaterThan(Number(waits[0]) + 100);
  expect(limits.enter(other)).toBe('now');
  limits.leave(id, 5);
  expect(limits.enter(id)).toBe('now');
});

it('spreads those that wait by how long the endpoint takes, over half a minute, and puts off no more than that', () => {
  const limitsOf = (tookMs: number) => {
    const limits = new EndpointLimits();
    const id = newId('WebhookEndpoint');
    enterAll(limits, id, MOST);
    for (let round = 0; round < 50; round += 1) {
      limits.leave(id, tookMs);
      limits.enter(id);
    }
    return enterAll(limits, id, 1_000);
  };
  const [fast, slow, slowest] = [limitsOf(10), limitsOf(100), limitsOf(15_000)];
  expect(Number(fast.at(-1))).toBeLessThan(Number(slow.at(-1)));
  const waits = slowest.filter((wait) => typeof wait === 'number');
  expect(slowest).toEqual([...waits, ...Array(1_000 - waits.length).fill('too_late')]);
  expect(waits.at(-1)).toBeGreaterThan(29_000);
  expect(waits.at(-1)).toBeLessThanOrEqual(30_000);
});
