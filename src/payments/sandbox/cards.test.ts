import { describe, expect, it } from 'vitest';
import { numberFault } from '../../domain/card.ts';
import { DECLINE_CODES } from '../../domain/charge.ts';
import { Secret } from '../../domain/secret.ts';
import { handleOf, TEST_CARDS, testCard, testCardByHandle, testCardByNumber } from './cards.ts';

const BRANDS = ['visa', 'mastercard', 'american-express', 'discover'];

describe('the test cards', () => {
  it.each(TEST_CARDS)('$name can be keyed on the line', ({ number }) => {
    expect(numberFault(Secret.of(number), BRANDS)).toBeNull();
  });

  it('have unique names, numbers and handles', () => {
    for (const card of TEST_CARDS) {
      expect(testCard(card.name)).toBe(card);
      expect(testCardByNumber(card.number)).toBe(card);
      expect(testCardByHandle(handleOf(card))).toBe(card);
    }
    expect(testCardByNumber('4012888888881881')).toBeNull();
    expect(testCardByHandle('visa')).toBeNull();
    expect(() => testCard('nobody')).toThrow('no test card');
  });

  it('cover every decline code', () => {
    const reached = TEST_CARDS.flatMap(({ behaviour }) => {
      if (behaviour.kind === 'asks') return ['authentication_required'];
      return 'code' in behaviour ? [behaviour.code] : [];
    });
    expect(DECLINE_CODES.filter((code) => !reached.includes(code))).toEqual([]);
  });
});
