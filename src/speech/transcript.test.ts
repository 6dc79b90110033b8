import { expect, it } from 'vitest';
import { DINER, everyLine } from '../../test/support/spoken-lines.ts';
import type { Line } from '../flow/lines.ts';
import { languageFor } from '../languages/index.ts';
import type { Speech, Vocabulary } from './ports.ts';
import { transcriptOf } from './transcript.ts';
import { wordingOf } from './wording.ts';

const speech: Pick<Speech, 'words' | 'spokenLanguage'> = {
  words: (line, vocabulary) =>
    wordingOf(line, vocabulary, languageFor(vocabulary.language))
      .map(({ text }) => text)
      .join(' '),
  spokenLanguage: ({ language }) => languageFor(language).locale,
};

const transcript = (line: Line, vocabulary: Partial<Vocabulary> = {}) =>
  transcriptOf(speech, line, { ...DINER, ...vocabulary });

it('says which question was asked, in the language of the call', () => {
  const line = { name: 'ask', field: 'expiry', attempt: 1, error: null } as const;
  expect(transcript(line).language).toBe('en-US');
  const german = transcript(line, { language: 'de' });
  expect(german).toEqual({ text: speech.words(line, { ...DINER, language: 'de' }), language: 'de-DE' });
});

it.each(['en', 'es', 'fr', 'de'])('leaves out the last digits of cards, accounts and phones (%s)', (language) => {
  const savedCards = [
    { brand: 'visa', lastFour: '4242' },
    { brand: 'mastercard', lastFour: '4444' },
  ];
  const lines: Line[] = [
    { name: 'greeting', savedCards: savedCards.slice(0, 1) },
    { name: 'ask', field: 'card_number', attempt: 1, error: null, savedCards: savedCards.slice(0, 1) },
    { name: 'ask', field: 'saved_card', attempt: 2, error: 'looks_wrong', savedCards },
    { name: 'ask', field: 'confirmation', attempt: 1, error: null, lastFour: '4242' },
    { name: 'ask', field: 'debit_terms', attempt: 1, error: null, accountType: 'savings', lastFour: '4242' },
    { name: 'link_sent', lastTwo: '44', byLink: 'or_keypad' },
  ];
  const four = languageFor(language).numbers.digits[4] ?? '';
  for (const line of lines) {
    expect(speech.words(line, { ...DINER, language }), line.name).toContain(`${four} `);
    expect(transcript(line, { language }).text, line.name).not.toMatch(new RegExp(`\\b${four}\\b|4`));
    expect(transcript(line, { language }).text, line.name).toContain('…');
  }
});

it('leaves out what may name a person: the payer, and the messages of the integrator', () => {
  const named: Partial<Vocabulary> = {
    returns: false,
    successMessage: 'Thank you, Ada Lovelace.',
    failureMessage: 'Sorry, Ada Lovelace.',
    saveSentence: 'May we keep your card, Ada Lovelace?',
    debit: { payer: 'Ada Lovelace', phone: '+15550100100', at: new Date('2026-11-26T12:00:00Z'), timeZone: 'UTC' },
  };
  const texts = everyLine().map((line) => transcript(line, named).text);
  expect(texts.filter((text) => text.includes('Ada'))).toEqual([]);
  for (const field of ['[success_message]', '[failure_message]', '[save_sentence]']) {
    expect(
      texts.some((text) => text.includes(field)),
      field,
    ).toBe(true);
  }
});
