/** `ringkey start`: runs the service. */
import type { Command } from 'commander';
import type { CommandContext } from './context.ts';

export function addStartCommand(program: Command, context: CommandContext): void {
  program
    .command('start')
    .description('run the service in the roles that RINGKEY_ROLES names')
    .action(async () => {
      // Loaded only now: the other commands need only a small part of the program.
      const { runApp } = await import('../app/run.ts');
      context.exitCode = await runApp(context.readConfig());
    });
}
