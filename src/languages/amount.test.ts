/** Amounts as each language says them. */
import { describe, expect, it } from 'vitest';
import { type Currency, MAX_AMOUNT_CENTS } from '../domain/money.ts';
import { LANGUAGE_TAGS, languageFor } from './index.ts';
import { amountInWords, MAX_NUMBER } from './numbers.ts';

/** `4250 USD: …`, one a line. */
const AMOUNTS: Readonly<Record<string, string>> = {
  en: `
    1 USD: one cent
    2 USD: two cents
    50 USD: fifty cents
    99 USD: ninety-nine cents
    100 USD: one dollar
    101 USD: one dollar and one cent
    102 USD: one dollar and two cents
    110 USD: one dollar and ten cents
    199 USD: one dollar and ninety-nine cents
    200 USD: two dollars
    250 USD: two dollars and fifty cents
    999 USD: nine dollars and ninety-nine cents
    1000 USD: ten dollars
    1100 USD: eleven dollars
    1200 USD: twelve dollars
    1313 USD: thirteen dollars and thirteen cents
    1514 USD: fifteen dollars and fourteen cents
    1800 USD: eighteen dollars
    1995 USD: nineteen dollars and ninety-five cents
    2000 USD: twenty dollars
    2100 USD: twenty-one dollars
    4000 USD: forty dollars
    4200 USD: forty-two dollars
    4250 USD: forty-two dollars and fifty cents
    5867 USD: fifty-eight dollars and sixty-seven cents
    8008 USD: eighty dollars and eight cents
    9999 USD: ninety-nine dollars and ninety-nine cents
    10000 USD: one hundred dollars
    10001 USD: one hundred dollars and one cent
    10100 USD: one hundred one dollars
    11500 USD: one hundred fifteen dollars
    12345 USD: one hundred twenty-three dollars and forty-five cents
    50000 USD: five hundred dollars
    99900 USD: nine hundred ninety-nine dollars
    100000 USD: one thousand dollars
    100100 USD: one thousand one dollars
    110000 USD: one thousand one hundred dollars
    123456 EUR: one thousand two hundred thirty-four euros and fifty-six cents
    2100000 USD: twenty-one thousand dollars
    3100100 USD: thirty-one thousand one dollars
    10000000 USD: one hundred thousand dollars
    10100000 USD: one hundred one thousand dollars
    99999999 USD: nine hundred ninety-nine thousand nine hundred ninety-nine dollars and ninety-nine cents
    100 EUR: one euro
    4250 CAD: forty-two dollars and fifty cents
    4250 AUD: forty-two dollars and fifty cents
    1 GBP: one penny
    101 GBP: one pound and one penny
    202 GBP: two pounds and two pence
    20000000 GBP: two hundred thousand pounds
    1 JPY: one yen
    4250 JPY: four thousand two hundred fifty yen
    1000000 JPY: one million yen
    99999999 JPY: ninety-nine million nine hundred ninety-nine thousand nine hundred ninety-nine yen
    12000 KRW: twelve thousand won`,
  es: `
    1 USD: un centavo
    2 USD: dos centavos
    21 USD: veintiún centavos
    50 USD: cincuenta centavos
    100 USD: un dólar
    101 USD: un dólar con un centavo
    121 USD: un dólar con veintiún centavos
    131 USD: un dólar con treinta y un centavos
    200 USD: dos dólares
    316 USD: tres dólares con dieciséis centavos
    1000 USD: diez dólares
    1100 USD: once dólares
    1500 USD: quince dólares
    1600 USD: dieciséis dólares
    1700 USD: diecisiete dólares
    2000 USD: veinte dólares
    2100 USD: veintiún dólares
    2200 USD: veintidós dólares
    2300 USD: veintitrés dólares
    2600 USD: veintiséis dólares
    3000 USD: treinta dólares
    3100 USD: treinta y un dólares
    4250 USD: cuarenta y dos dólares con cincuenta centavos
    9900 USD: noventa y nueve dólares
    10000 USD: cien dólares
    10100 USD: ciento un dólares
    10001 USD: cien dólares con un centavo
    12100 USD: ciento veintiún dólares
    20000 USD: doscientos dólares
    20100 USD: doscientos un dólares
    50000 USD: quinientos dólares
    70000 USD: setecientos dólares
    90000 USD: novecientos dólares
    100000 USD: mil dólares
    100100 USD: mil un dólares
    123456 EUR: mil doscientos treinta y cuatro euros con cincuenta y seis céntimos
    200000 USD: dos mil dólares
    2100000 USD: veintiún mil dólares
    3100000 USD: treinta y un mil dólares
    10000000 USD: cien mil dólares
    10100000 USD: ciento un mil dólares
    99999999 USD: novecientos noventa y nueve mil novecientos noventa y nueve dólares con noventa y nueve centavos
    101 EUR: un euro con un céntimo
    101 GBP: una libra con un penique
    2100 GBP: veintiuna libras
    3102 GBP: treinta y una libras con dos peniques
    20000 GBP: doscientas libras
    70100 GBP: setecientas una libras
    3100000 GBP: treinta y un mil libras
    20000000 GBP: doscientas mil libras
    1 JPY: un yen
    4250 JPY: cuatro mil doscientos cincuenta yenes
    1000000 JPY: un millón de yenes
    21000001 JPY: veintiún millones un yenes
    12000 KRW: doce mil wones`,
  fr: `
    1 EUR: un centime
    2 EUR: deux centimes
    80 EUR: quatre-vingts centimes
    99 EUR: quatre-vingt-dix-neuf centimes
    100 EUR: un euro
    101 EUR: un euro et un centime
    121 EUR: un euro et vingt et un centimes
    200 EUR: deux euros
    1100 EUR: onze euros
    1600 EUR: seize euros
    1700 EUR: dix-sept euros
    2000 EUR: vingt euros
    2100 EUR: vingt et un euros
    2200 EUR: vingt-deux euros
    3100 EUR: trente et un euros
    4250 USD: quarante-deux dollars et cinquante centimes
    6000 EUR: soixante euros
    6100 EUR: soixante et un euros
    7000 EUR: soixante-dix euros
    7100 EUR: soixante et onze euros
    7200 EUR: soixante-douze euros
    7700 EUR: soixante-dix-sept euros
    8000 EUR: quatre-vingts euros
    8100 EUR: quatre-vingt-un euros
    8800 EUR: quatre-vingt-huit euros
    9000 EUR: quatre-vingt-dix euros
    9100 EUR: quatre-vingt-onze euros
    9900 EUR: quatre-vingt-dix-neuf euros
    10000 EUR: cent euros
    10100 EUR: cent un euros
    18000 EUR: cent quatre-vingts euros
    20000 EUR: deux cents euros
    20100 EUR: deux cent un euros
    28000 EUR: deux cent quatre-vingts euros
    99900 EUR: neuf cent quatre-vingt-dix-neuf euros
    100000 EUR: mille euros
    100100 EUR: mille un euros
    110000 EUR: mille cent euros
    123456 EUR: mille deux cent trente-quatre euros et cinquante-six centimes
    200000 EUR: deux mille euros
    2100000 EUR: vingt et un mille euros
    8000000 EUR: quatre-vingt mille euros
    20000000 EUR: deux cent mille euros
    28000000 EUR: deux cent quatre-vingt mille euros
    99999999 CAD: neuf cent quatre-vingt-dix-neuf mille neuf cent quatre-vingt-dix-neuf dollars et quatre-vingt-dix-neuf centimes
    100 GBP: une livre
    101 GBP: une livre et un penny
    2100 GBP: vingt et une livres
    8102 GBP: quatre-vingt-une livres et deux pence
    2100000 GBP: vingt et un mille livres
    1 JPY: un yen
    4250 JPY: quatre mille deux cent cinquante yens
    1000000 JPY: un million de yens
    80000200 JPY: quatre-vingts millions deux cents yens
    12000 KRW: douze mille wons`,
  de: `
    1 EUR: ein Cent
    2 EUR: zwei Cent
    21 EUR: einundzwanzig Cent
    50 EUR: fünfzig Cent
    100 EUR: ein Euro
    101 EUR: ein Euro und ein Cent
    100 USD: ein Dollar
    150 USD: ein Dollar und fünfzig Cent
    200 EUR: zwei Euro
    600 EUR: sechs Euro
    700 EUR: sieben Euro
    1000 EUR: zehn Euro
    1100 EUR: elf Euro
    1200 EUR: zwölf Euro
    1300 EUR: dreizehn Euro
    1600 EUR: sechzehn Euro
    1700 EUR: siebzehn Euro
    2000 EUR: zwanzig Euro
    2100 EUR: einundzwanzig Euro
    3000 EUR: dreißig Euro
    3333 EUR: dreiunddreißig Euro und dreiunddreißig Cent
    4250 USD: zweiundvierzig Dollar und fünfzig Cent
    6000 EUR: sechzig Euro
    6666 EUR: sechsundsechzig Euro und sechsundsechzig Cent
    7000 EUR: siebzig Euro
    7777 EUR: siebenundsiebzig Euro und siebenundsiebzig Cent
    9999 EUR: neunundneunzig Euro und neunundneunzig Cent
    10000 EUR: einhundert Euro
    10100 EUR: einhundertein Euro
    10200 EUR: einhundertzwei Euro
    11600 EUR: einhundertsechzehn Euro
    12100 EUR: einhunderteinundzwanzig Euro
    20000 EUR: zweihundert Euro
    50050 EUR: fünfhundert Euro und fünfzig Cent
    99900 EUR: neunhundertneunundneunzig Euro
    100000 EUR: eintausend Euro
    100100 EUR: eintausendein Euro
    110000 EUR: eintausendeinhundert Euro
    123456 EUR: eintausendzweihundertvierunddreißig Euro und sechsundfünfzig Cent
    200000 EUR: zweitausend Euro
    2100000 EUR: einundzwanzigtausend Euro
    3000000 EUR: dreißigtausend Euro
    10000000 EUR: einhunderttausend Euro
    10100000 EUR: einhunderteintausend Euro
    99999999 EUR: neunhundertneunundneunzigtausendneunhundertneunundneunzig Euro und neunundneunzig Cent
    4250 CAD: zweiundvierzig Dollar und fünfzig Cent
    4250 AUD: zweiundvierzig Dollar und fünfzig Cent
    101 GBP: ein Pfund und ein Penny
    202 GBP: zwei Pfund und zwei Pence
    20000000 GBP: zweihunderttausend Pfund
    1 JPY: ein Yen
    4250 JPY: viertausendzweihundertfünfzig Yen
    1000000 JPY: eine Million Yen
    21000001 JPY: einundzwanzig Millionen ein Yen
    12000 KRW: zwölftausend Won`,
};

const table = Object.entries(AMOUNTS).flatMap(([language, lines]) =>
  lines
    .trim()
    .split('\n')
    .map((line): [string, number, Currency, string] => {
      const [, cents = '', currency = '', words = ''] = /^ *(\d+) ([A-Z]{3}): (.+)$/.exec(line) ?? [];
      return [language, Number(cents), currency as Currency, words];
    }),
);

describe('amounts in words', () => {
  it.each(table)('%s: %i %s is "%s"', (language, cents, currency, words) => {
    expect(amountInWords(cents, currency, languageFor(language).numbers)).toBe(words);
  });

  it.each(LANGUAGE_TAGS)('are tested with fifty examples or more (%s)', (tag) => {
    expect(table.filter(([language]) => language === tag).length).toBeGreaterThanOrEqual(50);
  });

  it('reach the largest amount', () => expect(MAX_NUMBER).toBe(MAX_AMOUNT_CENTS));
});
