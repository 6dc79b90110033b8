/** The facts of an ended call: its line in the log, its kind of keys, its sound quality. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start({ limits: { referMs: 4_000, ringMs: 5_000 } });
});
afterAll(() => harness.close());

const endOf = (sessionId: string) =>
  harness.log.waitFor(({ message, fields }) => message === 'call ended' && fields.sessionId === sessionId);
const endsOf = (sessionId: string) =>
  harness.log.entries.filter(({ message, fields }) => message === 'call ended' && fields.sessionId === sessionId);

async function factsOf(sessionId: string) {
  await harness.endedCall(sessionId as never);
  const { rows } = await harness.db.database.query<Record<string, unknown>>(
    `select id, merchant_id, sip_call_id, key_kind, codec, packets_received, packets_lost, jitter_ms from calls
      where session_id = $1 and stage = 'ended'`,
    [sessionId],
  );
  return rows[0] ?? {};
}

it('a paid call leaves one log line, and its kind of keys and sound quality', async () => {
  const { caller, id } = await harness.answered({ returnTo: `${UNREACHABLE_AGENT_URI};transport=tcp` });
  await harness.keyCard(caller);
  await caller.followRefer();
  await harness.endedCall(id);
  const { level, fields } = await endOf(id);
  const facts = await factsOf(id);
  expect(level).toBe('info');
  expect(fields).toEqual({
    callId: facts.id,
    sessionId: id,
    merchantId: 'mer_demo_diner',
    sipCallId: facts.sip_call_id,
    outcome: 'succeeded',
    reason: null,
    chargeId: expect.stringMatching(/^ch_/),
    returnMode: 'refer',
    returnSipCallId: null,
    seconds: expect.any(Number),
    steps: expect.arrayContaining(['greeting', 'expiry', 'security_code', 'paying']),
  });
  expect(endsOf(id)).toHaveLength(1);
  expect(facts).toMatchObject({ merchant_id: 'mer_demo_diner', key_kind: 'telephone-event', codec: 'PCMU' });
  expect(facts.packets_received).toBeGreaterThan(50);
  expect(facts.packets_lost).toEqual(expect.any(Number));
  expect(facts.jitter_ms).toEqual(expect.any(Number));
});

it('a hang-up without a key leaves a log line, too, but no kind of keys', async () => {
  const { caller, id } = await harness.answered();
  await caller.nextSound();
  await caller.hangUp();
  const { fields } = await endOf(id);
  expect(fields).toMatchObject({ outcome: 'canceled', chargeId: null, steps: expect.arrayContaining(['greeting']) });
  expect(fields.steps).not.toContain('expiry');
  expect(await factsOf(id)).toMatchObject({ key_kind: null, merchant_id: 'mer_demo_diner' });
});
