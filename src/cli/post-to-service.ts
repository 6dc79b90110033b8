/** Sends a request to the REST API of a running service, with the operator's key. */
import type { Config } from '../config/settings.ts';
import { CannotStart } from '../lib/start-error.ts';
import { findServiceUrl } from './find-service.ts';

/** Longer than the service ever takes to respond. */
const REQUEST_LIMIT_MS = 60_000;

export interface ErrorAnswer {
  error?: { code: string; message: string; processor_code?: string };
}

interface PostOptions {
  /** What the operator can do if no response comes. */
  again: string;
  idempotencyKey?: string;
}

/** @throws CannotStart if no service responds */
export async function postToService<Answer extends ErrorAnswer>(
  config: Config,
  path: string,
  body: object,
  { again, idempotencyKey }: PostOptions,
): Promise<Answer> {
  const key = config.RINGKEY_API_KEY;
  const base = await findServiceUrl(config);
  try {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    });
    return (await response.json()) as Answer;
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new CannotStart(`No response from ${base} (${cause}). ${again}`);
  }
}

/** @returns the exit code */
export function printError({ code, message, processor_code: processorCode }: NonNullable<ErrorAnswer['error']>): 1 {
  console.error(`${code}: ${message}${processorCode === undefined ? '' : ` (${processorCode})`}`);
  return 1;
}
