/** American English numbers: "one hundred one", "thirty-four thousand two". They do not depend on the noun. */
import { joinWords, type Numbers, splitThousands, withMillions } from '../numbers.ts';

// biome-ignore format: a table of words, ten a line
const BELOW_TWENTY = [
  'zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine',
  'ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen',
] as const;
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'] as const;

const words = withMillions((count) => `${belowHundred(count)} million`, belowMillion);

/** @param value 0 to 999,999 */
function belowMillion(value: number): string {
  const { thousands, rest } = splitThousands(value);
  if (thousands === 0) return belowThousand(rest);
  return joinWords(belowThousand(thousands), 'thousand', rest === 0 ? '' : belowThousand(rest));
}

function belowThousand(value: number): string {
  const [hundreds, rest] = [Math.floor(value / 100), value % 100];
  if (hundreds === 0) return belowHundred(rest);
  return joinWords(belowHundred(hundreds), 'hundred', rest === 0 ? '' : belowHundred(rest));
}

function belowHundred(value: number): string {
  const small = BELOW_TWENTY[value];
  if (small !== undefined) return small;
  const tens = TENS[Math.floor(value / 10)] ?? '';
  return value % 10 === 0 ? tens : `${tens}-${BELOW_TWENTY[value % 10]}`;
}

export const numbers: Numbers = {
  digits: ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
  words,
  isSingular: (value) => value === 1,
  beforeNoun: () => '',
  and: 'and',
  currencies: {
    USD: { major: { one: 'dollar', many: 'dollars' }, minor: { one: 'cent', many: 'cents' } },
    CAD: { major: { one: 'dollar', many: 'dollars' }, minor: { one: 'cent', many: 'cents' } },
    AUD: { major: { one: 'dollar', many: 'dollars' }, minor: { one: 'cent', many: 'cents' } },
    EUR: { major: { one: 'euro', many: 'euros' }, minor: { one: 'cent', many: 'cents' } },
    GBP: { major: { one: 'pound', many: 'pounds' }, minor: { one: 'penny', many: 'pence' } },
    JPY: { major: { one: 'yen', many: 'yen' } },
    KRW: { major: { one: 'won', many: 'won' } },
  },
};
