/** A media server dies under its calls while another one is up: the callers are taken there. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MediaServer, startMedia } from '../../../src/softswitch/media/index.ts';
import { headerValue } from '../../../src/softswitch/sip/index.ts';
import { external, Rig } from './rig.ts';

const AGENT = 'sip:agent@127.0.0.1:9';
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

const steps = (row: { timeline: { step: string }[] }) => row.timeline.map(({ step }) => step);

/** On the first server, in the middle of the greeting. */
async function calls() {
  const { uri, id } = await rig.checkout({ returnTo: AGENT });
  const caller = await rig.caller();
  expect((await caller.dial(uri)).status).toBe(200);
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
    await caller.press('4242424242424242');
    await caller.press('0431');
    await caller.press('123');
    const refer = await caller.requested('REFER');
    expect(headerValue(refer.request, 'X-Ringkey-Outcome')).toBe('succeeded');
    refer.respond(202);
    await caller.notify('SIP/2.0 200 OK');
    expect(await caller.ended()).toBe('remote');
    const row = await rig.endedCall(id);
    expect(row).toMatchObject({ outcome: 'succeeded', return_mode: 'refer' });
    expect(steps(row)).toEqual(expect.arrayContaining(['media server lost', 'media moved']));
    expect(steps(row).filter((step) => step === 'say greeting')).toHaveLength(2);
    await expect.poll(() => spare.portsInUse).toBe(0);
  });

  it('during the charge hears from another one how it ended', async () => {
    let goOn: () => void = () => undefined;
    rig.beforePayment = () =>
      new Promise((resolve) => {
        goOn = resolve;
      });
    const { caller, id } = await calls();
    await caller.press('4242424242424242');
    await caller.press('0431');
    await caller.press('123');
    await rig.payments.until(() => true);
    await rig.engine.stopMedia();
    await caller.requested('INVITE');
    goOn();
    const refer = await caller.requested('REFER');
    expect(headerValue(refer.request, 'X-Ringkey-Outcome')).toBe('succeeded');
    expect(rig.said.entries.at(-1)).toBe('succeeded');
    refer.respond(202);
    await caller.notify('SIP/2.0 200 OK');
    expect(await rig.endedCall(id)).toMatchObject({ outcome: 'succeeded', return_mode: 'refer' });
  });

  it('and whose phone does not follow is taken back to the agent', async () => {
    const { caller, id } = await calls();
    caller.takesOffers = false;
    await rig.engine.stopMedia();
    const refer = await caller.requested('REFER');
    expect(headerValue(refer.request, 'X-Ringkey-Outcome')).toBe('failed');
    refer.respond(202);
    await caller.notify('SIP/2.0 200 OK');
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
