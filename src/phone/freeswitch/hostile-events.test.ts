/**
 * Hostile text of a caller in the events of the media server. A key that follows still arrives, or only this leg ends;
 * other legs continue.
 */
import { EventEmitter, once } from 'node:events';
import { createRequire } from 'node:module';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Endpoint, EndpointDialog, EslConnection } from 'drachtio-fsmrf';
import modesl from 'drachtio-modesl';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { hostileSdp, hostileText } from '../../../test/support/hostile-sip.ts';
import { EndpointLeg } from './endpoint-leg.ts';
import { replaceEventParser } from './event-reader.ts';

type EndpointClass = new (connection: object, dialog: object, server: object) => Endpoint;
const LibraryEndpoint = createRequire(import.meta.url)('drachtio-fsmrf/lib/endpoint') as EndpointClass;

const RUNS = 150;
const SDP = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n';
const EVENTS = ['DTMF', 'CHANNEL_CALLSTATE', 'CHANNEL_EXECUTE_COMPLETE', 'PLAYBACK_START', 'CUSTOM', 'DETECTED_TONE'];

let server: Server;
let listener: InstanceType<typeof modesl.Server>;
const sockets: Socket[] = [];
/** Errors that would have ended the process. */
const faults: unknown[] = [];
const noteFault = (error: unknown) => void faults.push(error);

beforeAll(async () => {
  process.on('uncaughtException', noteFault).on('unhandledRejection', noteFault);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  replaceEventParser();
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  listener = new modesl.Server({ server });
});
afterAll(() => {
  vi.restoreAllMocks();
  for (const socket of sockets) socket.destroy();
  server.close();
  process.off('uncaughtException', noteFault).off('unhandledRejection', noteFault);
});

/** As FreeSWITCH does (switch_url_encode), which leaves a `%` as it is. */
function encoded(text: string): string {
  return text.replace(/[^\w%.:;/?@&=+$,~-]/gu, (character) => encodeURIComponent(character));
}

/**
 * An event as FreeSWITCH writes it (switch_event_serialize): a header that occurs several times is an array, and names
 * are as they are. The name of an SDP attribute, which is part of one, has no line break and no colon.
 * @param raw bytes of a further name
 */
function plainEvent(fields: Record<string, string | string[]>, raw = new Uint8Array()): Buffer {
  const lines = Object.entries(fields).map(([name, value]) => {
    const text = typeof value === 'string' ? value : `ARRAY::${value.join('|:')}`;
    return `${name.replace(/[\n:]/g, '')}: ${encoded(text) || '_undef_'}\n`;
  });
  const rawName = raw.filter((byte) => byte !== '\n'.charCodeAt(0) && byte !== ':'.charCodeAt(0));
  const body = Buffer.concat([Buffer.from(`${lines.join('')}variable_`), rawName, Buffer.from(': 1\n\n')]);
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\nContent-Type: text/event-plain\n\n`), body]);
}

interface Leg {
  id: string;
  /** Emits `key` with each key, and `over`. */
  received: EventEmitter;
  socket: Socket;
  isOver: () => boolean;
}

let made = 0;

/** A leg of a call whose caller has sent this SDP. */
async function newLeg(sdp: string): Promise<Leg> {
  made += 1;
  const id = `channel-${made}`;
  const opened = once(listener, 'connection::open');
  const socket = connect((server.address() as { port: number }).port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  const [connection] = (await opened) as [EslConnection & InstanceType<typeof modesl.Connection>];
  connection.on('error', () => connection.socket?.destroy());
  const ready = new Promise((resolve) => void connection.on('esl::ready', resolve));
  const lines = ['Event-Name: CHANNEL_DATA', `Channel-Unique-ID: ${id}`, `Unique-ID: ${id}`];
  const variables = [`variable_switch_r_sdp: ${encoded(sdp)}`, `variable_sip_call_id: ${encoded(sdp)}`];
  socket.write(`${[...lines, ...variables, 'Content-Type: command/reply'].join('\n')}\n\n`);
  await ready;
  const dialog = Object.assign(new EventEmitter(), {
    connected: true,
    remote: { sdp: SDP },
    destroy: () => Promise.resolve(),
  });
  const endpoint = new LibraryEndpoint(connection, dialog, {});
  const received = new EventEmitter();
  const leg = new EndpointLeg(endpoint, dialog as unknown as EndpointDialog, {
    onKey: (key) =>
      received.emit(
        'key',
        key.reveal((text) => text),
      ),
    acceptedSdp: (theirs) => theirs,
    canDetectTones: true,
  });
  let isOver = false;
  void leg.lost.then(() => {
    isOver = true;
    received.emit('over');
  });
  return { id, received, socket, isOver: () => isOver };
}

/** Resolves when a key has arrived, or the leg is over. */
function expectKey({ id, received, socket, isOver }: Leg): Promise<void> {
  return new Promise((resolve) => {
    received.removeAllListeners();
    received.on('key', (key) => key === '5' && resolve()).on('over', resolve);
    if (isOver()) resolve();
    socket.write(plainEvent({ 'Event-Name': 'DTMF', 'Unique-ID': id, 'DTMF-Digit': '5', 'DTMF-Source': 'RTP' }));
  });
}

it('the description of a channel may have any text, and its keys arrive', async () => {
  await fc.assert(
    fc.asyncProperty(hostileSdp(SDP), async (sdp) => {
      const leg = await newLeg(sdp);
      await expectKey(leg);
      expect(leg.isOver()).toBe(false);
      leg.socket.destroy();
      expect(faults).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

it('an event may have any text, and other legs continue', async () => {
  const other = await newLeg(SDP);
  let victim = await newLeg(SDP);
  const text = fc.oneof(hostileText, hostileSdp(SDP), fc.string({ unit: 'binary' }));
  const fields = fc.dictionary(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'variable_switch_r_sdp',
        'Job-UUID',
        'DTMF-Digit',
        'DTMF-Source',
        'Channel-Call-State',
        'Hangup-Cause',
        'Application-UUID',
        'Event-Subclass',
        '_body',
      ),
    ),
    fc.oneof(text, fc.array(text, { maxLength: 3 })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...EVENTS),
      fields,
      fc.uint8Array({ maxLength: 20 }),
      async (name, values, bytes) => {
        if (victim.isOver()) victim = await newLeg(SDP);
        // FreeSWITCH writes its own headers first.
        const own = { 'Event-Name': name, 'Unique-ID': victim.id };
        victim.socket.write(plainEvent(Object.assign({}, own, values, own), bytes));
        await expectKey(victim);
        await expectKey(other);
        expect(other.isOver()).toBe(false);
        expect(faults).toEqual([]);
      },
    ),
    { numRuns: RUNS },
  );
});
