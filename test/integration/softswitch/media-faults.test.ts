import { randomBytes } from 'node:crypto';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type MediaServer, startMedia } from '../../../src/local/softswitch/media/index.ts';
import { createSipAgent, type SipAgent } from '../../../src/local/softswitch/sip/index.ts';
import { freePort } from '../../support/ports.ts';
import { type Call, type MediaHarness, once, startMediaHarness } from './media-harness.ts';

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startHarness(options: Parameters<typeof startMediaHarness>[0] = {}): Promise<MediaHarness> {
  const harness = await startMediaHarness({ builtIn: true, ...options });
  closing.push(() => harness.close());
  return harness;
}

const portsOf = (harness: MediaHarness): number | undefined => harness.half?.portsInUse;
const gone = ({ endpoint }: Call): Promise<[{ reason: string }]> => once<[{ reason: string }]>(endpoint, 'destroy');

describe('a caller whose audio stops', () => {
  it('is hung up after the media timeout, with all ports freed', async () => {
    const harness = await startHarness({ mediaTimeoutMs: 4_000 });
    const call = await harness.call();
    const destroyed = gone(call);
    call.rtpPhone.close();
    expect((await destroyed)[0].reason).toBe('MEDIA_TIMEOUT');
    await expect.poll(() => portsOf(harness)).toBe(0);
    await call.dialog.destroy();
  });

  it('is not hung up while on hold', async () => {
    const harness = await startHarness({ mediaTimeoutMs: 4_000 });
    const call = await harness.call();
    await call.endpoint.modify(call.rtpPhone.sdp('sendonly'));
    call.rtpPhone.close();
    await call.endpoint.play('silence_stream://9000');
    expect(await harness.ms.api(`uuid_exists ${call.endpoint.uuid}`)).toBe('true');
  });
});

describe('an app that disconnects', () => {
  it('ends its call', async () => {
    const harness = await startHarness();
    const call = await harness.call();
    const bye = once(call.endpoint.dialog, 'destroy');
    call.endpoint.conn.socket.destroy();
    await bye;
    await expect.poll(() => portsOf(harness)).toBe(0);
    await call.dialog.destroy();
  });
});

describe('a shutdown', () => {
  it('hangs up all calls and frees every port', async () => {
    const harness = await startHarness();
    const call = await harness.call();
    const destroyed = gone(call);
    await harness.half?.close();
    expect((await destroyed)[0].reason).toBe('SYSTEM_SHUTDOWN');
    expect(portsOf(harness)).toBe(0);
  });
});

interface MediaAlone {
  half: MediaServer;
  agent: SipAgent;
  app: Server;
  appPort: number;
  /** The token of the app's registration. */
  token: string;
}

/** Starts the media half alone, with an app that accepts connections and sends nothing. */
async function startMediaAlone(
  options: { maxLegs?: number; rtpPortMin?: number; rtpPortMax?: number } = {},
): Promise<MediaAlone> {
  const half = await startMedia({
    eslAddress: '127.0.0.1',
    eslPort: 0,
    eslSecret: 'secret',
    mediaSipPort: 0,
    rtpAddress: '127.0.0.1',
    rtpPortMin: 19_000,
    rtpPortMax: 19_999,
    ...options,
  });
  closing.push(() => half.close());
  const agent = await createSipAgent({ address: '127.0.0.1', port: 0 });
  closing.push(() => agent.close());
  const app = createServer((socket) => socket.on('error', () => socket.destroy()));
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  closing.push(() => app.close());
  const appPort = (app.address() as { port: number }).port;
  return { half, agent, app, appPort, token: await register(half, `127.0.0.1:${appPort}`) };
}

const OFFER = [
  'v=0',
  'o=x 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 4000 RTP/AVP 0',
  '',
].join('\r\n');

