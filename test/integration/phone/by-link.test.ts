/** Pound twice on a live call: the link is texted, the line waits for the payment, and the agent learns the outcome. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { textLinkToCaller } from '../../../src/checkout/send-link.ts';
import type { NewSession } from '../../../src/db/sessions/sessions.ts';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import type { SipRequest } from '../../../src/local/softswitch/sip/index.ts';
import { DEMO_ACCOUNT } from '../../../src/local/standalone/demo-data.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';
import { stepsOf } from './phone-records.ts';

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start({ pollMs: { away: 300, connected: 60_000 } });
});
afterAll(() => harness.close());
beforeEach(async () => {
  await movedTo('sandbox');
  harness.textsLinks = true;
  harness.takesKeypad = true;
  harness.beforeLink = () => Promise.resolve();
});

async function onTheLine(overrides: Partial<NewSession> = {}) {
  const from = harness.said.entries.length;
  const { caller, id } = await harness.answered({ returnTo: UNREACHABLE_AGENT_URI, ...overrides });
  const said = () => harness.said.entries.slice(from);
  const hears = (line: string) => harness.said.waitFor(() => said().includes(line));
  await hears('greeting');
  return { caller, id, said, hears };
}

async function byLink() {
  const call = await onTheLine();
  await call.caller.press('##');
  await call.hears('link_sent');
  return call;
}

const headersOf = ({ headers }: SipRequest) => Object.fromEntries(headers.map(({ name, value }) => [name, value]));
const query = async <T extends object>(text: string, ...values: unknown[]) =>
  (await harness.db.database.query<T & Record<string, unknown>>(text, values)).rows;
const textsOf = (id: CheckoutSessionId) =>
  query<{ recipient: string }>('select kind, recipient, status from texts where session_id = $1', id);
const statusOf = async (id: CheckoutSessionId) =>
  (await query<{ status: string }>('select status from checkout_sessions where id = $1', id))[0]?.status;

const movedTo = (processor: string) =>
  query(`update merchants set processor = $1 where id = 'mer_demo_diner'`, processor);

describe('##', () => {
  it('texts the link once, and the line reports what happens on the page', async () => {
    const { caller, id, said, hears } = await onTheLine();
    await caller.press('######');
    await hears('link_sent');
    expect(await textsOf(id)).toEqual([{ kind: 'pay_link', recipient: '+15550101234', status: 'waiting' }]);
    await harness.openTextedLink(id);
    await hears('link_opened');
    const answered = deferred<void>();
    const paying = harness.payElsewhere(id, 'visa', { answersAfter: answered.promise });
    await hears('paying_elsewhere');
    answered.resolve();
    expect(await paying).toMatchObject({ type: 'succeeded' });
    await hears('paid_elsewhere');
    expect(headersOf(await caller.followRefer())).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded' });
    const row = await harness.endedCall(id);
    expect(row).toMatchObject({ outcome: 'succeeded', reason: null });
    expect(stepsOf(row)).toEqual(expect.arrayContaining(['send_link', 'link_sent', 'page', 'paying_elsewhere page']));
    expect(said()).not.toContain('ask card_number');
  });

  it('is recognized also before the answer', async () => {
    const { uri, id } = await harness.checkout({ returnTo: UNREACHABLE_AGENT_URI });
    const from = harness.said.entries.length;
    const caller = await harness.caller();
    await caller.dial(uri);
    await caller.press('##');
    await harness.said.waitFor(() => harness.said.entries.slice(from).includes('link_sent'));
    expect(await textsOf(id)).toHaveLength(1);
  });

  it('is followed by a sentence when the bank asks the payer on the page', async () => {
    const { caller, id, hears } = await byLink();
    const action = await harness.payElsewhere(id, 'asks_approved');
    expect(action.type).toBe('action_required');
    await hears('waiting_elsewhere');

    await caller.press('**');
    expect(headersOf(await caller.followRefer())).toMatchObject({ 'X-Ringkey-Outcome': 'pending' });
    const row = await harness.endedCall(id);
    expect(row).toMatchObject({ outcome: 'pending' });
    expect(stepsOf(row)).toContain('bank asks');
  });

  it('is followed by ** to the agent, who learns about the link, which stays valid', async () => {
    const { caller, id } = await byLink();
    await caller.press('**');
    const headers = headersOf(await caller.followRefer());
    expect(headers).toMatchObject({ 'X-Ringkey-Outcome': 'agent', 'X-Ringkey-Reason': 'link_sent' });
    expect(headers).not.toHaveProperty('X-Ringkey-Charge');
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'agent', reason: 'link_sent', charge_id: null });
    expect(await statusOf(id)).toBe('open');
    expect(await harness.payElsewhere(id)).toMatchObject({ type: 'succeeded' });
  });

  it('is followed by a digit that resumes the keypad and is the first of the card', async () => {
    const { caller, id, hears } = await byLink();
    await caller.press('4242424242424242');
    await hears('ask expiry');
    await caller.press('0431');
    await caller.press('123');
    await hears('succeeded');
    await caller.followRefer();
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
  });

  it('makes a hang-up end as canceled, with the link', async () => {
    const { caller, id } = await byLink();
    await caller.hangUp();
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled', reason: 'link_sent' });
    expect(await statusOf(id)).toBe('open');
  });

  it('makes a hang-up just after the payment end as paid', async () => {
    const { caller, id } = await byLink();
    await harness.payElsewhere(id, 'visa', { isDelivered: false });
    await caller.hangUp();
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded', reason: null });
  });

  it('continues with the link after a decline on the page', async () => {
    const { id, hears, caller } = await byLink();
    await harness.payElsewhere(id, 'generic_decline');
    await hears('declined_elsewhere');
    await harness.payElsewhere(id);
    await hears('paid_elsewhere');
    expect(headersOf(await caller.followRefer())).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded' });
  });

  it('lets the line learn about the payment also without Redis', async () => {
    const { caller, id, hears } = await byLink();
    harness.redisProxy.cut();
    try {
      await harness.payElsewhere(id);
      await hears('paid_elsewhere');
      await caller.followRefer();
      expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
    } finally {
      harness.redisProxy.restore();
    }
  });

  it.each([
    ['a carrier that refuses the text', `status = 'failed'`],
    ['a carrier that is down', `attempts = 2`],
  ])('says so and resumes the keypad after %s', async (_, change) => {
    const { caller, id, hears } = await byLink();
    await query(`update texts set ${change} where session_id = $1`, id);
    harness.otherProgress.publish(id, 'charge_changed');
    await hears('ask card_number');
    await caller.press('**');
    expect(headersOf(await caller.followRefer())).toMatchObject({ 'X-Ringkey-Outcome': 'canceled' });
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'canceled', reason: null });
  });

  it('says that the session has expired, not that the link is valid', async () => {
    const { caller, id, hears } = await byLink();
    await query(`update checkout_sessions set status = 'expired', expires_at = now() where id = $1`, id);
    harness.otherProgress.publish(id, 'session_expired');
    await hears('expired');
    expect(headersOf(await caller.followRefer())).toMatchObject({ 'X-Ringkey-Outcome': 'expired' });
    await harness.endedCall(id);
  });

  it('survives a shutdown, which returns the caller', async () => {
    const { caller, id } = await byLink();
    const drained = harness.phone.drain(0);
    expect(headersOf(await caller.followRefer())).toMatchObject({ 'X-Ringkey-Outcome': 'agent' });
    await drained;
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'agent', reason: 'link_sent' });
    // A drained process refuses calls until it closes or learns about the next one.
    await harness.phone.close();
    await harness.startPhone();
  });
});

describe('a link that was texted earlier', () => {
  const texted = (id: CheckoutSessionId) =>
    textLinkToCaller(harness.linkDeps(), { id, accountId: DEMO_ACCOUNT, mode: 'test' });

  it('less than a minute ago is announced as sent, and not sent again', async () => {
    const { caller, id, hears } = await onTheLine();
    expect(await texted(id)).toEqual({ result: 'sent', lastTwo: '34' });
    await caller.press('##');
    await hears('link_sent');
    expect(await textsOf(id)).toHaveLength(1);
  });

  it.each([
    [
      'three times this hour',
      'too_often',
      `update pay_links set texted_at = array_fill(now() - interval '2 minutes', array[3]) where session_id = $1`,
    ],
    ['to a carrier that refused it', 'unavailable', `update texts set status = 'failed' where session_id = $1`],
    [
      'to a number that then wrote STOP',
      'opted_out',
      `insert into text_opt_outs (phone, keyword) select recipient, 'STOP' from texts where session_id = $1`,
    ],
  ])('%s is not announced as sent, and the keypad resumes', async (_, reason, change) => {
    const phone = `+1555010${String(1_000 + Math.floor(Math.random() * 8_000))}`;
    const { caller, id, hears, said } = await onTheLine({ callerPhone: phone });
    await texted(id);
    if (reason === 'too_often')
      await query(`update texts set created_at = now() - interval '2 minutes' where session_id = $1`, id);
    await query(change, id);
    await caller.press('4242424242424242');
    await hears('ask expiry');
    await caller.press('##');
    await harness.said.waitFor(() => said().filter((line) => line === 'ask expiry').length === 2);
    await caller.press('0431');
    await caller.press('123');
    await hears('succeeded');
    await caller.followRefer();
    const row = await harness.endedCall(id);
    expect(stepsOf(row)).toEqual(expect.arrayContaining(['send_link', `link ${reason}`, 'expiry link_not_sent']));
    expect(stepsOf(row)).not.toContain('link_sent');
  });
});

describe('## without a link to text', () => {
  it.each([
    ['no link can be texted', false, 'sandbox'],
    ['the page takes no card for the merchant', true, 'checkoutcom'],
  ])('is answered at once, without a request to the carrier, if %s', async (_, textsLinks, processor) => {
    harness.textsLinks = textsLinks;
    await movedTo(processor);
    const { caller, id, hears } = await onTheLine();
    await caller.press('##');
    await hears('ask card_number');
    await caller.press('**');
    await caller.followRefer();
    const row = await harness.endedCall(id);
    expect(row).toMatchObject({ outcome: 'canceled', reason: null });
    expect(stepsOf(row)).toContain('card_number link_not_sent');
    expect(stepsOf(row)).not.toContain('send_link');
    expect(await textsOf(id)).toEqual([]);
  });

  it('does not end the call if the database fails', async () => {
    harness.beforeLink = () => Promise.reject(new Error('connection lost'));
    const { caller, id, hears } = await onTheLine();
    await caller.press('##');
    await hears('ask card_number');
    await caller.press('**');
    await caller.followRefer();
    expect(stepsOf(await harness.endedCall(id))).toContain('link unavailable');
  });

  it('says that the session has ended meanwhile', async () => {
    const { caller, id, hears } = await onTheLine();
    await query(`update checkout_sessions set expires_at = now() where id = $1`, id);
    await caller.press('##');
    await hears('expired');
    expect(headersOf(await caller.followRefer())).toMatchObject({ 'X-Ringkey-Outcome': 'expired' });
    await harness.endedCall(id);
  });
});

describe('a processor without keyed cards', () => {
  it('makes the line greet and text the link at once', async () => {
    harness.takesKeypad = false;
    const { caller, id, hears, said } = await onTheLine();
    await hears('link_sent');
    expect(said()).toEqual(['greeting', 'link_sent']);
    await harness.payElsewhere(id);
    await hears('paid_elsewhere');
    await caller.followRefer();
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
  });

  it.each([
    ['no link can be texted', () => (harness.textsLinks = false)],
    ['the text is not sent', () => (harness.beforeLink = () => Promise.reject(new Error('away')))],
  ])('makes the line return the caller if %s', async (_, arrange) => {
    harness.takesKeypad = false;
    arrange();
    const { caller, id, said } = await onTheLine();
    const headers = headersOf(await caller.followRefer());
    expect(said().filter((line) => line.startsWith('ask '))).toEqual([]);
    expect(headers).toMatchObject({ 'X-Ringkey-Outcome': 'failed', 'X-Ringkey-Reason': 'keypad_unavailable' });
    expect(await harness.endedCall(id)).toMatchObject({ outcome: 'failed', reason: 'keypad_unavailable' });
  });
});
