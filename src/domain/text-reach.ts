/**
 * Which numbers an account can text. The owners of premium and satellite numbers earn from each text, so a stolen key
 * could earn money by texting them. For the same reason, an account can only text countries in which it does business.
 */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { COUNTRIES_OF_CURRENCY } from './currency-countries.ts';
import type { Currency } from './money.ts';
import type { Country } from './phone-number.ts';
import { isOrdinaryNumber } from './return-permission.ts';

/** The facts that decide the countries of an account, in one mode. */
export interface TextReach {
  /** `text_countries` of the account. */
  countries: readonly string[];
  /** Of its merchants. */
  currencies: readonly Currency[];
  /** E.164: those of the session's merchant. */
  merchantNumbers: readonly string[];
}

/** For a session that sends no texts. */
export const NO_REACH: TextReach = { countries: [], currencies: [], merchantNumbers: [] };

/** Whether a number can be texted: it is an ordinary one, in a country of the account. */
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

/** If several countries share a code and the number is assigned to none of them, such as +1 555, the first one. */
function countryOf(phone: string): Country | null {
  const number = parsePhoneNumberFromString(phone);
  return number?.country ?? number?.getPossibleCountries()[0] ?? null;
}
