/** What each field accepts: when its digits are complete, and whether they can be used. */
import {
  expiryFrom,
  expiryProgress,
  type NumberProgress,
  numberFault,
  numberProgress,
  securityCodeLength,
} from '../domain/card.ts';
import { Secret } from '../domain/secret.ts';
import { type ChoiceField, isChoice, offersKeeping } from './choices.ts';
import type { CardSoFar, Question, Talk } from './state.ts';
import type { Field, FieldError } from './types.ts';

interface FieldRule {
  /** Whether more digits are to be waited for. */
  progress(keyed: Secret, talk: Talk): NumberProgress;
  /** The card with `keyed` in it, which is then the card's; or what is wrong, and `keyed` is as it was. */
  read(keyed: Secret, talk: Talk): CardSoFar | FieldError;
}

/** A US ZIP is complete at once; shorter codes (Australia, Iceland …) end with `#`. */
const POSTAL_CODE_LENGTH = 5;
const MIN_POSTAL_CODE_LENGTH = 3;

const progressTo = (length: number) => (keyed: Secret) => (keyed.length >= length ? 'complete' : 'incomplete');

export const FIELDS: Readonly<Record<Exclude<Field, ChoiceField>, FieldRule>> = {
  card_number: {
    progress: (keyed, { terms }) => numberProgress(keyed, terms.acceptedBrands),
    read: (keyed, { terms, card }) => numberFault(keyed, terms.acceptedBrands) ?? { ...card, number: keyed },
  },
  expiry: {
    progress: expiryProgress,
    read(keyed, { terms, card }) {
      const expiry = expiryFrom(keyed, terms.today);
      if (!(expiry instanceof Secret)) return expiry;
      keyed.wipe();
      return { ...card, expiry };
    },
  },
  security_code: {
    progress: (keyed, talk) => progressTo(codeLength(talk))(keyed),
    read: (keyed, talk) => (keyed.length === codeLength(talk) ? { ...talk.card, securityCode: keyed } : 'incomplete'),
  },
  postal_code: {
    progress: progressTo(POSTAL_CODE_LENGTH),
    read: (keyed, { card }) => (keyed.length >= MIN_POSTAL_CODE_LENGTH ? { ...card, postalCode: keyed } : 'incomplete'),
  },
};

/** Whether more digits are to be waited for; a choice is one key. */
export function progressOf(field: Field, keyed: Secret, talk: Talk): NumberProgress {
  return isChoice(field) ? progressTo(1)(keyed) : FIELDS[field].progress(keyed, talk);
}

/** Digits of the security code of the number keyed before: 3, or 4 for American Express. */
export function codeLength({ card, terms }: Talk): number {
  return card.number === null ? 3 : securityCodeLength(card.number, terms.acceptedBrands);
}

/** Everything asked for a card that we know nothing of, in order. */
export function wholeCard(talk: Talk): [Question, ...Question[]] {
  const { terms } = talk;
  const asked = (field: Field): Question => ({ field, error: null });
  return [
    asked('card_number'),
    asked('expiry'),
    asked('security_code'),
    ...(terms.asksPostalCode ? [asked('postal_code')] : []),
    // With a confirmation it is one of its choices.
    ...(offersKeeping(talk) && !terms.asksConfirmation ? [asked('keep_card')] : []),
    ...(terms.asksConfirmation ? [asked('confirmation')] : []),
  ];
}
