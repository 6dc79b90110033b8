/** The differences between a call and the expectations of its script. */
import type { Field } from '../../flow/terms.ts';
import { NO_LONGER_ANSWERS } from './far-end.ts';
import type { CallOptions } from './options.ts';
import type { SavedCard } from './rest-client.ts';
import type { RunResult } from './scripted-caller.ts';
import type { Script } from './scripts.ts';
import type { Timeline } from './timeline.ts';

/** @param charge undefined if the session is unknown */
export function outcomeDifferences(
  options: CallOptions,
  script: Script,
  outcome: string | null,
  charge: string | null | undefined,
): string[] {
  const differences: string[] = [];
  // If the user has set `return_to` or the target, the outcome headers do not reach this program.
  const isOurs = options.return === 'agent' && options.target === undefined;
  if (isOurs && outcome !== script.expects) differences.push(`outcome ${outcome}, expected ${script.expects}`);
  if (charge !== undefined && charge !== script.charge) {
    differences.push(`charge ${charge}, expected ${script.charge}`);
  }
  return differences;
}

/** The fields without which no card can be charged. */
const NEEDED: readonly Field[] = ['card_number', 'expiry', 'security_code'];

/**
 * The differences of a call to an address whose session is unknown, so that its charge cannot be read. What the line
 * asked and said has to show that it was a payment line.
 */
export function unseenDifferences(
  { answers, bargesIn, charge }: Script,
  { questions, hasSpokenAfterKeys }: Pick<RunResult, 'questions' | 'hasSpokenAfterKeys'>,
  entries: Timeline['entries'],
): string[] {
  if (charge === null) {
    const isKnown = entries.some((entry) => entry.kind === 'said' && !entry.text.startsWith('('));
    return isKnown ? [] : ['no sentence of the payment line was heard'];
  }
  const needed = bargesIn ? [] : NEEDED.filter((field) => answers[field] !== undefined);
  const missing = needed.filter((field) => !questions.has(field));
  if (missing.length > 0) return [`the line never asked for: ${missing.join(', ').replaceAll('_', ' ')}`];
  return hasSpokenAfterKeys ? [] : ['nothing was heard after the last key'];
}

/** @param before saved cards; null if the script does not check them */
export function cardDifferences(script: Script, before: SavedCard[] | null, after: SavedCard[] | null): string[] {
  if (before === null || after === null) return [];
  const isSaved = after.some(({ last_four: lastFour }) => script.answers.card_number?.at(-1)?.endsWith(lastFour));
  if (script.keepsCard && !isSaved) return ['the card was not saved'];
  return !script.keepsCard && after.length > before.length ? ['the card was saved'] : [];
}

/** Sentences that the line failed to say, or said although it should not have. */
export function hearingDifferences({ hears, hearsNot }: Script, entries: Timeline['entries']): string[] {
  const said = entries.filter(({ kind }) => kind === 'said').map((entry) => ('text' in entry ? entry.text : ''));
  const wasSaid = (words: RegExp) => said.some((text) => words.test(text));
  return [
    ...(hears !== undefined && !wasSaid(hears) ? [`never heard ${hears}`] : []),
    ...(hearsNot !== undefined && wasSaid(hearsNot) ? [`heard ${hearsNot}`] : []),
  ];
}

/** The far end of a call was gone before the call was over. */
export const lostDifferences = ({ over }: Pick<RunResult, 'over'>): string[] =>
  over.endsWith(NO_LONGER_ANSWERS) ? [over] : [];
