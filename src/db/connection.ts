/** Settings of every connection to PostgreSQL: how soon a lost peer is noticed, and how long a lock is waited for. */
import type pg from 'pg';

/**
 * After so long without traffic the peer is probed, each second, ten times (libuv): a lost server is noticed in 15 s.
 */
const PROBE_AFTER_MS = 5_000;
/**
 * The same from the server's side: a client whose machine or network is gone, or that takes no bytes any more, loses
 * its connection and with it its locks. Without effect on a Unix socket.
 */
const SERVER_TCP = [
  'tcp_keepalives_idle=5',
  'tcp_keepalives_interval=2',
  'tcp_keepalives_count=3',
  'tcp_user_timeout=10000',
];
/**
 * Shorter than requests wait for a connection of the pool: those that want a locked row give theirs back in time, so
 * that one lock does not stop what does not need it.
 */
const LOCK_LIMIT_MS = 2_000;

/** An `options` in the URL replaces those for the server's TCP. */
export function connectionSettings(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
    options: SERVER_TCP.map((setting) => `-c ${setting}`).join(' '),
    lock_timeout: LOCK_LIMIT_MS,
  };
}
