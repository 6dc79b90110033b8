import { expect, it } from 'vitest';
import { MinuteLoad } from './minute-load.ts';

const MINUTE = 240;

function noteFor(load: MinuteLoad, samples: number, shares: readonly number[]): void {
  for (let sample = 0; sample < samples; sample += 1) load.note(shares);
}

it('is the highest of the averages, and follows a lasting change, not a short one', () => {
  const load = new MinuteLoad();
  expect(load.share).toBe(0);
  noteFor(load, 5 * MINUTE, [0.5, 0.2]);
  expect(load.share).toBeCloseTo(0.5, 1);
  noteFor(load, 8, [0.5, 3]);
  expect(load.share).toBeLessThan(0.6);
  noteFor(load, 3 * MINUTE, [0.1, 0.9]);
  expect(load.share).toBeGreaterThan(0.8);
  noteFor(load, 5 * MINUTE, [0.1, 0.1]);
  expect(load.share).toBeLessThan(0.2);
});
