/**
 * Complete calls that a user ends by REST through another process: what the caller hears, and which outcome the agent
 * gets.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { CallWithTimelineResource } from '../../src/contract/calls.ts';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import {
  listCalls,
  listCharges,
  readSessionStatus,
  waitForAnsweredCall,
  waitForEndedCall,
} from '../support/checkouts.ts';
import { startProduct, type TestProduct } from '../support/product.ts';
import { cardKeys } from '../support/sipp-calls.ts';
import { TestCaller } from '../support/test-caller.ts';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 240_000 });

const STOPPED = /have to stop here/;

/** The process with the calls. */
let product: TestProduct;
/** The process that knows the calls only from the database. */
let other: TestProduct;
const callers: TestCaller[] = [];

beforeAll(async () => {
  product = await startProduct();
  const shared = { ...product.testDatabase.settings, REDIS_URL: product.testRedis.url };
  other = await startProduct({ ...shared, RINGKEY_ROLES: 'api', RINGKEY_INSTANCE: 'other' });
});

afterAll(async () => {
  for (const caller of callers) await caller.close();
  await other.close();
  await product.close();
});

async function onThePhone(): Promise<TestCaller> {
  // A caller without a saved card, because the line would offer it.
  const fields = { merchant_id: 'mer_demo_diner', caller_phone: '+15550101399' };
  const caller = await TestCaller.create(product, { fields });
  callers.push(caller);
  await caller.dial();
  return caller;
}

async function ask(path: string, method = 'GET'): Promise<unknown> {
  const answer = await fetch(`${other.baseUrl}${path}`, { method, headers: { authorization: `Bearer ${DEMO_KEY}` } });
  if (answer.status !== 200) throw new Error(`${path} answered ${await answer.text()}`);
  return answer.json();
}

/** @returns the call's id */
async function end({ checkout }: TestCaller): Promise<string> {
  await waitForAnsweredCall(product.testDatabase, checkout.id);
  const { calls } = (await ask(`/v1/calls?checkout_session_id=${checkout.id}`)) as { calls: { call_id: string }[] };
  const [call] = calls;
  if (call === undefined) throw new Error('the call is not listed');
  const answer = CallWithTimelineResource.strict().parse(await ask(`/v1/calls/${call.call_id}/end`, 'POST'));
  expect(answer).toMatchObject({ status: 'live', end_requested_at: expect.any(String) });
  return call.call_id;
}

/** The outcome that the agent gets, once the call has ended. */
async function outcomeOf(caller: TestCaller): Promise<string | undefined> {
  const headers = await caller.outcomeHeadersAfterCall();
  await waitForEndedCall(product.testDatabase, caller.checkout.id);
  return headers['X-Ringkey-Outcome'];
}

test('ending a call stops the sentence, says why, and returns the caller to the agent', async () => {
  const caller = await onThePhone();
  const id = await end(caller);
  await caller.waitForSentence(STOPPED);
  expect(await outcomeOf(caller)).toBe('canceled');
  expect(await readSessionStatus(product.testDatabase, caller.checkout.id)).toBe('open');
  const [call] = await listCalls(product.testDatabase, caller.checkout.id);
  expect(call?.steps).toEqual(expect.arrayContaining(['end requested', 'say call_ended', 'return']));
  const line = product
    .output()
    .split('\n')
    .find((text) => text.includes('call ended') && text.includes(id));
  expect(line).toMatch(/"?endRequested"?[:=] ?true/);
  const { audit_events } = (await ask(`/v1/audit_events?object=${id}`)) as { audit_events: object[] };
  expect(audit_events).toEqual([expect.objectContaining({ action: 'call.end_requested', actor: 'key' })]);
});

test('ending a call that waits for a digit charges nothing', async () => {
  const caller = await onThePhone();
  await caller.waitForSentence(/enter your card number/);
  await caller.press(cardKeys('visa').slice(0, 16));
  await caller.waitForSentence(/expir/);
  await end(caller);
  await caller.waitForSentence(STOPPED);
  expect(await outcomeOf(caller)).toBe('canceled');
  expect(await listCharges(product.testDatabase, caller.checkout.id)).toEqual([]);
});

test('ending a call during a charge says that it succeeded, and ends as paid', async () => {
  const caller = await onThePhone();
  await caller.waitForSentence(/enter your card number/);
  await caller.press(cardKeys('slow'));
  await expect.poll(() => listCharges(product.testDatabase, caller.checkout.id)).toHaveLength(1);
  await end(caller);
  expect(await outcomeOf(caller)).toBe('succeeded');
  expect(caller.heard.filter((text) => STOPPED.test(text))).toEqual([]);
  expect(await readSessionStatus(product.testDatabase, caller.checkout.id)).toBe('complete');
  const [call] = await listCalls(product.testDatabase, caller.checkout.id);
  const steps = call?.steps ?? [];
  expect(steps.indexOf('end requested')).toBeLessThan(steps.indexOf('say succeeded'));
  expect(steps).toContain('end requested');
});
