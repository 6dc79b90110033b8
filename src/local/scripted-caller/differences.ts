/** What of a call differs from what its script expects. */
import type { CallOptions } from './options.ts';
import type { SavedCard } from './rest-client.ts';
import type { Script } from './scripts.ts';
import type { Timeline } from './timeline.ts';

/** @param charge undefined where the session is not known */
export function outcomeDifferences(
  options: CallOptions,
  script: Script,
  outcome: string | null,
  charge: string | null | undefined,
): string[] {
  const differences: string[] = [];
  // With a `return_to` or target of the user's own, the outcome headers do not reach this program.
  const isOurs = options.return === 'agent' && options.target === undefined;
  if (isOurs && outcome !== script.expects) differences.push(`outcome ${outcome}, expected ${script.expects}`);
  if (charge !== undefined && charge !== script.charge) {
    differences.push(`charge ${charge}, expected ${script.charge}`);
  }
  return differences;
}

/** @param before saved cards; null where the script does not care */
export function cardDifferences(script: Script, before: SavedCard[] | null, after: SavedCard[] | null): string[] {
  if (before === null || after === null) return [];
  const isKept = after.some(({ last_four: lastFour }) => script.answers.card_number?.at(-1)?.endsWith(lastFour));
  if (script.keepsCard && !isKept) return ['the card was not saved'];
  return !script.keepsCard && after.length > before.length ? ['the card was saved'] : [];
}

/** What the line should have said, and did not; what it said, and should not have. */
export function hearingDifferences({ hears, hearsNot }: Script, entries: Timeline['entries']): string[] {
  const said = entries.filter(({ kind }) => kind === 'said').map((entry) => ('text' in entry ? entry.text : ''));
  const wasHeard = (words: RegExp) => said.some((text) => words.test(text));
  return [
    ...(hears !== undefined && !wasHeard(hears) ? [`never heard ${hears}`] : []),
    ...(hearsNot !== undefined && wasHeard(hearsNot) ? [`heard ${hearsNot}`] : []),
  ];
}
