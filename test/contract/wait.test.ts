/** `agent_message` of a retrieved session, and requests that wait for the session to change, over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallSnapshot } from '../../src/db/calls/calls.ts';
import type { CheckoutSessionId } from '../../src/domain/ids.ts';
import { languageFor } from '../../src/languages/index.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { insertEndedCall } from '../support/ended-call.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const DINER = { merchant_id: 'mer_demo_diner', amount_cents: 4250, caller_phone: '+15550101234' };
const VISA = 'card_demo_visa';
const OF_DEMO = { accountId: DEMO_ACCOUNT, mode: 'test' as const };

async function open(fields: Record<string, unknown> = {}) {
  const { checkout_session_id: id } = await api.checkout({ ...DINER, ...fields });
  return id as CheckoutSessionId;
}

const path = (id: string, wait?: number | string) =>
  `/v1/checkout_sessions/${id}${wait === undefined ? '' : `?wait=${wait}`}`;
const messageOf = async (id: string) => (await api.get(path(id))).body.agent_message;

/** A request that waits, once it does. */
async function waiting(id: string, wait = 60): Promise<{ answer: Promise<Answer>; isAnswered: () => boolean }> {
  let answered = false;
  const before = reads(id);
  const answer = api.get(path(id, wait)).finally(() => {
    answered = true;
  });
  await expect.poll(() => reads(id)).toBeGreaterThan(before);
  return { answer, isAnswered: () => answered };
}

/** How often a session was subscribed to, counted below. */
const subscriptions: string[] = [];
const reads = (id: string) => subscriptions.filter((each) => each === id).length;
beforeAll(() => {
  const { subscribe } = api.progress;
  api.progress.subscribe = (subject, listener, readAtMs) => {
    subscriptions.push(subject);
    return subscribe.call(api.progress, subject, listener, readAtMs);
  };
});

async function endCall(sessionId: CheckoutSessionId, facts: Partial<CallSnapshot>) {
  await insertEndedCall(api.database, { ...OF_DEMO, sessionId }, facts);
  api.progress.publish(sessionId, 'call_stage');
}

const ENGLISH = languageFor('en').agent;

describe('agent_message', () => {
  const afterCall: [string, Partial<CallSnapshot>, string][] = [
    ['the caller entered nothing', { outcome: 'failed', reason: 'no_input' }, ENGLISH.outcome.nothingKeyed],
    ['the card could not be read', { outcome: 'failed', reason: 'invalid_input' }, ENGLISH.outcome.notUnderstood],
    ['the caller hung up or pressed star twice', { outcome: 'canceled' }, ENGLISH.outcome.stopped],
    ['the line failed', { outcome: 'failed', reason: 'error' }, ENGLISH.outcome.lineFailed],
    ['no keypad is accepted', { outcome: 'failed', reason: 'keypad_unavailable' }, ENGLISH.outcome.noKeypad],
    [
      'there were too many attempts',
      { outcome: 'failed', reason: 'too_many_attempts' },
      ENGLISH.other.no_more_attempts.agentMessage,
    ],
    ['the call was not connected', { outcome: 'canceled', answeredAt: null }, ENGLISH.outcome.notConnected],
  ];
  test.each(afterCall)('tells the agent after a call that %s', async (_, facts, expected) => {
    const id = await open();
    await endCall(id, facts);
    expect(await messageOf(id)).toBe(expected);
  });

  test('says that nothing is paid before a call, and that nothing is due if nothing is', async () => {
    expect(await messageOf(await open())).toBe(ENGLISH.outcome.unpaid);
    expect(await messageOf(await open({ merchant_id: 'mer_demo_free' }))).toBe(ENGLISH.checkout.nothingDue);
  });

  test('is null while the caller is on the payment line, and not once the caller returns to the agent', async () => {
    const id = await open();
    const call = { outcome: null, stage: 'card_number', returnMode: null, endedAt: null } as const;
    await endCall(id, call);
    expect(await messageOf(id)).toBeNull();
    await api.database.query(`update calls set stage = 'returning', outcome = 'canceled' where session_id = $1`, [id]);
    expect(await messageOf(id)).toBe(ENGLISH.outcome.stopped);
  });

  test('says that the payment went through', async () => {
    const id = await open();
    await api.post('/v1/charge', { checkout_session_id: id, instrument_id: VISA });
    expect(await messageOf(id)).toBe(ENGLISH.outcome.paid);
  });

  test('is the message of the decline, in the language of the caller', async () => {
    const id = await open({ language: 'de' });
    await api.database.query(
      `insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source,
                            processor, decline_code)
       values ('ch_declined_de', $1, $2, 'test', 'mer_demo_diner', 'failed', 4250, 'USD', 'phone', 'sandbox',
               'insufficient_funds')`,
      [id, DEMO_ACCOUNT],
    );
    await endCall(id, { outcome: 'failed', reason: 'declined' });
    expect(await messageOf(id)).toBe(languageFor('de').agent.declines.insufficient_funds.agentMessage);
  });

  test('mentions the texted link unless the card was declined', async () => {
    const id = await open();
    await api.database.query(
      `insert into texts (id, account_id, mode, session_id, kind, recipient, body, segments, status)
       values ('txt_wait', $1, 'test', $2, 'pay_link', '+15550101234', '', 1, 'sent')`,
      [DEMO_ACCOUNT, id],
    );
    expect(await messageOf(id)).toBe(ENGLISH.outcome.linkTexted);
    await endCall(id, { outcome: 'agent', reason: 'link_sent' });
    expect(await messageOf(id)).toBe(ENGLISH.outcome.linkTexted);
    await api.database.query(`update checkout_sessions set expires_at = now() where id = $1`, [id]);
    expect(await messageOf(id)).toBe(ENGLISH.outcome.expired);
  });
});

