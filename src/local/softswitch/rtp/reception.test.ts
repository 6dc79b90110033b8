/** Loss and jitter of a stream, from packets whose times and numbers are known. */
import { expect, test } from 'vitest';
import { Reception } from './reception.ts';

/** Receives packets of 20 ms. @param lateMs delay of each packet, by its index */
function receive(reception: Reception, sequences: readonly number[], lateMs = (_place: number) => 0): Reception {
  for (const [place, sequence] of sequences.entries()) reception.receive(sequence, 1_000 + place * 20 + lateMs(place));
  return reception;
}
const run = (first: number, count: number) => Array.from({ length: count }, (_, place) => (first + place) % 0x10000);

test('a perfect stream has neither loss nor jitter', () => {
  const reception = receive(new Reception(), run(0xfff0, 200));
  expect([reception.lost, reception.maxVariance, reception.meanIntervalMs]).toEqual([0, 0, 20]);
});

test('gaps count as loss, even where the sequence numbers wrap; late and duplicate packets do not', () => {
  expect(receive(new Reception(), [1, 2, 5, 6, 9]).lost).toBe(4);
  expect(receive(new Reception(), [0xfffe, 2]).lost).toBe(3);
  expect(receive(new Reception(), [1, 2, 4, 3, 3, 5]).lost).toBe(1);
});

test('packets that are alternately 5 ms early and late have jitter', () => {
  const reception = receive(new Reception(), run(0, 1_000), (place) => (place % 2 === 0 ? 5 : -5));
  expect(Math.sqrt(reception.maxVariance)).toBeGreaterThan(9);
  expect(Math.sqrt(reception.maxVariance)).toBeLessThan(15);
});

test('a key press counts neither as loss nor as jitter', () => {
  const reception = receive(new Reception(), run(0, 50));
  reception.interrupt();
  receive(reception, run(90, 50), () => 5_000);
  expect([reception.lost, reception.maxVariance]).toEqual([0, 0]);
});
