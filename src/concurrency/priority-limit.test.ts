import { expect, it } from 'vitest';
import { createLanes, type Lane, LaneFull } from './priority-limit.ts';

/** Jobs that end when told, and the order in which they began. */
function jobs(atOnce: number, maxWaiting = 10) {
  const lanes = createLanes(atOnce, maxWaiting);
  const begun: string[] = [];
  const finish = new Map<string, () => void>();
  const run = (lane: Lane, name: string) =>
    lanes.run(lane, () => {
      begun.push(name);
      return new Promise<string>((resolve) => finish.set(name, () => resolve(name)));
    });
  return { run, begun, finish: (name: string) => finish.get(name)?.() };
}

it('a caller who listens does not wait behind what is rendered ahead', async () => {
  const { run, begun, finish } = jobs(1);
  const first = run('ahead', 'first');
  const second = run('ahead', 'second');
  const urgent = run('live', 'urgent');
  await expect.poll(() => begun).toEqual(['first']);
  finish('first');
  await first;
  await expect.poll(() => begun).toEqual(['first', 'urgent']);
  finish('urgent');
  await urgent;
  await expect.poll(() => begun).toEqual(['first', 'urgent', 'second']);
  finish('second');
  expect(await second).toBe('second');
});

it('no more run at once than may, and no more wait', async () => {
  const { run, begun, finish } = jobs(2, 1);
  const running = [run('live', 'a'), run('live', 'b')];
  const waiting = run('live', 'c');
  await expect(run('live', 'd')).rejects.toBeInstanceOf(LaneFull);
  await expect.poll(() => begun).toEqual(['a', 'b']);
  finish('a');
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  finish('b');
  finish('c');
  await Promise.all([...running, waiting]);
});

it('a job that throws makes way for the next', async () => {
  const lanes = createLanes(1, 1);
  await expect(lanes.run('live', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await lanes.run('live', async () => 'next')).toBe('next');
});
