/** Settings of every connection to PostgreSQL: how soon a lost peer is detected, and how long locks are waited for. */
import type pg from 'pg';

/** Durations in milliseconds, enforced by the server. */
export interface SessionLimits {
  /** The server cancels a statement after this time. */
  statementMs?: number;
  /** A process that stops within a transaction loses its locks after this time. */
  idleInTransactionMs?: number;
}

/**
 * After this long without traffic the peer is probed ten times, once a second (libuv): a lost server is detected in 15
 * s.
 */
const PROBE_AFTER_MS = 5_000;
/**
 * The same on the server's side: a client that is gone, or no longer reads, loses its connection and with it its locks.
 * No effect on a Unix socket.
 */
const SERVER_TCP = {
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 10_000,
};
/**
 * Shorter than requests wait for a connection of the pool. Requests that wait for a locked row return their connection
 * in time, so that one lock does not block unrelated requests.
 */
const LOCK_LIMIT_MS = 2_000;

export function connectionSettings(url: string): pg.ClientConfig {
  return { connectionString: url, keepAlive: true, keepAliveInitialDelayMillis: PROBE_AFTER_MS };
}

/** Connects, then sets the limits: PgBouncer refuses limits in the startup message. @throws if either fails */
export async function connectSession(client: pg.Client, limits: SessionLimits = {}): Promise<void> {
  // The statement fails with the same error. Without a listener it would end the process.
  const ignore = () => undefined;
  client.on('error', ignore);
  try {
    await client.connect();
    await client.query(sessionSettings(limits));
  } finally {
    client.off('error', ignore);
  }
}

/** SQL: sets the limits of a connection until its end. */
export function sessionSettings(limits: SessionLimits): string {
  return settings('set', Object.assign(timeouts(limits), SERVER_TCP));
}

/**
 * SQL: begins a transaction with limits of its own. For a pooler that gives each transaction another server connection.
 */
export function beginWithLimits(limits: SessionLimits): string {
  return `begin; ${settings('set local', timeouts(limits))}`;
}

function timeouts({ statementMs, idleInTransactionMs }: SessionLimits): Record<string, number> {
  return {
    lock_timeout: LOCK_LIMIT_MS,
    ...(statementMs !== undefined && { statement_timeout: statementMs }),
    ...(idleInTransactionMs !== undefined && { idle_in_transaction_session_timeout: idleInTransactionMs }),
  };
}

function settings(command: string, values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${command} ${name} = ${value}`)
    .join('; ');
}
