/**
 * Calls to the line's number by a caller with payments at several merchants: asked which one, then like any call to a
 * session.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { transferNumbersIn } from '../../../src/config/derived.ts';
import type { NewSession } from '../../../src/db/sessions/sessions.ts';
import { type AccountId, type CheckoutSessionId, parseId } from '../../../src/domain/ids.ts';
import type { SipRequest } from '../../../src/local/softswitch/sip/index.ts';
import type { Caller, DialOptions } from './caller-and-agent.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';
import { type CallRow, stepsOf } from './phone-records.ts';

const NUMBER = '+15550190000';
const RIVALS_NUMBER = '+15550190001';
const CARD = '4242424242424242' + '0431' + '123';
const BOOKS = 'mer_demo_books';

let harness: PhoneHarness;
beforeAll(async () => {
  const numbers = `${NUMBER}=acct_demo:test,${RIVALS_NUMBER}=acct_rival:test`;
  const transferNumbers = transferNumbersIn(readConfig({ RINGKEY_TRANSFER_NUMBERS: numbers }));
  harness = await PhoneHarness.start({ settings: { trunks: ['127.0.0.0/8'], transferNumbers } });
  await harness.db.database.query(
    `insert into accounts (id, name, header_signing_secret) values ('acct_rival', 'Rival', 'c2VjcmV0');
     insert into merchants (id, account_id, mode, slug, business_name, currency, policy, processor)
     values ('mer_rival', 'acct_rival', 'test', 'rival', 'Rival', 'USD', 'always', 'sandbox')`,
  );
});
afterAll(() => harness.close());

let callers = 0;

/** A caller with a payment at Demo Diner, and a newer one at Demo Books. */
async function waiting() {
  callers += 1;
  const callerPhone = `+1555012${String(callers).padStart(4, '0')}`;
  const fields = { callerPhone, returnTo: UNREACHABLE_AGENT_URI };
  const diner = await harness.checkout(fields);
  const books = await at(BOOKS, fields);
  return { callerPhone, diner, books };
}

const at = (merchant: string, fields: Partial<NewSession>) =>
  harness.checkout({ ...fields, merchantId: parseId('Merchant', merchant) });

async function dial(callerPhone: string, headers: DialOptions['headers'] = {}, number = NUMBER) {
  const from = harness.said.entries.length;
  const caller = await harness.caller();
  const { status } = await caller.dial(harness.uri(number), {
    headers: { From: `<sip:${callerPhone}@trunk>`, ...headers },
  });
  return { caller, status, said: () => harness.said.entries.slice(from) };
}

const QUESTION = 'choose_merchant Demo Books, Demo Diner';

/** The newest call without a session. */
async function unchosen(): Promise<CallRow | undefined> {
  const { rows } = await harness.db.database.query<CallRow>(
    'select * from calls where session_id is null order by started_at desc limit 1',
  );
  return rows[0];
}

async function endedUnchosen(): Promise<CallRow> {
  await expect.poll(async () => (await unchosen())?.ended_at ?? null).not.toBeNull();
  return (await unchosen()) as CallRow;
}

const headerOf = ({ headers }: SipRequest, wanted: string) => headers.find(({ name }) => name === wanted)?.value;

/** Waits until it has been said, not only looked up. */
const heardQuestion = (caller: Caller) => caller.heard.waitFor(({ sound }) => sound === 'loud');

