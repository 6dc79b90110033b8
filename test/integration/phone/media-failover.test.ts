/** A media server dies during calls while another one is up: the callers are moved to that one. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MediaServer, startMedia } from '../../../src/local/softswitch/media/index.ts';
import { headerValue } from '../../../src/local/softswitch/sip/index.ts';
import { external } from './engine.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';
import { stepsOf } from './phone-records.ts';

const SECRET = 'spare-secret';

let standby: MediaServer;
let harness: PhoneHarness;
beforeEach(async () => {
  const address = '127.0.0.1';
  standby = await startMedia({
    eslAddress: address,
    eslPort: 0,
    eslSecret: SECRET,
    mediaSipPort: 0,
    rtpAddress: address,
    rtpPortMin: 20_000,
    rtpPortMax: 29_999,
  });
  const listen = { listenAddress: address, listenPort: 0 };
  harness = await PhoneHarness.start({
    limits: { referMs: 4_000 },
    spares: [{ address, port: standby.eslPort, secret: SECRET, ...listen }],
  });
  const connected = () => harness.log.entries.filter(({ message }) => message === 'media server connected').length;
  await expect.poll(connected).toBe(2);
});
afterEach(async () => {
  await harness.close();
  await standby.close();
});

/** A call on the first server, in the middle of the greeting. */
async function calls() {
  const { caller, id } = await harness.answered({ returnTo: UNREACHABLE_AGENT_URI });
  await caller.heard.waitFor(({ sound }) => sound === 'loud');
  expect([harness.engine.portsInUse(), standby.portsInUse]).toEqual([1, 0]);
  return { caller, id };
}

describe.skipIf(external)('a caller whose media server dies', () => {
  it('hears the sentence again from another one, continues to key, and pays', async () => {
    const { caller, id } = await calls();
    await harness.engine.stopMedia();
    await caller.requested('INVITE');
    await caller.nextSound();
    await harness.keyCard(caller);
    expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
    expect(await caller.ended()).toBe('remote');
    const row = await harness.endedCall(id);
    expect(row).toMatchObject({ outcome: 'succeeded', return_mode: 'refer' });
    expect(stepsOf(row)).toEqual(expect.arrayContaining(['media server lost', 'media moved']));
    expect(stepsOf(row).filter((step) => step === 'say greeting')).toHaveLength(2);
    await expect.poll(() => standby.portsInUse).toBe(0);
  });

  it('during the charge hears its outcome from another one', async () => {
    const goOn = harness.holdPayments();
    const { caller, id } = await calls();
    await harness.keyCard(caller);
    await harness.payments.waitFor(() => true);
    await harness.engine.stopMedia();
    await caller.requested('INVITE');
    goOn();
    expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
    expect(harness.said.entries.at(-1)).toBe('succeeded');
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded', return_mode: 'refer' });
  });

  it('returns to the agent if the phone refuses the move', async () => {
    const { caller, id } = await calls();
    caller.takesOffers = false;
    await harness.engine.stopMedia();
    expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('failed');
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'failed', reason: 'error', return_mode: 'refer' });
    await expect.poll(() => standby.portsInUse).toBe(0);
  });

  it('leaves nothing behind after a hang-up meanwhile', async () => {
    const { caller, id } = await calls();
    await Promise.all([harness.engine.stopMedia(), caller.hangUp()]);
    expect((await harness.endedCall(id)).outcome).not.toBeNull();
    await expect.poll(() => standby.portsInUse).toBe(0);
  });
});
