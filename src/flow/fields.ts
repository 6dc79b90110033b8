/**
 * The rules of each field: when its digits are complete, whether they are usable, and what a key means in a field that
 * one key answers. A card is saved only after the key that was offered for it.
 */
import {
  expiryFrom,
  expiryProgress,
  type NumberProgress,
  numberFault,
  numberProgress,
  securityCodeLength,
} from '../domain/card.ts';
import { Secret } from '../domain/secret.ts';
import { ACCOUNT_FIELDS } from './bank-account.ts';
import type { FieldRule } from './field-rule.ts';
import { asksPart, partProgress } from './parts.ts';
import type { Context, Question } from './state.ts';
import type { ChoiceField, Field, Terms } from './terms.ts';
import { offeredTips } from './tips.ts';

/** A US ZIP code is complete with its fifth digit. Shorter codes (Australia, Iceland …) end with `#`. */
const POSTAL_CODE_LENGTH = 5;
const MIN_POSTAL_CODE_LENGTH = 3;

const progressTo = (length: number) => (keyed: Secret) => (keyed.length >= length ? 'complete' : 'incomplete');

export const FIELDS: Readonly<Record<Exclude<Field, ChoiceField | 'part_amount'>, FieldRule>> = {
  ...ACCOUNT_FIELDS,
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
    progress: (keyed, context) => progressTo(codeLength(context))(keyed),
    read: (keyed, context) =>
      keyed.length === codeLength(context) ? { ...context.card, securityCode: keyed } : 'incomplete',
  },
  postal_code: {
    progress: progressTo(POSTAL_CODE_LENGTH),
    read: (keyed, { card }) => (keyed.length >= MIN_POSTAL_CODE_LENGTH ? { ...card, postalCode: keyed } : 'incomplete'),
  },
};

/** Whether to wait for more digits. A choice is one key. */
export function progressOf(field: Field, keyed: Secret, context: Context): NumberProgress {
  if (field === 'part_amount') return partProgress(keyed, context);
  return isChoice(field) ? progressTo(1)(keyed) : FIELDS[field].progress(keyed, context);
}

/** Length of the security code of the keyed card: 3, or 4 for American Express. */
export function codeLength({ card, terms }: Context): number {
  return card.number === null ? 3 : securityCodeLength(card.number, terms.acceptedBrands);
}

/** The questions for a new card, in order. */
export function wholeCard(context: Context): [Question, ...Question[]] {
  const { terms } = context;
  const question = (field: Field): Question => ({ field, error: null });
  return [
    question('card_number'),
    question('expiry'),
    question('security_code'),
    ...(terms.asksPostalCode ? [question('postal_code')] : []),
    ...(asksPart(context) ? [question('part')] : []),
    ...(asksTip(context) ? [question('tip')] : []),
    ...(asksToKeep(context) ? [question('keep_card')] : []),
    ...(isConfirmed(terms) ? [question('confirmation')] : []),
  ];
}

/** Whether the caller has yet to choose a tip, or none. */
export const asksTip = (context: Context) => context.tip === null && offeredTips(context).length > 0;

/** A confirmation has it as one of its choices. */
function asksToKeep(context: Context): boolean {
  const { keepsByOwnWords, savesOnly } = context.terms;
  return savesOnly === true || (offersKeeping(context) && (!isConfirmed(context.terms) || keepsByOwnWords === true));
}

/** Whether the caller hears the amount and presses 1 before the charge: also after a part or a tip, so that it is never a surprise. */
export const isConfirmed = (terms: Terms) => !terms.savesOnly && (terms.asksConfirmation || changesAmount(terms));

/** Whether the caller can choose the amount, and change it at the confirmation. */
export const changesAmount = ({ tips, part }: Terms) => tips.length > 0 || part !== undefined;

/** The caller's choice. `not_saved`: no, on a call that only saves the card. `unclear`: a key that was not offered. */
export type Choice = 'pay' | 'pay_and_keep' | 'not_saved' | 'another_card' | 'another_amount' | 'unclear';

const CHOICES: readonly Field[] = [
  'part',
  'tip',
  'keep_card',
  'confirmation',
  'saved_card',
  'method',
  'account_type',
  'debit_terms',
] satisfies ChoiceField[];

/** Whether one key answers the question. */
export function isChoice(field: Field): field is ChoiceField {
  return CHOICES.includes(field);
}

/** Whether the line may ask to save this card: not again after an answer, and not for a card that is saved already. */
export function offersKeeping({ terms, agreedTo, card }: Context): boolean {
  return terms.asksToKeepCard && agreedTo === null && card.saved === null;
}

type KeyedChoice = Extract<Field, 'keep_card' | 'confirmation'>;

/**
 * If the merchant asks for a confirmation, saving the card is its third choice and not a separate question. Keys 1 and
 * 2 mean the same with or without it, so a caller who presses 1 without listening has agreed only to pay.
 */
const CHOICE_KEYS: Readonly<Record<KeyedChoice, Readonly<Record<string, Choice>>>> = {
  keep_card: { '1': 'pay_and_keep', '2': 'pay' },
  confirmation: { '1': 'pay', '2': 'another_card', '3': 'pay_and_keep', '4': 'another_amount' },
};

/** The meaning of a key. Saving the card counts only while it is offered. */
export function choiceOf(field: KeyedChoice, key: Secret, context: Context): Choice {
  const choice = key.reveal((digit) => CHOICE_KEYS[field][digit]) ?? 'unclear';
  if (choice === 'another_amount' && !changesAmount(context.terms)) return 'unclear';
  if (context.terms.savesOnly && choice === 'pay') return 'not_saved';
  return choice === 'pay_and_keep' && !offersKeeping(context) ? 'unclear' : choice;
}
