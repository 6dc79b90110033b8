import { expect, test } from 'vitest';
import { cardText } from './links.tsx';

test.each([
  ['AMERICAN_EXPRESS', '0005', 'American Express ···· 0005'],
  ['VISA', null, 'Visa'],
  ['UNKNOWN', '4242', 'Card ···· 4242'],
  [null, null, 'Card'],
])('a card of brand %s ending %s is %s', (brand, last_four, text) => {
  expect(cardText({ brand, last_four })).toBe(text);
});
