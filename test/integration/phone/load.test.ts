/** The load readings of a phone process: from the requests of its calls, without additional requests. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PhoneHarness } from './phone-harness.ts';

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start({ maxLoad: 0.99 });
});
afterAll(() => harness.close());

it('a call measures the response times of PostgreSQL, and of the media server by SIP and event socket', async () => {
  expect(harness.phone.load).toMatchObject({ mediaAnswerMs: 0, mediaReplyMs: 0 });
  const { uri } = await harness.checkout();
  const caller = await harness.caller();
  expect((await caller.dial(uri)).status).toBe(200);
  await expect.poll(() => harness.phone.load?.mediaReplyMs).toBeGreaterThan(0);
  expect(harness.phone.load?.mediaAnswerMs).toBeGreaterThan(0);
  expect(harness.phone.load?.databaseMs).toBeGreaterThan(0);
  await caller.hangUp();
  await expect.poll(() => harness.phone.calls).toBe(0);
});
