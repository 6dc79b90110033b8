/** Listens on a PostgreSQL channel (LISTEN) for the outbox notify of other processes. */
import pg from 'pg';
import type { BaseLogger } from 'pino';
import { createFailureLog } from '../../lib/concurrency/failure-log.ts';
import { connectionSettings, connectSession } from '../connection.ts';

interface Listener {
  /** Idempotent. */
  close(): Promise<void>;
}

interface ListenOptions {
  url: string;
  /** A plain SQL name. */
  channel: string;
  onNotify: (payload: string) => void;
  /** Called after each connect: earlier notifications are lost. */
  onConnected: () => void;
  log: Pick<BaseLogger, 'info' | 'warn'>;
  againMs?: number;
}

const AGAIN_MS = 1_000;
const CONNECT_LIMIT_MS = 3_000;
const STATEMENT_LIMIT_MS = 5_000;
const WORDS = {
  failed: 'lost the connection that listens for events: the outbox is polled until it is back',
  works: 'connection that listens for events is back',
};

/** Uses a connection of its own and reconnects if it breaks. The caller must poll as well. */
export function listen(options: ListenOptions): Listener {
  const { url, channel, onNotify, onConnected, log } = options;
  const failures = createFailureLog(log, { channel }, WORDS);
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let connecting = connect();

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      ...connectionSettings(url),
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      query_timeout: STATEMENT_LIMIT_MS,
    });
    fresh.on('notification', ({ payload = '' }) => onNotify(payload));
    fresh.on('error', (error) => lose(fresh, error));
    try {
      await connectSession(fresh);
      await fresh.query(`listen ${channel}`);
      client = fresh;
      failures.worked();
      onConnected();
    } catch (error) {
      lose(fresh, error);
    }
  }

  function lose(lost: pg.Client, error: unknown): void {
    if (timer !== undefined || (client !== null && client !== lost)) return;
    client = null;
    lost.end().catch((cause: unknown) => log.warn({ err: cause }, 'broken connection not closed'));
    if (closed) return;
    failures.failed(error);
    timer = setTimeout(() => {
      timer = undefined;
      connecting = connect();
    }, options.againMs ?? AGAIN_MS);
  }

  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await connecting;
      const last = client;
      client = null;
      await last?.end().catch((cause: unknown) => log.warn({ err: cause }, 'connection not closed'));
    },
  };
}
