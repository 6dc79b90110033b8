/**
 * German numbers before a noun, one word each: "ein Dollar", "eine Lira", "einhundertein Euro", "einundzwanzigtausend".
 */
import { type Gender, splitThousands, withMillions } from './number-words.ts';

// biome-ignore format: a table of words, ten a line
const BELOW_TWENTY = [
  'null', 'ein', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun',
  'zehn', 'elf', 'zwölf', 'dreizehn', 'vierzehn', 'fünfzehn', 'sechzehn', 'siebzehn', 'achtzehn', 'neunzehn',
] as const;
const TENS = ['', '', 'zwanzig', 'dreißig', 'vierzig', 'fünfzig', 'sechzig', 'siebzig', 'achtzig', 'neunzig'] as const;

/**
 * @param value 0 … 99,999,999. "Million" is a feminine noun of its own: "eine Million", "zwei Millionen dreitausend".
 */
export const germanNumber = withMillions(
  (count) => (count === 1 ? 'eine Million' : `${belowHundred(count)} Millionen`),
  belowMillion,
);

/** @param value 0 … 999,999 */
function belowMillion(value: number, gender: Gender): string {
  const { thousands, rest } = splitThousands(value);
  const many = thousands === 0 ? '' : `${belowThousand(thousands)}tausend`;
  const word = thousands > 0 && rest === 0 ? many : `${many}${belowThousand(rest)}`;
  // Only a one at the very end takes the noun's gender: "eine", but "einundzwanzig".
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
