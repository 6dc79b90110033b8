/** The app's cost of a menu of saved cards and of screening: the same calls with both, and with neither. */
import { saveCard } from '../../../src/local/scripted-caller/rest-client.ts';
import { aimResult, table } from './figures.ts';

/** The app's CPU time for checkout and call, in ms per call. */
interface SavedCardFigures {
  with: readonly number[];
  without: readonly number[];
}

export const WITHOUT = { RINGKEY_SAVED_CARDS: 'off', RINGKEY_NUMBER_LOOKUP: 'off' };
const MOST_RATIO = 1.1;
const SAVING_AT_ONCE = 8;

/** Callers with one saved card each, whose numbers have not been screened. @param round selects the numbers */
export async function savedCardCallers(baseUrl: string, count: number, round: number): Promise<string[]> {
  const numbers = Array.from({ length: count }, (_, at) => `+1555011${round}${String(at).padStart(3, '0')}`);
  for (let at = 0; at < count; at += SAVING_AT_ONCE) {
    const some = numbers.slice(at, at + SAVING_AT_ONCE);
    await Promise.all(some.map((number) => saveCard(baseUrl, 'demo-diner', number, 'visa')));
  }
  return numbers;
}

export function showSavedCards(figures: SavedCardFigures): void {
  const mean = (all: readonly number[]) => all.reduce((sum, ms) => sum + ms, 0) / all.length;
  const [withBoth, without] = [mean(figures.with), mean(figures.without)];
  const ratio = withBoth / without;
  console.log(
    `\n${table([
      ['saved cards and screening', 'with', 'without'],
      ['CPU a checkout and its call: app', `${withBoth.toFixed(1)} ms`, `${without.toFixed(1)} ms`],
    ])}`,
  );
  console.log(
    `\n${table([
      ['aim', 'measured', '', ''],
      ['app CPU, with to without', `${ratio.toFixed(2)} x`, `≤ ${MOST_RATIO} x`, aimResult(ratio, MOST_RATIO)],
    ])}\n`,
  );
}
