import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EslParser, EslProtocolError } from './esl-parser.ts';
import { Subscription } from './esl-subscription.ts';
import { EventFactory, type SwitchEvent, serializeJson, serializePlain, urlEncode } from './event.ts';

const WIRE =
  'connect\n\n' +
  'event json CHANNEL_EXECUTE CUSTOM conference::maintenance\n\n\n' +
  'sendmsg 2e908ff9\nexecute-app-name: playback\nexecute-app-arg: /a: b.wav\ncall-command: execute\n\n' +
  'sendevent CUSTOM\r\nContent-Length: 7\r\n\r\nTür\n\n!' +
  'api status\n\n';

const COMMANDS = [
  { line: 'connect', headers: {}, body: '' },
  { line: 'event json CHANNEL_EXECUTE CUSTOM conference::maintenance', headers: {}, body: '' },
  {
    line: 'sendmsg 2e908ff9',
    headers: { 'execute-app-name': 'playback', 'execute-app-arg': '/a: b.wav', 'call-command': 'execute' },
    body: '',
  },
  { line: 'sendevent CUSTOM', headers: { 'content-length': '7' }, body: 'Tür\n\n!' },
  { line: 'api status', headers: {}, body: '' },
];

function parse(chunks: Buffer[]): object[] {
  const parser = new EslParser();
  const commands = chunks.flatMap((chunk) => parser.push(chunk));
  return commands.map(({ line, headers, body }) => ({ line, headers: Object.fromEntries(headers), body }));
}

describe('the event-socket command parser', () => {
  it('finds the commands for every split of the bytes', () => {
    const bytes = Buffer.from(WIRE);
    const cuts = fc.array(fc.nat(bytes.length), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, (places) => {
        const ends = [...places.sort((a, b) => a - b), bytes.length];
        const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        expect(parse(chunks)).toEqual(COMMANDS);
      }),
    );
  });

  it('refuses an endless command or body', () => {
    expect(() => new EslParser().push(Buffer.alloc(1024 * 1024, 'x'))).toThrow(EslProtocolError);
    expect(() => new EslParser().push(Buffer.from('sendevent X\nContent-Length: 99999999\n\n'))).toThrow(
      EslProtocolError,
    );
  });

  it('waits for a large body, and treats an invalid length as no body', () => {
    const parser = new EslParser();
    expect(parser.push(Buffer.from('sendevent X\nContent-Length: 1000000\n\n'))).toEqual([]);
    expect(parser.push(Buffer.alloc(999_999, 'a'))).toEqual([]);
    expect(parser.push(Buffer.from('a'))[0]?.body).toHaveLength(1_000_000);
    expect(parser.push(Buffer.from('api x\nContent-Length: many\n\n'))).toHaveLength(1);
    expect(parser.push(Buffer.from('api x\nContent-Length: -5\n\n'))).toHaveLength(1);
  });

  it('never throws anything but its protocol error', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 10 }), (chunks) => {
        const parser = new EslParser();
        for (const chunk of chunks) parser.push(Buffer.from(chunk));
      }),
    );
  });
});

const event = (name: string, headers: Record<string, string> = {}, subclass?: string): SwitchEvent => ({
  name,
  headers: new Map(Object.entries(headers)),
  ...(subclass === undefined ? {} : { subclass }),
});

describe('an event subscription', () => {
  it('accepts names with the prefix of the enum, and only subclasses after CUSTOM', () => {
    const subscription = new Subscription();
    const words = 'json DTMF SWITCH_EVENT_PLAYBACK_START CUSTOM conference::maintenance BACKGROUND_JOB'.split(' ');
    expect(subscription.add(words)).toBe('+OK event listener enabled json');
    expect(subscription.format).toBe('json');
    const wanted = ['DTMF', 'PLAYBACK_START', 'BACKGROUND_JOB', 'HEARTBEAT'].map((name) =>
      subscription.wants(event(name)),
    );
    expect(wanted).toEqual([true, true, false, false]);
    expect(subscription.wants(event('CUSTOM', {}, 'conference::maintenance'))).toBe(true);
    expect(subscription.wants(event('CUSTOM', {}, 'sofia::register'))).toBe(false);
  });

  it('passes events that match one of its filters', () => {
    const subscription = new Subscription();
    subscription.add(['ALL']);
    expect(subscription.filter(['Unique-ID', 'a'])).toBe('+OK filter added. [Unique-ID]=[a]');
    expect(subscription.wants(event('DTMF', { 'Unique-ID': 'A' }))).toBe(true);
    expect(subscription.wants(event('DTMF', { 'Unique-ID': 'b' }))).toBe(false);
    expect(subscription.wants(event('HEARTBEAT'))).toBe(false);
    subscription.filter(['Event-Name', '-DTMF']);
    expect(subscription.wants(event('DTMF', { 'Unique-ID': 'a', 'Event-Name': 'DTMF' }))).toBe(false);
    expect(subscription.filter(['delete', 'Unique-ID', 'a'])).toBe('+OK filter deleted. [Unique-ID][a]');
    expect(subscription.filter(['Unique-ID'])).toBe('-ERR invalid syntax');
  });

  it('can be ended for some events or for all', () => {
    const subscription = new Subscription();
    expect(subscription.add([])).toBe('-ERR no keywords supplied');
    expect(subscription.stop()).toBe('-ERR not listening for events');
    subscription.add(['DTMF', 'HEARTBEAT']);
    expect(subscription.remove(['DTMF'])).toBe('+OK events nixed');
    expect(subscription.wants(event('DTMF'))).toBe(false);
    expect(subscription.wants(event('HEARTBEAT'))).toBe(true);
    expect(subscription.stop()).toBe('+OK no longer listening for events');
    expect(subscription.wants(event('HEARTBEAT'))).toBe(false);
  });
});

describe('a serialized event', () => {
  it('is percent-encoded as in FreeSWITCH', () => {
    expect(urlEncode('sofia/drachtio_mrf/nobody@127.0.0.1:15060')).toBe(
      'sofia/drachtio_mrf/nobody%40127.0.0.1%3A15060',
    );
    expect(urlEncode('Fri, 20 Nov 2026 10:28:26 GMT')).toBe('Fri,%2020%20Nov%202026%2010%3A28%3A26%20GMT');
    expect(urlEncode('v=0\r\na=fmtp:96 0-15\r\n')).toBe('v%3D0%0D%0Aa%3Dfmtp%3A96%200-15%0D%0A');
    expect(urlEncode('<sip:a@b>;tag=1')).toBe('%3Csip%3Aa%40b%3E%3Btag%3D1');
    expect(urlEncode('ü')).toBe('%C3%BC');
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => decodeURIComponent(urlEncode(text)) === text));
  });

  it('has the length of its body in bytes, as plain text and as JSON', () => {
    const made = new EventFactory('127.0.0.1').create('BACKGROUND_JOB', 'api_exec', [['Job-UUID', 'x y']], '+OK für\n');
    const plain = serializePlain(made);
    expect(plain).toContain('Job-UUID: x%20y\n');
    expect(plain.endsWith('Content-Length: 9\n\n+OK für\n')).toBe(true);
    expect(JSON.parse(serializeJson(made))).toMatchObject({
      'Event-Name': 'BACKGROUND_JOB',
      'Content-Length': '9',
      _body: '+OK für\n',
    });
  });
});