describe('a caller with payments at two merchants', () => {
  it('is asked for the merchant, newest first, and pays the chosen one', async () => {
    const { callerPhone, diner, books } = await waiting();
    const { caller, said } = await dial(callerPhone);
    await heardQuestion(caller);
    expect(said()).toEqual([QUESTION]);
    expect(await unchosen()).toMatchObject({ ended_at: null, outcome: null });
    await caller.press('2');
    await harness.said.waitFor(() => said().includes('greeting'));
    await caller.press(CARD);
    const refer = await caller.followRefer();
    expect([headerOf(refer, 'X-Ringkey-Session'), headerOf(refer, 'X-Ringkey-Outcome')]).toEqual([
      diner.id,
      'succeeded',
    ]);
    const row = await harness.endedCall(diner.id);
    expect(row).toMatchObject({ outcome: 'succeeded', return_mode: 'refer' });
    expect(stepsOf(row)).toEqual(expect.arrayContaining(['ask merchant', 'merchant chosen', 'session taken']));
    expect(await harness.call(books.id)).toBeUndefined();
  });

  it('loses no key of a card that is typed ahead of the greeting', async () => {
    const { callerPhone, books } = await waiting();
    const { caller } = await dial(callerPhone);
    await heardQuestion(caller);
    // Demo Books also asks for the postal code and a confirmation.
    await caller.press(`1${CARD}941071`);
    expect(headerOf(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
    await harness.endedCall(books.id);
  });

  it('is not asked if the dialed number belongs to a merchant', async () => {
    const dinersNumber = '+15550100001';
    const ways: DialOptions['headers'][] = [
      { To: `<sip:${dinersNumber}@trunk>` },
      { Diversion: `"Diner" <sip:${dinersNumber}@trunk>;reason=unconditional` },
      { 'History-Info': `<sip:${dinersNumber}@trunk>;index=1, <sip:${NUMBER}@trunk>;index=1.1` },
    ];
    for (const headers of ways) {
      const { callerPhone, diner } = await waiting();
      const { caller, said } = await dial(callerPhone, headers);
      await heardQuestion(caller);
      expect(said()).toEqual(['greeting']);
      await caller.hangUp();
      await harness.endedCall(diner.id);
    }
  });

  it('ends the call with two stars, without an agent and without a word about charges', async () => {
    const { callerPhone, diner } = await waiting();
    const { caller, said } = await dial(callerPhone);
    await heardQuestion(caller);
    await caller.press('**');
    expect(await caller.ended()).toBe('remote');
    expect(said()).toEqual([QUESTION, `${QUESTION} started_over`, 'choice_left']);
    expect(await endedUnchosen()).toMatchObject({ outcome: 'canceled', return_mode: null });
    expect(await harness.call(diner.id)).toBeUndefined();
  });

  it('leaves all sessions free after a hang-up at the question, and gets no text', async () => {
    const { callerPhone, diner, books } = await waiting();
    await harness.db.database.query(`update merchants set text_after_drop = true`);
    const { caller } = await dial(callerPhone);
    await heardQuestion(caller);
    await caller.hangUp();
    expect(await endedUnchosen()).toMatchObject({ outcome: 'canceled' });
    const texts = 'select from texts_after_drop where session_id = any($1)';
    expect((await harness.db.database.query(texts, [[diner.id, books.id]])).rowCount).toBe(0);
    const again = await dial(callerPhone);
    expect(again.status).toBe(200);
    await again.caller.hangUp();
    await endedUnchosen();
    await harness.db.database.query(`update merchants set text_after_drop = false`);
  });
});

describe('the chosen session', () => {
  async function choose(change: (of: { diner: CheckoutSessionId; callerPhone: string }) => Promise<unknown>) {
    const { callerPhone, diner } = await waiting();
    const call = await dial(callerPhone);
    await heardQuestion(call.caller);
    await change({ diner: diner.id, callerPhone });
    await call.caller.press('2');
    return { ...call, diner };
  }

  it('has expired since the question: the caller and the agent learn so', async () => {
    const { caller, said } = await choose(({ diner }) =>
      harness.db.database.query('update checkout_sessions set expires_at = now() where id = $1', [diner]),
    );
    expect(headerOf(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('expired');
    expect(said().filter((line) => line !== 'greeting')).toEqual([QUESTION, 'expired']);
  });

  it('was paid since the question: the caller and the agent learn so', async () => {
    const { caller, said } = await choose(({ diner }) => harness.payElsewhere(diner));
    expect(headerOf(await caller.followRefer(), 'X-Ringkey-Outcome')).toBe('succeeded');
    expect(said().filter((line) => line !== 'greeting')).toEqual([QUESTION, 'paid_elsewhere']);
  });

  it('was claimed by another call, which continues: the caller learns that no payment is possible', async () => {
    const other: { call?: Awaited<ReturnType<typeof dial>> } = {};
    const { caller, said, diner } = await choose(async ({ callerPhone, diner: id }) => {
      other.call = await dial(callerPhone);
      await heardQuestion(other.call.caller);
      await other.call.caller.press('2');
      await expect.poll(() => harness.call(id)).toBeDefined();
    });
    expect(await caller.ended()).toBe('remote');
    expect(said()).toContain('session_not_taken');
    expect(await endedUnchosen()).toMatchObject({ outcome: 'failed', reason: 'error' });
    await other.call?.caller.press(CARD);
    await other.call?.caller.followRefer();
    expect(await harness.endedCall(diner.id)).toMatchObject({ outcome: 'succeeded' });
  });
});

describe('another account’s session for the same number', () => {
  it('is never offered, and its business is never named', async () => {
    const { callerPhone } = await waiting();
    const rival = { accountId: parseId('Account', 'acct_rival') as AccountId, callerPhone };
    const theirs = await at('mer_rival', rival);
    const { caller, said } = await dial(callerPhone);
    await heardQuestion(caller);
    expect(said()).toEqual([QUESTION]);
    await caller.press('3');
    await harness.said.waitFor(() => said().length > 1);
    expect(said()[1]).toBe(`${QUESTION} looks_wrong`);
    await caller.hangUp();
    await endedUnchosen();
    expect(await harness.call(theirs.id)).toBeUndefined();
    const alone = await dial(callerPhone, {}, RIVALS_NUMBER);
    expect([alone.status, alone.said()]).toEqual([200, ['greeting']]);
    await alone.caller.hangUp();
    await harness.endedCall(theirs.id);
  });
});
