/** Brings a database up to date, or tells the operator why that is impossible. */
import { migrate } from '../db/pool.ts';
import { CannotStart } from '../lib/start-error.ts';
import { requireOwnConnections } from './connection-pooler.ts';

/** The error of node-pg-migrate for a database with other migrations. */
const OTHER_MIGRATIONS = /^(Not run migration|Definitions of migrations)/;
/** The first migration of the versions before 0.2.0. */
const BEFORE_0_2_0 = /already run migration 0001_record$/;

/**
 * @param dataFolder of the private PostgreSQL; null for an external one
 * @throws CannotStart for a database migrated by another version of Ringkey, or behind a pooler in transaction mode
 */
export async function migrateDatabase(
  url: string,
  dataFolder: string | null,
  log: (message: string) => void,
): Promise<void> {
  if (dataFolder === null) await requireOwnConnections(url);
  try {
    await migrate(url, log);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (!OTHER_MIGRATIONS.test(message)) throw error;
    if (!BEFORE_0_2_0.test(message)) {
      throw new CannotStart(
        `The database belongs to another version of Ringkey (${message}): use that version, or a newer one.`,
      );
    }
    const remedy =
      dataFolder === null
        ? 'Keep that database for its data, and set DATABASE_URL to a new, empty one.'
        : `Rename or remove the folder ${dataFolder} and start again: Ringkey creates a new one.`;
    throw new CannotStart(`The database was created by a version before 0.2.0, and cannot be upgraded.\n${remedy}`);
  }
}
