import { expect, test } from 'vitest';
import { parseNumber, parseTypedNumber } from './parsed-number.ts';

test('gives the same answer again, and each set of rules its own', () => {
  for (let again = 0; again < 2; again += 1) {
    expect(parseNumber('+442079460000')?.country).toBe('GB');
    expect(parseTypedNumber('+442079460000')?.getType()).toBe('FIXED_LINE');
    expect(parseNumber('no number')).toBeUndefined();
  }
  expect(parseNumber('+442079460000')).toBe(parseNumber('+442079460000'));
});

test('forgets numbers after many others, and does not keep long texts', () => {
  const first = parseNumber('+442079460000');
  for (let other = 0; other < 3_000; other += 1) parseNumber(`+1555${String(1_000_000 + other)}`);
  expect(parseNumber('+442079460000')).not.toBe(first);
  const long = `+44 20 7946 0000${' '.repeat(30)}`;
  expect(parseNumber(long)).not.toBe(parseNumber(long));
});
