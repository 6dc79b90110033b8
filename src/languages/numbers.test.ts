/** Number words, read back by a reader that knows nothing of how they were made, and the spelling of each language. */
import { describe, expect, it, test } from 'vitest';
import { LANGUAGE_TAGS, languageFor } from './index.ts';
import type { Gender } from './numbers.ts';

/** By word. Hundred and thousand multiply what was read before them. */
type Values = Readonly<Record<string, number>>;

/** Reads number words from left to right. @returns NaN for an unknown word */
function readNumber(words: readonly string[], values: Values): number {
  let thousands = 0;
  let rest = 0;
  for (const word of words) {
    const value = values[word] ?? Number.NaN;
    if (value === 1_000) {
      thousands = Math.max(rest, 1);
      rest = 0;
    } else if (value === 100 && rest > 0) rest *= 100;
    else rest += value;
  }
  return thousands * 1_000 + rest;
}

interface Reader {
  words(text: string): string[];
  values: Values;
  /** Spelling that the reader does not check: what the words for a number must match, and never match. */
  rules: readonly { must: RegExp; when: (value: number, gender: Gender) => boolean }[];
  never: RegExp;
}

const numbered = (words: string, first = 0, by = 1): Values =>
  Object.fromEntries(words.split(' ').map((word, at) => [word, first + at * by]));

