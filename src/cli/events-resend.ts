/** `ringkey events resend <event id> …`: once more to the endpoints, over the record or, without one, over REST. */
import { wordsOf } from './command-words.ts';
import type { Config } from '../config.ts';
import { parseId } from '../domain/ids.ts';
import { CannotStart } from '../domain/start-error.ts';
import { openDatabase } from '../db/pool.ts';
import { resendEvents } from '../db/events/outbox.ts';
import { UsageError } from './usage-error.ts';

const USAGE = `Usage: ringkey events resend <event id> …

  Over the record where DATABASE_URL is set. Else over the service that runs here, which knows the demo's events by itself
  and others by their account's key in RINGKEY_API_KEY.`;
const REQUEST_LIMIT_MS = 10_000;

/** @returns the process's exit code: 1 when one of them was not found. @throws CannotStart for what its reader can mend */
export async function eventsCommand(words: string[], config: Config): Promise<number> {
  const said = wordsOf(words, USAGE);
  if (said === null) return 0;
  const [verb, ...ids] = said;
  if (verb !== 'resend' || ids.length === 0) throw new UsageError('there is no such command', USAGE);
  const wrong = ids.find((id) => parseId('Event', id) === null);
  if (wrong !== undefined) throw new UsageError(`${wrong} is no event id.`);
  const { DATABASE_URL } = config;
  const found = DATABASE_URL === undefined ? await overRest(config, ids) : await overRecord(DATABASE_URL, ids);
  for (const id of ids) console.log(`${id}  ${found.has(id) ? 'goes out again' : 'not found'}`);
  return ids.every((id) => found.has(id)) ? 0 : 1;
}

async function overRecord(url: string, ids: readonly string[]): Promise<Set<string>> {
  const onIdleError = (error: Error) => console.error(error.message);
  const database = openDatabase({ url, maxConnections: 1, onIdleError });
  try {
    return new Set(await resendEvents(database, ids));
  } finally {
    await database.close();
  }
}

async function overRest(config: Config, ids: readonly string[]): Promise<Set<string>> {
  const key = config.RINGKEY_API_KEY;
  const base = `http://${config.RINGKEY_HTTP_HOST}:${config.RINGKEY_HTTP_PORT}`;
  const found = new Set<string>();
  for (const id of ids) {
    const response = await fetch(`${base}/v1/events/${id}/resend`, {
      method: 'POST',
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    }).catch((error: Error) => {
      throw new CannotStart(`No service answers at ${base} (${error.message}); set DATABASE_URL, or start it.`);
    });
    if (response.ok) found.add(id);
    else if (response.status !== 404)
      throw new CannotStart(`The service answered ${response.status}: ${await response.text()}`);
  }
  return found;
}
