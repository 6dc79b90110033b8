/** Adding a media server to the pool: its SRTP setting must match ours, and its registrations do not accumulate. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MediaServer, startMedia } from '../../../src/local/softswitch/media/index.ts';
import { FreeswitchPool } from '../../../src/phone/freeswitch/pool.ts';
import type { SrtpPolicy } from '../../../src/phone/freeswitch/server.ts';
import type { MediaLeg } from '../../../src/phone/ports.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { EventLog } from './event-log.ts';

const SECRET = 'pool-secret';
const ADDRESS = '127.0.0.1';

let media: MediaServer;
let proxy: TcpProxy;
let pool: FreeswitchPool;
let log: EventLog<string>;
beforeEach(async () => {
  media = await startMedia({
    eslAddress: ADDRESS,
    eslPort: 0,
    eslSecret: SECRET,
    mediaSipPort: 0,
    rtpAddress: ADDRESS,
    rtpPortMin: 20_000,
    rtpPortMax: 29_999,
  });
  proxy = await startTcpProxy();
  proxy.forwardTo(`tcp://${ADDRESS}:${media.eslPort}`);
  log = new EventLog();
});
afterEach(async () => {
  await pool.close();
  await proxy.close();
  await media.close();
});

function open(srtp: SrtpPolicy): void {
  const write = (_fields: unknown, message?: unknown) => log.push(String(message));
  const server = { address: ADDRESS, port: proxy.port, secret: SECRET, listenAddress: ADDRESS, listenPort: 0 };
  // No call is placed, so the pool needs no SIP.
  pool = new FreeswitchPool({}, [{ ...server, srtp }], { info: write, warn: write, error: write });
}

it('a call with encrypted audio is not moved to another media server', async () => {
  open('forbidden');
  await expect.poll(() => pool.connected).toBe(true);
  const localSdp = `v=0\r\nm=audio 20000 RTP/SAVP 0\r\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${'A'.repeat(40)}\r\n`;
  const lost = { localSdp } as MediaLeg;
  await expect(pool.replace(lost, () => undefined)).rejects.toMatchObject({ reason: 'encryption' });
});

const connections = () => log.entries.filter((message) => message === 'media server connected').length;

/** The body of the answer to an api command of the event socket. */
async function api(command: string): Promise<string> {
  const socket = connect({ host: ADDRESS, port: media.eslPort });
  socket.setEncoding('latin1');
  let text = '';
  socket.on('data', (data: string) => {
    text += data;
  });
  socket.write(`auth ${SECRET}\n\napi ${command}\n\nexit\n\n`);
  await once(socket, 'close');
  const [, length = '0'] = /api\/response\nContent-Length: (\d+)/.exec(text) ?? [];
  const start = text.indexOf('\n\n', text.indexOf('api/response')) + 2;
  return text.slice(start, start + Number(length));
}

describe('a media server whose SRTP setting does not match RINGKEY_SRTP', () => {
  it.each([
    ['required', 'optional', 'mandatory'],
    ['required', null, 'mandatory'],
    ['optional', 'forbidden', 'optional'],
    ['forbidden', 'optional', 'forbidden'],
  ] as const)('(%s here, %s there) is refused until it is %s', async (policy, wrong, right) => {
    if (wrong !== null) await api(`global_setvar rtp_secure_media=${wrong}`);
    open(policy);
    await log.waitFor((message) => message.includes('does not match RINGKEY_SRTP'));
    expect(pool.connected).toBe(false);
    await api(`global_setvar rtp_secure_media=${right}`);
    await expect.poll(() => pool.connected).toBe(true);
  });

  it('(forbidden here, unset there) is accepted, like the built-in engine', async () => {
    open('forbidden');
    await expect.poll(() => pool.connected).toBe(true);
  });
});

it('a lost connection leaves no valid token behind', async () => {
  const tokens = async () => (await api('global_getvar')).match(/^ringkey_app_[0-9a-f]{64}=.+$/gm) ?? [];
  open('forbidden');
  await expect.poll(connections).toBe(1);
  const [first] = await tokens();
  expect(first).toBeDefined();
  proxy.cut();
  await log.waitFor((message) => message === 'media server lost');
  proxy.restore();
  await expect.poll(connections).toBe(2);
  await expect.poll(async () => (await tokens()).length).toBe(1);
  expect(await tokens()).not.toContain(first);
});
