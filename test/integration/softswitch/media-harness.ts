/**
 * Runs both halves of the softswitch with a caller that has real RTP and an app on drachtio-srf and drachtio-fsmrf.
 * With FREESWITCH_PORT (and FREESWITCH_SECRET), the media half is a real FreeSWITCH. With DRACHTIO_PORT, the signalling
 * half is a real drachtio-server. The same tests must pass.
 */
import type { EventEmitter } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import wavefile from 'wavefile';
import { type MediaServer as MediaHalf, startMedia } from '../../../src/local/softswitch/media/index.ts';
import {
  type Codec,
  clipOf,
  type Digit,
  decodeG711,
  MediaClock,
  onceOf,
  PAYLOAD_TYPE,
  PortRange,
  RtpStream,
} from '../../../src/local/softswitch/rtp/index.ts';
import type { Dialog, SipAgent } from '../../../src/local/softswitch/sip/index.ts';
import { registerApp } from '../../../src/phone/freeswitch/app-address.ts';
import type { App, AppDialog, AppRequest, AppResponse } from './drachtio-app.ts';
import { type Engine, messagesProcessed, once, startEngine } from './engine.ts';

export interface EslEvent {
  getHeader(name: string): string | null;
  getBody(): string;
}

export interface Endpoint extends EventEmitter {
  uuid: string;
  local: { sdp: string; mediaIp: string; mediaPort: string };
  remote: { sdp: string; mediaIp: string; mediaPort: string };
  dtmfType: string;
  sip: { callId: string };
  /** The dialog between the signalling half and the media half. */
  dialog: AppDialog;
  conn: {
    socket: { setNoDelay(on: boolean): void; destroy(): void };
    sendRecv(command: string, replied: () => void): void;
  };
  play(file: string | string[] | object): Promise<Record<string, string>>;
  playCollect(options: object): Promise<Record<string, string>>;
  api(command: string, args?: string | string[]): Promise<EslEvent>;
  execute(app: string, data?: string): Promise<EslEvent>;
  set(name: string | Record<string, string>, value?: string): Promise<void>;
  getChannelVariables(withMedia?: boolean): Promise<Record<string, string>>;
  modify(sdp: string): Promise<string>;
  bridge(other: Endpoint): Promise<void>;
  unbridge(): Promise<void>;
  destroy(): Promise<void>;
}

interface MediaServer extends EventEmitter {
  createEndpoint(options?: { remoteSdp?: string; codecs?: string[]; headers?: object }): Promise<Endpoint>;
  connectCaller(
    request: AppRequest,
    response: AppResponse,
    options?: object,
  ): Promise<{ endpoint: Endpoint; dialog: AppDialog }>;
  api(command: string): Promise<string>;
  disconnect(): void;
}

interface MrfClass {
  new (srf: App): { connect(options: object): Promise<MediaServer> };
}

const Mrf = createRequire(import.meta.url)('drachtio-fsmrf') as MrfClass;
const SECRET = 'test-secret';

export const externalMedia = process.env.FREESWITCH_PORT !== undefined;

/** The audio of a caller or an agent: RTP, key presses and SDP. */
interface RtpPhone {
  sdp(direction?: string): string;
  /** Sends audio to the address in an SDP. */
  talkTo(sdp: string, codec?: Codec): void;
  stream: RtpStream;
  /** Starts or stops loud noise. */
  shout(on: boolean): void;
  /** Resolves when the samples have been sent. */
  playOnce(samples: Int16Array): Promise<void>;
  digits: Digit[];
  /** The loudest sample of the last frame received. */
  readonly loudest: number;
  /** Resolves at the next frame with sound, or the next silent one. */
  hears(what: 'sound' | 'silence'): Promise<void>;
  close(): void;
}

export interface MediaHarness {
  engine: Engine;
  app: App;
  ms: MediaServer;
  /** Undefined with a real FreeSWITCH. */
  half: MediaHalf | undefined;
  phone: SipAgent;
  /** Writes a WAV file with a tone of this length. @returns its path */
  prompt(ms: number): Promise<string>;
  rtpPhone(codecs?: Codec[]): Promise<RtpPhone>;
  /** Places a call, which the app answers with an endpoint. */
  call(rtpPhone?: RtpPhone): Promise<Call>;
  close(): Promise<void>;
}

