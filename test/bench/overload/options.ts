/** The bench's options: the arguments after `npm run bench:overload --`. */
import { parseArgs } from 'node:util';

export interface OverloadOptions {
  /** The load as a multiple of one core's capacity. */
  times: number;
  /** How long the load lasts. */
  seconds: number;
  /** Number of calls to measure the cost of one call. */
  calibration: number;
  /** The product's RINGKEY_MAX_LOAD in percent. */
  maxLoad: number;
  /** New calls per second; 0: as measured. */
  rate: number;
}

const USAGE = `npm run bench:overload -- [options]

  --times 2          new calls, as a multiple of one core's capacity
  --seconds 60       duration of the load
  --calibration 40   calls to measure one core's capacity
  --max-load 80      RINGKEY_MAX_LOAD; 100: refuses no call because of load
  --rate 0           new calls per second, instead of the measured capacity

Uses the built-in engine, or with RINGKEY_ENGINE=external the daemons in DRACHTIO_*, FREESWITCH_* and RINGKEY_SIP_PORT.
Product, database and built-in engine run on one core, the callers on the others.`;

/** The options; null if only help was requested, which is then printed. @throws if an option is unknown or invalid */
export function readOverloadOptions(words: readonly string[]): OverloadOptions | null {
  const { values } = parseArgs({
    args: [...words],
    options: {
      times: { type: 'string', default: '2' },
      seconds: { type: 'string', default: '60' },
      calibration: { type: 'string', default: '40' },
      'max-load': { type: 'string', default: '80' },
      rate: { type: 'string', default: '0' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return null;
  }
  return {
    times: numberOf('times', values.times, 0.1, 20),
    seconds: numberOf('seconds', values.seconds, 5, 3_600),
    calibration: numberOf('calibration', values.calibration, 5, 1_000),
    maxLoad: numberOf('max-load', values['max-load'], 20, 100),
    rate: numberOf('rate', values.rate, 0, 1_000),
  };
}

function numberOf(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!(value >= least && value <= most)) throw new Error(`--${name} ${text}: invalid`);
  return value;
}
