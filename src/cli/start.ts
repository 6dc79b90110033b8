/** `ringkey start`: runs the service. */
import type { Command } from 'commander';
import { runApp } from '../app/run.ts';
import type { CommandContext } from './context.ts';

export function addStartCommand(program: Command, context: CommandContext): void {
  program
    .command('start')
    .description('run the service, in the roles of RINGKEY_ROLES')
    .action(async () => {
      context.exitCode = await runApp(context.readConfig());
    });
}