describe('a request with wait', () => {
  test('answers when the session is paid', async () => {
    const id = await open();
    const { answer, isAnswered } = await waiting(id);
    // A look of the pay page is no change.
    api.progress.publish(id, 'page_opened');
    expect((await api.get(path(id))).body.session_status).toBe('open');
    expect(isAnswered()).toBe(false);
    await api.post('/v1/charge', { checkout_session_id: id, instrument_id: VISA });
    const { status, body } = await answer;
    expect([status, body.checkout_session_id]).toEqual([200, id]);
    expect(body.charge).toMatchObject({ status: expect.stringMatching(/pending|succeeded/) });
  });

  test('answers when the call ends unpaid', async () => {
    const id = await open();
    await endCall(id, { outcome: null, stage: 'card_number', returnMode: null, endedAt: null });
    const { answer } = await waiting(id);
    await api.database.query(
      `update calls set stage = 'ended', ended_at = now(), outcome = 'failed', reason = 'no_input' where session_id = $1`,
      [id],
    );
    api.progress.publish(id, 'call_stage');
    expect((await answer).body.agent_message).toBe(ENGLISH.outcome.nothingKeyed);
  });

  test('answers after its time with the unchanged session', async () => {
    const id = await open();
    const { status, body } = await api.get(path(id, 1));
    expect([status, body.session_status]).toEqual([200, 'open']);
  });

  test('answers at once for a session that is final', async () => {
    const id = await open();
    await api.database.query(`update checkout_sessions set expires_at = now() where id = $1`, [id]);
    expect((await api.get(path(id, 60))).body.session_status).toBe('expired');
  });

  test.each(['0', '61', '-1', '1.5', 'yes', ''])('rejects the time %j', async (wait) => {
    const { status, body } = await api.get(path(await open(), wait));
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_value', 'wait']);
  });

  test('answers 404 for an unknown session at once', async () => {
    const { status, body } = await api.get(path('cs_unknown', 60));
    expect([status, body.error.code]).toEqual([404, 'session_not_found']);
  });
});

test('a shutdown answers waiting requests with the current session', async () => {
  const own = await startTestApi();
  const { checkout_session_id: id } = await own.checkout(DINER);
  const listening = new Promise<void>((resolve) => {
    const { subscribe } = own.progress;
    own.progress.subscribe = (subject, listener, readAtMs) => {
      if (subject === id) resolve();
      return subscribe.call(own.progress, subject, listener, readAtMs);
    };
  });
  const answer = own.get(path(id, 60));
  await listening;
  await own.close();
  expect((await answer).body.session_status).toBe('open');
});
