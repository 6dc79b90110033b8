import { expect, test } from 'vitest';
import { MERCHANT_DEFAULTS } from '../domain/merchant.ts';
import { previewOfLine } from './line-preview.ts';

const MERCHANT = { ...MERCHANT_DEFAULTS, businessName: 'Corner Bakery' };
const stepsOf = (merchant: Parameters<typeof previewOfLine>[0]) => previewOfLine(merchant).map(({ step }) => step);

test('The preview of a merchant with defaults asks for the card, and says how a payment and a decline end', () => {
  const lines = previewOfLine(MERCHANT);
  expect(lines.map(({ step }) => step)).toEqual([
    'greeting',
    'expiry',
    'security_code',
    'one_moment',
    'succeeded',
    'declined',
  ]);
  expect(lines[0]?.sentences[0]?.text).toContain('Corner Bakery, forty-two dollars and fifty cents');
});

test('Each setting of the call adds its question, in the order of the call', () => {
  const all = {
    ...MERCHANT,
    asksPostalCode: true,
    partialMinimumCents: 500,
    tipPercentages: [15, 20],
    cardSaving: 'ask',
  } as const;
  expect(stepsOf(all)).toEqual([
    'greeting',
    'expiry',
    'security_code',
    'postal_code',
    'part',
    'tip',
    'confirmation',
    'one_moment',
    'succeeded',
    'declined',
  ]);
  expect(stepsOf({ ...MERCHANT, cardSaving: 'ask' })).toContain('keep_card');
});

test('The preview speaks the language of the merchant, and offers the second one in its own words', () => {
  const [greeting] = previewOfLine({ ...MERCHANT, language: 'de-AT', secondLanguage: 'es', currency: 'EUR' });
  expect(greeting?.sentences.map(({ language }) => language)).toEqual(['de-DE', 'de-DE', 'es-419']);
});

test('A merchant without a name, or in a language that the line does not speak, has a preview in English', () => {
  const [greeting] = previewOfLine({ ...MERCHANT, businessName: '', language: 'pt-BR' });
  expect(greeting?.sentences[0]).toEqual({ text: expect.stringContaining('dollars'), language: 'en-US' });
});

test.each([
  ['en', 'Card ending four two four two. To pay'],
  ['de', 'vier zwei vier zwei. '],
  ['es', 'cuatro dos cuatro dos. '],
  ['fr', 'quatre deux quatre deux. '],
])('The digits of the card end with a full stop: %s', (language, text) => {
  const lines = previewOfLine({ ...MERCHANT, language, asksConfirmation: true });
  const confirmation = lines.find(({ step }) => step === 'confirmation')?.sentences ?? [];
  expect(confirmation.map((sentence) => sentence.text).join(' ')).toContain(text);
});
