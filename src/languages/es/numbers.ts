/**
 * Spanish numbers before a noun (RAE, Diccionario panhispánico de dudas, "cardinales"): "uno" loses its o (un dólar,
 * veintiún dólares), one and the hundreds take the noun's gender (una libra, doscientas mil libras).
 */
import { type Gender, joinWords, type Numbers, splitThousands, withMillions } from '../numbers.ts';

// biome-ignore format: a table of words, ten a line
const BELOW_THIRTY = [
  'cero', 'uno', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve',
  'diez', 'once', 'doce', 'trece', 'catorce', 'quince', 'dieciséis', 'diecisiete', 'dieciocho', 'diecinueve',
  'veinte', 'veintiuno', 'veintidós', 'veintitrés', 'veinticuatro', 'veinticinco', 'veintiséis', 'veintisiete', 'veintiocho', 'veintinueve',
] as const;
const TENS = ['', '', '', 'treinta', 'cuarenta', 'cincuenta', 'sesenta', 'setenta', 'ochenta', 'noventa'] as const;
/** Without -os or -as. */
const HUNDREDS = [
  '',
  'ciento',
  'doscient',
  'trescient',
  'cuatrocient',
  'quinient',
  'seiscient',
  'setecient',
  'ochocient',
  'novecient',
] as const;

/** "Millón" is a masculine noun: "un millón", "veintiún millones". */
const words = withMillions(
  (count) => (count === 1 ? 'un millón' : `${belowHundred(count, 'masculine')} millones`),
  belowMillion,
);

/** @param value 0 to 999,999 */
function belowMillion(value: number, gender: Gender): string {
  const { thousands, rest } = splitThousands(value);
  if (thousands === 0) return belowThousand(rest, gender, gender);
  // Before "mil", the hundreds take the gender of the noun after it, and one stays "un": treinta y un mil libras.
  const many = thousands === 1 ? '' : belowThousand(thousands, gender, 'masculine');
  return joinWords(many, 'mil', rest === 0 ? '' : belowThousand(rest, gender, gender));
}

function belowThousand(value: number, hundredsGender: Gender, oneGender: Gender): string {
  if (value === 100) return 'cien';
  const [hundreds, rest] = [Math.floor(value / 100), value % 100];
  if (hundreds === 0) return belowHundred(rest, oneGender);
  const ending = hundreds === 1 ? '' : hundredsGender === 'feminine' ? 'as' : 'os';
  return joinWords(`${HUNDREDS[hundreds]}${ending}`, rest === 0 ? '' : belowHundred(rest, oneGender));
}

function belowHundred(value: number, gender: Gender): string {
  const isFeminine = gender === 'feminine';
  if (value === 1) return isFeminine ? 'una' : 'un';
  if (value === 21) return isFeminine ? 'veintiuna' : 'veintiún';
  const small = BELOW_THIRTY[value];
  if (small !== undefined) return small;
  const tens = TENS[Math.floor(value / 10)] ?? '';
  return value % 10 === 0 ? tens : `${tens} y ${belowHundred(value % 10, gender)}`;
}

export const numbers: Numbers = {
  digits: ['cero', 'uno', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve'],
  words,
  isSingular: (value) => value === 1,
  // Un millón de yenes, but un millón mil yenes.
  beforeNoun: (value) => (value > 0 && value % 1_000_000 === 0 ? ' de' : ''),
  and: 'con',
  currencies: {
    USD: { major: { one: 'dólar', many: 'dólares' }, minor: { one: 'centavo', many: 'centavos' } },
    CAD: { major: { one: 'dólar', many: 'dólares' }, minor: { one: 'centavo', many: 'centavos' } },
    AUD: { major: { one: 'dólar', many: 'dólares' }, minor: { one: 'centavo', many: 'centavos' } },
    EUR: { major: { one: 'euro', many: 'euros' }, minor: { one: 'céntimo', many: 'céntimos' } },
    GBP: { major: { one: 'libra', many: 'libras', gender: 'feminine' }, minor: { one: 'penique', many: 'peniques' } },
    JPY: { major: { one: 'yen', many: 'yenes' } },
    KRW: { major: { one: 'won', many: 'wones' } },
  },
};
