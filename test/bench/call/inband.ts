/** The engine's cost to detect keys in the audio: the same concurrent calls with telephone events and with tones. */
import { aimResult, table } from './figures.ts';

/** One load, with all calls up before the first one presses keys. */
export interface InbandLoad {
  calls: number;
  /** Calls that lost digits. */
  lost: number;
  /** Percent of one processor for all calls, while they were up. */
  engineShare: number;
}

/** Loads that ran in turns. */
export interface InbandFigures {
  events: readonly InbandLoad[];
  tones: readonly InbandLoad[];
}

/** Target in percent of one processor, for a hundred calls. */
const MOST_SHARE = 5;

export const RATE = 20;
/** Time from the last call's answer to the first call's first key. */
const ALL_UP_MS = 4_000;

/** How long each of `calls` calls waits before it presses keys. */
export const patienceMs = (calls: number) => (calls * 1_000) / RATE + ALL_UP_MS;

export function showInband({ events, tones }: InbandFigures): void {
  const mean = (loads: readonly InbandLoad[]) =>
    loads.reduce((sum, { engineShare }) => sum + engineShare, 0) / loads.length;
  const lost = (loads: readonly InbandLoad[]) => loads.reduce((sum, load) => sum + load.lost, 0);
  const calls = tones[0]?.calls ?? 0;
  const detection = ((mean(tones) - mean(events)) * 100) / calls;
  console.log(
    `\n${table([
      [`${calls} calls at once, ${tones.length} turns`, 'as events', 'as tones'],
      ['with lost digits', String(lost(events)), String(lost(tones))],
      ['engine, percent of a processor', `${mean(events).toFixed(1)} %`, `${mean(tones).toFixed(1)} %`],
    ])}`,
  );
  console.log(
    `\n${table([
      ['aim', 'measured', '', ''],
      ['tones: calls with lost digits', String(lost(tones)), '0', aimResult(lost(tones), 0)],
      [
        'detecting keys in 100 calls',
        `${detection.toFixed(1)} %`,
        `≤ ${MOST_SHARE} %`,
        aimResult(detection, MOST_SHARE),
      ],
    ])}\n`,
  );
}
