import { expect, test } from 'vitest';
import { languageFor } from '../../languages/index.ts';
import { fieldAskedFor, maskKeys } from './questions.ts';

const CARD_FIELDS = ['card_number', 'expiry', 'security_code', 'postal_code'] as const;
/** Of bank debits, which the scripts pay in English only. */
const ACCOUNT_FIELDS = ['method', 'routing_number', 'account_number', 'account_number_again', 'account_type'] as const;

test.each(['en', 'es'])(
  'recognizes which sentences of the line are questions, and for which field (%s)',
  (language) => {
    const fields = [...CARD_FIELDS, ...(language === 'en' ? ACCOUNT_FIELDS : [])];
    for (const [name, words] of Object.entries(languageFor(language).line.sentences)) {
      const asks =
        {
          'confirmation.change': 'confirmation',
          'keep_card.pay': 'keep_card',
          'saving.no': 'keep_card',
          'part.ask': 'part',
          'part_amount.ask': 'part_amount',
          'tip.none': 'tip',
          ...(language === 'en' && { 'debit.agree': 'debit_terms' }),
        }[name] ??
        fields.find((field) => name.startsWith(`${field}.`)) ??
        null;
      expect(fieldAskedFor(typeof words === 'string' ? words : words.plain), name).toBe(asks);
    }
  },
);

test('the timeline shows the last four digits of a card number, and only the count of other keys', () => {
  expect(maskKeys('card_number', '4242424242424242')).toBe('••••••••••••4242');
  expect(maskKeys('card_number', '42424242*')).toBe('•••••••• *');
  expect(maskKeys('card_number', '42424242424242421230123')).toBe('•'.repeat(23));
  expect(maskKeys('card_number', '4242**')).toBe('•••• **');
  expect(maskKeys('card_number', '##')).toBe('##');
  expect(maskKeys('card_number', '1')).toBe('1');
  expect(maskKeys('security_code', '123')).toBe('•••');
  expect(maskKeys('confirmation', '1')).toBe('1');
});