export interface Call {
  rtpPhone: RtpPhone;
  /** The caller's side. */
  leg: Dialog;
  endpoint: Endpoint;
  dialog: AppDialog;
}

interface Connected {
  endpoint: Endpoint;
  dialog: AppDialog;
}

/** A placed call that the app has not answered yet. */
interface Expected {
  resolve(connected: Connected): void;
  reject(error: unknown): void;
}

const LOUD = 3000;
const LOUD_BYTE: Record<Codec, number> = { PCMU: 0x80, PCMA: 0xaa };

/** Connects to the media server and registers the app, so that the server accepts its INVITEs. */
async function connectMrf(app: App, options: object): Promise<MediaServer> {
  const ms = await new Mrf(app).connect(options);
  const headers = (await registerApp(ms as never)) ?? undefined;
  const create = ms.createEndpoint.bind(ms);
  ms.createEndpoint = async (wanted) => {
    const endpoint = await create({ ...wanted, headers: { ...headers, ...wanted?.headers } });
    await hasSubscribed(endpoint);
    return endpoint;
  };
  return ms;
}

export async function startMediaHarness(
  options: { builtIn?: boolean; mediaTimeoutMs?: number } = {},
): Promise<MediaHarness> {
  const engine = await startEngine();
  const { builtIn = !externalMedia, ...media } = options;
  const half = builtIn ? await startHalf(media) : undefined;
  const app = await engine.app();
  const phone = await engine.phone();
  const ms = await connectMrf(app, {
    address: process.env.FREESWITCH_HOST ?? '127.0.0.1',
    port: half?.eslPort ?? Number(process.env.FREESWITCH_PORT),
    secret: half ? SECRET : (process.env.FREESWITCH_SECRET ?? 'ClueCon'),
    listenAddress: '127.0.0.1',
  });
  const clock = new MediaClock();
  const ports = new PortRange({ address: '127.0.0.1', firstPort: 18000, lastPort: 18999 });
  const rtpPhones: RtpPhone[] = [];
  const expected: Expected[] = [];
  app.invite((request, response) => {
    const next = expected.shift();
    ms.connectCaller(request, response).then(next?.resolve, next?.reject);
  });
  await messagesProcessed(app);
  const folder = await mkdtemp(join(tmpdir(), 'ringkey-media-'));
  const harness: MediaHarness = {
    engine,
    app,
    ms,
    half,
    phone,
    prompt: (lengthMs) => writePrompt(folder, lengthMs),
    rtpPhone: async (codecs = ['PCMU']) => {
      const rtpPhone = createRtpPhone(new RtpStreamFactory(clock, ports), codecs);
      rtpPhones.push(await rtpPhone);
      return rtpPhone;
    },
    call: async (given) => placeCall(harness, expected, given ?? (await harness.rtpPhone())),
    close: async () => {
      for (const rtpPhone of rtpPhones) rtpPhone.close();
      ms.disconnect();
      await engine.close();
      await half?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return harness;
}

function startHalf(options: object): Promise<MediaHalf> {
  return startMedia({
    eslAddress: '127.0.0.1',
    eslPort: 0,
    eslSecret: SECRET,
    mediaSipPort: 0,
    rtpAddress: '127.0.0.1',
    rtpPortMin: 19000,
    rtpPortMax: 19999,
    ...options,
  });
}

class RtpStreamFactory {
  readonly #clock: MediaClock;
  readonly #ports: PortRange;

  constructor(clock: MediaClock, ports: PortRange) {
    this.#clock = clock;
    this.#ports = ports;
  }

  async open(listener: ConstructorParameters<typeof RtpStream>[2]): Promise<RtpStream> {
    return new RtpStream(await this.#ports.acquire(), this.#clock, listener);
  }
}

async function createRtpPhone(factory: RtpStreamFactory, codecs: Codec[]): Promise<RtpPhone> {
  let loudest = 0;
  let waiting: { what: 'sound' | 'silence'; done: () => void }[] = [];
  const digits: Digit[] = [];
  const stream = await factory.open({
    digit: (digit) => digits.push(digit),
    audio: (sound, codec) => {
      loudest = decodeG711(sound, codec).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
      const level = loudest >= LOUD ? 'sound' : 'silence';
      const [done, left] = [waiting.filter(({ what }) => what === level), waiting.filter(({ what }) => what !== level)];
      waiting = left;
      for (const waiter of done) waiter.done();
    },
  });
  return {
    stream,
    digits,
    get loudest() {
      return loudest;
    },
    shout: (on) => stream.play(on ? { read: (codec) => Buffer.alloc(160, LOUD_BYTE[codec]) } : null),
    playOnce: (samples) => new Promise((resolve) => stream.play(onceOf(clipOf(samples), resolve))),
    sdp: (direction = 'sendrecv') => describeMedia(stream.port, codecs, direction),
    talkTo: (sdp, codec = codecs[0] ?? 'PCMU') => {
      stream.configure({
        remoteAddress: '127.0.0.1',
        remotePort: Number(/m=audio (\d+)/.exec(sdp)?.[1] ?? 0),
        codec,
        telephoneEvents: [101],
        sendTelephoneEvent: 101,
        sending: true,
      });
    },
    hears: (what) => new Promise((done) => waiting.push({ what, done })),
    close: () => stream.close(),
  };
}

function describeMedia(port: number, codecs: Codec[], direction: string): string {
  const types = codecs.map((codec) => PAYLOAD_TYPE[codec]);
  const lines = ['v=0', 'o=phone 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'];
  lines.push(`m=audio ${port} RTP/AVP ${types.join(' ')} 101`);
  for (const codec of codecs) lines.push(`a=rtpmap:${PAYLOAD_TYPE[codec]} ${codec}/8000`);
  lines.push('a=rtpmap:101 telephone-event/8000', 'a=fmtp:101 0-15', 'a=ptime:20', `a=${direction}`, '');
  return lines.join('\r\n');
}

async function placeCall(harness: MediaHarness, expected: Expected[], rtpPhone: RtpPhone): Promise<Call> {
  const connected = new Promise<Connected>((resolve, reject) => expected.push({ resolve, reject }));
  const invite = harness.phone.request({ method: 'INVITE', uri: harness.engine.uri('line'), body: rtpPhone.sdp() });
  const [{ endpoint, dialog }, answer] = await Promise.all([connected, invite.final]);
  if (answer.status !== 200 || !invite.dialog) throw new Error(`the call got ${answer.status}`);
  endpoint.conn.socket.setNoDelay(true);
  await hasSubscribed(endpoint);
  rtpPhone.talkTo(answer.body);
  return { rtpPhone, leg: invite.dialog, endpoint, dialog };
}

/**
 * Resolves when the subscription to the endpoint's events is active. The library does not wait for that, and would wait
 * for the end of a command forever if the event came before.
 */
async function hasSubscribed(endpoint: Endpoint): Promise<void> {
  await endpoint.api('status');
}

async function writePrompt(folder: string, lengthMs: number): Promise<string> {
  const wav = new wavefile.WaveFile();
  const samples = Int16Array.from({ length: lengthMs * 8 }, (_, n) =>
    Math.round(10_000 * Math.sin((2 * Math.PI * 440 * n) / 8000)),
  );
  wav.fromScratch(1, 8000, '16', samples);
  const path = join(folder, `tone-${lengthMs}.wav`);
  await writeFile(path, wav.toBuffer());
  return path;
}

export { once };

export interface Dtmf {
  dtmf: string;
  duration: string;
  source: string;
}

/** The next `count` key events of the endpoint. */
export function nextKeys(endpoint: Endpoint, count: number): Promise<Dtmf[]> {
  const digits: Dtmf[] = [];
  return new Promise((resolve) => {
    endpoint.on('dtmf', (digit: Dtmf) => {
      digits.push(digit);
      if (digits.length === count) resolve(digits);
    });
  });
}

export const hangUp = async ({ endpoint, dialog }: Call): Promise<void> => {
  await Promise.all([endpoint.destroy(), dialog.destroy()]);
};

/** The response to an API command. */
export const channelApi = async (endpoint: Endpoint, command: string, args?: string | string[]): Promise<string> =>
  (await endpoint.api(command, args)).getBody();
