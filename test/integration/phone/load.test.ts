/**
 * How the load of a phone process is read: on what its calls ask of media servers and the database, without requests of
 * its own.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PhoneHarness } from './phone-harness.ts';

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start({ maxLoad: 0.99 });
});
afterAll(() => harness.close());

it('a call tells how long PostgreSQL, and the media server by SIP and by its event socket, take to answer', async () => {
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
