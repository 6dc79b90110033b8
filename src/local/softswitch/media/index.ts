/**
 * The media half of the softswitch: imitates FreeSWITCH for `drachtio-fsmrf`, with SIP and RTP on one side and the
 * event socket on the other. It talks to the signalling half only over SIP on loopback, so either half can be replaced
 * by the real daemon.
 */

import { createSocket } from 'node:dgram';
import type { MediaOptions } from '../options.ts';
import { PortRange } from '../rtp/index.ts';
import { Engine } from './engine.ts';
import { EslServer } from './esl-server.ts';
import { type SipSideOptions, startSipSide } from './sip-side.ts';

export interface MediaServer {
  sipPort: number;
  eslPort: number;
  /** Number of RTP port pairs in use; 0 when all legs are gone. */
  readonly portsInUse: number;
  /** Hangs up every leg and closes all sockets. Idempotent. */
  close(): Promise<void>;
}

const DEFAULT_MAX_LEGS = 500;
const DEFAULT_MEDIA_TIMEOUT_MS = 900_000;

/** The variables that FreeSWITCH's dialplan sets on every channel (sip/freeswitch/freeswitch.xml). */
function presets(mediaTimeoutMs: number): Record<string, string> {
  return {
    media_timeout: String(mediaTimeoutMs),
    media_hold_timeout: String(DEFAULT_MEDIA_TIMEOUT_MS),
    send_silence_when_idle: '-1',
    playback_terminators: 'none',
    hangup_after_bridge: 'false',
    park_after_bridge: 'true',
    bridge_filter_dtmf: 'true',
  };
}

/** A socket could not be bound. `setting` is the invalid option of `MediaOptions`. */
class MediaListenError extends Error {
  override readonly name = 'MediaListenError';
  readonly setting: keyof MediaOptions;

  constructor(setting: keyof MediaOptions, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.setting = setting;
  }
}

/** Rejects with `MediaListenError`, with all sockets closed. */
export async function startMedia(options: MediaOptions): Promise<MediaServer> {
  const maxLegs = options.maxLegs ?? DEFAULT_MAX_LEGS;
  const engine = new Engine({
    address: options.eslAddress,
    maxSessions: maxLegs,
    soundPrefix: process.cwd(),
    failed: raise,
  });
  const opened: (() => Promise<void>)[] = [];
  const close = once(async () => {
    await engine.close();
    for (const closeIt of opened.reverse()) await closeIt();
  });
  try {
    const rtp = await openRtp(options);
    const { eslAddress: address, eslPort: port, eslSecret: password } = options;
    const esl = await naming('eslPort', EslServer.start({ engine, address, port, password }));
    opened.push(() => esl.close());
    const sipOptions: SipSideOptions = {
      engine,
      rtp,
      address,
      port: options.mediaSipPort,
      maxLegs,
      presets: presets(options.mediaTimeoutMs ?? DEFAULT_MEDIA_TIMEOUT_MS),
      handOver: (channel, target) => esl.handOver(channel, target),
    };
    const sip = await naming('mediaSipPort', startSipSide(sipOptions));
    opened.push(() => sip.close());
    engine.sipAddress = `${address}:${sip.port}`;
    return {
      sipPort: sip.port,
      eslPort: esl.port,
      get portsInUse() {
        return rtp.inUse;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Checks at startup that the RTP address can be bound and that a port pair is free. Otherwise the first call would
 * fail.
 */
async function openRtp({ rtpAddress, rtpPortMin, rtpPortMax }: MediaOptions): Promise<PortRange> {
  await naming('rtpAddress', probeAddress(rtpAddress));
  return naming(
    'rtpPortMin',
    (async () => {
      const rtp = new PortRange({ address: rtpAddress, firstPort: rtpPortMin, lastPort: rtpPortMax });
      (await rtp.acquire()).release();
      return rtp;
    })(),
  );
}

function probeAddress(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    socket.once('error', (error) => {
      socket.close();
      reject(error);
    });
    socket.bind({ address, port: 0 }, () => socket.close(() => resolve()));
  });
}

async function naming<T>(setting: keyof MediaOptions, opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    throw new MediaListenError(setting, error);
  }
}

/** An unexpected rejection is a bug and ends the process like any uncaught error. */
function raise(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
