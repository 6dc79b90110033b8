/** What the demo needs from the machine: programs of the system, and PostgreSQL's from npm. */
import { env } from 'node:process';
import { checkNode, linkPostgresLibraries } from './node.mjs';
import { provideCommands, providePostgres } from './system.mjs';

/** The system's programs that the service runs. */
export function commandsOfService() {
  return [...(env.REDIS_URL ? [] : ['redis-server']), ...(env.RINGKEY_SYNTHESIZER === 'none' ? [] : ['espeak-ng'])];
}

/** For a package that npm has installed, which is built. @throws SetupError saying what to install */
export async function provideDemo() {
  checkNode();
  provideCommands(commandsOfService());
  if (env.DATABASE_URL) return;
  linkPostgresLibraries();
  await providePostgres();
}
