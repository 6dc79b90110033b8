import { describe, expect, test } from 'vitest';
import { isAccountNumber, isRoutingNumber, isSameNumber, shownDigits } from './bank-account.ts';
import { Secret } from './secret.ts';

describe('routing numbers', () => {
  test.each(['110000000', '021000021', '011401533', '322271627', '061000104'])('accepts the bank %s', (digits) => {
    expect(isRoutingNumber(Secret.of(digits))).toBe(true);
  });

  test.each([
    ['a wrong check digit', '110000001'],
    ['two transposed digits', '021000012'],
    ['a prefix that no bank has', '130000006'],
    ['nine zeros', '000000000'],
    ['eight digits', '11000000'],
    ['ten digits', '1100000000'],
    ['a star', '11000000*'],
  ])('refuses %s', (_, digits) => {
    expect(isRoutingNumber(Secret.of(digits))).toBe(false);
  });
});

describe('account numbers', () => {
  test('accepts 4 to 17 digits', () => {
    const lengths = [3, 4, 17, 18].map((length) => isAccountNumber(Secret.of('7'.repeat(length))));
    expect(lengths).toEqual([false, true, true, false]);
  });

  test('distinguishes numbers that begin alike', () => {
    expect(isSameNumber(Secret.of('12345'), Secret.of('12345'))).toBe(true);
    expect(isSameNumber(Secret.of('12345'), Secret.of('123450'))).toBe(false);
  });

  test('shows the last four digits, but none of a number with fewer than eight', () => {
    expect(shownDigits(Secret.of('000123456789'))).toBe('6789');
    expect(shownDigits(Secret.of('1234567'))).toBeNull();
  });
});
