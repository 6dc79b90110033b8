import { expect, test } from 'vitest';
import type { KeyedCard } from '../../flow/effects.ts';
import { keyedCardFrom } from './card-fields.ts';
import { parsePageForm } from './form.ts';

const TAKER = { acceptedBrands: ['visa', 'american-express'], asksPostalCode: false };
const TODAY = { month: 11, year: 2026 };

const parsed = (text: string) => parsePageForm(Buffer.from(text));
const judged = (text: string, taker = TAKER) => keyedCardFrom(parsed(text).card, taker, TODAY);

function revealed(card: KeyedCard | readonly string[]) {
  if (!('number' in card)) return card;
  const { number, expiry, securityCode, postalCode } = card;
  return [number, expiry, securityCode, postalCode].map((secret) => secret?.reveal((text) => text) ?? null);
}

test('fields are decoded as browsers encode them; the first of a name counts', () => {
  const { fields } = parsed('attempt=a+b%2Fc%C3%A9&attempt=second&empty=&lonely&%66x=%zz%4');
  expect([...fields]).toEqual([
    ['attempt', 'a b/cé'],
    ['empty', ''],
    ['lonely', ''],
    ['fx', '%zz%4'],
  ]);
});

test('what is typed of a card is a Secret only, and the bytes that it came in are zeroed', () => {
  const bytes = Buffer.from('number=4242+4242&note=hello');
  const form = parsePageForm(bytes);
  expect(form.fields.get('number')).toBeUndefined();
  expect(JSON.stringify(form)).not.toContain('4242');
  expect(form.card.number?.characters.reveal((text) => text)).toBe('42424242');
  expect(bytes.every((byte) => byte === 0)).toBe(true);
  form.wipe();
  expect(form.card.number?.characters.length).toBe(0);
});

test.each([
  ['plain', 'number=4242424242424242&expiry=0429&security_code=123'],
  ['in groups', 'number=4242+4242%204242-4242&expiry=04+%2F+29&security_code=+123'],
  ['with no-break spaces', 'number=4242%C2%A04242%C2%A04242%C2%A04242&expiry=04%2F2029&security_code=123'],
  ['with a short month', 'number=4242424242424242&expiry=4%2F29&security_code=123'],
])('a card %s', (_name, text) => {
  expect(revealed(judged(text))).toEqual(['4242424242424242', '0429', '123', null]);
});

test('a postal code has letters, too, where it is asked for', () => {
  const card = 'number=378282246310005&expiry=12%2F26&security_code=1234&postal_code=k1a+0b1';
  expect(revealed(judged(card, { ...TAKER, asksPostalCode: true }))).toEqual([
    '378282246310005',
    '1226',
    '1234',
    'k1a0b1',
  ]);
});

test.each([
  ['', ['number_missing', 'expiry_missing', 'security_code_missing']],
  ['number=42424242&expiry=13%2F29&security_code=12', ['number_incomplete', 'expiry_wrong', 'security_code_wrong']],
  ['number=4242424242424241&expiry=10%2F26&security_code=123', ['number_wrong', 'expiry_past']],
  ['number=5555555555554444&expiry=11%2F26&security_code=123', ['number_not_accepted']],
  ['number=378282246310005&expiry=11%2F26&security_code=123', ['security_code_wrong']],
  ['number=4242a&expiry=soon&security_code=x', ['number_wrong', 'expiry_wrong', 'security_code_wrong']],
  [`number=${'4'.repeat(500)}&expiry=${'1'.repeat(500)}&security_code=${'1'.repeat(500)}`, expect.any(Array)],
])('%s is told field by field', (text, faults) => {
  expect(judged(text)).toEqual(faults);
});
