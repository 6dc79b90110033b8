/** A caller who calls again: welcomed back, asked from the first field, at most ten times. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import { eventually } from '../../support/checkouts.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start();
});
afterAll(() => harness.close());

/** A checkout whose first call broke off while the caller keyed the card. */
async function brokenOff() {
  const { uri, id, caller } = await harness.answered({ returnTo: UNREACHABLE_AGENT_URI });
  await caller.press('42424242');
  await caller.hangUp();
  await harness.endedCall(id);
  return { uri, id };
}

async function dialAgain(uri: string) {
  const from = harness.said.entries.length;
  const caller = await harness.caller();
  const { status } = await caller.dial(uri);
  return { caller, status, said: () => harness.said.entries.slice(from) };
}

/** As after the texting of a link. */
async function linkTexted(id: CheckoutSessionId, status: 'sent' | 'failed' | 'waiting') {
  await harness.db.database.query(
    `insert into texts (id, account_id, mode, session_id, kind, recipient, body, segments, status)
     select 'txt_' || id, account_id, mode, id, 'pay_link', '+15550101234', '', 1, $2 from checkout_sessions where id = $1`,
    [id, status],
  );
}

it('a caller who calls again is welcomed back and asked for the whole card again', async () => {
  const { uri, id } = await brokenOff();
  const { caller, said } = await dialAgain(uri);
  await caller.press('4242424242424242');
  await caller.press('0431');
  await caller.press('123');
  await caller.followRefer();
  expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
  expect(said()).toEqual(['greeting after_call', 'ask expiry', 'ask security_code', 'one_moment', 'succeeded']);
});

it('a caller who was cut off while paying hears that the payment is being confirmed', async () => {
  const { uri, id, caller: first } = await harness.answered({ returnTo: UNREACHABLE_AGENT_URI });
  const paymentCount = harness.payments.entries.length + 1;
  const started = deferred<void>();
  const released = deferred<void>();
  harness.duringPayment = () => {
    started.resolve();
    return released.promise;
  };
  await harness.keyCard(first);
  await harness.payments.waitForCount('asked', paymentCount);
  await started.promise;
  await first.hangUp();
  await harness.endedCall(id);
  const { caller, status, said } = await dialAgain(uri);
  expect(status).toBe(200);
  await harness.said.waitFor(() => said().includes('still_confirming without a text'));
  // The outcome of the first call, and news for the second one.
  released.resolve();
  harness.duringPayment = () => Promise.resolve();
  await caller.followRefer();
  await eventually(180_000, async () => {
    const { rows } = await harness.db.database.query(
      'select outcome from calls where session_id = $1 order by started_at',
      [id],
    );
    expect(rows).toEqual([{ outcome: 'succeeded' }, { outcome: 'succeeded' }]);
  });
  expect(said()).not.toContain('ask expiry');
});

it.each([
  ['sent', 'greeting link_texted'],
  ['waiting', 'greeting after_call'],
  ['failed', 'greeting after_call'],
] as const)('whose link is %s: %s', async (status, greeting) => {
  const { uri, id } = await brokenOff();
  await linkTexted(id, status);
  const { caller, said } = await dialAgain(uri);
  await harness.said.waitFor(() => said().includes(greeting));
  await caller.press('**');
  await caller.followRefer();
  expect(said()[0]).toBe(greeting);
});

it('a caller is not welcomed back after a call that was never answered', async () => {
  const { uri, id } = await harness.checkout({ returnTo: UNREACHABLE_AGENT_URI });
  await harness.db.database.query(
    `insert into calls (id, account_id, mode, session_id, instance, lease_id, sip_call_id, sip_dialogs, source_address,
       allows_refer, ended_at, outcome)
     select 'call_' || id, account_id, mode, id, 'test', 1, 'sip', '{}', '127.0.0.1', true, now(), 'canceled'
       from checkout_sessions where id = $1`,
    [id],
  );
  const { caller, said } = await dialAgain(uri);
  await harness.said.waitFor(() => said().includes('greeting'));
  await caller.hangUp();
});

it('the eleventh call is refused, and the session can still be paid in another way', async () => {
  const { uri, id } = await harness.checkout({ returnTo: UNREACHABLE_AGENT_URI });
  await harness.db.database.query(
    `insert into calls (id, account_id, mode, session_id, instance, lease_id, sip_call_id, sip_dialogs, source_address,
       allows_refer, answered_at, ended_at, outcome)
     select 'call_' || n || id, account_id, mode, id, 'test', 1, 'sip', '{}', '127.0.0.1', true, now(), now(), 'canceled'
       from checkout_sessions, generate_series(1, 9) n where id = $1`,
    [id],
  );
  const tenth = await dialAgain(uri);
  expect(tenth.status).toBe(200);
  await tenth.caller.press('**');
  await tenth.caller.followRefer();
  await harness.endedCall(id);
  expect((await dialAgain(uri)).status).toBe(403);
  expect(harness.log.entries.at(-1)).toMatchObject({ fields: { status: 403, reason: 'too_many_calls' } });
  expect(await harness.payElsewhere(id)).toMatchObject({ type: 'succeeded' });
});
