/** The progress of a call, as another process hears it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CallEvent } from '../../../src/domain/call-progress.ts';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { waitUntil } from '../../../src/lib/concurrency/time-limit.ts';
import { EventLog } from './event-log.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';

const CARD = '4242424242424242' + '0431' + '123';

let harness: PhoneHarness;
const heard = new EventLog<CallEvent>();
beforeAll(async () => {
  harness = await PhoneHarness.start();
  harness.otherProgress.subscribeCalls((event) => heard.push(event));
  await waitUntil(120_000, 10, () => harness.otherProgress.connected);
});
afterAll(() => harness.close());

const eventsOf = (id: CheckoutSessionId) => heard.entries.filter(({ sessionId }) => sessionId === id);
const endOf = (id: CheckoutSessionId) =>
  heard.waitFor(({ sessionId, type }) => sessionId === id && type === 'call.ended');
const shown = ({ type, step, returnRoute, outcome }: CallEvent) =>
  [type, step?.name, step?.attempt, returnRoute, outcome?.kind].filter((part) => part != null).join(' ');

it('a paid call is reported step by step, in order, without a digit', async () => {
  const { caller, id } = await harness.answered({ returnTo: UNREACHABLE_AGENT_URI });
  await harness.said.waitFor((line) => line === 'greeting');
  await caller.press(CARD);
  await caller.followRefer();
  await endOf(id);
  const events = eventsOf(id);
  expect(events.map(shown)).toEqual([
    'call.answered',
    'call.step greeting 1',
    'call.step card_number 1',
    'call.step expiry 1',
    'call.step security_code 1',
    'call.step charging 1',
    'call.step returning 1',
    'call.returned refer',
    'call.ended succeeded',
  ]);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, place) => place + 1));
  expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
  expect(events[0]).toMatchObject({ mode: 'test', accountId: 'acct_demo', platformCallId: 'CA1' });
  expect(JSON.stringify(events.map(({ step }) => step))).not.toMatch(/\d{2}/);
});

it('a bridge is reported as soon as the caller is with the agent, not when it ends', async () => {
  const agent = await harness.agent();
  const { caller, id } = await harness.answered({ returnTo: agent.uri }, { takesRefer: false });
  await caller.press('**');
  await heard.waitFor(({ sessionId, type }) => sessionId === id && type === 'call.returned');
  expect(shown(eventsOf(id).at(-1) as CallEvent)).toBe('call.returned bridge');
  await caller.hangUp();
  await endOf(id);
  expect(shown(eventsOf(id).at(-1) as CallEvent)).toBe('call.ended canceled');
});

it('a caller who hangs up is reported once', async () => {
  const { caller, id } = await harness.answered();
  // A call that ends before its ACK is handled was never answered.
  await heard.waitFor(({ sessionId, type }) => sessionId === id && type === 'call.answered');
  await caller.hangUp();
  await harness.endedCall(id);
  await endOf(id);
  expect(eventsOf(id).filter(({ type }) => type === 'call.ended')).toHaveLength(1);
});
