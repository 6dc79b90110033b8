/** Which sentence of the line fits a field, an attempt or a decline. */
import type { DeclineCode } from '../domain/charge.ts';
import type { Attempt, Line } from '../flow/lines.ts';
import type { Field } from '../flow/terms.ts';
import type { LineSentences } from '../languages/line.ts';

type Declined = Extract<Line, { name: 'declined' }>;
type GaveUp = Extract<Line, { name: 'gave_up' }>;

const LOOKS_WRONG: Readonly<Record<Field, SentenceName>> = {
  card_number: 'again.number',
  expiry: 'again.date',
  security_code: 'again.date',
  postal_code: 'again.date',
  part: 'again.choice',
  part_amount: 'again.incomplete',
  tip: 'again.no_such_key',
  keep_card: 'again.choice',
  confirmation: 'again.choice',
  saved_card: 'again.listed',
  method: 'again.choice',
  routing_number: 'again.routing_number',
  account_number: 'again.incomplete',
  account_number_again: 'again.incomplete',
  account_type: 'again.choice',
  debit_terms: 'again.choice',
};

/** @param keys how many the question has */
export function looksWrong(field: Field, keys: 2 | 3 | 4): SentenceName {
  const sentence = LOOKS_WRONG[field];
  if (keys === 4) return 'again.no_such_key';
  return keys === 3 && sentence === 'again.choice' ? 'again.choice_of_three' : sentence;
}

export const SAVED_CARD_KEYS = [
  'saved_card.1',
  'saved_card.2',
  'saved_card.3',
  'saved_card.4',
  'saved_card.5',
] as const;
export type SavedCardSentence = (typeof SAVED_CARD_KEYS)[number];
export const TIP_KEYS = ['tip.1', 'tip.2', 'tip.3'] as const;
type TipSentence = (typeof TIP_KEYS)[number];
export type SentenceName = Exclude<keyof LineSentences, SavedCardSentence | TipSentence>;

export function askedFor(
  field: Exclude<Field, 'saved_card' | 'tip' | 'debit_terms'>,
  attempt: Attempt,
  codeLength: number | undefined,
): SentenceName {
  if (field === 'confirmation') return 'confirmation.pay';
  if (field === 'part' || field === 'part_amount') return `${field}.ask`;
  return field === 'security_code' ? `${securityCode(codeLength)}.${attempt}` : `${field}.${attempt}`;
}

export function doubted(
  field: Exclude<Declined['next'], 'card_number' | 'method'>,
  codeLength: number | undefined,
): SentenceName {
  return field === 'security_code' ? `${securityCode(codeLength)}.doubted` : `${field}.doubted`;
}

/** American Express has four digits on the front, others three on the back. */
function securityCode(codeLength: number | undefined): 'security_code.front' | 'security_code.back' {
  return codeLength === 4 ? 'security_code.front' : 'security_code.back';
}

/** Says only what the caller can act on. The rest is between the caller and the bank. */
export const DECLINED_BECAUSE: Readonly<Record<DeclineCode, SentenceName>> = {
  incorrect_number: 'declined.card_number',
  expired_card: 'declined.expiry',
  incorrect_expiry: 'declined.expiry',
  incorrect_cvc: 'declined.security_code',
  incorrect_zip: 'declined.postal_code',
  card_not_supported: 'declined.kind',
  processing_error: 'declined.later',
  try_again_later: 'declined.later',
  authentication_required: 'declined.kind',
  generic_decline: 'declined.bank',
  do_not_honor: 'declined.bank',
  insufficient_funds: 'declined.bank',
  lost_card: 'declined.bank',
  stolen_card: 'declined.bank',
};

/** The caller keyed nothing of a saved card, so the bank cannot doubt a field. */
export function savedDeclined(code: DeclineCode): SentenceName {
  const because = DECLINED_BECAUSE[code];
  return because === 'declined.bank' || because === 'declined.later' ? because : 'declined.kind';
}

/** Says that the bank did not approve only if the bank answered. */
export function lastDeclined({ code, wasSaved, wasAccount }: Extract<GaveUp, { reason: 'declined' }>): SentenceName {
  if (wasAccount) return 'declined.account';
  const because = wasSaved ? savedDeclined(code) : DECLINED_BECAUSE[code];
  return because === 'declined.bank' ? 'gave_up.declined' : because;
}
