/** Runs the service: starts its parts, waits for a signal or an error, and closes the parts in reverse order. */
import type { Config } from '../config/settings.ts';
import { createLog, type Log } from '../lib/observability/log.ts';
import { announceService } from '../local/standalone/running-service.ts';
import { welcomeText } from '../local/standalone/welcome.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { startParts } from './roles.ts';
import { warnOfUnknownSettings } from './start-warnings.ts';

/** With npm, Ctrl-C arrives twice, from the terminal and from npm. Only a later signal means "immediately". */
const SECOND_SIGNAL_AFTER_MS = 1_000;
const ANNOUNCEMENT_LIMIT_MS = 1_000;

/** @returns the exit code, after a signal or an error. @throws if it cannot start */
export async function runApp(config: Config): Promise<number> {
  const log = await createServiceLog(config);
  warnOfUnknownSettings(log);
  const lifecycle = createLifecycle(log);
  const stopped = waitForStop(log);
  try {
    const parts = await startParts(config, log, lifecycle);
    log.info({ roles: config.RINGKEY_ROLES }, 'ready');
    await announce(config, parts.httpUrl, lifecycle);
    if (config.RINGKEY_DEMO) console.log(welcomeText(parts));
  } catch (error) {
    await lifecycle.close();
    throw error;
  }
  const code = await stopped;
  const clean = await lifecycle.close();
  log.info({ clean }, 'stopped');
  return clean ? code : 1;
}

/** Announces the service to commands in a second terminal, if it has private servers in its home and serves REST. */
async function announce(config: Config, httpUrl: string, lifecycle: Lifecycle): Promise<void> {
  if (config.DATABASE_URL !== undefined || !config.RINGKEY_ROLES.includes('api')) return;
  const service = { pid: process.pid, instance: config.RINGKEY_INSTANCE, httpUrl };
  lifecycle.add('announcement', ANNOUNCEMENT_LIMIT_MS, await announceService(config.RINGKEY_HOME, service));
}

/** Resolves to the exit code: 0 at the first signal, 1 at an error that nothing caught. */
function waitForStop(log: Log): Promise<number> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      if (firstAt === undefined) {
        firstAt = Date.now();
        log.info({ signal }, 'stopping');
        resolve(0);
      } else if (Date.now() - firstAt > SECOND_SIGNAL_AFTER_MS) {
        log.warn({ signal }, 'stopped at once because of a second signal');
        process.exit(1);
      }
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
    const onFault = (error: unknown) => {
      log.fatal({ err: error }, 'uncaught error, stopping');
      resolve(1);
    };
    process.on('uncaughtException', onFault);
    process.on('unhandledRejection', onFault);
  });
}

/** JSON lines; readable ones on a terminal if the optional package `pino-pretty` is installed. */
async function createServiceLog(config: Config): Promise<Log> {
  const options = { level: config.RINGKEY_LOG_LEVEL, instance: config.RINGKEY_INSTANCE };
  const pretty = process.stdout.isTTY ? await importPretty() : null;
  if (pretty === null) return createLog(options);
  return createLog({ ...options, destination: pretty({ sync: true, ignore: 'instance', singleLine: true }) });
}

async function importPretty() {
  try {
    return (await import('pino-pretty')).default;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}
