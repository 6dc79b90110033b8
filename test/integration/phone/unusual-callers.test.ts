/** Callers at unusual moments, and unusual ways to call. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import { headerValue } from '../../../src/local/softswitch/sip/index.ts';
import { audioSessions } from './caller-and-agent.ts';
import { external } from './engine.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';
import { stepsOf } from './phone-records.ts';

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start({ engine: { mediaTimeoutMs: 6_000 }, limits: { referMs: 4_000 } });
});
afterAll(() => harness.close());

const status = async (id: string) =>
  (await harness.db.database.query('select status from checkout_sessions where id = $1', [id])).rows[0].status;

describe('a caller who hangs up', () => {
  it('before the first key is not charged, and may call again', async () => {
    const { caller, uri, id } = await harness.answered();
    await caller.hangUp();
    const row = await harness.endedCall(id);
    expect(row).toMatchObject({ charge_id: null });
    expect(row.outcome).not.toBeNull();
    expect(await status(id)).toBe('open');
    const again = await harness.caller();
    expect((await again.dial(uri)).status).toBe(200);
    await again.hangUp();
  });

  it('while keying the card is not charged', async () => {
    const { caller, id } = await harness.answered();
    await caller.press('42424242');
    await caller.hangUp();
    expect(await harness.endedCall(id)).toMatchObject({ charge_id: null });
    expect(await status(id)).toBe('open');
  });

  it('during the charge is charged, and the outcome is written', async () => {
    const goOn = harness.holdPayments();
    const paymentCount = harness.payments.entries.length;
    const { caller, id } = await harness.answered({ returnTo: UNREACHABLE_AGENT_URI });
    await harness.keyCard(caller);
    await harness.payments.waitForCount('asked', paymentCount + 1);
    await caller.hangUp();
    // The session can be called again at once.
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'pending', charge_id: null });
    goOn();
    await expect.poll(() => harness.call(id)).toMatchObject({ outcome: 'succeeded', return_mode: null });
    expect(await status(id)).toBe('complete');
  });
});

describe('a caller who cancels', () => {
  it('before the answer gets 487 and leaves nothing behind', async () => {
    const { uri, id } = await harness.checkout();
    const caller = await harness.caller();
    const invite = caller.sendInvite(uri);
    invite.on('response', ({ status }) => status === 100 && invite.cancel());
    const answer = await invite.final;
    // The answer may have been faster than the CANCEL.
    expect([200, 487]).toContain(answer.status);
    if (answer.status === 200) await invite.dialog?.bye().final;
    await expect.poll(async () => (await harness.call(id))?.ended_at === null).toBe(false);
    const again = await harness.caller();
    expect((await again.dial(uri)).status).toBe(200);
    await again.hangUp();
  });

  it('at any moment leaves nothing behind', async () => {
    await Promise.all(
      [0, 1, 2, 4, 8, 12, 16, 24].map(async (ms) => {
        const { uri, id } = await harness.checkout();
        const caller = await harness.caller();
        const invite = caller.sendInvite(uri);
        const timer = setTimeout(() => invite.cancel(), ms);
        const answer = await invite.final;
        clearTimeout(timer);
        if (answer.status === 200) await invite.dialog?.bye().final;
        else expect(answer.status).toBe(487);
        await expect.poll(async () => (await harness.call(id))?.ended_at === null).toBe(false);
      }),
    );
    await expect.poll(() => harness.phone.calls).toBe(0);
  });
});

describe('an INVITE without an offer', () => {
  it('gets our offer, and the answer in its ACK starts the conversation', async () => {
    const { uri, id } = await harness.checkout();
    const caller = await harness.caller();
    const invite = caller.sendInvite(uri, { body: null });
    const offer = await invite.final;
    expect(offer.status).toBe(200);
    const answer = caller.audio.answer(offer.body) ?? '';
    if (!invite.dialog) throw new Error('no dialog');
    caller.follow(invite.dialog);
    invite.dialog.ack({ headers: { 'Content-Type': 'application/sdp' }, body: answer });
    await caller.heard.waitFor(({ sound }) => sound === 'loud');
    await caller.press('**');
    expect(await caller.ended()).toBe('remote');
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled' });
  });

  it('is hung up if its ACK has no answer', async () => {
    const { uri, id } = await harness.checkout();
    const caller = await harness.caller();
    const invite = caller.sendInvite(uri, { body: null });
    await invite.final;
    if (!invite.dialog) throw new Error('no dialog');
    caller.follow(invite.dialog);
    invite.dialog.ack();
    expect(await caller.ended()).toBe('remote');
    expect(await harness.endedCall(id)).toMatchObject({ answered_at: null });
  });
});

describe('keys', () => {
  it('are accepted as SIP INFO', async () => {
    const { caller, id } = await harness.answered();
    for (const signal of ['*', '*']) {
      const headers = { 'Content-Type': 'application/dtmf-relay' };
      await caller.dialog?.request({ method: 'INFO', headers, body: `Signal=${signal}\r\nDuration=160\r\n` }).final;
    }
    expect(await caller.ended()).toBe('remote');
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled' });
  });

  it('count once if they are sent in both ways', async () => {
    const { caller, id } = await harness.answered();
    await caller.press('4');
    await harness.said.waitFor(() => true);
    const headers = { 'Content-Type': 'application/dtmf-relay' };
    for (const signal of ['*', '*']) {
      await caller.dialog?.request({ method: 'INFO', headers, body: `Signal=${signal}\r\nDuration=160\r\n` }).final;
    }
    await caller.hangUp();
    const row = await harness.endedCall(id);
    expect(stepsOf(row)).toContain('caller hung up');
  });

  it('stop a sentence within 100 ms', async () => {
    const tookMs: number[] = [];
    // A busy machine is late sometimes, but not every time.
    while (tookMs.every((ms) => ms >= 100) && tookMs.length < 30) {
      const { caller } = await harness.answered();
      await caller.heard.waitFor(({ sound }) => sound === 'loud');
      await caller.press('4');
      const keyed = performance.now();
      const { atMs } = await caller.heard.waitFor(({ sound }) => sound === 'still');
      // The key is recognized when it is released; the remaining time is ours.
      tookMs.push(atMs - keyed);
      await caller.hangUp();
    }
    expect(Math.min(...tookMs)).toBeLessThan(100);
  });
});

it('the line follows audio that moves by a re-INVITE', async () => {
  const { caller, id } = await harness.answered();
  const loud = deferred<void>();
  const other = await audioSessions.openSession((samples) => {
    if (samples.some((sample) => Math.abs(sample) > 500)) loud.resolve();
  });
  const headers = { 'Content-Type': 'application/sdp' };
  caller.audio.close();
  const answer = await caller.dialog?.request({ method: 'INVITE', headers, body: other.offer() }).final;
  expect(answer?.status).toBe(200);
  other.connect(answer?.body ?? '');
  await loud.promise;
  await other.press('4');
  const bad = await caller.dialog?.request({ method: 'INVITE', headers, body: 'v=0\r\n' }).final;
  expect(bad?.status).toBe(488);
  await other.press('**');
  expect(await caller.ended()).toBe('remote');
  other.close();
  expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled' });
});

it('the line follows audio that moves after a refused re-INVITE', async () => {
  const { caller } = await harness.answered();
  await caller.heard.waitFor(({ sound }) => sound === 'loud');
  const headers = { 'Content-Type': 'application/sdp' };
  const unknown = caller.audio.offer().replace(/RTP\/AVP .*/, 'RTP/AVP 98');
  for (let refused = 0; refused < 2; refused += 1) {
    const bad = await caller.dialog?.request({ method: 'INVITE', headers, body: unknown }).final;
    expect(bad?.status).toBe(488);
  }
  const good = await caller.dialog?.request({ method: 'INVITE', headers, body: caller.audio.offer() }).final;
  expect(good?.status).toBe(200);
  await caller.hangUp();
});

