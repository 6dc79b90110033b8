/** Texts to callers: to which numbers they can be sent, whether one can be promised, their limits, and their lists. */
import type { ChargeId, CheckoutSessionId } from './ids.ts';
import { COUNTRIES_OF_CURRENCY, type Currency } from './money.ts';
import { parseTypedNumber } from './parsed-number.ts';
import type { Country } from './phone-number.ts';
import { isOrdinaryNumber } from './return-permission.ts';
import type { Mode } from './session.ts';

/**
 * The facts that decide which countries an account can text, in one mode: those in which it does business. The owners
 * of premium and satellite numbers earn from each text, so a stolen key could otherwise earn money by texting them.
 */
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
  const number = parseTypedNumber(phone);
  return number?.country ?? number?.getPossibleCountries()[0] ?? null;
}

/** The facts that decide whether a caller can be texted. */
export interface TextRecipient {
  mode: Mode;
  /** E.164; null if the number is unknown. */
  textsTo: string | null;
  /** The number opted out of texts (STOP). */
  hasOptedOut: boolean;
  /** The numbers that the account can text. */
  textReach: TextReach;
}

/**
 * Whether a text can be sent to the caller now, so that it can be promised.
 * @param hasCarrier as in {@link takesTexts}
 */
export function canText(recipient: TextRecipient, hasCarrier: boolean): boolean {
  const { textsTo, textReach } = recipient;
  return takesTexts(recipient, hasCarrier) && textsTo !== null && isWithinReach(textsTo, textReach);
}

/**
 * Whether texts can be sent at all, whatever the number.
 * @param hasCarrier whether RINGKEY_SMS names a carrier. Test mode needs none: its texts go to the log and count as
 * sent, so that a test sounds like a live call.
 */
export function takesTexts(
  { mode, textsTo, hasOptedOut }: Omit<TextRecipient, 'textReach'>,
  hasCarrier: boolean,
): boolean {
  return textsTo !== null && !hasOptedOut && (mode === 'test' || hasCarrier);
}

/** Limits on texts: to one number, over all accounts, and from one account. */
export interface TextLimits {
  recipientHour: number;
  recipientDay: number;
  accountHour: number;
  accountDay: number;
}

export const TEXT_LIMITS: TextLimits = { recipientHour: 5, recipientDay: 10, accountHour: 200, accountDay: 1_000 };

/** From this share of its limit on, the account's owner is warned. */
export const NEAR_LIMIT = 0.8;

/** `sending`: the carrier was asked and has not answered. `unknown`: the result could not be determined. */
export const TEXT_STATUSES = ['waiting', 'sending', 'sent', 'failed', 'unknown', 'opted_out'] as const;
/** The carrier's report after it accepted the text. */
export const TEXT_DELIVERIES = ['delivered', 'undelivered', 'unconfirmed'] as const;
/** The carrier's report. Before there is one, the status. */
export const TEXT_STATES = [
  'waiting',
  'sending',
  'sent',
  'delivered',
  'unconfirmed',
  'undelivered',
  'failed',
  'unknown',
  'opted_out',
] as const satisfies ((typeof TEXT_STATUSES)[number] | (typeof TEXT_DELIVERIES)[number])[];
export type TextState = (typeof TEXT_STATES)[number];

/** A text in lists. */
export interface ListedText {
  id: string;
  sessionId: CheckoutSessionId;
  chargeId: ChargeId | null;
  kind: string;
  /** E.164. */
  recipient: string;
  /** Null if it contains a pay link or a code. */
  body: string | null;
  segments: number;
  status: (typeof TEXT_STATUSES)[number];
  attempts: number;
  carrier: string | null;
  /** The carrier's. */
  errorCode: string | null;
  delivery: (typeof TEXT_DELIVERIES)[number] | null;
  deliveryCode: string | null;
  createdAt: Date;
  settledAt: Date | null;
  deliveryAt: Date | null;
}

/** The texts of a list, each with one of the states. */
export interface TextTotals extends Record<TextState, number> {
  texts: number;
}
