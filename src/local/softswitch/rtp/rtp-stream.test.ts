import { createSocket, type Socket } from 'node:dgram';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort, freePorts } from '../../../../test/support/ports.ts';
import { onceOf } from './audio-source.ts';
import { clipOf } from './clip-cache.ts';
import { MediaClock } from './clock.ts';
import { parseRtp, type RtpPacket, writeRtpHeader } from './packet.ts';
import { NoFreePort, PortRange } from './port-range.ts';
import { type RtpListener, type RtpSettings, RtpStream } from './rtp-stream.ts';

const ports = new PortRange({ address: '127.0.0.1', firstPort: 17_001, lastPort: 17_199 });
const clock = new MediaClock();

interface Peer {
  socket: Socket;
  port: number;
  /** The next packet for which `passes` is true. */
  next(passes?: (packet: RtpPacket) => boolean): Promise<RtpPacket>;
  say(packet: Partial<RtpPacket>, to: number): Promise<void>;
}

const open: (() => void)[] = [];

async function peer(): Promise<Peer> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind({ address: '127.0.0.1', port: 0 }, resolve));
  open.push(() => socket.close());
  return {
    socket,
    port: socket.address().port,
    next: (passes = () => true) =>
      new Promise((resolve) => {
        const onMessage = (datagram: Buffer): void => {
          const packet = parseRtp(datagram);
          if (!packet || !passes(packet)) return;
          socket.off('message', onMessage);
          resolve({ ...packet, payload: Buffer.from(packet.payload) });
        };
        socket.on('message', onMessage);
      }),
    say: ({ payload = Buffer.alloc(160, 1), ...header }, to) => {
      const packet = Buffer.alloc(12 + payload.length);
      writeRtpHeader(packet, { payloadType: 0, marker: false, sequence: 1, timestamp: 1, ssrc: 7, ...header });
      payload.copy(packet, 12);
      return new Promise((resolve) => socket.send(packet, to, '127.0.0.1', () => resolve()));
    },
  };
}

async function stream(
  to: number,
  settings: Partial<RtpSettings> = {},
  listener: RtpListener = {},
  ticking = clock,
): Promise<RtpStream> {
  const made = new RtpStream(await ports.acquire(), ticking, listener);
  open.push(() => made.close());
  made.configure({
    remoteAddress: '127.0.0.1',
    remotePort: to,
    codec: 'PCMU',
    telephoneEvents: [96],
    sendTelephoneEvent: 96,
    sending: true,
    ...settings,
  });
  return made;
}

let one: Peer;

beforeEach(async () => {
  one = await peer();
});

afterEach(() => {
  for (const close of open.splice(0)) close();
});

