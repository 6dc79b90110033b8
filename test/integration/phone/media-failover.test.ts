/** A media server dies under its calls while another one is up: the callers are taken there. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MediaServer, startMedia } from '../../../src/softswitch/media/index.ts';
import { headerValue } from '../../../src/softswitch/sip/index.ts';
import { external } from './engine.ts';
import { AGENT, Rig, stepsOf } from './phone-harness.ts';

const SECRET = 'spare-secret';

let spare: MediaServer;
let rig: Rig;
beforeEach(async () => {
  const address = '127.0.0.1';
  spare = await startMedia({
    ...{ eslAddress: address, eslPort: 0, eslSecret: SECRET, mediaSipPort: 0 },
    ...{ rtpAddress: address, rtpPortMin: 20_000, rtpPortMax: 29_999 },
  });
  const listen = { listenAddress: address, listenPort: 0 };
  rig = await Rig.start({
    limits: { referMs: 4_000 },
    spares: [{ address, port: spare.eslPort, secret: SECRET, ...listen }],
  });
  for (const port of [rig.engine.freeswitch.port, spare.eslPort]) {
    await rig.log.until(({ message, fields }) => message === 'media server connected' && fields.port === port);
  }
});
afterEach(async () => {
  await rig.close();
  await spare.close();
});

/** On the first server, in the middle of the greeting. */
async function calls() {
  const { caller, id } = await rig.answered({ returnTo: AGENT });
  await caller.heard.until(({ sound }) => sound === 'loud');
  expect([rig.engine.portsInUse(), spare.portsInUse]).toEqual([1, 0]);
  return { caller, id };
}

describe.skipIf(external)('a caller whose media server dies', () => {
  it('hears the sentence again from another one, keys on, and pays', async () => {
    const { caller, id } = await calls();
    await rig.engine.stopMedia();
    await caller.requested('INVITE');
    await caller.nextSound();
    await rig.keyCard(caller);
    expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
    expect(await caller.ended()).toBe('remote');
    const row = await rig.endedCall(id);
    expect(row).toMatchObject({ outcome: 'succeeded', return_mode: 'refer' });
    expect(stepsOf(row)).toEqual(expect.arrayContaining(['media server lost', 'media moved']));
    expect(stepsOf(row).filter((step) => step === 'say greeting')).toHaveLength(2);
    await expect.poll(() => spare.portsInUse).toBe(0);
  });

  it('during the charge hears from another one how it ended', async () => {
    const goOn = rig.holdPayments();
    const { caller, id } = await calls();
    await rig.keyCard(caller);
    await rig.payments.until(() => true);
    await rig.engine.stopMedia();
    await caller.requested('INVITE');
    goOn();
    expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
    expect(rig.said.entries.at(-1)).toBe('succeeded');
    expect(await rig.endedCall(id)).toMatchObject({ outcome: 'succeeded', return_mode: 'refer' });
  });

  it('and whose phone does not follow is taken back to the agent', async () => {
    const { caller, id } = await calls();
    caller.takesOffers = false;
    await rig.engine.stopMedia();
    expect(headerValue(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('failed');
    expect(await rig.endedCall(id)).toMatchObject({ outcome: 'failed', reason: 'error', return_mode: 'refer' });
    await expect.poll(() => spare.portsInUse).toBe(0);
  });

  it('and who hangs up meanwhile leaves nothing behind', async () => {
    const { caller, id } = await calls();
    await Promise.all([rig.engine.stopMedia(), caller.hangUp()]);
    expect((await rig.endedCall(id)).outcome).not.toBeNull();
    await expect.poll(() => spare.portsInUse).toBe(0);
  });
});
