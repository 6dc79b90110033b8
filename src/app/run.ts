/** The service from its start to its end: starts the parts, waits for a signal, closes everything in reverse. */
import pretty from 'pino-pretty';
import type { Config } from '../config.ts';
import { welcome } from '../standalone/welcome.ts';
import { createLifecycle } from './lifecycle.ts';
import { createLog, type Log } from '../observability/log.ts';
import { startParts } from './roles.ts';

/** Ctrl-C under npm reaches us twice, from the terminal and from npm: only a later one means "at once". */
const SECOND_SIGNAL_AFTER_MS = 1_000;

/** Runs until a signal or a fault ends it. @returns the exit code. @throws what keeps it from starting */
export async function runApp(config: Config): Promise<number> {
  const log = openLog(config);
  const lifecycle = createLifecycle(log);
  const stopped = untilStopped(log);
  try {
    const parts = await startParts(config, log, lifecycle);
    log.info({ roles: config.RINGKEY_ROLES }, 'ready');
    if (config.RINGKEY_DEMO) console.log(welcome(parts));
  } catch (error) {
    await lifecycle.close();
    throw error;
  }
  const code = await stopped;
  const clean = await lifecycle.close();
  log.info({ clean }, 'stopped');
  return clean ? code : 1;
}

/** Resolves to the exit code at the first signal (0) or at a fault that nobody handled (1). */
function untilStopped(log: Log): Promise<number> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      if (firstAt === undefined) {
        firstAt = Date.now();
        log.info({ signal }, 'stopping');
        resolve(0);
      } else if (Date.now() - firstAt > SECOND_SIGNAL_AFTER_MS) {
        log.warn({ signal }, 'stopped at once, by a second signal');
        process.exit(1);
      }
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
    const onFault = (error: unknown) => {
      log.fatal({ err: error }, 'fault that nobody handled: stopping');
      resolve(1);
    };
    process.on('uncaughtException', onFault);
    process.on('unhandledRejection', onFault);
  });
}

/** JSON lines; for a person at a terminal, readable ones. */
function openLog(config: Config): Log {
  const options = { level: config.RINGKEY_LOG_LEVEL, instance: config.RINGKEY_INSTANCE };
  if (!process.stdout.isTTY) return createLog(options);
  return createLog({ ...options, destination: pretty({ sync: true, ignore: 'instance', singleLine: true }) });
}
