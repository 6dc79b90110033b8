/**
 * Questions answered by one key, and the meaning of each key. A card is saved only after the key that was offered for
 * it.
 */
import type { Secret } from '../domain/secret.ts';
import type { Context } from './state.ts';
import type { Field } from './types.ts';

/** The caller's choice. `unclear`: a key that was not offered. */
export type Choice = 'pay' | 'pay_and_keep' | 'another_card' | 'unclear';

export type ChoiceField = Extract<Field, 'keep_card' | 'confirmation' | 'saved_card'>;

/** Whether one key answers the question. */
export function isChoice(field: Field): field is ChoiceField {
  return field === 'keep_card' || field === 'confirmation' || field === 'saved_card';
}

/** Whether the line may ask to save this card: not again after an answer, and not for a card that is saved already. */
export function offersKeeping({ terms, agreedTo, card }: Context): boolean {
  return terms.asksToKeepCard && agreedTo === null && card.saved === null;
}

/**
 * If the merchant asks for a confirmation, saving the card is its third choice and not a separate question. Keys 1 and
 * 2 mean the same with or without it, so a caller who presses 1 without listening has agreed only to pay.
 */
const KEYS: Readonly<Record<Exclude<ChoiceField, 'saved_card'>, Readonly<Record<string, Choice>>>> = {
  keep_card: { '1': 'pay_and_keep', '2': 'pay' },
  confirmation: { '1': 'pay', '2': 'another_card', '3': 'pay_and_keep' },
};

/** The meaning of a key. Saving the card counts only while it is offered. */
export function choiceOf(field: Exclude<ChoiceField, 'saved_card'>, key: Secret, context: Context): Choice {
  const choice = key.reveal((digit) => KEYS[field][digit]) ?? 'unclear';
  return choice === 'pay_and_keep' && !offersKeeping(context) ? 'unclear' : choice;
}
