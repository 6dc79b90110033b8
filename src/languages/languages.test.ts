/** Every language is complete and correct, beyond what its types check. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { minorDigits } from '../domain/cached-formats.ts';
import { CURRENCIES } from '../domain/money.ts';
import { english, LANGUAGE_TAGS, languageFor } from './index.ts';
import type { Filled, LineSentences } from './line.ts';

const OTHERS = LANGUAGE_TAGS.filter((tag) => tag !== 'en');
const FACTS = {
  business: '<business>',
  amount: '<amount>',
  brand: '<brand>',
  brands: '<brands>',
  minimum: '<minimum>',
  percent: '<percent>',
  payer: '<payer>',
  date: '<date>',
  phone: '<phone>',
};

type Sentence = LineSentences[keyof LineSentences];
const say = (sentence: Sentence) => (typeof sentence === 'string' ? sentence : sentence.say(FACTS));
const plain = (sentence: Sentence | Filled<never>) => (typeof sentence === 'string' ? sentence : sentence.plain);
const sentencesOf = (tag: string) =>
  Object.entries(languageFor(tag).line.sentences) as [keyof LineSentences, Sentence][];

test('every folder is a language in the registry', () => {
  const entries = readdirSync(new URL('.', import.meta.url), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(folders.sort()).toEqual([...LANGUAGE_TAGS].sort());
});

test.each([null, '', 'en', 'en-GB', 'pt-BR', 'deu', 'english'])(
  'English is spoken if the language is %j',
  (language) => {
    expect(languageFor(language)).toBe(english);
  },
);

test.each(['de', 'DE-at', 'de-Latn-CH'])('%s is German', (language) => {
  expect(languageFor(language).locale).toBe('de-DE');
});

test.each(LANGUAGE_TAGS)('names the minor unit of every currency that has one (%s)', (tag) => {
  const { currencies } = languageFor(tag).numbers;
  for (const code of CURRENCIES) expect('minor' in currencies[code], code).toBe(minorDigits(code) > 0);
});

describe.each(LANGUAGE_TAGS)('the sentences of the line in %s', (tag) => {
  test.each(sentencesOf(tag))('%s is a sentence that can be spoken and recorded', (_, sentence) => {
    for (const text of [say(sentence), plain(sentence)]) {
      expect(text).toMatch(/^\S.*[^\s_]$/);
      expect(text.length).toBeLessThanOrEqual(200);
    }
    expect(plain(sentence)).not.toMatch(/[<>{}]|undefined/);
  });
});

describe.each(OTHERS)('the sentences of the line in %s', (tag) => {
  const other = languageFor(tag).line.sentences;
  test.each(sentencesOf('en'))('%s is translated and contains the same names and amounts', (name, sentence) => {
    const factsIn = (text: string) => (text.match(/<\w+>/g) ?? []).sort();
    expect(factsIn(say(other[name]))).toEqual(factsIn(say(sentence)));
    expect(plain(other[name])).not.toBe(plain(sentence));
  });
});

test('the English line says "enter", and never "key" as a verb', () => {
  for (const [, sentence] of sentencesOf('en')) {
    expect(say(sentence)).not.toMatch(/\bkey(ed|ing)?\b (?!\.)|\bkey (your|the|it|a)\b/i);
  }
});

test.each(LANGUAGE_TAGS)("the agent's messages are whole sentences, and no two are the same (%s)", (tag) => {
  const { errors, declines, other, checkout } = languageFor(tag).agent;
  const words = [...Object.values(errors), ...Object.values(declines), ...Object.values(other)];
  const sentences = words.flatMap(({ agentMessage, displayMessage }) => [agentMessage, displayMessage]);
  for (const sentence of [...sentences, ...Object.values(checkout)]) expect(sentence).toMatch(/^[¿\p{Lu}].{20,}[.?]$/u);
  expect(new Set(sentences).size).toBe(sentences.length);
});
