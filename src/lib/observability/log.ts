/**
 * The log: JSON lines by pino, each a static message with fields. Secrets and card data are removed by field name, also
 * in nested objects. An error is written as name, message, code, stack and causes only, because database drivers add
 * fields (`detail`) that quote rows. With an OpenTelemetry SDK, a line has the IDs of its trace and span.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import { traceFields } from './trace.ts';

export type Log = Logger;

interface LogOptions {
  /** pino's, or `silent`. */
  level: string;
  instance: string;
  /** Standard output by default. */
  destination?: DestinationStream;
}

/** Removed by name, also from the request log. */
export const SECRET_FIELDS: readonly string[] = [
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
  'transfer_code',
];

export function createLog({ level, instance, destination = standardOutput() }: LogOptions): Log {
  const settings = {
    level,
    base: { instance },
    mixin: traceFields,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorFields, error: errorFields },
    redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[secret]' },
  };
  return pino(settings, destination);
}

/** Lines are buffered up to this size, or for GATHERED_MS. */
const GATHERED_BYTES = 4_096;
const GATHERED_MS = 50;

let opened: DestinationStream | undefined;

/**
 * One stream for all logs of the process. Nothing is lost at a normal exit, a handled signal or a fault. A killed
 * process loses what it wrote in the last {@link GATHERED_MS}.
 */
function standardOutput(): DestinationStream {
  if (opened !== undefined) return opened;
  const output = pino.destination({ fd: 1, sync: true, minLength: GATHERED_BYTES });
  process.on('exit', () => output.flush());
  opened = flushedLater(output);
  return opened;
}

/** Flushes after lines were written. (sonic-boom's `periodicFlush` writes 20 times a second, even if there are none.) */
export function flushedLater(
  output: Pick<ReturnType<typeof pino.destination>, 'write' | 'flush'>,
): DestinationStream & {
  flushSync(): void;
} {
  let isDue = false;
  const flush = () => {
    isDue = false;
    output.flush();
  };
  return {
    write(line) {
      if (!isDue) setTimeout(flush, GATHERED_MS).unref();
      isDue = true;
      output.write(line);
    },
    // pino calls flushSync after `fatal`. sonic-boom's own tries a closed pipe for ever; its flush, with `sync`, does
    // not, and writes everything before it returns, too.
    flushSync: () => output.flush(),
  };
}

const MAX_CAUSES = 5;

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
