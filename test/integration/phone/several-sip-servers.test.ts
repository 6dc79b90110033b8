/** Two SIP servers, each with its media server: calls come by both, and one can die. */
import { describe, expect, it, vi } from 'vitest';
import { headerValue } from '../../../src/local/softswitch/sip/index.ts';
import { eventually } from '../../support/checkouts.ts';
import { type Engine, external, startEngine } from './engine.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';

vi.setConfig({ maxConcurrency: 3 });

const WAIT_LIMIT_MS = 180_000;

interface Pair {
  harness: PhoneHarness;
  /** The second SIP server, and a media server. */
  second: Engine;
}

async function withTwo(play: (pair: Pair) => Promise<void>): Promise<void> {
  const second = await startEngine();
  try {
    const harness = await PhoneHarness.start({
      moreSipServers: [second.drachtio],
      spares: [second.freeswitch],
      limits: { referMs: 4_000, referRingMs: 4_000, sipServerMs: 20_000 },
    });
    try {
      await play({ harness, second });
    } finally {
      await harness.close();
    }
  } finally {
    await second.close();
  }
}

/** A caller in the middle of the greeting, who called this server, as soon as it has a phone process. */
async function callBy(harness: PhoneHarness, { sipPort }: Pick<Engine, 'sipPort'>) {
  const { uri, id } = await harness.checkout({ returnTo: UNREACHABLE_AGENT_URI });
  const caller = await harness.caller();
  await eventually(WAIT_LIMIT_MS, async () =>
    expect((await caller.dial(uri.replace(/:\d+$/, `:${sipPort}`))).status).toBe(200),
  );
  await caller.heard.waitFor(({ sound }) => sound === 'loud');
  return { caller, id };
}

/** The SIP server that a call's row names. */
async function serverOf({ db }: PhoneHarness, id: string): Promise<string | null> {
  const { rows } = await db.database.query<{ server: string | null }>(
    `select dialog_facts -> 0 ->> 'server' as server from calls where session_id = $1`,
    [id],
  );
  return rows[0]?.server ?? null;
}

describe.skipIf(external).concurrent('two SIP servers', () => {
  it('bring calls to one phone process, and each row names the server', () =>
    withTwo(async ({ harness, second }) => {
      const calls = await Promise.all([callBy(harness, harness.engine), callBy(harness, second)]);
      const [one, other] = calls;
      await eventually(WAIT_LIMIT_MS, async () => {
        expect(await serverOf(harness, one.id)).toBe(`127.0.0.1:${harness.drachtioProxy.port}`);
        expect(await serverOf(harness, other.id)).toBe(`127.0.0.1:${second.drachtio.port}`);
      });
      for (const { caller, id } of calls) {
        await caller.press('**');
        expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('canceled');
        await caller.hangUp();
        expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled', return_mode: 'refer' });
      }
    }));

  it('of which one dies leave calls and new calls to the other', () =>
    withTwo(async ({ harness, second }) => {
      const { caller, id } = await callBy(harness, harness.engine);
      await second.stopSignalling();
      await harness.log.waitFor(({ message }) => message === 'SIP server connection lost');
      expect(harness.phone.connected).toBe(true);
      await harness.keyCard(caller);
      expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
      await caller.hangUp();
      expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded', return_mode: 'refer' });
      const next = await callBy(harness, harness.engine);
      await next.caller.hangUp();
      expect(await harness.endedCall(next.id)).toMatchObject({ outcome: 'canceled' });
      await second.startSignalling();
      const again = await callBy(harness, second);
      await again.caller.hangUp();
      expect(await harness.endedCall(again.id)).toMatchObject({ outcome: 'canceled' });
    }));

  it('of which one dies continue its calls on the other: they are paid, and return by REFER', () =>
    withTwo(async ({ harness, second }) => {
      const { caller, id } = await callBy(harness, second);
      await second.stopSignalling();
      await harness.log.waitFor(({ message }) => message === 'call continues on another SIP server');
      await harness.keyCard(caller);
      const refer = await caller.requested('REFER');
      expect(headerValue(refer.request, 'X-Ringkey-Outcome')).toBe('succeeded');
      refer.respond(202);
      expect(await caller.ended()).toBe('remote');
      expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded', return_mode: 'refer' });
      await eventually(WAIT_LIMIT_MS, async () => expect(harness.engine.portsInUse() + second.portsInUse()).toBe(0));
    }));

  it('of which one dies end its calls through the other', () =>
    withTwo(async ({ harness, second }) => {
      const { caller } = await callBy(harness, second);
      await second.stopSignalling();
      await harness.log.waitFor(({ message }) => message === 'SIP server connection lost');
      const closed = harness.phone.close();
      expect(await caller.ended()).toBe('remote');
      await closed;
    }));

  it('of which one dies together with a phone process have its callers returned through the other', () =>
    withTwo(async ({ harness, second }) => {
      const other = await PhoneHarness.beside(harness, { instance: 'other', moreSipServers: [second.drachtio] });
      try {
        await harness.db.database.query(`update process_leases set acquired_at = now() - interval '1 minute'`);
        await harness.phone.drain(0);
        const { caller } = await callBy(other, second);
        await second.stopSignalling();
        other.drachtioProxy.cut();
        other.databaseProxy.cut();
        const refer = await caller.requested('REFER');
        expect(headerValue(refer.request, 'X-Ringkey-Outcome')).toBe('failed');
        refer.respond(202);
        expect(await caller.ended()).toBe('remote');
      } finally {
        for (const proxy of [other.databaseProxy, other.drachtioProxy]) proxy.restore();
        await other.close();
      }
    }));
});