/** Registers an app's address over the event socket, as an app does. @returns the token */
async function register(half: MediaServer, address: string): Promise<string> {
  const token = randomBytes(32).toString('hex');
  const client = await eslClient(half.eslPort);
  client.socket.write(`auth secret\n\napi global_setvar ringkey_app_${token}=${address}\n\n`);
  await client.says('\n\n+OK\n');
  client.socket.destroy();
  return token;
}

function invite(
  { agent, half, token }: MediaAlone,
  headers: Record<string, string> = {},
  body: string | undefined = OFFER,
) {
  const named = { 'X-Ringkey-App': token, 'User-Agent': 'drachtio-fsmrf:1', ...headers };
  return agent.request({ method: 'INVITE', uri: `sip:drachtio@127.0.0.1:${half.sipPort}`, headers: named, body });
}

describe('an INVITE', () => {
  it('beyond the limit of legs gets 503 until a leg ends', async () => {
    const harness = await startMediaAlone({ maxLegs: 2 });
    const [one, two] = [invite(harness), invite(harness)];
    expect([(await one.final).status, (await two.final).status]).toEqual([200, 200]);
    expect((await invite(harness).final).status).toBe(503);
    await one.dialog?.bye().final;
    await expect.poll(() => harness.half.portsInUse).toBe(1);
    expect((await invite(harness).final).status).toBe(200);
  });

  it('without a free RTP port gets 503', async () => {
    const only = await freePort();
    const harness = await startMediaAlone({ rtpPortMin: only, rtpPortMax: only + 1 });
    expect((await invite(harness).final).status).toBe(200);
    expect((await invite(harness).final).status).toBe(503);
  });

  it('without an app token or a valid offer is refused', async () => {
    const harness = await startMediaAlone();
    expect((await invite(harness, { 'X-Ringkey-App': '' }).final).status).toBe(403);
    expect((await invite(harness, {}, 'garbage').final).status).toBe(488);
    expect(harness.half.portsInUse).toBe(0);
  });

  it('cannot choose the address that the event socket connects to', async () => {
    const harness = await startMediaAlone();
    let connections = 0;
    harness.app.on('connection', () => {
      connections += 1;
    });
    const named = { 'X-esl-outbound': `127.0.0.1:${harness.appPort}` };
    for (const token of ['', 'f'.repeat(64), '0'.repeat(64), `${harness.token}0`, '__proto__']) {
      expect((await invite(harness, { ...named, 'X-Ringkey-App': token }).final).status).toBe(403);
    }
    expect(connections).toBe(0);
    expect(harness.half.portsInUse).toBe(0);
  });

  it('for an app that cannot be reached is hung up', async () => {
    const harness = await startMediaAlone();
    const leg = invite(harness, { 'X-Ringkey-App': await register(harness.half, '127.0.0.1:9') });
    expect((await leg.final).status).toBe(200);
    if (!leg.dialog) throw new Error('no dialog');
    await once(leg.dialog, 'ended');
    await expect.poll(() => harness.half.portsInUse).toBe(0);
  });

  it('without an offer, and without an answer in the ACK, is hung up', async () => {
    const harness = await startMediaAlone();
    const leg = invite(harness, {}, '');
    expect((await leg.final).body).toContain('m=audio');
    if (!leg.dialog) throw new Error('no dialog');
    await once(leg.dialog, 'ended');
    await expect.poll(() => harness.half.portsInUse).toBe(0);
  });
});

/** Connects a raw event-socket client. */
async function eslClient(
  port: number,
): Promise<{ socket: Socket; says(what: string | RegExp): Promise<string>; closed: Promise<unknown> }> {
  const socket = dial(port, '127.0.0.1');
  closing.push(() => socket.destroy());
  let received = '';
  const check: (() => void)[] = [];
  socket.on('data', (chunk) => {
    received += chunk;
    for (const look of [...check]) look();
  });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.on('close', resolve));
  const says = (what: string | RegExp): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (typeof what === 'string' ? !received.includes(what) : !what.test(received)) return;
        check.splice(check.indexOf(look), 1);
        resolve(received);
        received = '';
      };
      check.push(look);
      look();
    });
  await says('Content-Type: auth/request\n\n');
  return { socket, says, closed };
}