it('the line follows audio that moves by the answer in an ACK', async () => {
  const { caller } = await harness.answered();
  const loud = deferred<void>();
  const other = await audioSessions.openSession((samples) => {
    if (samples.some((sample) => Math.abs(sample) > 500)) loud.resolve();
  });
  caller.audio.close();
  const offer = await caller.dialog?.request({ method: 'INVITE', ack: 'manual' }).final;
  expect(offer?.status).toBe(200);
  const answer = other.answer(offer?.body ?? '') ?? '';
  caller.dialog?.ack({ headers: { 'Content-Type': 'application/sdp' }, body: answer });
  await loud.promise;
  await caller.hangUp();
  other.close();
});

it.skipIf(external)('the call of a caller who has vanished ends, by REFER if there is an agent', async () => {
  const { caller, id } = await harness.answered({ returnTo: UNREACHABLE_AGENT_URI });
  caller.audio.close();
  const refer = await caller.requested('REFER');
  expect(headerValue(refer.request, 'X-Ringkey-Outcome')).not.toBe('succeeded');
  refer.respond(603);
  expect(await caller.ended()).toBe('remote');
  const row = await harness.endedCall(id);
  expect(stepsOf(row)).toContain('no audio');
  expect(row.return_mode).toBeNull();
});

it('these calls leave no media behind', async () => {
  if (!external) await expect.poll(() => harness.engine.portsInUse()).toBe(0);
});
