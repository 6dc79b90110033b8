/** A payment on the page or by the agent during a live call: what the caller hears and the agent learns. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import type { SipRequest } from '../../../src/local/softswitch/sip/index.ts';
import { DEMO_SIGNING_SECRET } from '../../../src/local/standalone/demo-data.ts';
import { verifyOutcomeHeaders } from '../../support/outcome-headers.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';
import { stepsOf } from './phone-records.ts';

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start({ pollMs: { away: 300, connected: 60_000 } });
});
afterAll(() => harness.close());

/** A call that asks for the card. `said`: the lines of this call. */
async function onTheLine() {
  const from = harness.said.entries.length;
  const { caller, id } = await harness.answered({ returnTo: UNREACHABLE_AGENT_URI });
  const said = () => harness.said.entries.slice(from);
  const hears = (line: string) => harness.said.waitFor(() => said().includes(line));
  await hears('greeting');
  return { caller, id, said, hears };
}

const headersOf = ({ headers }: SipRequest) => Object.fromEntries(headers.map(({ name, value }) => [name, value]));

async function chargesOf(id: CheckoutSessionId) {
  const { rows } = await harness.db.database.query<{ id: string; status: string; source: string }>(
    'select id, status, source from charges where session_id = $1 order by created_at',
    [id],
  );
  return rows;
}

describe('a call whose session is paid or expires meanwhile', () => {
  it.each(['page', 'saved_card'] as const)('(%s) stops asking, thanks, and returns with the charge', async (source) => {
    const { caller, id, said, hears } = await onTheLine();
    const paid = await harness.payElsewhere(id, 'visa', { source });
    expect(paid.type).toBe('succeeded');
    await hears('paid_elsewhere');
    const refer = await caller.followRefer();
    expect(said()).not.toContain('ask card_number');
    const [charge] = await chargesOf(id);
    const headers = headersOf(refer);
    expect(headers).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded', 'X-Ringkey-Charge': charge?.id });
    expect(verifyOutcomeHeaders(headers, DEMO_SIGNING_SECRET, new Date())).toBe(true);
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded', reason: null, charge_id: charge?.id });
  });

  it('says at once that it has expired, also while a card is keyed', async () => {
    const { caller, id, hears } = await onTheLine();
    await caller.press('4242424242424242');
    await hears('ask expiry');
    const expire = `update checkout_sessions set status = 'expired', expires_at = now() where id = $1`;
    await harness.db.database.query(expire, [id]);
    harness.otherProgress.publish(id, 'session_expired');
    await hears('expired');
    expect(headersOf(await caller.followRefer())).toMatchObject({ 'X-Ringkey-Outcome': 'expired' });
    await harness.endedCall(id);
  });

  it('asks for no more of a card, and nothing is charged twice', async () => {
    const { caller, id, hears } = await onTheLine();
    await caller.press('4242424242424242');
    await hears('ask expiry');
    await harness.payElsewhere(id);
    await caller.followRefer();
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
    expect(await chargesOf(id)).toHaveLength(1);
  });

  it('has the outcome in its row after a hang-up before the sentence', async () => {
    const { caller, id } = await onTheLine();
    await harness.payElsewhere(id, 'visa', { isDelivered: false });
    await caller.hangUp();
    const [charge] = await chargesOf(id);
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded', charge_id: charge?.id });
  });

  it('brings the outcome to the agent if the caller returns before the sentence', async () => {
    const { caller, id } = await onTheLine();
    await harness.payElsewhere(id, 'visa', { isDelivered: false });
    await caller.press('**');
    expect(headersOf(await caller.followRefer())).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded' });
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
  });
});

describe('a payment in progress on the page', () => {
  it('makes the line wait and ignore keys', async () => {
    const { caller, id, said, hears } = await onTheLine();
    const held = deferred<void>();
    const paying = harness.payElsewhere(id, 'visa', { answersAfter: held.promise });
    await hears('paying_elsewhere');
    await caller.press('4242424242424242');
    held.resolve();
    await paying;
    await caller.followRefer();
    expect(said()).toEqual(['greeting', 'paying_elsewhere', 'paid_elsewhere']);
    const row = await harness.endedCall(id);
    expect(row).toMatchObject({ outcome: 'succeeded' });
    expect(stepsOf(row)).toEqual(expect.arrayContaining(['paying_elsewhere page', 'paid_elsewhere']));
  });

  it('is announced to a second caller instead of a question', async () => {
    const { uri, id } = await harness.checkout({ returnTo: UNREACHABLE_AGENT_URI });
    const held = deferred<void>();
    const paying = harness.payElsewhere(id, 'visa', { answersAfter: held.promise, isDelivered: false });
    while ((await chargesOf(id)).length === 0);
    const from = harness.said.entries.length;
    const caller = await harness.caller();
    await caller.dial(uri);
    await harness.said.waitFor(() => harness.said.entries.slice(from).includes('paying_elsewhere'));
    held.resolve();
    await paying;
    harness.otherProgress.publish(id, 'charge_changed');
    await caller.followRefer();
    // The greeting is rendered before the answer, but not said.
    expect(harness.said.entries.slice(from + 1)).toEqual(['paying_elsewhere', 'paid_elsewhere']);
  });

  it('stays pending after a hang-up', async () => {
    const { caller, id, hears } = await onTheLine();
    const held = deferred<void>();
    const paying = harness.payElsewhere(id, 'visa', { answersAfter: held.promise });
    await hears('paying_elsewhere');
    await caller.hangUp();
    const [charge] = await chargesOf(id);
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'pending', charge_id: charge?.id });
    held.resolve();
    await paying;
  });

  it('is followed by the keypad after a decline', async () => {
    const { caller, id, said, hears } = await onTheLine();
    await harness.payElsewhere(id, 'insufficient_funds');
    await hears('declined_elsewhere');
    await harness.keyCard(caller);
    const headers = headersOf(await caller.followRefer());
    const [declined, paid] = await chargesOf(id);
    expect([declined?.status, paid?.status, paid?.source]).toEqual(['failed', 'succeeded', 'phone']);
    expect(headers).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded', 'X-Ringkey-Charge': paid?.id });
    expect(said().at(-1)).toBe('succeeded');
  });
});