describe('the event socket', () => {
  it('refuses a client without the password', async () => {
    const { half } = await startMediaAlone();
    const client = await eslClient(half.eslPort);
    client.socket.write('api status\n\n');
    await client.says('Reply-Text: -ERR command not found\n\n');
    client.socket.write('auth wrong\n\n');
    await client.says('Reply-Text: -ERR invalid\n\n');
    await client.closed;
  });

  it('answers unknown commands with an error and continues', async () => {
    const { half } = await startMediaAlone();
    const client = await eslClient(half.eslPort);
    client.socket.write('auth secret\n\n');
    await client.says('Reply-Text: +OK accepted\n\n');
    client.socket.write(
      'frobnicate now\n\nsendmsg none\ncall-command: execute\nexecute-app-name: park\n\nevent json\n\n',
    );
    await client.says('Reply-Text: -ERR no keywords supplied\n\n');
    client.socket.write(
      'bgapi create_uuid\nJob-UUID: j1\n\nevent plain BACKGROUND_JOB\n\nbgapi echo hello\nJob-UUID: j2\n\n',
    );
    await client.says(/Content-Type: text\/event-plain\n\n[\s\S]*Job-UUID: j2\n[\s\S]*\n\nhello/);
    client.socket.write('exit\n\n');
    await client.says(
      'Reply-Text: +OK bye\n\nContent-Type: text/disconnect-notice\nContent-Length: 67\n\nDisconnected, goodbye.',
    );
    await client.closed;
  });

  it('survives garbage, partial messages, bodies of a megabyte and clients that disconnect at once', async () => {
    const { half } = await startMediaAlone();
    const abuse: (string | Buffer)[] = [
      Buffer.from(Array.from({ length: 4096 }, (_, n) => (n * 7919) % 256)),
      'auth secret\n\nsendevent X\nContent-Length: 1048576\n\nonly this much',
      'auth secret\n\nsendevent X\nContent-Length: 99999999999\n\n',
      'auth secret\n\nsendmsg\n\napi\n\napi \n\nbgapi\n\nevent\n\nfilter\n\nnixevent\n\nmyevents\n\nsendevent\n\ngetvar\n\n',
      'auth secret\n\napi uuid_bridge\n\napi uuid_transfer a\n\napi uuid_setvar\n\napi fsctl\n\napi show\n\napi constructor\n\napi __proto__\n\n',
      'x'.repeat(1024 * 1024),
      '',
    ];
    for (const bytes of abuse) {
      const client = await eslClient(half.eslPort);
      client.socket.end(bytes);
      await client.closed;
    }
    const client = await eslClient(half.eslPort);
    client.socket.write('auth secret\n\napi create_uuid\n\n');
    await client.says(/api\/response\nContent-Length: 36\n\n[0-9a-f-]{36}/);
  });
});

describe('a failed start', () => {
  it.each([
    ['eslPort', (taken: MediaAlone) => ({ eslPort: taken.half.eslPort })],
    ['mediaSipPort', (taken: MediaAlone) => ({ mediaSipPort: taken.half.sipPort })],
    ['rtpAddress', () => ({ rtpAddress: '203.0.113.1' })],
    ['rtpPortMin', () => ({ rtpPortMin: 19_000, rtpPortMax: 18_000 })],
  ])('names the wrong setting: %s', async (setting, wrong) => {
    const taken = await startMediaAlone();
    const options = {
      eslAddress: '127.0.0.1',
      eslPort: 0,
      eslSecret: 'secret',
      mediaSipPort: 0,
      rtpAddress: '127.0.0.1',
      rtpPortMin: 19_000,
      rtpPortMax: 19_999,
    };
    await expect(startMedia({ ...options, ...wrong(taken) })).rejects.toMatchObject({ setting });
  });
});
