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
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorFields, error: errorFields },
    redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
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
