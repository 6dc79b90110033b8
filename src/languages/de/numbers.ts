/**
 * German numbers before a noun, one word each: "ein Dollar", "eine Lira", "einhundertein Euro", "einundzwanzigtausend".
 */
import { type Gender, type Numbers, splitThousands, withMillions } from '../numbers.ts';

// biome-ignore format: a table of words, ten a line
const BELOW_TWENTY = [
  'null', 'ein', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun',
  'zehn', 'elf', 'zwölf', 'dreizehn', 'vierzehn', 'fünfzehn', 'sechzehn', 'siebzehn', 'achtzehn', 'neunzehn',
] as const;
const TENS = ['', '', 'zwanzig', 'dreißig', 'vierzig', 'fünfzig', 'sechzig', 'siebzig', 'achtzig', 'neunzig'] as const;

/** "Million" is a feminine noun: "eine Million", "zwei Millionen dreitausend". */
const words = withMillions(
  (count) => (count === 1 ? 'eine Million' : `${belowHundred(count)} Millionen`),
  belowMillion,
);

/** @param value 0 to 999,999 */
function belowMillion(value: number, gender: Gender): string {
  const { thousands, rest } = splitThousands(value);
  const many = thousands === 0 ? '' : `${belowThousand(thousands)}tausend`;
  const word = thousands > 0 && rest === 0 ? many : `${many}${belowThousand(rest)}`;
  // Only a final one takes the noun's gender: "eine", but "einundzwanzig".
  return gender === 'feminine' && rest % 100 === 1 ? `${word}e` : word;
}

function belowThousand(value: number): string {
  const [hundreds, rest] = [Math.floor(value / 100), value % 100];
  if (hundreds === 0) return belowHundred(rest);
  return `${belowHundred(hundreds)}hundert${rest === 0 ? '' : belowHundred(rest)}`;
}

function belowHundred(value: number): string {
  const small = BELOW_TWENTY[value];
  if (small !== undefined) return small;
  const tens = TENS[Math.floor(value / 10)] ?? '';
  return value % 10 === 0 ? tens : `${BELOW_TWENTY[value % 10]}und${tens}`;
}

export const numbers: Numbers = {
  digits: ['null', 'eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun'],
  words,
  isSingular: (value) => value === 1,
  beforeNoun: () => '',
  and: 'und',
  currencies: {
    USD: { major: { one: 'Dollar', many: 'Dollar' }, minor: { one: 'Cent', many: 'Cent' } },
    CAD: { major: { one: 'Dollar', many: 'Dollar' }, minor: { one: 'Cent', many: 'Cent' } },
    AUD: { major: { one: 'Dollar', many: 'Dollar' }, minor: { one: 'Cent', many: 'Cent' } },
    EUR: { major: { one: 'Euro', many: 'Euro' }, minor: { one: 'Cent', many: 'Cent' } },
    GBP: { major: { one: 'Pfund', many: 'Pfund', gender: 'neuter' }, minor: { one: 'Penny', many: 'Pence' } },
    JPY: { major: { one: 'Yen', many: 'Yen' } },
    KRW: { major: { one: 'Won', many: 'Won' } },
  },
};
