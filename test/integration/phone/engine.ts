/**
 * The engine of the phone tests: the built-in softswitch, or real daemons when DRACHTIO_PORT is set (with
 * DRACHTIO_SIP_PORT, FREESWITCH_PORT …).
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type MediaServer, startMedia } from '../../../src/local/softswitch/media/index.ts';
import { type Signalling, startSignalling } from '../../../src/local/softswitch/signalling/index.ts';
import { createSipAgent, headerValue } from '../../../src/local/softswitch/sip/index.ts';
import { freePort } from '../../support/ports.ts';

export const external = process.env.DRACHTIO_PORT !== undefined;
/** A program that stops or starts the real SIP server, with `stop` or `start` as its argument. */
const sipServerControl = process.env.RINGKEY_TEST_SIP_SERVER_CONTROL;
/** Whether a test can restart the SIP server. */
export const canRestartSipServer = !external || sipServerControl !== undefined;
const SECRET = 'test-secret';
const REGISTRATION_TRIES = 1_000;

/** An engine whose two halves can be stopped and started again on the same ports. */
export interface Engine {
  sipPort: number;
  /** The port of the media server's SIP profile. */
  mediaSipPort: number;
  drachtio: { host: string; port: number; secret: string };
  freeswitch: { address: string; port: number; secret: string; listenAddress: string; listenPort: number };
  /** RTP port pairs in use; 0 for real daemons. */
  portsInUse(): number;
  stopSignalling(): Promise<void>;
  startSignalling(): Promise<void>;
  stopMedia(): Promise<void>;
  startMedia(): Promise<void>;
  close(): Promise<void>;
}

export interface EngineOptions {
  mediaTimeoutMs?: number;
  maxLegs?: number;
  /** The shortest session timer that the SIP server accepts. */
  minSessionSeconds?: number;
}

export async function startEngine(options: EngineOptions = {}): Promise<Engine> {
  if (external) return externalEngine();
  let signalling: Signalling;
  let media: MediaServer;
  // Ports stay reserved while the engine is stopped.
  const bind = { sip: await freePort(), drachtio: await freePort(), esl: await freePort(), mediaSip: await freePort() };
  const startFront = async () => {
    const addresses = { sipAddress: '127.0.0.1', drachtioAddress: '127.0.0.1', drachtioSecret: SECRET };
    const { minSessionSeconds } = options;
    const test = minSessionSeconds === undefined ? {} : { minSessionSeconds };
    signalling = await startSignalling({ ...addresses, sipPort: bind.sip, drachtioPort: bind.drachtio }, test);
    bind.sip = signalling.sipPort;
    bind.drachtio = signalling.drachtioPort;
  };
  const startBack = async () => {
    const addresses = { eslAddress: '127.0.0.1', eslSecret: SECRET, rtpAddress: '127.0.0.1' };
    const ranges = { rtpPortMin: 20_000, rtpPortMax: 29_999 };
    media = await startMedia({ ...addresses, ...ranges, eslPort: bind.esl, mediaSipPort: bind.mediaSip, ...options });
    bind.esl = media.eslPort;
    bind.mediaSip = media.sipPort;
  };
  await startFront();
  await startBack();
  return {
    sipPort: bind.sip,
    mediaSipPort: bind.mediaSip,
    drachtio: { host: '127.0.0.1', port: bind.drachtio, secret: SECRET },
    freeswitch: { address: '127.0.0.1', port: bind.esl, secret: SECRET, listenAddress: '127.0.0.1', listenPort: 0 },
    portsInUse: () => media.portsInUse,
    stopSignalling: () => signalling.close(),
    startSignalling: startFront,
    stopMedia: () => media.close(),
    startMedia: startBack,
    close: async () => {
      await Promise.all([signalling.close(), media.close()]);
    },
  };
}

/**
 * An app is ready when it has sent its registration for new calls. An INVITE comes on another socket and can overtake
 * it: the SIP server then answers 503 itself, without a Retry-After. @param uri any user at the SIP server
 */
export async function registrationProcessed(uri: string): Promise<void> {
  const agent = await createSipAgent({ address: '127.0.0.1', port: 0 });
  for (let tries = 0; tries < REGISTRATION_TRIES; tries++) {
    const answer = await agent.request({ method: 'OPTIONS', uri }).final;
    if (answer.status !== 503 || headerValue(answer, 'Retry-After') !== undefined) break;
  }
  await agent.close();
}

function externalEngine(): Engine {
  const {
    DRACHTIO_PORT,
    DRACHTIO_SIP_PORT,
    DRACHTIO_SECRET = 'cymru',
    FREESWITCH_PORT,
    FREESWITCH_SIP_PORT,
    FREESWITCH_SECRET = 'ClueCon',
  } = process.env;
  const cannot = () => Promise.reject(new Error('a test cannot stop a real daemon'));
  let isStopped = false;
  const controlSipServer = async (command: 'stop' | 'start') => {
    if (sipServerControl === undefined) return cannot();
    isStopped = command === 'stop';
    await promisify(execFile)(sipServerControl, [command]);
  };
  return {
    sipPort: Number(DRACHTIO_SIP_PORT ?? 5060),
    mediaSipPort: Number(FREESWITCH_SIP_PORT ?? 5080),
    drachtio: { host: '127.0.0.1', port: Number(DRACHTIO_PORT), secret: DRACHTIO_SECRET },
    freeswitch: {
      address: '127.0.0.1',
      port: Number(FREESWITCH_PORT ?? 8021),
      secret: FREESWITCH_SECRET,
      listenAddress: '127.0.0.1',
      listenPort: 0,
    },
    portsInUse: () => 0,
    stopSignalling: () => controlSipServer('stop'),
    startSignalling: () => controlSipServer('start'),
    stopMedia: cannot,
    startMedia: cannot,
    close: async () => {
      // A test that failed meanwhile leaves it to the next one.
      if (isStopped) await controlSipServer('start');
    },
  };
}
