/** Two SIP servers and two media servers: four processes of the built-in engine, or the daemons in the settings. */
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mediaServersOf, sipServersOf } from '../../../src/config/derived.ts';
import type { Config } from '../../../src/config/settings.ts';
import type { MediaOptions, SignallingOptions } from '../../../src/local/softswitch/options.ts';
import { listenerOn } from '../call/machine.ts';
import { freePort } from '../call/stage.ts';
import { Part } from './part.ts';

const LOOPBACK = '127.0.0.1';
const SECRET = 'bench';
const own = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export interface EngineProcess {
  name: string;
  /** `host:port` for apps. */
  host: string;
  signal(signal: NodeJS.Signals): void;
  /** Null for a daemon that the bench did not start. */
  part: Part | null;
}

export interface Engines {
  name: string;
  settings: Record<string, string>;
  /** The SIP ports of the SIP servers, which callers dial. */
  sipPorts: readonly number[];
  sip: readonly EngineProcess[];
  media: readonly EngineProcess[];
}

export function enginesOf(config: Config, folder: string): Promise<Engines> {
  return config.RINGKEY_ENGINE === 'external' ? Promise.resolve(daemons(config)) : builtin(folder);
}

function daemons(config: Config): Engines {
  const process_ = (name: string, { address, port }: { address: string; port: number }): EngineProcess => ({
    name,
    host: `${address}:${port}`,
    signal(signal) {
      const pid = listenerOn(port);
      if (pid !== null) process.kill(pid, signal);
    },
    part: null,
  });
  const sipPorts = (process.env.RINGKEY_BENCH_SIP_PORTS ?? '').split(',').map(Number);
  const sip = sipServersOf(config).map((server, at) => process_(`SIP server ${at + 1}`, server));
  const media = mediaServersOf(config).map((server, at) => process_(`media server ${at + 1}`, server));
  if (sip.length !== sipPorts.length || sipPorts.includes(0)) {
    throw new Error('RINGKEY_BENCH_SIP_PORTS must have the SIP port of each server in DRACHTIO_HOSTS');
  }
  const { DRACHTIO_SECRET, FREESWITCH_SECRET } = config;
  return {
    name: 'drachtio-server and FreeSWITCH',
    settings: {
      DRACHTIO_HOSTS: sip.map(({ host }) => host).join(','),
      FREESWITCH_HOSTS: media.map(({ host }) => host).join(','),
      DRACHTIO_SECRET,
      FREESWITCH_SECRET,
    },
    sipPorts,
    sip,
    media,
  };
}

async function builtin(folder: string): Promise<Engines> {
  const sipPorts = [await freePort(), await freePort()];
  const sip = await Promise.all(sipPorts.map((sipPort, at) => signallingHalf(`SIP server ${at + 1}`, sipPort, folder)));
  const media = await Promise.all([0, 1].map((at) => mediaHalf(`media server ${at + 1}`, at, folder)));
  return {
    name: 'built-in',
    settings: {
      DRACHTIO_HOSTS: sip.map(({ host }) => host).join(','),
      FREESWITCH_HOSTS: media.map(({ host }) => host).join(','),
      DRACHTIO_SECRET: SECRET,
      FREESWITCH_SECRET: SECRET,
    },
    sipPorts,
    sip,
    media,
  };
}

async function signallingHalf(name: string, sipPort: number, folder: string): Promise<EngineProcess> {
  const port = await freePort();
  const options: SignallingOptions = {
    sipAddress: LOOPBACK,
    sipPort,
    drachtioAddress: LOOPBACK,
    drachtioPort: port,
    drachtioSecret: SECRET,
  };
  return started(name, port, 'signalling-half.js', options, folder);
}

async function mediaHalf(name: string, at: number, folder: string): Promise<EngineProcess> {
  const port = await freePort();
  const first = 20_000 + at * 5_000;
  const options: MediaOptions = {
    eslAddress: LOOPBACK,
    eslPort: port,
    eslSecret: SECRET,
    mediaSipPort: await freePort(),
    rtpAddress: LOOPBACK,
    rtpPortMin: first,
    rtpPortMax: first + 4_999,
  };
  return started(name, port, 'media-half.js', options, folder);
}

async function started(
  name: string,
  port: number,
  script: string,
  options: object,
  folder: string,
): Promise<EngineProcess> {
  const part = new Part({
    name,
    args: [own(script), JSON.stringify(options)],
    env: { PATH: process.env.PATH },
    logFile: join(folder, `${name.replaceAll(' ', '-')}.log`),
    isReady: () => accepts(port),
  });
  await part.start();
  return { name, host: `${LOOPBACK}:${port}`, signal: (signal) => part.signal(signal), part };
}

/** Whether something listens on the port. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: LOOPBACK, port });
    const finish = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}
