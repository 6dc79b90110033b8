/** Questions answered by one key: what each key means. A card is kept only for the key that was offered for it. */
import type { Secret } from '../domain/secret.ts';
import type { Context } from './state.ts';
import type { Field } from './types.ts';

/** What the caller chose. `unclear`: a key that was not offered. */
export type Choice = 'pay' | 'pay_and_keep' | 'another_card' | 'unclear';

export type ChoiceField = Extract<Field, 'keep_card' | 'confirmation' | 'saved_card'>;

/** Whether one key answers the question. */
export function isChoice(field: Field): field is ChoiceField {
  return field === 'keep_card' || field === 'confirmation' || field === 'saved_card';
}

/**
 * Whether the caller may be asked to have this card kept: not again after an answer, and not one that is kept already.
 */
export function offersKeeping({ terms, agreedTo, card }: Context): boolean {
  return terms.asksToKeepCard && agreedTo === null && card.saved === null;
}

/**
 * Where the merchant asks for a confirmation, keeping the card is a third choice of it and not a question of its own. 1
 * and 2 mean the same with or without it: a caller who presses 1 without listening has agreed only to pay.
 */
const KEYS: Readonly<Record<Exclude<ChoiceField, 'saved_card'>, Readonly<Record<string, Choice>>>> = {
  keep_card: { '1': 'pay_and_keep', '2': 'pay' },
  confirmation: { '1': 'pay', '2': 'another_card', '3': 'pay_and_keep' },
};

/** What a key means. Keeping the card counts only while it is on offer. */
export function choiceOf(field: Exclude<ChoiceField, 'saved_card'>, key: Secret, context: Context): Choice {
  const choice = key.reveal((digit) => KEYS[field][digit]) ?? 'unclear';
  return choice === 'pay_and_keep' && !offersKeeping(context) ? 'unclear' : choice;
}
