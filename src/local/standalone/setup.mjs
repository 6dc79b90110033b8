/**
 * The first step of `npm start`, `npm test`, `npm run call`: installs and builds what a clone lacks, then runs the
 * program in this process, so that signals and exit codes are the program's own. Plain JavaScript on Node's built-ins,
 * because it runs before anything is installed. A second run finds everything in place and takes no time.
 */
import { env, exit } from 'node:process';
import { runAllTests, selectsAllTests } from './setup/all-tests.mjs';
import { build, buildBench } from './setup/build.mjs';
import { commandsOfService } from './setup/demo.mjs';
import { checkNode, installPackages } from './setup/node.mjs';
import { inClone, root, SetupError } from './setup/run.mjs';
import { provideCommands, providePostgres, providePython } from './setup/system.mjs';
import { useTestFolder } from './setup/temporary-folder.mjs';

const [mode = 'start', ...rest] = process.argv.slice(2);
process.chdir(inClone('.'));
let bench;

try {
  checkNode();
  provideCommands(commandsFor(mode));
  if (mode === 'test') providePython();
  installPackages();
  if (mode === 'packages') exit(0);
  build();
  if (mode === 'bench') bench = buildBench(rest[0] ?? '');
  if (mode === 'test' || !env.DATABASE_URL) await providePostgres();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`\n${error.message}\n`);
  exit(1);
}
await runProgram();

/** The system's programs that this mode needs. */
function commandsFor(mode) {
  if (mode === 'packages') return [];
  // `call` needs the programs of `start`, too: it starts the service if none runs.
  if (mode !== 'test' && mode !== 'bench') return commandsOfService();
  const commands = ['redis-server', 'espeak-ng', 'sipp'];
  if (mode === 'test') commands.push('chromium', 'curl', 'nginx', 'systemd-analyze', 'pg_ctlcluster');
  return commands;
}

async function runProgram() {
  if (mode === 'test') {
    useTestFolder();
    if (selectsAllTests(rest)) exit(await runAllTests(rest));
    const vitest = new URL('node_modules/vitest/vitest.mjs', root);
    process.argv = [process.argv[0], vitest.pathname, 'run', ...rest];
    return import(vitest.href);
  }
  if (bench) {
    process.argv = [process.argv[0], bench.pathname, ...rest.slice(1)];
    return import(bench.href);
  }
  // Trying it out should need no key. The command `ringkey` itself runs a demo only if the setting says so.
  env.RINGKEY_DEMO ||= 'on';
  const main = new URL('dist/main.js', root);
  process.argv = [process.argv[0], main.pathname, mode, ...rest];
  return import(main.href);
}
