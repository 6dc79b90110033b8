/** `ringkey media`: a drained media server gets no new calls, in no phone process, and its live calls go on. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { headerValue } from '../../../src/local/softswitch/sip/index.ts';
import { eventually } from '../../support/checkouts.ts';
import { runCommand } from '../../support/run-command.ts';
import { type Engine, external, startEngine } from './engine.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';

const WAIT_LIMIT_MS = 180_000;

let harness: PhoneHarness;
let spare: Engine;
/** The two servers as `ringkey media` names them. */
let [first, second]: string[] = [];
beforeEach(async () => {
  spare = await startEngine();
  harness = await PhoneHarness.start({ spares: [spare.freeswitch], limits: { referMs: 4_000 } });
  [first, second] = [harness.mediaProxy.port, spare.freeswitch.port].map((port) => `127.0.0.1:${port}`);
  await eventually(WAIT_LIMIT_MS, async () => {
    const { out } = await media('list');
    expect(out.match(/in use/g)).toHaveLength(2);
  });
});
afterEach(async () => {
  await harness.close();
  await spare.close();
});

function media(line: string) {
  const key = Buffer.alloc(32, 1).toString('base64');
  return runCommand(`media ${line}`, { DATABASE_URL: harness.db.directUrl, RINGKEY_ENCRYPTION_KEYS: key });
}

async function call(on = harness) {
  const { caller, id } = await on.answered({ returnTo: UNREACHABLE_AGENT_URI });
  await caller.heard.waitFor(({ sound }) => sound === 'loud');
  return { caller, id };
}

const portsInUse = () => [harness.engine.portsInUse(), spare.portsInUse()];

describe.skipIf(external)('a drained media server', () => {
  it('finishes its calls and gets no new ones, until it is undrained', async () => {
    const { caller, id } = await call();
    expect(portsInUse()).toEqual([1, 0]);
    expect(await media(`drain ${first}`)).toMatchObject({ code: 0, out: `${first}  drained  1 call` });
    const others = [await call(), await call()];
    expect(portsInUse()).toEqual([1, 2]);
    await harness.keyCard(caller);
    expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
    await caller.hangUp();
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded', return_mode: 'refer' });
    expect(await media(`undrain ${first}`)).toMatchObject({ code: 0, out: `${first}  gets new calls` });
    await call();
    expect(portsInUse()).toEqual([1, 2]);
    for (const other of others) await other.caller.hangUp();
  });

  it('is listed with its calls and who drained it, and audited once', async () => {
    const { caller } = await call();
    await media(`drain ${first}`);
    expect(await media(`drain ${first}`)).toMatchObject({ code: 0, out: `${first}  was drained before  1 call` });
    const { out } = await media('list --json');
    const { media_servers } = JSON.parse(out) as { media_servers: Record<string, unknown>[] };
    expect(media_servers.find(({ host }) => host === first)).toMatchObject({
      status: 'drained',
      calls: 1,
      phone_processes: ['test'],
      drained_by: expect.stringMatching(/^\S.* at \S+$/),
    });
    expect(media_servers.find(({ host }) => host === second)).toMatchObject({ status: 'in use', drained_at: null });
    await media(`undrain ${first}`);
    const { rows } = await harness.db.database.query(
      'select action, account_id, actor_kind from audit_events where object_id = $1 order by sequence',
      [first],
    );
    const by = { account_id: null, actor_kind: 'command' };
    expect(rows).toEqual([
      { action: 'media_server.drained', ...by },
      { action: 'media_server.undrained', ...by },
    ]);
    await caller.hangUp();
  });

  it('has no calls when --wait returns', async () => {
    const { caller, id } = await call();
    const waiting = media(`drain ${first} --wait`);
    await harness.log.waitFor(({ message }) => message === 'drained media servers changed');
    const row = () => harness.call(id);
    expect(await row()).toMatchObject({ ended_at: null });
    await caller.hangUp();
    const { code, out } = await waiting;
    expect(code).toBe(0);
    expect(out.split('\n').at(-1)).toBe(`${first} has no calls`);
    expect(harness.engine.portsInUse()).toBe(0);
  });

  it('gets no calls from a phone process that starts later', async () => {
    await media(`drain ${first}`);
    await harness.phone.close();
    await harness.startPhone();
    const connected = () => harness.phone.media.states.filter(({ isConnected }) => isConnected).length;
    await expect.poll(connected).toBe(2);
    const { caller } = await call();
    expect(portsInUse()).toEqual([0, 1]);
    await caller.hangUp();
  });

  it('is not drained if it is the last one, unless forced: then new calls get 503', async () => {
    await media(`drain ${second}`);
    const refused = await media(`drain ${first}`);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${first} is the only media server of test`),
    });
    await (await call()).caller.hangUp();
    expect(await media(`drain ${first} --force`)).toMatchObject({ code: 0 });
    expect(harness.phone.connected).toBe(false);
    const caller = await harness.caller();
    expect((await caller.dial((await harness.checkout()).uri)).status).toBe(503);
    expect((await media(`undrain ${second}`)).code).toBe(0);
    expect(harness.phone.connected).toBe(true);
  });

  it('must have a known name', async () => {
    expect(await media('drain fs-9')).toMatchObject({
      code: 1,
      err: expect.stringContaining('unknown media server fs-9. The phone processes know 127.0.0.1:'),
    });
    expect(await media('drain 127.0.0.1')).toMatchObject({ code: 1, err: expect.stringContaining('Add the port') });
    expect(await media(`undrain ${first}`)).toMatchObject({ code: 1, err: expect.stringContaining('is not drained') });
    expect((await media(`drain ${first} --wait soon`)).code).toBe(2);
  });
});
