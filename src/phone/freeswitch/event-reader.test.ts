import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import modesl from 'drachtio-modesl';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventFault, EventReader, percentDecoded, type ReceivedEvent, replaceEventParser } from './event-reader.ts';

const CONNECTED = ['Event-Name: CHANNEL_DATA', 'Unique-ID: one', 'variable_switch_r_sdp: v%3D0%0D%0Aa%3Dx%3A%E9'];
const REPLY = `${CONNECTED.join('\n')}\nContent-Type: command/reply\n\n`;

/** As FreeSWITCH writes an event: values are escaped, and a body has its length in the event's own headers. */
function event(fields: Record<string, string>, body = ''): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${encodeURIComponent(value)}\n`);
  const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\n`;
  const text = `${lines.join('')}${length}\n${body}`;
  return `Content-Length: ${Buffer.byteLength(text)}\nContent-Type: text/event-plain\n\n${text}`;
}

function all(...chunks: (string | Uint8Array)[]): ReceivedEvent[] {
  const reader = new EventReader();
  return chunks.flatMap((chunk) => [...reader.read(Buffer.from(chunk))]);
}

describe('a header', () => {
  it('is decoded as far as its escapes are UTF-8', () => {
    const [reply] = all(REPLY);
    expect(reply?.getHeader('variable_switch_r_sdp')).toBe('v=0\r\na=x:\ufffd');
    expect(reply?.getHeader('Unique-ID')).toBe('one');
    expect(reply?.getHeader('variable_other')).toBeNull();
  });

  it.each([
    ['caf%C3%A9', 'café'],
    ['100%', '100%'],
    ['%zz%2', '%zz%2'],
    ['%C3', '\ufffd'],
    ['%41%E9%42', 'A\ufffdB'],
  ])('%s is decoded to %s', (text, decoded) => {
    expect(percentDecoded(text)).toBe(decoded);
  });

  it('never throws, and decodes what FreeSWITCH encodes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (raw, text) => {
        const line = raw.replaceAll('\n', ' ');
        const [event] = all(`X-Raw: ${line}\nX-Text: ${encodeURIComponent(text)}\n\n`);
        expect(typeof event?.getHeader('X-Raw')).toBe('string');
        expect(event?.getHeader('X-Text')).toBe(text);
      }),
    );
  });

  it('is in the list of all headers', () => {
    const [reply] = all(REPLY);
    const names = ['Event-Name', 'Unique-ID', 'variable_switch_r_sdp', 'Content-Type'];
    expect(reply?.headers.map(({ name }) => name)).toEqual(names);
    expect(reply?.headers[1]).toEqual({ name: 'Unique-ID', value: 'one' });
  });

  it('of an event is one of its own, not of the message, its body or another value', () => {
    const fields = { 'Event-Name': 'DTMF', said: 'x\nDTMF-Digit: 9', 'X-DTMF-Digit': '8', empty: '_undef_' };
    const [received] = all(event(fields, 'DTMF-Digit: 7\n'));
    expect(received?.getHeader('DTMF-Digit')).toBeNull();
    expect(received?.getHeader('Content-Type')).toBeNull();
    expect(received?.getHeader('said')).toBe('x\nDTMF-Digit: 9');
    expect(received?.getHeader('Event-Name')).toBe('DTMF');
    expect(received?.getHeader('empty')).toBe('');
    expect(received?.getBody()).toBe('DTMF-Digit: 7\n');
  });
});

describe('the stream', () => {
  const STREAM = Buffer.from(`${REPLY}${event({ 'Event-Name': 'DTMF', note: 'é' })}\n${event({}, 'text')}`);

  it('may be split anywhere', () => {
    for (let at = 0; at <= STREAM.length; at += 1) {
      const [first, second, third, ...rest] = all(STREAM.subarray(0, at), STREAM.subarray(at));
      expect([first?.getHeader('Event-Name'), second?.getHeader('note'), third?.getBody()]).toEqual([
        'CHANNEL_DATA',
        'é',
        'text',
      ]);
      expect(rest).toEqual([]);
    }
  });

  it('of any bytes yields readable events, or an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        for (const event of all(bytes, 'Content-Type: x\n\n'))
          expect(() => event.getHeader('Reply-Text')).not.toThrow();
      }),
    );
  });

  it('with an invalid length has no body', () => {
    const [first, second] = all('Content-Length: -1\n\nContent-Length: many\n\n');
    expect([first?.getBody(), second?.getBody()]).toEqual(['', '']);
  });

  it('without an end is rejected', () => {
    expect(() => all('x'.repeat(17 * 1024 * 1024))).toThrow(EventFault);
  });
});

describe('a connection of the library', () => {
  let server: Server;
  let listener: InstanceType<typeof modesl.Server>;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    replaceEventParser();
    server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    listener = new modesl.Server({ server });
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });

  /** Both sides of the connection of a new call. */
  async function call(): Promise<{ theirs: Socket; ours: InstanceType<typeof modesl.Connection> }> {
    const { port } = server.address() as { port: number };
    const opened = once(listener, 'connection::open');
    const theirs = connect(port, '127.0.0.1');
    sockets.push(theirs);
    const [ours] = (await opened) as [InstanceType<typeof modesl.Connection>];
    const ready = new Promise((resolve) => void ours.on('esl::ready', resolve));
    theirs.write(REPLY);
    await ready;
    return { theirs, ours };
  }

  it('reads the answer to `connect` with any SDP of the caller', async () => {
    const { ours } = await call();
    expect(ours.getInfo()?.getHeader('Unique-ID')).toBe('one');
  });

  it('reports a handler that throws and a stream without an end as its own error, and other connections continue', async () => {
    const [first, second] = [await call(), await call()];
    const faults: unknown[] = [];
    first.ours.on('error', (fault) => void faults.push(fault));
    first.ours.on('esl::event::DTMF::*', () => {
      throw new Error('a bug');
    });
    first.theirs.write(event({ 'Event-Name': 'DTMF', 'Unique-ID': 'one' }));
    first.theirs.write('x'.repeat(17 * 1024 * 1024));
    const received = new Promise((resolve) => void second.ours.on('esl::event::DTMF::*', resolve));
    second.theirs.write(event({ 'Event-Name': 'DTMF', 'Unique-ID': 'two' }));
    await received;
    await expect.poll(() => faults.length).toBeGreaterThanOrEqual(2);
    expect(faults.every((fault) => fault instanceof EventFault)).toBe(true);
  });
});
