/** The bench's options: the arguments after `npm run bench:call --`. */
import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Measured calls of each app, spread over the rounds. */
  calls: number;
  /** New calls per second. */
  rate: number;
  /** How often both apps take turns, so that other work on the machine affects both. */
  rounds: number;
  /** Calls before each measurement, so that the code is already compiled. */
  warmUp: number;
  /** Calls with a slow processor, to measure the wait after its answer. */
  slowCalls: number;
  /** Concurrent SIPp calls; 0 skips this part. */
  atOnce: number;
  /** Calls that are paid on the page; 0 skips this part. */
  pagePaid: number;
  /** Concurrent calls with keys as events and as tones; 0 skips this part. */
  inband: number;
  /** Calls with a menu of saved cards and screening, and the same number without; 0 skips this part. */
  savedCards: number;
  /** Folder for the product's profile by `node --cpu-prof`; null for none. */
  profileFolder: string | null;
}

const USAGE = `npm run bench:call -- [options]

  --calls 120      measured calls of each app
  --rate 4         new calls per second
  --rounds 2       turns that the two apps take
  --warm-up 20     calls before each measurement
  --slow 20        calls with a processor that takes 12 s
  --at-once 100    concurrent SIPp calls (needs root); 0: none
  --page-paid 20   calls that are paid on the page while the line waits; 0: none
  --inband 100     concurrent calls with keys as events and as tones; 0: none
  --saved-cards 40 calls with a menu of saved cards and screening, and the same number without; 0: none
  --profile DIR    folder for the product's CPU profiles

Uses the built-in engine, or with RINGKEY_ENGINE=external the daemons in DRACHTIO_*, FREESWITCH_* and RINGKEY_SIP_PORT.`;

/** The options; null if only help was requested, which is then printed. @throws if an option is unknown or invalid */
export function readBenchOptions(words: readonly string[]): BenchOptions | null {
  const { values } = parseArgs({
    args: [...words],
    options: {
      calls: { type: 'string', default: '120' },
      rate: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '2' },
      'warm-up': { type: 'string', default: '20' },
      slow: { type: 'string', default: '20' },
      'at-once': { type: 'string', default: '100' },
      'page-paid': { type: 'string', default: '20' },
      inband: { type: 'string', default: '100' },
      'saved-cards': { type: 'string', default: '40' },
      profile: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return null;
  }
  return {
    calls: wholeNumber('calls', values.calls, 1),
    rate: wholeNumber('rate', values.rate, 1),
    rounds: wholeNumber('rounds', values.rounds, 1),
    warmUp: wholeNumber('warm-up', values['warm-up'], 0),
    slowCalls: wholeNumber('slow', values.slow, 0),
    atOnce: wholeNumber('at-once', values['at-once'], 0),
    pagePaid: wholeNumber('page-paid', values['page-paid'], 0),
    inband: wholeNumber('inband', values.inband, 0),
    savedCards: wholeNumber('saved-cards', values['saved-cards'], 0),
    profileFolder: values.profile ?? null,
  };
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > 10_000) throw new Error(`--${name} ${text}: invalid`);
  return value;
}
