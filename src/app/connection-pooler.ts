/** What a connection pooler, such as PgBouncer, needs, checked at the start: calls must not be the first to notice. */
import { keepsStatements, leadToSameDatabase, readUnsetLimits, sharesConnections } from '../db/pooler.ts';
import type { Log } from '../lib/observability/log.ts';
import { CannotStart } from '../lib/start-error.ts';

/**
 * Migrations, leases and LISTEN need a connection to PostgreSQL that stays the same.
 * @throws CannotStart for a pooler in transaction mode
 */
export async function requireOwnConnections(url: string): Promise<void> {
  if (!(await sharesConnections(url))) return;
  throw new CannotStart(
    'PostgreSQL is behind a connection pooler in transaction mode: set RINGKEY_DATABASE_DIRECT_URL to PostgreSQL itself, and DATABASE_URL to the pooler.',
  );
}

/** @throws CannotStart for a pooler that Ringkey cannot work with */
export async function requireUsablePooler(url: string, directUrl: string, log: Pick<Log, 'warn'>): Promise<void> {
  if (!(await leadToSameDatabase(directUrl, url))) {
    throw new CannotStart(
      'DATABASE_URL and RINGKEY_DATABASE_DIRECT_URL lead to different databases: both must name the same one.',
    );
  }
  if (!(await keepsStatements(url))) {
    throw new CannotStart(
      'The connection pooler at DATABASE_URL loses prepared statements: use PgBouncer 1.21 or newer with max_prepared_statements above 0, or its session mode.',
    );
  }
  const limits = await readUnsetLimits(url);
  if (limits.length > 0) {
    log.warn(
      { limits },
      'statements through the connection pooler have no time limits: set them for the role with ALTER ROLE (see /docs/operating)',
    );
  }
}
