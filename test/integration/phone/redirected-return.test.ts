/** `return_to` answers the INVITE of a bridge with a redirection. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { headerValue } from '../../../src/local/softswitch/sip/index.ts';
import type { Agent } from './caller-and-agent.ts';
import { PhoneHarness } from './phone-harness.ts';
import { stepsOf } from './phone-records.ts';

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start();
});
afterAll(() => harness.close());

/** A host that answers each INVITE with a redirection. */
const redirecting = (contact: string, status = 302) =>
  harness.agent((_agent, call) => call.respond(status, { headers: { Contact: contact } }));

async function returnsTo(agent: Agent) {
  const call = await harness.answered({ returnTo: agent.uri }, { takesRefer: false });
  await call.caller.press('**');
  return call;
}

it('the bridge follows a redirection, with the outcome and the integrator’s headers of the new address', async () => {
  const agent = await harness.agent();
  const headers = 'X-Room=7&X-Ringkey-Outcome=succeeded&Replaces=abc&X-esl-outbound=1';
  const { caller, id } = await returnsTo(await redirecting(`"Agent" <${agent.uri}?${headers}>;q=0.9`));
  const { request } = await agent.calls.waitFor(() => true);
  expect(headerValue(request, 'X-Ringkey-Outcome')).toBe('canceled');
  expect(headerValue(request, 'X-Room')).toBe('7');
  expect([headerValue(request, 'Replaces'), headerValue(request, 'X-esl-outbound')]).toEqual([undefined, undefined]);
  await expect.poll(async () => (await harness.call(id))?.return_mode).toBe('bridge');
  await caller.hangUp();
  const steps = stepsOf(await harness.endedCall(id));
  expect(steps).toEqual(expect.arrayContaining(['bridge failed 302', 'agent redirects', 'bridged']));
});

it('the bridge follows one redirection, and not the next', async () => {
  const agent = await harness.agent();
  const second = await redirecting(`<${agent.uri}>`);
  const { caller, id } = await returnsTo(await redirecting(`<${second.uri}>`));
  expect(await caller.ended()).toBe('remote');
  expect([second.calls.entries.length, agent.calls.entries.length]).toEqual([1, 0]);
  expect(await harness.endedCall(id)).toMatchObject({ return_mode: null });
});

it.each([
  ['a host that is not allowed', '<sip:agent@192.168.77.1>', 'return_to not allowed: host_not_allowed'],
  ['a premium number', '<tel:+19005550123>', 'return_to not allowed: number_refused'],
  ['a web page', '<https://example.com/agent>', 'return_to not dialable'],
  ['a URI without a call', '<urn:service:sos>', 'return_to not dialable'],
])('calls no one when it leads to %s', async (_where, contact, step) => {
  const { caller, id } = await returnsTo(await redirecting(contact));
  expect(await caller.ended()).toBe('remote');
  expect(stepsOf(await harness.endedCall(id))).toContain(step);
});

it('the bridge takes another 3xx for a failure', async () => {
  const agent = await harness.agent();
  const { caller } = await returnsTo(await redirecting(`<${agent.uri}>`, 300));
  expect(await caller.ended()).toBe('remote');
  expect(agent.calls.entries).toHaveLength(0);
});
