/** Words on the command line that don't fit. */
import { CannotStart } from '../domain/start-error.ts';

export class UsageError extends CannotStart {
  /** What may stand there. */
  readonly usage: string;
  constructor(message: string, usage = '') {
    super(message);
    this.name = 'UsageError';
    this.usage = usage;
  }
}

/** What to tell who typed words that don't fit; null for any other error. */
export function usageOf(error: unknown): string | null {
  if (error instanceof UsageError) return `ringkey: ${error.message}${error.usage === '' ? '' : `\n\n${error.usage}`}`;
  return isParseError(error) ? `ringkey: ${error.message}\n\nringkey help shows the commands.` : null;
}

/** Of `parseArgs`. */
export function isParseError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
