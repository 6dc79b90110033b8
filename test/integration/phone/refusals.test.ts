/** Calls that are refused, and the SIP status of each. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, randomToken } from '../../../src/domain/ids.ts';
import { headerValue } from '../../../src/softswitch/sip/index.ts';
import { external } from './engine.ts';
import { PhoneHarness } from './phone-harness.ts';

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start({ settings: { maxCalls: 3, trunks: ['127.0.0.0/8'] } });
});
afterAll(() => harness.close());

async function statusOf(uri: string, headers: Record<string, string> = {}, body?: string): Promise<number> {
  const caller = await harness.caller();
  const answer = await caller.dial(uri, { headers, ...(body !== undefined && { body }) });
  if (answer.status === 200) await caller.hangUp();
  return answer.status;
}

const sdp = (media: string) =>
  ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0', media, ''].join('\r\n');

describe('the session lookup', () => {
  it('finds nothing for another name, token or id: 404', async () => {
    const { id } = await harness.checkout();
    expect(await statusOf(harness.uri('somebody'))).toBe(404);
    expect(await statusOf(harness.uri(`${id}-${randomToken()}`))).toBe(404);
    expect(await statusOf(harness.uri(`${newId('CheckoutSession')}-${randomToken()}`))).toBe(404);
    expect(await statusOf(harness.uri(id))).toBe(404);
    expect(await harness.call(id)).toBeUndefined();
  });

  it('refuses an expired session: 410', async () => {
    const { uri } = await harness.checkout({ expiresAt: new Date(Date.now() - 1_000) });
    expect(await statusOf(uri)).toBe(410);
  });

  it('refuses a paid session: 410', async () => {
    const { uri, id } = await harness.checkout();
    await harness.db.database.query(`update checkout_sessions set status = 'complete' where id = $1`, [id]);
    expect(await statusOf(uri)).toBe(410);
  });

  it('finds a session by the calling number, P-Asserted-Identity first', async () => {
    const { id } = await harness.checkout({ callerPhone: '+15550107777' });
    const asserted = { 'P-Asserted-Identity': '"A" <sip:+15550107777@trunk>', From: '<sip:+15550100000@trunk>' };
    const caller = await harness.caller();
    expect((await caller.dial(harness.uri('+15550190000'), { headers: asserted })).status).toBe(200);
    await caller.heard.waitFor(({ sound }) => sound === 'loud');
    await caller.hangUp();
    expect((await harness.endedCall(id)).answered_at).not.toBeNull();
    expect(await statusOf(harness.uri('+15550190000'), { From: '<sip:15550107777@trunk>' })).toBe(200);
    expect(await statusOf(harness.uri('+15550190000'), { From: '<sip:+15550108888@trunk>' })).toBe(404);
    expect(await statusOf(harness.uri('+15550190000'), { From: '<sip:anonymous@anonymous.invalid>' })).toBe(404);
  });
});

describe('an INVITE', () => {
  it('without a common codec gets 488, and its session stays free', async () => {
    const { uri, id } = await harness.checkout();
    expect(await statusOf(uri, {}, sdp('m=audio 40000 RTP/AVP 9'))).toBe(488);
    expect(await statusOf(uri, {}, sdp('m=audio 40000 RTP/SAVP 0'))).toBe(488);
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'failed', answered_at: null });
    expect(await statusOf(uri)).toBe(200);
  });

  it('that requires an unknown extension gets 420', async () => {
    const { uri } = await harness.checkout();
    const caller = await harness.caller();
    const answer = await caller.dial(uri, { headers: { Require: 'foo, 100rel' } });
    expect([answer.status, headerValue(answer, 'Unsupported')]).toEqual([420, 'foo']);
  });
});

describe('a busy line', () => {
  it('refuses a second call to a session with 486 until the first is over', async () => {
    const { uri, id } = await harness.checkout();
    const first = await harness.caller();
    expect((await first.dial(uri)).status).toBe(200);
    expect(await statusOf(uri)).toBe(486);
    await first.hangUp();
    await harness.endedCall(id);
    expect(await statusOf(uri)).toBe(200);
  });

  it('with its most calls refuses another with 503 and Retry-After', async () => {
    await expect.poll(() => harness.phone.calls).toBe(0);
    const callers = await Promise.all([1, 2, 3].map(() => harness.caller()));
    for (const caller of callers) expect((await caller.dial((await harness.checkout()).uri)).status).toBe(200);
    const { uri } = await harness.checkout();
    const fourth = await harness.caller();
    const answer = await fourth.dial(uri);
    expect([answer.status, headerValue(answer, 'Retry-After')]).toEqual([503, '5']);
    for (const caller of callers) await caller.hangUp();
    await expect.poll(() => harness.phone.calls).toBe(0);
    expect(await statusOf(uri)).toBe(200);
  });
});

describe('a caller who is not from a trusted trunk', () => {
  // It takes a second app, which on real daemons would share the calls with the first.
  it.runIf(!external)('gets 403 on a number, whoever they say they are, and 404 elsewhere', async () => {
    const strange = await PhoneHarness.start({ settings: { trunks: ['192.0.2.0/24'] } });
    try {
      await strange.checkout({ callerPhone: '+15550107777' });
      const caller = await strange.caller();
      const headers = { From: '<sip:+15550107777@trunk>' };
      expect((await caller.dial(strange.uri('+15550190000'), { headers })).status).toBe(403);
      expect((await caller.dial(strange.uri('hello'), { headers })).status).toBe(404);
      const { uri } = await strange.checkout();
      expect((await caller.dial(uri)).status).toBe(200);
      await caller.hangUp();
    } finally {
      await strange.close();
    }
  });
});

it('leaves no media behind', async () => {
  if (!external) await expect.poll(() => harness.engine.portsInUse()).toBe(0);
});
