/** `ringkey demo`: runs the whole product with demo data, as `npm start` does in a clone. */
import type { Command } from 'commander';
import { turnDemoOn } from '../config/config.ts';
import { CannotStart } from '../lib/start-error.ts';
import type { CommandContext } from './context.ts';

export function addDemoCommand(program: Command, context: CommandContext): void {
  program
    .command('demo')
    .description('run the whole product on this machine with demo data, in test mode; installs what is missing')
    .action(async () => {
      await provideMachine();
      turnDemoOn();
      const { runApp } = await import('../app/run.ts');
      context.exitCode = await runApp(context.readConfig());
    });
}

/** @throws CannotStart if a person must install something */
async function provideMachine(): Promise<void> {
  const [{ provideDemo }, { SetupError }] = await Promise.all([
    import('../local/standalone/setup/demo.mjs'),
    import('../local/standalone/setup/run.mjs'),
  ]);
  await provideDemo().catch((error: unknown) => {
    throw error instanceof SetupError ? new CannotStart(error.message) : error;
  });
}
