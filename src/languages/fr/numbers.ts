/**
 * French numbers before a noun, as spelled traditionally: "un" takes the noun's gender (vingt et une livres), "vingt"
 * and "cent" take an s if nothing follows (quatre-vingts, deux cents), and none before "mille" (quatre-vingt mille).
 */
import { type Gender, joinWords, type Numbers, splitThousands, withMillions } from '../numbers.ts';

// biome-ignore format: a table of words, ten a line
const BELOW_TWENTY = [
  'zéro', 'un', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf',
  'dix', 'onze', 'douze', 'treize', 'quatorze', 'quinze', 'seize', 'dix-sept', 'dix-huit', 'dix-neuf',
] as const;
/** 70 to 79 and 90 to 99 continue 60 and 80. */
const TENS = [
  '',
  '',
  'vingt',
  'trente',
  'quarante',
  'cinquante',
  'soixante',
  'soixante',
  'quatre-vingt',
  'quatre-vingt',
] as const;

/** "Million" is a noun, before which "vingt" keeps its s: "quatre-vingts millions". */
const words = withMillions(
  (count) => (count === 1 ? 'un million' : `${belowHundred(count, 'masculine', true)} millions`),
  belowMillion,
);

/** @param value 0 to 999,999 */
function belowMillion(value: number, gender: Gender): string {
  const { thousands, rest } = splitThousands(value);
  if (thousands === 0) return belowThousand(rest, gender, true);
  // "mille" is masculine and never changes; one thousand is just "mille".
  const many = thousands === 1 ? '' : belowThousand(thousands, 'masculine', false);
  return joinWords(many, 'mille', rest === 0 ? '' : belowThousand(rest, gender, true));
}

/** @param isLast no other number word follows */
function belowThousand(value: number, gender: Gender, isLast: boolean): string {
  const [hundreds, rest] = [Math.floor(value / 100), value % 100];
  if (hundreds === 0) return belowHundred(rest, gender, isLast);
  const many = hundreds === 1 ? '' : (BELOW_TWENTY[hundreds] ?? '');
  if (rest === 0) return joinWords(many, hundreds > 1 && isLast ? 'cents' : 'cent');
  return joinWords(many, 'cent', belowHundred(rest, gender, isLast));
}

function belowHundred(value: number, gender: Gender, isLast: boolean): string {
  if (value === 1) return gender === 'feminine' ? 'une' : 'un';
  if (value === 80) return isLast ? 'quatre-vingts' : 'quatre-vingt';
  const small = BELOW_TWENTY[value];
  if (small !== undefined) return small;
  const tens = TENS[Math.floor(value / 10)] ?? '';
  const rest = value < 60 ? value % 10 : value % 20;
  if (rest === 0) return tens;
  const isJoinedByAnd = value < 80 && (rest === 1 || rest === 11);
  return `${tens}${isJoinedByAnd ? ' et ' : '-'}${belowHundred(rest, gender, isLast)}`;
}

export const numbers: Numbers = {
  digits: ['zéro', 'un', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf'],
  words,
  // Zéro dollar, un dollar.
  isSingular: (value) => value < 2,
  // Un million de yens, but un million mille yens.
  beforeNoun: (value) => (value > 0 && value % 1_000_000 === 0 ? ' de' : ''),
  and: 'et',
  currencies: {
    USD: { major: { one: 'dollar', many: 'dollars' }, minor: { one: 'centime', many: 'centimes' } },
    CAD: { major: { one: 'dollar', many: 'dollars' }, minor: { one: 'centime', many: 'centimes' } },
    AUD: { major: { one: 'dollar', many: 'dollars' }, minor: { one: 'centime', many: 'centimes' } },
    EUR: { major: { one: 'euro', many: 'euros' }, minor: { one: 'centime', many: 'centimes' } },
    GBP: { major: { one: 'livre', many: 'livres', gender: 'feminine' }, minor: { one: 'penny', many: 'pence' } },
    JPY: { major: { one: 'yen', many: 'yens' } },
    KRW: { major: { one: 'won', many: 'wons' } },
  },
};
