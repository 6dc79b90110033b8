/** Questions that one key answers: which key means what. A card is kept for a key that was offered for it, and no other. */
import type { Secret } from '../domain/secret.ts';
import type { Talk } from './state.ts';
import type { Field } from './types.ts';

/** `unclear`: a key that was not offered. */
export type Choice = 'pay' | 'pay_and_keep' | 'another_card' | 'unclear';

export type ChoiceField = Extract<Field, 'keep_card' | 'confirmation'>;

/** Whether one key answers it, so that nothing is collected. */
export function isChoice(field: Field): field is ChoiceField {
  return field === 'keep_card' || field === 'confirmation';
}

/** Whether the caller may still be asked to have this card kept: not after a no. */
export function offersKeeping({ terms, agreedTo }: Talk): boolean {
  return terms.asksToKeepCard && agreedTo === null;
}

/**
 * Where the merchant asks for a confirmation, keeping the card is one more choice of it, not one more question. 1 and 2
 * are what they are without it: who presses 1 to pay, unheard, has agreed to nothing else.
 */
const KEYS: Readonly<Record<ChoiceField, Readonly<Record<string, Choice>>>> = {
  keep_card: { '1': 'pay_and_keep', '2': 'pay' },
  confirmation: { '1': 'pay', '2': 'another_card', '3': 'pay_and_keep' },
};

/** What a key means; keeping the card only while it is on offer. */
export function choiceOf(field: ChoiceField, key: Secret, talk: Talk): Choice {
  const choice = key.reveal((digit) => KEYS[field][digit]) ?? 'unclear';
  return choice === 'pay_and_keep' && !offersKeeping(talk) ? 'unclear' : choice;
}
