/** What the bench is asked to do: the words after `npm run bench:rest --`. */
import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Seconds of each measurement. */
  seconds: number;
  /** Turns that floor and product take: what else the machine does meets both. */
  rounds: number;
  /** Requests under way at once, at full speed. */
  connections: number;
  /** Requests between the two looks at resident memory; 0 leaves the part out. */
  memoryRequests: number;
  /** Where `node --cpu-prof` leaves the product's profile; null for none. */
  profileFolder: string | null;
}

const USAGE = `npm run bench:rest -- [options]

  --seconds 3         of each measurement
  --rounds 7          turns that the floor and the product take
  --connections 64    requests under way at once, at full speed: enough that neither waits for the generator
  --memory 1000000    requests until the second look at resident memory (the first is after 10,000); 0: not
  --profile DIR       write the product's CPU profile there`;

const MOST = 100_000_000;

/** The options; null when only help was asked for, which is then printed. @throws on unknown or useless ones */
export function readBenchOptions(words: readonly string[]): BenchOptions | null {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '7' },
      connections: { type: 'string', default: '64' },
      memory: { type: 'string', default: '1000000' },
      profile: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return null;
  }
  return {
    seconds: wholeNumber('seconds', values.seconds, 1),
    rounds: wholeNumber('rounds', values.rounds, 1),
    connections: wholeNumber('connections', values.connections, 1),
    memoryRequests: wholeNumber('memory', values.memory, 0),
    profileFolder: values.profile ?? null,
  };
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > MOST) throw new Error(`--${name} ${text}: not possible`);
  return value;
}
