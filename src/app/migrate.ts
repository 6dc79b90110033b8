/** Brings a database up to date, or says in words for the operator why that cannot be. */
import { migrate } from '../db/pool.ts';
import { CannotStart } from '../start-error.ts';

/** What node-pg-migrate says of a database whose migrations are not ours. */
const OTHER_MIGRATIONS = /^(Not run migration|Definitions of migrations)/;
/** The first migration of the versions before 0.2.0. */
const BEFORE_0_2_0 = /already run migration 0001_record$/;

/**
 * @param dataFolder of the private PostgreSQL; null for an outside one
 * @throws CannotStart for a database that another version of Ringkey has migrated
 */
export async function migrateDatabase(
  url: string,
  dataFolder: string | null,
  log: (message: string) => void,
): Promise<void> {
  try {
    await migrate(url, log);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (!OTHER_MIGRATIONS.test(message)) throw error;
    if (!BEFORE_0_2_0.test(message)) {
      throw new CannotStart(`The database was brought up to date by another version of Ringkey (${message}).`);
    }
    const remedy =
      dataFolder === null
        ? 'Keep that database for its data, create an empty one, and set DATABASE_URL to it.'
        : `Rename or remove the folder ${dataFolder} and start again: Ringkey makes a new one.`;
    throw new CannotStart(
      `The database was made by a Ringkey before 0.2.0, whose schema cannot be brought forward.\n${remedy}`,
    );
  }
}
