/** Checks the values of our own card fields (the sandbox's), and builds a keyed card. */
import { expiryFrom, numberFault, securityCodeLength, type YearMonth } from '../../domain/card.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { Secret } from '../../domain/secret.ts';
import type { KeyedCard } from '../../flow/effects.ts';
import type { Fault, FieldName } from '../../languages/page.ts';
import type { Typed, TypedCard } from './form.ts';

/** The box of the consent to save the card. */
export const KEEP_BOX = 'keep_card';

/** The field of each fault. A fault is in the address of the page that shows it. */
export const FIELD_OF_FAULT: Readonly<Record<Fault, FieldName | typeof KEEP_BOX>> = {
  number_missing: 'number',
  number_incomplete: 'number',
  number_wrong: 'number',
  number_not_accepted: 'number',
  expiry_missing: 'expiry',
  expiry_wrong: 'expiry',
  expiry_past: 'expiry',
  security_code_missing: 'security_code',
  security_code_wrong: 'security_code',
  postal_code_missing: 'postal_code',
  postal_code_wrong: 'postal_code',
  consent_missing: KEEP_BOX,
};

/** The merchant's settings for the fields. */
type CardTaker = Pick<Merchant, 'acceptedBrands' | 'asksPostalCode'>;

const NOTHING: Typed = { characters: Secret.empty(), isOdd: false };
const MIN_POSTAL_CODE = 3;

/** @returns the card, whose Secrets the caller must wipe, or its errors in the order of the fields */
export function keyedCardFrom(
  { number = NOTHING, expiry = NOTHING, security_code: code = NOTHING, postal_code: postalCode = NOTHING }: TypedCard,
  { acceptedBrands, asksPostalCode }: CardTaker,
  today: YearMonth,
): KeyedCard | readonly Fault[] {
  const date = expiryOf(expiry, today);
  const faults = [
    numberFaultOf(number, acceptedBrands),
    date instanceof Secret ? null : date,
    securityCodeFault(code, securityCodeLength(number.characters, acceptedBrands)),
    asksPostalCode ? postalCodeFault(postalCode) : null,
  ].filter((fault): fault is Fault => fault !== null);
  if (!(date instanceof Secret)) return faults;
  if (faults.length > 0) {
    date.wipe();
    return faults;
  }
  return {
    number: number.characters.copy(),
    expiry: date,
    securityCode: code.characters.copy(),
    postalCode: asksPostalCode ? postalCode.characters.copy() : null,
  };
}

const isEmpty = ({ characters, isOdd }: Typed) => characters.length === 0 && !isOdd;

function numberFaultOf(typed: Typed, accepted: readonly string[]): Fault | null {
  if (isEmpty(typed)) return 'number_missing';
  if (typed.isOdd) return 'number_wrong';
  switch (numberFault(typed.characters, accepted)) {
    case null:
      return null;
    case 'incomplete':
      return 'number_incomplete';
    case 'looks_wrong':
      return 'number_wrong';
    case 'card_not_accepted':
      return 'number_not_accepted';
  }
}

/** Browsers fill in both `4/29` and `04/2029`. */
function expiryOf(typed: Typed, today: YearMonth): Secret | Fault {
  if (isEmpty(typed)) return 'expiry_missing';
  if (typed.isOdd) return 'expiry_wrong';
  const { characters } = typed;
  const zero = characters.length % 2 === 1 ? Secret.of('0') : Secret.empty();
  const padded = zero.append(characters);
  const date = expiryFrom(padded, today);
  padded.wipe();
  if (date instanceof Secret) return date;
  return date === 'in_the_past' ? 'expiry_past' : 'expiry_wrong';
}

function securityCodeFault(typed: Typed, length: number): Fault | null {
  if (isEmpty(typed)) return 'security_code_missing';
  return typed.isOdd || typed.characters.length !== length ? 'security_code_wrong' : null;
}

function postalCodeFault(typed: Typed): Fault | null {
  if (isEmpty(typed)) return 'postal_code_missing';
  return typed.isOdd || typed.characters.length < MIN_POSTAL_CODE ? 'postal_code_wrong' : null;
}