it('the line mentions an opened page once, and waits for a caller who is busy there', async () => {
  const { caller, id, said, hears } = await onTheLine();
  await harness.openPage(id);
  await hears('page_opened');
  await harness.openPage(id).catch(() => harness.otherProgress.publish(id, 'page_opened'));
  await harness.payElsewhere(id);
  await caller.followRefer();
  expect(said().filter((line) => line === 'page_opened')).toHaveLength(1);
});

it('a card that is keyed during a charge of the page comes second, and its caller hears which one counts', async () => {
  const { caller, id, said } = await onTheLine();
  const release = harness.holdPayments();
  await harness.keyCard(caller);
  await harness.payments.waitForCount('asked', harness.payments.entries.length || 1);
  const held = deferred<void>();
  const paying = harness.payElsewhere(id, 'visa', { answersAfter: held.promise });
  while ((await chargesOf(id)).length === 0);
  release();
  await harness.said.waitFor(() => said().includes('paying_elsewhere'));
  held.resolve();
  await paying;
  const headers = headersOf(await caller.followRefer());
  const charges = await chargesOf(id);
  expect(charges).toMatchObject([{ status: 'succeeded', source: 'page' }]);
  expect(headers).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded', 'X-Ringkey-Charge': charges[0]?.id });
  harness.beforePayment = () => Promise.resolve();
});

it('phone and page at the same moment make one charge, which both report', {
  timeout: 400_000,
}, async () => {
  const sources = new Set<string>();
  for (let time = 0; time < 8; time += 1) {
    const { caller, id, said } = await onTheLine();
    const keyed = harness.payments.entries.length + 1;
    const release = harness.holdPayments();
    await harness.keyCard(caller);
    await harness.payments.waitFor(() => harness.payments.entries.length >= keyed);
    if (time % 2 === 0) release();
    // Each side wins one of the first two times; then the faster one wins.
    if (time === 0) while ((await chargesOf(id)).length === 0);
    const paying = harness.payElsewhere(id);
    if (time === 1) await paying;
    release();
    const [page, refer] = await Promise.all([paying, caller.followRefer()]);
    harness.beforePayment = () => Promise.resolve();
    const [charge, ...others] = await chargesOf(id);
    expect([charge?.status, others]).toEqual(['succeeded', []]);
    sources.add(charge?.source ?? '');
    const pageKnows = page.type === 'succeeded' || (page.type === 'refused' && page.charge?.id === charge?.id);
    expect([pageKnows, page.type === 'succeeded']).toEqual([true, charge?.source === 'page']);
    expect(headersOf(refer)).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded', 'X-Ringkey-Charge': charge?.id });
    const last = charge?.source === 'phone' ? ['succeeded'] : ['paid_elsewhere', 'already_paid'];
    expect(last).toContain(said().at(-1));
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded', charge_id: charge?.id });
  }
  expect([...sources].sort()).toEqual(['page', 'phone']);
});

describe('a call without Redis', () => {
  it('learns about a payment on the page a little later', async () => {
    harness.redisProxy.cut();
    const { caller, id, hears } = await onTheLine();
    await harness.payElsewhere(id);
    await hears('paid_elsewhere');
    await caller.followRefer();
    harness.redisProxy.restore();
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
  });
});

it('the row of a live call has its stage once the page was opened, and no digit', async () => {
  const { caller, id } = await onTheLine();
  const stages: unknown[] = [];
  const stop = harness.otherProgress.subscribe(id, (news) => stages.push(news));
  const stage = async () =>
    (await harness.db.database.query('select stage from calls where session_id = $1', [id])).rows;
  // Opened repeatedly, because the first news may come before Redis is connected.
  const stageAtOpening = () => {
    harness.otherProgress.publish(id, 'page_opened');
    return stage();
  };
  await expect.poll(stageAtOpening).toEqual([{ stage: 'card_number' }]);
  await caller.press('4242424242424242');
  await expect.poll(stage).toEqual([{ stage: 'expiry' }]);
  await caller.press('0431');
  await caller.press('123');
  await caller.followRefer();
  await harness.endedCall(id);
  expect(await stage()).toEqual([{ stage: 'ended' }]);
  expect(stages).toContain('call_stage');
  stop();
});
