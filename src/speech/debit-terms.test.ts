/**
 * The authorization of a bank debit has what Nacha asks for in a single telephone-initiated entry (nacha.org/rules/
 * meaningful-modernization, "minimum standards"), in each language.
 */
import { expect, it } from 'vitest';
import { DINER } from '../../test/support/spoken-lines.ts';
import { LANGUAGE_TAGS, type LanguageTag, languageFor } from '../languages/index.ts';
import { amountInWords } from '../languages/numbers.ts';
import { wordingOf } from './wording.ts';

const DEBIT = {
  payer: 'Ada Lovelace',
  phone: '+15550100002',
  at: new Date('2026-11-20T17:00:00Z'),
  timeZone: 'America/New_York',
};

/** Date of the authorization, single entry, timing, account, and how to revoke it. */
const TERMS: Record<LanguageTag, readonly RegExp[]> = {
  en: [/November 20, 2026/, /one electronic debit/, /today or later/, /your savings account ending/, /revoke/],
  de: [/20\. November 2026/, /einmaligen elektronischen Abbuchung/, /heute oder später/, /Sparkonto mit/, /widerrufen/],
  es: [/20 de noviembre de 2026/, /único débito electrónico/, /hoy o más adelante/, /cuenta de ahorros/, /revocarlo/],
  fr: [/20 novembre 2026/, /un seul prélèvement/, /aujourd'hui ou plus tard/, /compte épargne/, /révoquer/],
};

it.each(LANGUAGE_TAGS)('says every term of a bank debit before the key that authorizes it, in %s', (tag) => {
  const language = languageFor(tag);
  const { numbers } = language;
  const account = { accountType: 'savings', lastFour: '6789' } as const;
  const line = { name: 'ask', field: 'debit_terms', attempt: 1, error: null, ...account } as const;
  const text = wordingOf(line, { ...DINER, language: tag, debit: DEBIT }, language)
    .map((sentence) => sentence.text)
    .join(' ');
  const inWords = (digits: string) => [...digits].map((digit) => numbers.digits[Number(digit)]).join(' ');
  const amount = amountInWords(DINER.amountCents, DINER.currency, numbers);
  for (const term of [DEBIT.payer, DINER.businessName, amount, inWords('6789'), inWords('5550100002')]) {
    expect(text).toContain(term);
  }
  for (const term of TERMS[tag]) expect(text).toMatch(term);
});
