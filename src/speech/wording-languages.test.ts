import { describe, expect, it } from 'vitest';
import { DINER, everyLine, followsText, SAVED_CARDS } from '../../test/support/spoken-lines.ts';
import type { Line } from '../flow/lines.ts';
import { english, LANGUAGE_TAGS, languageFor } from '../languages/index.ts';
import { personalTexts } from './personal-texts.ts';
import type { Vocabulary } from './ports.ts';
import { sharedTexts } from './recorded.ts';
import { wordingOf } from './wording.ts';

const OTHER_LANGUAGES = LANGUAGE_TAGS.filter((language) => language !== 'en');

const inLanguage = (line: Line, language: string, vocabulary: Partial<Vocabulary> = {}) =>
  wordingOf(line, { ...DINER, language, ...vocabulary }, languageFor(language))
    .map(({ text }) => text)
    .join(' ');

describe('the words in other languages', () => {
  it.each<[string, Line, string]>([
    [
      'es',
      { name: 'greeting' },
      'Demo Diner, cuarenta y dos dólares con cincuenta centavos. Por favor, marque su número de tarjeta.',
    ],
    [
      'fr',
      { name: 'greeting' },
      'Demo Diner, quarante-deux dollars et cinquante centimes. Sur votre clavier, tapez votre numéro de carte.',
    ],
    [
      'de',
      { name: 'greeting' },
      'Demo Diner, zweiundvierzig Dollar und fünfzig Cent. Bitte tippen Sie Ihre Kartennummer ein.',
    ],
    [
      'es',
      { name: 'ask', field: 'card_number', attempt: 2, error: 'card_not_accepted' },
      'Aquí no podemos aceptar ese tipo de tarjeta, pero sí aceptamos Visa, Mastercard o Discover. Marque por favor el número de otra tarjeta.',
    ],
    [
      'fr',
      { name: 'ask', field: 'confirmation', attempt: 1, error: null, lastFour: '4242' },
      'Carte se terminant par quatre deux quatre deux Pour payer quarante-deux dollars et cinquante centimes, tapez un. Pour utiliser une autre carte, tapez deux.',
    ],
    [
      'de',
      { name: 'succeeded' },
      'Ihre Zahlung ist erfolgt: zweiundvierzig Dollar und fünfzig Cent an Demo Diner. Wir schicken Ihnen einen Beleg per SMS. Sie werden jetzt zurückverbunden.',
    ],
  ])('in %s: %o', (language, line, expected) => expect(inLanguage(line, language)).toBe(expected));

  it('offer the other language in its own words, last, if a card can be keyed', () => {
    const greeted = (line: Line) =>
      wordingOf(line, DINER, english, languageFor('es')).map(({ text, language }) => [text, language]);
    expect(greeted({ name: 'greeting' }).at(-1)).toEqual(['Para español, marque nueve.', 'es-419']);
    expect(greeted({ name: 'greeting', byLink: true }).flat()).not.toContain('es-419');
    expect(greeted({ name: 'one_moment' })).toEqual([['One moment, please.', undefined]]);
  });

  it.each(OTHER_LANGUAGES)('contain no English, and are not much longer than it (%s)', (language) => {
    const inEnglish = /\b(the|your|you|please|card|number|enter|press|payment|charged|nothing)\b/i;
    for (const line of everyLine()) {
      const text = inLanguage(line, language);
      expect(text).not.toMatch(inEnglish);
      expect(text).not.toMatch(/\{|\}|undefined|_/);
      expect(text.length, text).toBeGreaterThan(4);
      // Up to half as long again as in English.
      expect(text.length, text).toBeLessThan(inLanguage(line, 'en-US').length * 1.5 + 25);
    }
  });

  it.each(OTHER_LANGUAGES)('promise a text only if one can be sent (%s)', (language) => {
    const promises = (canText: boolean) =>
      everyLine().filter(
        (line) => !followsText(line) && /\bSMS\b|mensaje/.test(inLanguage(line, language, { canText })),
      );
    expect(promises(false)).toEqual([]);
    expect(promises(true)).toEqual(
      everyLine().filter((line) => !followsText(line) && /\btext\b/.test(inLanguage(line, 'en-US'))),
    );
  });

  it('address the caller formally', () => {
    const informal = {
      es: /\b(tú|tu|tus|ti|contigo|marca|puedes|quieres)\b/i,
      // `\b` would find the "tes" of "êtes".
      fr: /(?<!\p{L})(tu|ton|ta|tes|toi)(?!\p{L})/iu,
      de: /\b(du|dein\w*|dir|dich)\b/i,
    };
    for (const [language, pattern] of Object.entries(informal)) {
      for (const line of everyLine()) expect(inLanguage(line, language)).not.toMatch(pattern);
    }
  });
});

describe('the sentences', () => {
  const variants: Partial<Vocabulary>[] = [
    {},
    { returns: false },
    { successMessage: 'Enjoy your meal!', failureMessage: 'Pay at the door.' },
    { returns: false, successMessage: 'Enjoy your meal!', failureMessage: 'Pay at the door.' },
  ];

  const everyVariant = LANGUAGE_TAGS.flatMap((language) => variants.map((variant) => ({ ...variant, language })));

  it.each(everyVariant)('of every line are rendered ahead and have a recording (%o)', (variant) => {
    const vocabulary = { ...DINER, ...variant };
    const language = languageFor(vocabulary.language);
    const shared = new Set(sharedTexts(language));
    const ahead = new Set([...shared, ...personalTexts(vocabulary, language, SAVED_CARDS)]);
    for (const line of everyLine()) {
      for (const { text, plain } of wordingOf(line, vocabulary, language)) {
        // The merchants to choose from, and the amount of a part, are known only during the call.
        if (line.name !== 'choose_merchant' && !('remainingCents' in line)) expect(ahead.has(text), text).toBe(true);
        expect(plain.filter((standIn) => !shared.has(standIn))).toEqual([]);
        expect(plain.length).toBeGreaterThan(0);
      }
    }
  });

  it('that are rendered ahead are few', () => {
    const withoutTips = { ...DINER, tips: [], smallestPartCents: null };
    expect(personalTexts(withoutTips, english)).toHaveLength(4);
    expect(personalTexts(withoutTips, english, SAVED_CARDS.slice(0, 2))).toHaveLength(6);
    // Each tip in the question, in the confirmation and in the result.
    // All or a part, its amount, and what is wrong with it.
    expect(personalTexts(DINER, english)).toHaveLength(4 + 3 * 3 + 4);
  });
});
