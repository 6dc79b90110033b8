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

test('a bank account is not shown as a card', () => {
  const account = { brand: null, last_four: '6789', payment_method: 'us_bank_account' } as const;
  expect(cardText(account)).toBe('Bank account ···· 6789');
  expect(cardText({ ...account, last_four: null })).toBe('Bank account');
});
