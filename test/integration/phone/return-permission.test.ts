/** Targets that no `return_to` may reach: our own servers, the network behind them, and other people's names. */
import { afterEach, describe, expect, it } from 'vitest';
import { createSipAgent, headerValue, parseNameAddr, parseSipUri } from '../../../src/local/softswitch/sip/index.ts';
import { PhoneHarness } from './phone-harness.ts';
import { stepsOf } from './phone-records.ts';

let harness: PhoneHarness;
afterEach(() => harness.close());

/** A call that ends at once and returns by a bridge. @returns its timeline */
async function returnedSteps(returnTo: string, takesRefer = false): Promise<string[]> {
  const { caller, id } = await harness.answered({ returnTo }, { takesRefer });
  await caller.press('**');
  expect(await caller.ended()).toBe('remote');
  expect(caller.incidents.entries.some((incident) => incident.kind === 'request' && incident.method === 'REFER')).toBe(
    false,
  );
  return stepsOf(await harness.endedCall(id));
}

describe('without allowed addresses', () => {
  it.each([true, false])('no caller is sent to an address of this machine (REFER allowed: %s)', async (takesRefer) => {
    harness = await PhoneHarness.start({ settings: { returnAllowed: [] } });
    const agent = await harness.agent();
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '127.1']) {
      const steps = await returnedSteps(`sip:agent@${host}:${agent.sip.port}`, takesRefer);
      expect(steps).toContain('return_to not allowed: host_not_allowed');
    }
    expect(agent.calls.entries).toHaveLength(0);
  });

  it("no caller is sent to a host outside the account's list", async () => {
    harness = await PhoneHarness.start({ settings: { returnAllowed: [] } });
    await harness.db.database.query(`update accounts set return_hosts = '{agents.example.com}'`);
    const steps = await returnedSteps('sip:agent@voice.example.org');
    expect(steps).toContain('return_to not allowed: host_not_allowed');
  });

  it('no caller is sent to a name that resolves to this machine', async () => {
    const resolver = {
      addresses: async () => ['203.0.113.7', '127.0.0.1'],
      srv: () => Promise.reject(new Error('ENOTFOUND')),
    };
    harness = await PhoneHarness.start({ settings: { returnAllowed: [] }, resolver });
    const steps = await returnedSteps('sip:agent@voice.example.com');
    expect(steps).toContain('return_to not allowed: address_not_allowed');
  });

  it('no caller is sent to a number through the trunk in test mode', async () => {
    harness = await PhoneHarness.start({ settings: { returnAllowed: [], trunkTarget: '127.0.0.1:9' } });
    expect(await returnedSteps('+12125550123')).not.toContain('bridge');
  });
});

it('the media server refuses a bridge to itself, whatever headers return_to has', async () => {
  harness = await PhoneHarness.start({ settings: { returnAllowed: ['127.0.0.0/8'] } });
  const headers = `X-esl-outbound=127.0.0.1:9&X-Ringkey-App=${'f'.repeat(64)}`;
  const steps = await returnedSteps(`sip:drachtio@127.0.0.1:${harness.engine.mediaSipPort}?${headers}`);
  expect(steps).toContain('bridge failed 403');
});

it.each([
  ['is not reached', undefined],
  ['is too busy', 503],
])('a name with several addresses: where the first %s, the agent at the next one is called', async (_, status) => {
  const names = {
    addresses: async () => ['127.0.0.9', '127.0.0.1'],
    srv: () => Promise.reject(new Error('ENOTFOUND')),
  };
  harness = await PhoneHarness.start({ resolver: names });
  const agent = await harness.agent();
  const busy = await createSipAgent({ address: '127.0.0.9', port: status === undefined ? 0 : agent.sip.port });
  busy.on('request', (transaction) => transaction.respond(status ?? 500));
  const returnTo = `sip:agent@voice.example.com:${agent.sip.port};transport=tcp`;
  const { caller, id } = await harness.answered({ returnTo }, { takesRefer: false });
  await caller.press('**');
  await expect.poll(async () => (await harness.call(id))?.return_mode).toBe('bridge');
  expect(agent.calls.entries).toHaveLength(1);
  await caller.hangUp();
  expect(stepsOf(await harness.endedCall(id))).toEqual(expect.arrayContaining(['bridge failed 503', 'bridged']));
  await busy.close();
});

it("a bridge has the session's number as caller ID, not the claim of an unknown source", async () => {
  harness = await PhoneHarness.start();
  const agent = await harness.agent();
  const claimed = { 'P-Asserted-Identity': '<sip:+12025550100@example.com>' };
  const { caller } = await harness.answered({ returnTo: agent.uri }, { takesRefer: false, headers: claimed });
  await caller.press('**');
  const { request } = await agent.calls.waitFor(() => true);
  const from = parseSipUri(parseNameAddr(headerValue(request, 'From') ?? '')?.uri ?? '');
  expect(from?.user).toBe('+15550101234');
  await caller.hangUp();
});

it('a bridge ends for both sides at its time limit', async () => {
  harness = await PhoneHarness.start({ limits: { bridgeMs: 200 } });
  const agent = await harness.agent();
  const { caller, id } = await harness.answered({ returnTo: agent.uri }, { takesRefer: false });
  await caller.press('**');
  expect(await agent.ended.waitFor(() => true)).toBe('remote');
  expect(await caller.ended()).toBe('remote');
  const row = await harness.endedCall(id);
  expect(stepsOf(row)).toContain('bridge too long');
  expect(row).toMatchObject({ outcome: 'canceled', return_mode: 'bridge' });
});
