/**
 * A call that another program drives: it creates the checkout with the agent's address as `return_to`, and writes
 * `transfer_to` as a line to this program's standard input. Every line of standard output is a {@link DrivenLine} in
 * JSON. When standard input ends, because the other program closes it or dies, the caller hangs up.
 */
import { createInterface } from 'node:readline';
import type { CallOptions } from './options.ts';
import { type CallReport, placeCall } from './place-call.ts';
import type { TimedEntry } from './timeline.ts';

type DrivenLine =
  /** The caller and its agent are ready. */
  | { type: 'ready'; return_to: string }
  | { type: 'step'; step: TimedEntry }
  /** The last line, after the recording is written. */
  | { type: 'over'; report: Omit<CallReport, 'timeline' | 'cards' | 'charge'> };

/** Standard input ended without an address to dial. */
class NoCallWanted extends Error {}

const print = (line: DrivenLine) => console.log(JSON.stringify(line));

/** @returns the exit code: 0 if the call went as its script expects */
export async function placeDrivenCall(options: CallOptions, speechFolders: readonly string[]): Promise<number> {
  const hangUp = new AbortController();
  const input = createInterface({ input: process.stdin });
  const target = new Promise<string>((resolve, reject) => {
    input.once('line', (line) => resolve(line.trim()));
    input.once('close', () => {
      hangUp.abort();
      reject(new NoCallWanted());
    });
  });
  // Avoids an unhandled rejection before it is awaited.
  target.catch(() => undefined);
  try {
    const report = await placeCall(options, {
      baseUrl: '',
      speechFolders,
      show: (step) => print({ type: 'step', step }),
      driver: {
        hangUp: hangUp.signal,
        target: (agentUri) => {
          print({ type: 'ready', return_to: agentUri });
          return target;
        },
      },
    });
    const { timeline: _, cards: __, charge: ___, ...summary } = report;
    print({ type: 'over', report: summary });
    return report.differences.length === 0 ? 0 : 1;
  } catch (error) {
    if (error instanceof NoCallWanted) return 1;
    throw error;
  } finally {
    input.close();
    // A pipe that is still open would keep the process alive.
    process.stdin.destroy();
  }
}
