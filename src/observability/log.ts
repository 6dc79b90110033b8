/**
 * The log: JSON lines, static sentences with fields. What may identify a card or open a door never gets in: the fields
 * below are cut out wherever they stand, errors are told by name, code and stack alone (a driver's `detail` quotes rows).
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import { standardOutput } from './log-output.ts';

export type Log = Logger;

export interface LogOptions {
  level: string;
  instance: string;
  /** Standard output by default. */
  destination?: DestinationStream;
}

const SECRET_FIELDS = [
  'authorization',
  'key',
  'token',
  'secret',
  'password',
  'card',
  'number',
  'expiry',
  'securityCode',
  'postalCode',
  'digit',
  'digits',
  'body',
  'transfer_to',
];

const CUT = '[secret]';
const SECRETS: ReadonlySet<string> = new Set(SECRET_FIELDS);

/**
 * Cuts secrets out of the objects that a line has for fields. pino's own way to say so (`*.name`) looks through every line once
 * a name, which takes longer than all else of a line; most have no such field.
 */
function withoutInnerSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  if (!Object.values(fields).some(isRecord)) return fields;
  const cut = (inner: object) =>
    Object.fromEntries(Object.entries(inner).map(([name, value]) => [name, SECRETS.has(name) ? CUT : value]));
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isRecord(value) ? cut(value) : value]),
  );
}

/** An object that is written as its fields; an error is told by `errorFields`. */
function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof Error) && !('toJSON' in value);
}

/** The moment as a field of a line, RFC 3339. Lines of one millisecond share it: a busy service writes a dozen in each. */
const isoTime = (() => {
  let [atMs, field] = [Number.NaN, ''];
  return () => {
    const nowMs = Date.now();
    if (nowMs !== atMs) [atMs, field] = [nowMs, `,"time":"${new Date(nowMs).toISOString()}"`];
    return field;
  };
})();

/** @param options.level pino's, or `silent` */
export function createLog(options: LogOptions): Log {
  const settings = {
    level: options.level,
    base: { instance: options.instance },
    timestamp: isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: withoutInnerSecrets },
    serializers: { err: errorFields, error: errorFields },
    redact: { paths: SECRET_FIELDS, censor: CUT },
  };
  return pino(settings, options.destination ?? standardOutput());
}

/**
 * The same log for lines whose every field is ours: looking through each of them for secrets that cannot be there costs as
 * much as writing them. Never give it anything that came from outside.
 */
export function plainLog(log: Log): Log {
  return log.child({}, { redact: [] });
}

const MAX_CAUSES = 5;

/** What a log line says of an error, causes included. */
function errorFields(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error };
  return {
    type: error.name,
    message: error.message,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    stack: error.stack,
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: errorFields(error.cause, depth + 1) }),
  };
}
