/**
 * Runs the built-in softswitch as a child process: passes its options, receives its ports, restarts it if it dies. It
 * has its own process group: a terminal's Ctrl-C reaches only the app, so that calls end before the engine does.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config/settings.ts';
import type { Log } from '../../lib/observability/log.ts';
import { CannotStart, PortInUse } from '../../lib/start-error.ts';
import type { SoftswitchAnswer, SoftswitchOptions, SoftswitchReady } from '../softswitch/options.ts';
import { reachableAddress } from './reachable-address.ts';
import { stopProcess } from './stop-process.ts';

export interface Engine {
  /** The bound ports, even if the settings say 0. Restarts keep them. */
  readonly ports: Omit<SoftswitchReady, 'ready'>;
  /** The secret of both connections, drachtio and event socket. */
  readonly secret: string;
  /** Idempotent. */
  stop(): Promise<void>;
}

/** Takes one second on an idle machine. */
const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 5_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** After a run of this length, the pause before a restart is reset to the first one. */
const STEADY_AFTER_MS = 60_000;
const COMPILED = fileURLToPath(new URL('../softswitch/main.js', import.meta.url));

/** Starts it and waits for its ports. `entry` is the compiled softswitch. @throws CannotStart, PortInUse */
export async function startEngine(config: Config, log: Log, entry = COMPILED): Promise<Engine> {
  const secret = randomBytes(18).toString('base64url');
  const wanted = { sipPort: config.RINGKEY_SIP_PORT, drachtioPort: 0, eslPort: 0, mediaSipPort: 0 };
  const first = await launch(entry, config, secret, wanted);
  const { ports } = first;
  let child = first.child;
  let pauseMs = FIRST_PAUSE_MS;
  let startedAt = Date.now();
  let timer: NodeJS.Timeout | undefined;
  let restarting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;
  watchForExit();
  return {
    ports,
    secret,
    stop() {
      stopping ??= stopAll();
      return stopping;
    },
  };

  async function stopAll(): Promise<void> {
    clearTimeout(timer);
    await restarting;
    await stopProcess(child, 'SIGTERM', STOP_LIMIT_MS);
  }

  function watchForExit(): void {
    child.once('exit', (code, signal) => {
      if (stopping !== undefined) return;
      log.error({ code, signal }, 'softswitch died, restarting it');
      if (Date.now() - startedAt > STEADY_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
      restartLater();
    });
  }

  function restartLater(): void {
    timer = setTimeout(() => {
      restarting = restart();
    }, pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }

  async function restart(): Promise<void> {
    try {
      const next = await launch(entry, config, secret, ports);
      child = next.child;
      startedAt = Date.now();
      watchForExit();
    } catch (error) {
      log.error({ err: error }, 'softswitch could not be restarted');
      if (stopping === undefined) restartLater();
    }
  }
}

function optionsOf(config: Config, secret: string, ports: Engine['ports']): SoftswitchOptions {
  const [rtpPortMin = 0, rtpPortMax = 0] = config.RINGKEY_RTP_PORTS.split('-').map(Number);
  return {
    signalling: {
      sipAddress: config.RINGKEY_SIP_HOST,
      externalAddress: reachableAddress(config.RINGKEY_SIP_HOST),
      sipPort: ports.sipPort,
      drachtioAddress: '127.0.0.1',
      drachtioPort: ports.drachtioPort,
      drachtioSecret: secret,
      maxCalls: config.RINGKEY_MAX_CALLS,
    },
    media: {
      eslAddress: '127.0.0.1',
      eslPort: ports.eslPort,
      eslSecret: secret,
      mediaSipPort: ports.mediaSipPort,
      rtpAddress: reachableAddress(config.RINGKEY_SIP_HOST),
      rtpPortMin,
      rtpPortMax,
    },
  };
}

async function launch(
  entry: string,
  config: Config,
  secret: string,
  ports: Engine['ports'],
): Promise<{ child: ChildProcess; ports: Engine['ports'] }> {
  // Its environment is empty, because the options contain all that it needs.
  const child = fork(entry, { detached: true, env: {}, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  try {
    child.send(optionsOf(config, secret, ports));
    const answer = await firstAnswer(child);
    if ('ready' in answer) return { child, ports: answer };
    throw startErrorOf(answer.setting, answer.error, config);
  } catch (error) {
    await stopProcess(child, 'SIGTERM', STOP_LIMIT_MS);
    throw error;
  }
}

function firstAnswer(child: ChildProcess): Promise<SoftswitchAnswer> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(
      () => reject(new CannotStart(`The softswitch was not ready within ${READY_LIMIT_MS / 1_000} s.`)),
      READY_LIMIT_MS,
    );
    const settle = (act: () => void) => {
      clearTimeout(limit);
      act();
    };
    child.once('message', (message) => settle(() => resolve(message as SoftswitchAnswer)));
    child.once('error', (error) => settle(() => reject(error)));
    child.once('exit', (code) =>
      settle(() =>
        reject(new CannotStart(`The softswitch ended with code ${code} during startup. Its output is above.`)),
      ),
    );
  });
}

/** The error with the setting of the option that the softswitch cannot use. */
function startErrorOf(option: string | undefined, error: string, config: Config): Error {
  if (option === 'signalling.sipPort') return new PortInUse('RINGKEY_SIP_PORT', config.RINGKEY_SIP_PORT);
  if (option?.startsWith('media.rtpPort')) {
    return new CannotStart(
      `The RTP ports ${config.RINGKEY_RTP_PORTS} cannot be used (${error}): set RINGKEY_RTP_PORTS.`,
    );
  }
  if (option?.endsWith('Address')) {
    return new CannotStart(`The address ${config.RINGKEY_SIP_HOST} cannot be used (${error}): set RINGKEY_SIP_HOST.`);
  }
  return new Error(`softswitch: ${error}`);
}
