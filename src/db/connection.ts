/** Settings of every connection to PostgreSQL: how soon a lost peer is detected, and how long locks are waited for. */
import type pg from 'pg';

/**
 * After this long without traffic the peer is probed ten times, once a second (libuv): a lost server is detected in 15
 * s.
 */
const PROBE_AFTER_MS = 5_000;
/**
 * The same on the server's side: a client that is gone, or no longer reads, loses its connection and with it its locks.
 * No effect on a Unix socket.
 */
const SERVER_TCP = [
  'tcp_keepalives_idle=5',
  'tcp_keepalives_interval=2',
  'tcp_keepalives_count=3',
  'tcp_user_timeout=10000',
];
/**
 * Shorter than requests wait for a connection of the pool. Requests that wait for a locked row return their connection
 * in time, so that one lock does not block unrelated requests.
 */
const LOCK_LIMIT_MS = 2_000;

/** `options` in the URL replaces the server's TCP settings. */
export function connectionSettings(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
    options: SERVER_TCP.map((setting) => `-c ${setting}`).join(' '),
    lock_timeout: LOCK_LIMIT_MS,
  };
}