const READERS: Readonly<Record<string, Reader>> = {
  en: {
    words: (text) => text.replaceAll('-', ' ').split(' '),
    values: {
      ...numbered('zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'),
      ...numbered('sixteen seventeen eighteen nineteen', 16),
      ...numbered('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10),
      hundred: 100,
      thousand: 1_000,
    },
    rules: [
      { must: /(^| )(twen|thir|for|fif|six|seven|eigh|nine)ty-\w+$/, when: (n) => n % 100 > 20 && n % 10 > 0 },
      { must: /^[a-z]+(-[a-z]+)? thousand/, when: (n) => n >= 1_000 && n < 100_000 },
    ],
    never: /\band\b|^hundred|^thousand|zero ./,
  },
  es: {
    words: (text) =>
      text
        .replaceAll(' y ', ' ')
        .replaceAll(/ient[oa]s\b/g, 'iento')
        .split(' '),
    values: {
      ...numbered('cero un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis'),
      ...numbered('diecisiete dieciocho diecinueve veinte veintiún veintidós veintitrés veinticuatro veinticinco', 17),
      ...numbered('veintiséis veintisiete veintiocho veintinueve', 26),
      ...numbered('treinta cuarenta cincuenta sesenta setenta ochenta noventa', 30, 10),
      ...numbered('ciento dosciento tresciento cuatrociento quiniento seisciento seteciento', 100, 100),
      ochociento: 800,
      noveciento: 900,
      cien: 100,
      una: 1,
      veintiuna: 21,
      mil: 1_000,
    },
    rules: [
      { must: /(^| )cien$/, when: (n) => n % 1_000 === 100 },
      { must: /^cien mil/, when: (n) => Math.floor(n / 1_000) === 100 },
      { must: /ciento /, when: (n) => n % 1_000 > 100 && n % 1_000 < 200 },
      { must: /^mil/, when: (n) => n >= 1_000 && n < 2_000 },
      { must: /(^| )un$/, when: (n, g) => n % 10 === 1 && n % 100 !== 11 && n % 100 !== 21 && g !== 'feminine' },
      { must: /(^| )una$/, when: (n, g) => n % 10 === 1 && n % 100 !== 11 && n % 100 !== 21 && g === 'feminine' },
      { must: /veintiún$/, when: (n, g) => n % 100 === 21 && g !== 'feminine' },
      { must: /veintiuna$/, when: (n, g) => n % 100 === 21 && g === 'feminine' },
      {
        must: /( un|veintiún) mil/,
        when: (n) =>
          n >= 21_000 &&
          Math.floor(n / 1_000) % 100 !== 11 &&
          Math.floor(n / 1_000) % 10 === 1 &&
          Math.floor(n / 1_000) % 100 !== 1,
      },
      { must: /[a-z]+ientas/, when: (n, g) => n % 1_000 >= 200 && g === 'feminine' },
      { must: /[a-z]+ientas mil|[a-z]+ientas .* mil/, when: (n, g) => n >= 200_000 && g === 'feminine' },
      { must: /ientos/, when: (n, g) => n % 1_000 >= 200 && g !== 'feminine' },
    ],
    never: /uno|(^| )un mil\b(?<!y un mil)(?<!to un mil)(?<!s un mil)|cien y|veinte y|una mil|cero .|un$.*una/,
  },
  fr: {
    words: (text) =>
      text
        .replaceAll(/quatre-vingts?/g, 'octante')
        .replaceAll('cents', 'cent')
        .split(/ et | |-/),
    values: {
      ...numbered('zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize'),
      ...numbered('vingt trente quarante cinquante soixante', 20, 10),
      octante: 80,
      une: 1,
      cent: 100,
      mille: 1_000,
    },
    rules: [
      { must: /quatre-vingts$/, when: (n) => n % 100 === 80 },
      { must: /quatre-vingt mille/, when: (n) => Math.floor(n / 1_000) % 100 === 80 },
      { must: / cents$/, when: (n) => n % 1_000 > 100 && n % 100 === 0 },
      { must: /(^| )cent$/, when: (n) => n % 1_000 === 100 },
      {
        must: /(vingt|trente|quarante|cinquante|soixante) et une?$/,
        when: (n) => n % 10 === 1 && n % 100 > 20 && n % 100 < 70,
      },
      { must: /soixante et onze$/, when: (n) => n % 100 === 71 },
      { must: /quatre-vingt-une?$/, when: (n) => n % 100 === 81 },
      { must: /quatre-vingt-onze$/, when: (n) => n % 100 === 91 },
      { must: /une$/, when: (n, g) => n % 10 === 1 && ![11, 71, 91].includes(n % 100) && g === 'feminine' },
      { must: /un$/, when: (n, g) => n % 10 === 1 && ![11, 71, 91].includes(n % 100) && g !== 'feminine' },
      { must: /^mille/, when: (n) => n >= 1_000 && n < 2_000 },
    ],
    never:
      /septante|huitante|nonante|milles|une mille|^un mille|(^| )un cent|cents .|vingts .|vingts-|vingt et onze|zéro ./,
  },
  de: {
    words: (text) =>
      text
        .replace(/eine$/, 'ein')
        .split(/(hundert|tausend)/)
        .flatMap((part) => part.split(/und(?=.*zig|.*ßig)/))
        .filter((part) => part !== ''),
    values: {
      ...numbered('null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn'),
      ...numbered('sechzehn siebzehn achtzehn neunzehn', 16),
      ...numbered('zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig', 20, 10),
      hundert: 100,
      tausend: 1_000,
    },
    rules: [
      { must: /^[a-zäöüß]+$/, when: () => true },
      { must: /und(zwan|drei|vier|fünf|sech|sieb|acht|neun)[zß]ig$/, when: (n) => n % 100 > 20 && n % 10 > 0 },
      { must: /eine$/, when: (n, g) => n % 100 === 1 && g === 'feminine' },
      { must: /ein$/, when: (n, g) => n % 100 === 1 && g !== 'feminine' },
    ],
    never: /eins|zwanzige|sechszig|siebenzig|dreizig|null.|eine[^$]/,
  },
};
/**
 * The steps between the tested numbers from 10,000 on. They share no factor with a thousand, so that every thousand and
 * every remainder is tested.
 */
const STEPS: readonly [Gender, number][] = [
  ['masculine', 13],
  ['feminine', 97],
  ['neuter', 97],
];

const MILLIONS = Array.from({ length: 99 }, (_, at) => at + 1);

test('every language has a reader of its numbers', () => {
  expect(Object.keys(READERS).sort()).toEqual([...LANGUAGE_TAGS].sort());
});

describe.each(Object.entries(READERS))('numbers in %s', (language, { words, values, rules, never }) => {
  const number = languageFor(language).numbers.words;

  it.each(STEPS)(
    'are read back as the same numbers, from 0 to 999,999, before a %s noun (from 10,000 in steps of %i)',
    (gender, by) => {
      const misread: [number, string][] = [];
      for (let value = 0; value < 1_000_000; value += value < 10_000 ? 1 : by) {
        const text = number(value, gender);
        const keepsRules =
          !never.test(text) && rules.every(({ must, when }) => !when(value, gender) || must.test(text));
        if (readNumber(words(text), values) !== value || !keepsRules) misread.push([value, text]);
      }
      expect(misread.slice(0, 20)).toEqual([]);
    },
  );

  it.each(MILLIONS)('say %i million before the rest', (count) => {
    const rests = [0, 1, 100, 1_000, 200_000, 999_999];
    const said = rests.map((rest) => number(count * 1_000_000 + rest, 'masculine'));
    const start = said[0] ?? '';
    expect(start).toMatch(/mill(?:ion|ón|on)(?:s|es|en)?$/i);
    expect(start.startsWith(number(count, 'masculine').slice(0, 3)), start).toBe(true);
    expect(said.slice(1)).toEqual(rests.slice(1).map((rest) => `${start} ${number(rest, 'masculine')}`));
  });
});
