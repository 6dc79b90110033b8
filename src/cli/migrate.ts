/** `ringkey migrate`: brings the database at DATABASE_URL up to date. */
import type { Command } from 'commander';
import { migrateDatabase } from '../app/migrate.ts';
import { directDatabaseUrl } from '../config/derived.ts';
import { CannotStart } from '../lib/start-error.ts';
import type { CommandContext } from './context.ts';

export function addMigrateCommand(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .description('bring the database at DATABASE_URL up to date')
    .action(async () => {
      const url = directDatabaseUrl(context.readConfig());
      if (url === undefined) throw new CannotStart('ringkey migrate needs DATABASE_URL.');
      await migrateDatabase(url, null, (message) => console.log(message));
    });
}
