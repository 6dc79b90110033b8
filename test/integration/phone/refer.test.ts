/** A return by REFER to an agent who rings for long or answers late: at most one agent talks to the caller. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headerValue } from '../../../src/local/softswitch/sip/index.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';
import { stepsOf } from './phone-records.ts';

const REFER_MS = 400;
const REFER_RING_MS = 2_000;

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start({ limits: { referMs: REFER_MS, referRingMs: REFER_RING_MS } });
});
afterAll(() => harness.close());

/** A call that ends at once and whose REFER was accepted. */
async function referred(returnTo: string) {
  const { caller, id } = await harness.answered({ returnTo });
  await caller.press('**');
  const refer = await caller.requested('REFER');
  refer.respond(202);
  return { caller, id, refer: refer.request };
}

async function busyAgent(): Promise<string> {
  return (await harness.agent((_agent, invite) => invite.respond(486))).uri;
}

const progress = 'active;expires=60';

describe('a REFER in progress', () => {
  it('plays ringing to the caller until the next sentence', async () => {
    const { caller, id } = await harness.answered({ returnTo: await busyAgent() });
    await caller.press('**');
    const refer = await caller.requested('REFER');
    const said = harness.said.entries.length;
    // Longer than the rest of the last sentence.
    for (let packets = 0; packets < 10; packets += 1) await caller.nextSound();
    expect(harness.said.entries).toHaveLength(said);
    refer.respond(603);
    expect(await caller.ended()).toBe('remote');
    expect(stepsOf(await harness.endedCall(id))).toContain('say goodbye');
  });

  it('names us as the referrer and the sender', async () => {
    const { caller, refer } = await referred(UNREACHABLE_AGENT_URI);
    expect(headerValue(refer, 'Referred-By')).toBe('<sip:pay.example.com>');
    expect(headerValue(refer, 'User-Agent')).toBe('Ringkey');
    await caller.notify('SIP/2.0 200 OK');
    expect(await caller.ended()).toBe('remote');
  });

  it('waits longer for an agent who rings, also after 100 Trying', async () => {
    const { caller, id } = await referred(await busyAgent());
    await caller.notify('SIP/2.0 100 Trying', progress);
    await caller.notify('SIP/2.0 180 Ringing', progress);
    expect(await caller.ended()).toBe('remote');
    const { timeline } = await harness.endedCall(id);
    const at = (step: string) => timeline.find((item) => item.step === step)?.at_ms ?? Number.NaN;
    // A timer may fire a millisecond early.
    expect(at('refer timeout') - at('refer ringing')).toBeGreaterThanOrEqual(REFER_RING_MS - 5);
  });

  it('does not take 100 Trying alone for ringing', async () => {
    const { caller, id } = await referred(await busyAgent());
    await caller.notify('SIP/2.0 100 Trying', progress);
    expect(await caller.ended()).toBe('remote');
    const steps = stepsOf(await harness.endedCall(id));
    expect(steps).toContain('refer timeout');
    expect(steps).not.toContain('refer ringing');
  });
});

describe('a REFER that succeeds late', () => {
  it('cancels the call to the agent that rings', async () => {
    const agent = await harness.agent((_agent, invite) => invite.respond(180));
    const { caller, id } = await referred(agent.uri);
    const invite = await agent.calls.waitFor(() => true);
    const canceled = new Promise((resolve) => invite.once('cancel', resolve));
    await caller.notify('SIP/2.0 200 OK');
    await canceled;
    expect(await caller.ended()).toBe('remote');
    const row = await harness.endedCall(id);
    expect(row).toMatchObject({ return_mode: 'refer', return_sip_call_id: null });
    expect(stepsOf(row)).toEqual(expect.arrayContaining(['refer timeout', 'bridge', 'refer accepted late']));
  });

  it('hangs up the agent who has answered our call', async () => {
    const agent = await harness.agent();
    const { caller, id } = await referred(agent.uri);
    await caller.notify('SIP/2.0 486 Busy Here', progress);
    await agent.acked.waitFor(() => true);
    await expect.poll(async () => (await harness.call(id))?.return_mode).toBe('bridge');
    await caller.notify('SIP/2.0 200 OK');
    expect(await agent.ended.waitFor(() => true)).toBe('remote');
    expect(await caller.ended()).toBe('remote');
    expect(await harness.endedCall(id)).toMatchObject({ return_mode: 'refer', return_sip_call_id: null });
  });
});

it("the caller's hang-up cancels the call to the agent", async () => {
  const agent = await harness.agent((_agent, invite) => invite.respond(180));
  const { caller, id } = await referred(agent.uri);
  const invite = await agent.calls.waitFor(() => true);
  const canceled = new Promise((resolve) => invite.once('cancel', resolve));
  await caller.hangUp();
  await canceled;
  expect(await harness.endedCall(id)).toMatchObject({ return_mode: null });
});
