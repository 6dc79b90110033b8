/** What the commands share that settle by hand what a processor never clarified. */
import { userInfo } from 'node:os';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { type Id, parseId } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import { createLog, type Log } from '../observability/log.ts';
import { UsageError } from './usage-error.ts';

/** Printable and without spaces, as the ids of all processors are. */
const PROCESSORS_ID = /^[\x21-\x7e]{1,255}$/;

/** Long after the last request for something has ended, at the processor too. */
export const ON_ITS_WAY_MS = 10 * 60_000;

/** Which command is typed. */
export interface Settling<K extends 'Charge' | 'Refund', Failure extends string> {
  kind: K;
  usage: string;
  /** The options that say that no money moved: `not-received`. */
  failures: readonly Failure[];
}

/** What a person found in the processor's books. */
export interface Findings<K extends 'Charge' | 'Refund', Failure extends string> {
  id: Id<K>;
  /** What the processor calls it; null where it failed. */
  succeededAs: string | null;
  /** Null where it succeeded. */
  failure: Failure | null;
  /** Although the resolver has not given up. */
  now: boolean;
}

/** @param words behind `settle`. @returns null for who asks for help. @throws UsageError */
export function readFindings<K extends 'Charge' | 'Refund', Failure extends string>(
  words: readonly string[],
  { kind, usage, failures }: Settling<K, Failure>,
): Findings<K, Failure> | null {
  const thing = kind.toLowerCase();
  const { values, positionals } = parseArgs({ args: [...words], allowPositionals: true, options: optionsOf(failures) });
  if (values.help === true) return null;
  const [text, ...more] = positionals;
  if (text === undefined || more.length > 0) throw new UsageError(`one ${thing} id is needed`, usage);
  const id = parseId(kind, text);
  if (id === null) throw new UsageError(`${text} is no ${thing} id.`);
  const succeededAs = typeof values.succeeded === 'string' ? values.succeeded : null;
  const [failure = null, ...others] = failures.filter((name) => values[name] === true);
  if ((succeededAs === null) === (failure === null) || others.length > 0) {
    const outcomes = ['succeeded', ...failures].map((name) => `--${name}`).join(', ');
    throw new UsageError(`one of ${outcomes} is needed`, usage);
  }
  if (succeededAs !== null && !PROCESSORS_ID.test(succeededAs)) {
    throw new UsageError(`--succeeded needs what the processor calls the ${thing}.`);
  }
  return { id, succeededAs, failure, now: values.now === true };
}

function optionsOf(failures: readonly string[]): NonNullable<ParseArgsConfig['options']> {
  return {
    ...Object.fromEntries(failures.map((name) => [name, { type: 'boolean' }])),
    ...{ succeeded: { type: 'string' }, now: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  };
}

/** Tells why nothing was settled. @returns the process's exit code */
export function refuse(why: string): number {
  console.error(`ringkey: ${why}`);
  return 1;
}

/** A charge or a refund. */
interface Settled {
  id: string;
  status: 'pending' | 'succeeded' | 'failed';
  amount: Money;
}

/** Why it is not for a person to settle, or not yet; null where it is. @param givenUp nobody asks about it any more */
export function hindrance({ id, status }: Settled, givenUp: boolean, now: boolean): string | null {
  if (status !== 'pending') return `${id} is not pending but ${status}`;
  return givenUp || now ? null : `${id} is still being asked about: wait for its outcome, or say --now`;
}

/**
 * Tells what the record has now. If another settler was first, the processor's id tells whether his outcome is ours, too.
 * @param theirs what the processor calls it, as the record has it. @returns the process's exit code
 */
export function tell(
  { id, status, amount }: Settled,
  theirs: string | null,
  { succeededAs }: { succeededAs: string | null },
): number {
  const line = [id, status, `${amount.amountCents} ${amount.currency}`, theirs ?? ''].join('  ').trimEnd();
  const isOurs = succeededAs === null ? status === 'failed' : status === 'succeeded' && theirs === succeededAs;
  if (!isOurs) return refuse(`${id} was settled otherwise at the same time: ${line}`);
  console.log(line);
  return 0;
}

/** On standard error: standard output is the command's answer. @param fields what the person has found out */
export function operatorsLog(config: Config, fields: Record<string, string | null>): Log {
  const log = createLog({
    level: config.RINGKEY_LOG_LEVEL,
    instance: config.RINGKEY_INSTANCE,
    destination: process.stderr,
  });
  return log.child({ source: 'operator', operator: operator(), ...fields });
}

/** Whoever typed it, as the machine knows him: a container may run as a user that has no name. */
function operator(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
