/** `ringkey migrate`: brings the database at DATABASE_URL up to date. */
import type { Command } from 'commander';
import { migrateDatabase } from '../app/migrate.ts';
import { CannotStart } from '../lib/start-error.ts';
import type { CommandContext } from './context.ts';

export function addMigrateCommand(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .description('bring the database at DATABASE_URL up to date')
    .action(async () => {
      const { DATABASE_URL } = context.readConfig();
      if (DATABASE_URL === undefined) throw new CannotStart('ringkey migrate needs DATABASE_URL.');
      await migrateDatabase(DATABASE_URL, null, (message) => console.log(message));
    });
}
