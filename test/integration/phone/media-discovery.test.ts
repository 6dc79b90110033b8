/** FreeSWITCH servers found by DNS SRV: servers come and leave while calls are live, and DNS can fail. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MediaServer, startMedia } from '../../../src/local/softswitch/media/index.ts';
import { headerValue } from '../../../src/local/softswitch/sip/index.ts';
import { type FoundServers, FreeswitchPool } from '../../../src/phone/freeswitch/pool.ts';
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts';
import { external } from './engine.ts';
import { EventLog } from './event-log.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';

const SECRET = 'found-secret';
const ADDRESS = '127.0.0.1';
const OFTEN_MS = 50;
const NEVER_MS = 86_400_000;

let dns: DnsServer;
let media: MediaServer[];
beforeEach(async () => {
  dns = await startDnsServer();
  media = [];
});
afterEach(async () => {
  await Promise.all(media.map((server) => server.close()));
  await dns.close();
});

/** A media server, and its SRV record. */
async function startFound(facts: { priority?: number; weight?: number } = {}) {
  const server = await startMedia({
    eslAddress: ADDRESS,
    eslPort: 0,
    eslSecret: SECRET,
    mediaSipPort: 0,
    rtpAddress: ADDRESS,
    rtpPortMin: 20_000,
    rtpPortMax: 29_999,
  });
  media.push(server);
  return { server, record: { name: 'localhost', port: server.eslPort, priority: 10, weight: 10, ...facts } };
}

function foundServers(lookEveryMs: number): FoundServers {
  return {
    srvName: '_freeswitch._tcp.example.com',
    resolveSrv: dns.resolveSrv,
    lookEveryMs,
    optionsOf: (address, port) => ({ address, port, secret: SECRET, listenAddress: ADDRESS, listenPort: 0 }),
  };
}

describe('a pool of found media servers', () => {
  let pool: FreeswitchPool;
  let log: EventLog<string>;
  afterEach(() => pool.close());

  /** No call is placed, so the pool needs no SIP. */
  function open(lookEveryMs: number): void {
    log = new EventLog();
    const write = (_fields: unknown, message?: unknown) => log.push(String(message));
    pool = new FreeswitchPool({}, [], { info: write, warn: write, error: write }, foundServers(lookEveryMs));
  }

  const connections = () => log.entries.filter((message) => message === 'media server connected').length;

  it('connects to the servers of the records, and to those that join later', async () => {
    const [one, other] = [await startFound(), await startFound()];
    dns.records = [one.record];
    open(OFTEN_MS);
    await expect.poll(() => pool.connected).toBe(true);
    dns.records = [one.record, other.record];
    await expect.poll(connections).toBe(2);
    expect(pool.connected).toBe(true);
  });

  it('is not connected while the only record is the root, which means that there is no such service', async () => {
    const { record } = await startFound();
    dns.records = [record];
    open(OFTEN_MS);
    await expect.poll(() => pool.connected).toBe(true);
    dns.records = [{ name: '', port: 0, priority: 0, weight: 0 }];
    await expect.poll(() => pool.connected).toBe(false);
    dns.records = [record];
    await expect.poll(() => pool.connected).toBe(true);
  });

  it.each(['nxdomain', 'servfail', 'silence', 'records'] as const)(
    'keeps the known servers while DNS answers with %s and no record',
    async (manner) => {
      const { record } = await startFound();
      dns.records = [record];
      open(OFTEN_MS);
      await expect.poll(() => pool.connected).toBe(true);
      Object.assign(dns, { manner, records: [] });
      await log.waitFor((message) => message.startsWith('media servers could not be looked up'));
      expect(pool.connected).toBe(true);
      expect(pool.failedLookups).toBeGreaterThan(0);
      const { record: another } = await startFound();
      Object.assign(dns, { manner: 'records', records: [record, another] });
      await expect.poll(connections).toBe(2);
      expect(log.entries).toContain('media servers can be looked up again');
    },
  );

  it('looks the servers up again as soon as one is lost', async () => {
    const { server, record } = await startFound();
    dns.records = [record];
    open(NEVER_MS);
    await expect.poll(() => pool.connected).toBe(true);
    dns.records = [(await startFound()).record];
    await server.close();
    await expect.poll(connections).toBe(2);
    expect(pool.connected).toBe(true);
  });
});

describe.skipIf(external)('calls on found media servers', () => {
  let harness: PhoneHarness;
  afterEach(() => harness.close());

  async function startPhone(): Promise<void> {
    harness = await PhoneHarness.start({
      foundFreeswitches: foundServers(OFTEN_MS),
      limits: { referMs: 4_000 },
    });
  }

  async function call() {
    const { caller, id } = await harness.answered({ returnTo: UNREACHABLE_AGENT_URI });
    await caller.heard.waitFor(({ sound }) => sound === 'loud');
    return { caller, id };
  }

  it('go to the lowest priority, and to the next one once that is lost', async () => {
    const [main, spare] = [await startFound({ priority: 1 }), await startFound({ priority: 2, weight: 1_000 })];
    dns.records = [spare.record, main.record];
    await startPhone();
    const connected = () => harness.log.entries.filter(({ message }) => message === 'media server connected').length;
    await expect.poll(connected).toBe(2);
    const calls = [await call(), await call()];
    expect([main.server.portsInUse, spare.server.portsInUse]).toEqual([2, 0]);
    await main.server.close();
    for (const { caller } of calls) await caller.requested('INVITE');
    for (const { caller, id } of calls) {
      await caller.hangUp();
      expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled' });
    }
    await expect.poll(() => spare.server.portsInUse).toBe(0);
  });

  it('go on at a server that leaves the records, which gets no new call and is closed after the last one', async () => {
    const [leaving, staying] = [await startFound(), await startFound()];
    dns.records = [leaving.record];
    await startPhone();
    const { caller, id } = await call();
    dns.records = [staying.record];
    const changed =
      (servers: string) =>
      ({ message, fields }: { message: string; fields: Record<string, unknown> }) =>
        message === 'media servers found by DNS changed' && String(fields.servers) === servers;
    await harness.log.waitFor(changed(`localhost:${staying.record.port}`));
    await harness.log.waitFor(
      ({ message, fields }) => message === 'media server connected' && fields.port === staying.record.port,
    );
    const next = await call();
    expect([leaving.server.portsInUse, staying.server.portsInUse]).toEqual([1, 1]);
    await harness.keyCard(caller);
    expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
    await caller.hangUp();
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded', return_mode: 'refer' });
    await harness.log.waitFor(
      ({ message, fields }) =>
        message === 'media server closed' && fields.server === `localhost:${leaving.record.port}`,
    );
    await next.caller.hangUp();
    expect(await harness.endedCall(next.id)).toMatchObject({ outcome: 'canceled' });
  });
});
