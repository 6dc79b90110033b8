import { expect, test } from 'vitest';
import { amountText, dateText, timeText } from './written.ts';

test.each([
  [4_250, 'USD', 'en-US', '$42.50'],
  [4_250, 'USD', 'de-DE', '42,50 $'],
  [4_250, 'EUR', 'fr-FR', '42,50 €'],
  [99_999_999, 'CAD', 'en-CA', '$999,999.99'],
  [5, 'GBP', 'en-GB', '£0.05'],
  [4_250, 'JPY', 'en-US', '¥4,250'],
  [4_250, 'JPY', 'de-DE', '4.250 ¥'],
  [4_250, 'KRW', 'en-US', '₩4,250'],
] as const)('%i %s in %s is %s', (amountCents, currency, locale, text) => {
  expect(amountText({ amountCents, currency }, locale).replace(/[\u00a0\u202f]/g, ' ')).toBe(text);
});

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');
const AT = new Date('2026-11-22T22:30:00Z');

test("times are those of the merchant's place, with the day where it is not today's", () => {
  const now = new Date('2026-11-22T20:00:00Z');
  expect(plain(timeText(AT, now, 'en-US', 'America/New_York'))).toBe('5:30 PM EST');
  expect(plain(timeText(AT, now, 'de-DE', 'Europe/Berlin'))).toBe('23:30 MEZ');
  expect(plain(timeText(AT, now, 'en-US', 'Asia/Tokyo'))).toMatch(/^7:30 AM/);
  expect(plain(timeText(AT, new Date('2026-11-21T20:00:00Z'), 'en-US', 'UTC'))).toContain('November 22, 2026');
  expect(plain(dateText(AT, 'en-US', 'Nowhere/Land'))).toContain('10:30 PM UTC');
});
