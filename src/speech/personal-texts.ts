/** The texts that only one call says, because they contain a name, an amount or a message: rendered before it lands. */
import type { OfferedTip } from '../domain/tip.ts';
import type { Line } from '../flow/lines.ts';
import type { SpokenCard } from '../flow/terms.ts';
import type { Language } from '../languages/language.ts';
import type { Vocabulary } from './ports.ts';
import { wordingOf } from './wording.ts';

/** Lines that contain a name, an amount or a message. */
const PERSONAL_LINES: readonly Line[] = [
  { name: 'greeting' },
  { name: 'ask', field: 'card_number', attempt: 2, error: 'card_not_accepted' },
  { name: 'ask', field: 'keep_card', attempt: 1, error: null },
  { name: 'ask', field: 'confirmation', attempt: 1, error: null },
  { name: 'declined', code: 'generic_decline', next: 'card_number' },
  { name: 'succeeded' },
  { name: 'gave_up', reason: 'declined', code: 'generic_decline' },
  { name: 'goodbye', outcome: 'succeeded' },
  { name: 'goodbye', outcome: 'failed' },
];

/** Lines that say a tip, or an amount with it. */
function linesWithTips(tips: readonly OfferedTip[]): Line[] {
  if (tips.length === 0) return [];
  const asked = { name: 'ask', attempt: 1, error: null, tips } as const;
  const paid = tips.flatMap((tip): Line[] => [
    { ...asked, field: 'confirmation', tip },
    { name: 'succeeded', tipCents: tip.tipCents },
  ]);
  return [{ ...asked, field: 'tip' }, ...paid];
}

/** Lines of a call that can take a part. The amounts of parts are not known yet. */
const PART_LINES: readonly Line[] = [
  { name: 'ask', field: 'part', attempt: 1, error: null },
  { name: 'ask', field: 'part_amount', attempt: 2, error: 'below_minimum' },
  { name: 'ask', field: 'part_amount', attempt: 2, error: 'above_total' },
];

/** Lines of a call that can take a bank debit. The account's digits are shared by all calls. */
const DEBIT_LINES: readonly Line[] = [
  { name: 'ask', field: 'debit_terms', attempt: 1, error: null, accountType: 'checking' },
  { name: 'debited' },
];

/** Lines that name saved cards. Their digits are shared by all calls. */
function linesWithCards(savedCards: readonly SpokenCard[]): Line[] {
  if (savedCards.length === 0) return [];
  return [{ name: 'ask', field: 'saved_card', attempt: 1, error: null, savedCards }];
}

/** The texts that only calls with this vocabulary say. @param savedCards that are already known */
export function personalTexts(
  vocabulary: Vocabulary,
  language: Language,
  savedCards: readonly SpokenCard[] = [],
): string[] {
  const debitLines = vocabulary.debit == null ? [] : DEBIT_LINES;
  const tipLines = linesWithTips(vocabulary.tips ?? []);
  const partLines = vocabulary.smallestPartCents == null ? [] : PART_LINES;
  const lines = [...PERSONAL_LINES, ...partLines, ...tipLines, ...debitLines, ...linesWithCards(savedCards)];
  const sentences = lines.flatMap((line) => wordingOf(line, vocabulary, language));
  return [...new Set(sentences.filter(({ text, plain }) => plain[0] !== text).map(({ text }) => text))];
}