describe('an RTP stream', () => {
  it('sends silence with advancing timestamps if nothing is playing', async () => {
    await stream(one.port);
    const first = await one.next();
    const second = await one.next();
    expect(first.payload).toEqual(Buffer.alloc(160, 0xff));
    expect((second.sequence - first.sequence) & 0xffff).toBe(1);
    expect((second.timestamp - first.timestamp) >>> 0).toBe(160);
  });

  it('sends the audio of its source in the negotiated codec', async () => {
    const sender = await stream(one.port, { codec: 'PCMA' });
    sender.play({ read: (codec) => Buffer.alloc(160, codec === 'PCMA' ? 3 : 4) });
    const packet = await one.next(({ payload }) => payload[0] === 3);
    expect(packet.payloadType).toBe(8);
  });

  it('does not split the tone of a key after a stall, but skips the time after the tone', async () => {
    const byHand = { add: () => undefined, remove: () => undefined } as unknown as MediaClock;
    const sender = await stream(one.port, {}, {}, byHand);
    sender.play(onceOf(clipOf(new Int16Array(320).fill(9_000)), () => undefined));
    const times: number[] = [];
    for (const skipped of [0, 40, 0, 3]) {
      const sent = one.next();
      sender.tick(performance.now(), skipped);
      times.push((await sent).timestamp);
    }
    const steps = times.slice(1).map((time, at) => (time - (times[at] ?? 0)) >>> 0);
    expect(steps).toEqual([160, 41 * 160, 4 * 160]);
  });

  it('follows the peer to its actual source address, and ignores other sources while the peer sends', async () => {
    const [two, three] = [await peer(), await peer()];
    let received = 0;
    const receiver = await stream(one.port, {}, { audio: () => received++ });
    await two.say({}, receiver.port);
    await two.next();
    await three.say({}, receiver.port);
    await two.say({}, receiver.port);
    await two.next();
    await expect.poll(() => received).toBe(2);
    expect(receiver.counters.ignored).toBe(1);
  });

  it('does not follow another source after the peer falls silent, unless the SDP names it', async () => {
    const [two, three] = [await peer(), await peer()];
    const received: number[] = [];
    const receiver = await stream(one.port, {}, { audio: (_sound, _codec, { ssrc }) => received.push(ssrc) });
    await two.say({ ssrc: 2 }, receiver.port);
    await two.next();
    // The stream is silent for longer than any pause in speech; our own packets measure the time.
    for (let packets = 0; packets < 40; packets++) await two.next();
    await three.say({ ssrc: 3 }, receiver.port);
    await expect.poll(() => receiver.counters.ignored).toBe(1);
    const settings = { codec: 'PCMU' as const, telephoneEvents: [], sendTelephoneEvent: null, sending: true };
    receiver.configure({ ...settings, remoteAddress: '127.0.0.1', remotePort: three.port });
    await three.say({ ssrc: 3 }, receiver.port);
    await expect.poll(() => received).toEqual([2, 3]);
  });

  it('returns to the peer of the SDP after a leftover stream of an earlier call', async () => {
    const stray = await peer();
    const received: number[] = [];
    const made = await stream(one.port, {}, { audio: (_sound, _codec, { ssrc }) => received.push(ssrc) });
    await stray.say({ ssrc: 1 }, made.port);
    await stray.next();
    await one.say({ ssrc: 2 }, made.port);
    await one.next();
    await stray.say({ ssrc: 1 }, made.port);
    await one.say({ ssrc: 2 }, made.port);
    await one.next(() => received.length >= 3);
    expect(received).toEqual([1, 2, 2]);
  });

  it('sends no packets to itself, to port 0, to 0.0.0.0 or while sending is off', async () => {
    const itself = await stream(one.port);
    const settings = { codec: 'PCMU' as const, telephoneEvents: [], sendTelephoneEvent: null, sending: true };
    itself.configure({ ...settings, remoteAddress: '127.0.0.1', remotePort: itself.port });
    const quiet = [
      itself,
      await stream(0),
      await stream(one.port, { remoteAddress: '0.0.0.0' }),
      await stream(one.port, { sending: false }),
    ];
    const busy = await stream(one.port);
    await one.next();
    await one.next();
    expect(busy.counters.sent).toBeGreaterThan(0);
    expect(quiet.map(({ counters }) => counters.sent)).toEqual([0, 0, 0, 0]);
  });

  it('reports and sends keys only with the negotiated payload type', async () => {
    const keys: string[] = [];
    const receiver = await stream(one.port, { telephoneEvents: [101] }, { digit: ({ key }) => keys.push(key) });
    const end = Buffer.from([5, 0x8a, 3, 32]);
    await one.say({ payloadType: 96, payload: end }, receiver.port);
    await one.say({ payloadType: 101, payload: end, timestamp: 9 }, receiver.port);
    await expect.poll(() => keys).toEqual(['5']);
    const pressed = one.next(({ payloadType }) => payloadType === 96);
    const sent = receiver.sendDigits('7', { toneMs: 40, gapMs: 20 });
    expect(await pressed).toMatchObject({ marker: true, payload: Buffer.from([7, 10, 0, 160]) });
    await sent;
  });

  it('survives invalid datagrams', async () => {
    const receiver = await stream(one.port);
    const junk = [Buffer.alloc(0), Buffer.from('x'), Buffer.alloc(1500, 0xff), Buffer.from([0x9f, 0, 0, 1])];
    for (const bytes of junk)
      await new Promise((resolve) => one.socket.send(bytes, receiver.port, '127.0.0.1', resolve));
    await one.say({}, receiver.port);
    await expect.poll(() => receiver.counters.audio).toBe(1);
    expect(receiver.counters.ignored).toBe(junk.length);
  });

  it('returns its ports once', async () => {
    const before = ports.inUse;
    const closing = await stream(one.port);
    expect(ports.inUse).toBe(before + 1);
    closing.close();
    closing.close();
    expect(ports.inUse).toBe(before);
    await closing.sendDigits('1');
  });
});

describe('a port range', () => {
  it('assigns even ports, each once, until none is left', async () => {
    const base = await freePorts(8);
    const range = new PortRange({ address: '127.0.0.1', firstPort: base + 1, lastPort: base + 6 });
    const pairs = [await range.acquire(), await range.acquire()];
    expect(pairs.map(({ port }) => port).sort()).toEqual([base + 2, base + 4]);
    await expect(range.acquire()).rejects.toThrow(NoFreePort);
    for (const pair of pairs) pair.release();
    (await range.acquire()).release();
    expect(range.inUse).toBe(0);
  });

  it('skips ports that are in use', async () => {
    const base = await freePort();
    const other = createSocket('udp4');
    await new Promise<void>((resolve) => other.bind({ address: '127.0.0.1', port: base + 1 }, resolve));
    open.push(() => other.close());
    const range = new PortRange({ address: '127.0.0.1', firstPort: base, lastPort: base + 3 });
    const pair = await range.acquire();
    expect(pair.port).toBe(base + 2);
    pair.release();
  });
});
