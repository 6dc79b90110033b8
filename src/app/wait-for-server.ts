/** Waits for an external PostgreSQL or Redis, which may still be starting. */
import { setTimeout as delay } from 'node:timers/promises';
import { isTransient } from '../db/error-kinds.ts';
import type { Log } from '../lib/observability/log.ts';
import { RedisUnavailable } from '../lib/redis/check.ts';
import { CannotStart } from '../lib/start-error.ts';

export interface Server {
  /** For messages, e.g. `PostgreSQL`. */
  name: string;
  /** The setting with its address. */
  setting: string;
  url: string;
}

/** The server did not answer in time. */
export class NoAnswer extends CannotStart {}

const LIMIT_MS = 60_000;
const PAUSE_MS = 250;
/** Authentication failed, no such database, no permission: PostgreSQL's states, then Redis' messages. */
const REFUSED_STATE = /^(28...|3D000|42501)$/;
const REFUSED_MESSAGE = /^(WRONGPASS|NOAUTH|NOPERM|ERR (AUTH|invalid password|Client sent AUTH))/;

/**
 * Repeats `work`, which must be safe to repeat, while the server is unreachable, for at most `limitMs`.
 * @throws NoAnswer if the server did not answer in time; CannotStart if it refuses access, which a retry cannot change
 */
export async function waitForServer<T>(
  server: Server,
  log: Pick<Log, 'warn'>,
  work: () => Promise<T>,
  limitMs = LIMIT_MS,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work();
    } catch (error) {
      const { name, setting } = server;
      const why = `${name} at ${hostOf(server)}`;
      if (isRefusal(error))
        throw new CannotStart(`${why} refuses the connection (${reasonOf(error)}): check ${setting}.`);
      if (!isNotReady(error)) throw error;
      if (performance.now() > deadline) {
        const waited = `did not respond within ${limitMs / 1_000} s`;
        throw new NoAnswer(`${why} ${waited} (${reasonOf(error)}): start it, or check ${setting}.`);
      }
      if (isFirst) log.warn({ server: name, setting, err: error }, 'server does not respond yet, retrying');
      await delay(PAUSE_MS);
    }
  }
}

function isRefusal(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: unknown; message?: string };
  return REFUSED_STATE.test(String(code)) || REFUSED_MESSAGE.test(message);
}

function isNotReady(error: unknown): boolean {
  return isTransient(error) || error instanceof RedisUnavailable;
}

function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}

/** Without the URL's password. */
function hostOf({ url, setting }: Server): string {
  return (URL.canParse(url) && new URL(url).host) || `the address in ${setting}`;
}
