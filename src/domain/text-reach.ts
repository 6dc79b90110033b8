/**
 * Which numbers an account may text. Premium and satellite numbers pay whoever has them for each text, so a stolen key
 * would earn by texting them; for the same reason an account texts only countries where it does business.
 */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { COUNTRIES_OF_CURRENCY } from './currency-countries.ts';
import type { Currency } from './money.ts';
import type { Country } from './phone-number.ts';
import { isOrdinaryNumber } from './return-permission.ts';

/** From which the countries of an account follow, in one mode. */
export interface TextReach {
  /** `text_countries` of the account. */
  countries: readonly string[];
  /** Of its merchants. */
  currencies: readonly Currency[];
  /** E.164: those of the session's merchant. */
  merchantNumbers: readonly string[];
}

/** Of a session that texts nobody. */
export const NO_REACH: TextReach = { countries: [], currencies: [], merchantNumbers: [] };

/** Whether a text may go to the number at all: it is an ordinary one, of a country that the account texts. */
export function isWithinReach(phone: string, { countries, currencies, merchantNumbers }: TextReach): boolean {
  if (!isOrdinaryNumber(phone)) return false;
  const country = countryOf(phone);
  if (country === null) return false;
  return (
    countries.includes(country) ||
    currencies.some((currency) => COUNTRIES_OF_CURRENCY[currency].includes(country)) ||
    merchantNumbers.some((number) => countryOf(number) === country)
  );
}

/** Of a number that is assigned to none of several countries with one code, such as +1 555, the first of them. */
function countryOf(phone: string): Country | null {
  const number = parsePhoneNumberFromString(phone);
  return number?.country ?? number?.getPossibleCountries()[0] ?? null;
}
