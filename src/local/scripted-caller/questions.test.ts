import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { fieldAskedFor, maskKeys } from './questions.ts';

test.each(['en', 'es'])('every sentence that asks is understood, and no other is (%s)', async (language) => {
  const catalogue = new URL(`../../../prompts/${language}.json`, import.meta.url);
  const { sentences } = JSON.parse(await readFile(catalogue, 'utf8')) as { sentences: Record<string, { say: string }> };
  const fields = ['card_number', 'expiry', 'security_code', 'postal_code'] as const;
  for (const [name, { say }] of Object.entries(sentences)) {
    const asks =
      { 'confirmation.change': 'confirmation', 'keep_card.pay': 'keep_card' }[name] ??
      fields.find((field) => name.startsWith(`${field}.`)) ??
      null;
    expect(fieldAskedFor(say), name).toBe(asks);
  }
});

test('a timeline shows of a card number its last four, of other fields how many keys', () => {
  expect(maskKeys('card_number', '4242424242424242')).toBe('••••••••••••4242');
  expect(maskKeys('card_number', '42424242*')).toBe('•••••••• *');
  expect(maskKeys('card_number', '42424242424242421230123')).toBe('•'.repeat(23));
  expect(maskKeys('card_number', '4242**')).toBe('•••• **');
  expect(maskKeys('card_number', '##')).toBe('##');
  expect(maskKeys('card_number', '1')).toBe('1');
  expect(maskKeys('security_code', '123')).toBe('•••');
  expect(maskKeys('confirmation', '1')).toBe('1');
});
