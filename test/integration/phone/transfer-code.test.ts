/**
 * Transfer codes: a call to the line's number whose calling number finds no session names it with eight digits after
 * the answer.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashNewTransferCode, hashTransferCode } from '../../../src/checkout/transfer-code.ts';
import { readConfig } from '../../../src/config/config.ts';
import { transferNumbersIn } from '../../../src/config/derived.ts';
import type { NewSession } from '../../../src/db/sessions/sessions.ts';
import { type AccountId, type CheckoutSessionId, parseId } from '../../../src/domain/ids.ts';
import { newTransferCode } from '../../../src/domain/transfer-number.ts';
import { createFingerprint } from '../../../src/lib/vault/fingerprint.ts';
import type { SipRequest } from '../../../src/local/softswitch/sip/index.ts';
import { DEMO_ACCOUNT } from '../../../src/local/standalone/demo-data.ts';
import type { CodeCaller } from '../../../src/phone/deps.ts';
import type { Caller, DialOptions } from './caller-and-agent.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';
import { stepsOf } from './phone-records.ts';

const NUMBER = '+15550190000';
const RIVALS_NUMBER = '+15550190001';
/** The platform's own, which every call of its trunk shows. */
const TRUNK = '<sip:+15550107777@trunk>';
const CARD = '4242424242424242' + '0431' + '123';
const FINGERPRINT = createFingerprint(randomBytes(32));

/** The wrong codes so far, and the limit of a caller. */
const guesses: { wrong: CodeCaller[]; limit: number } = { wrong: [], limit: Number.POSITIVE_INFINITY };

let harness: PhoneHarness;
beforeAll(async () => {
  const numbers = `${NUMBER}=acct_demo:test,${RIVALS_NUMBER}=acct_rival:test`;
  const transferNumbers = transferNumbersIn(readConfig({ RINGKEY_TRANSFER_NUMBERS: numbers }));
  const codes = {
    hash: (accountId: AccountId, code: Parameters<typeof hashTransferCode>[2]) =>
      hashTransferCode(FINGERPRINT, accountId, code),
    mayTry: async () => guesses.wrong.length < guesses.limit,
    countWrong: async (caller: CodeCaller) => void guesses.wrong.push(caller),
  };
  // So long that no dialed code of a busy machine is taken for a card number.
  const limits = { codeStartMs: 600_000, codeGapMs: 600_000 };
  harness = await PhoneHarness.start({ codes, limits, settings: { trunks: ['127.0.0.0/8'], transferNumbers } });
  await harness.db.database.query(
    `insert into accounts (id, name, header_signing_secret) values ('acct_rival', 'Rival', 'c2VjcmV0');
     insert into merchants (id, account_id, mode, slug, business_name, currency, policy, processor)
     values ('mer_rival', 'acct_rival', 'test', 'rival', 'Rival', 'USD', 'always', 'sandbox')`,
  );
});
afterAll(() => harness.close());
beforeEach(() => {
  guesses.wrong = [];
  guesses.limit = Number.POSITIVE_INFINITY;
});

async function coded(fields: Partial<NewSession> = {}): Promise<{ id: CheckoutSessionId; code: string }> {
  const code = newTransferCode();
  const accountId = fields.accountId ?? DEMO_ACCOUNT;
  const transferCodeHash = hashNewTransferCode(FINGERPRINT, accountId, code);
  const { id } = await harness.checkout({ returnTo: UNREACHABLE_AGENT_URI, ...fields, transferCodeHash });
  return { id, code };
}

/** @param options `withoutEvents`: the offer of a trunk that sends keys as sound only */
async function dial(options: DialOptions & { withoutEvents?: true } = {}, number = NUMBER) {
  const from = harness.said.entries.length;
  const caller = await harness.caller();
  const { withoutEvents, ...others } = options;
  const offer = caller.audio
    .offer()
    .replace(/^a=(rtpmap|fmtp):101 .*\r\n/gm, '')
    .replace(/ 101\r\n/, '\r\n');
  const body = withoutEvents ? { body: offer } : {};
  const { status } = await caller.dial(harness.uri(number), Object.assign({ headers: { From: TRUNK } }, others, body));
  return { caller, status, said: () => harness.said.entries.slice(from) };
}

const kindsOf = (row: Parameters<typeof stepsOf>[0]) => stepsOf(row).filter((step) => step.startsWith('keys by'));
const refersWith = async (caller: Caller) => headersOf(await caller.followRefer());
const headersOf = ({ headers }: SipRequest) =>
  ['X-Ringkey-Session', 'X-Ringkey-Outcome'].map((wanted) => headers.find(({ name }) => name === wanted)?.value);

describe('a caller whose number finds no session', () => {
  it('is connected to the session of the code, hears its greeting, and pays', async () => {
    const { id, code } = await coded({ callerPhone: '+15550101111' });
    const { caller, status, said } = await dial();
    expect(status).toBe(200);
    await caller.press(code);
    await harness.said.waitFor(() => said().includes('greeting'));
    await caller.press(CARD);
    expect(await refersWith(caller)).toEqual([id, 'succeeded']);
    const row = await harness.endedCall(id);
    expect(stepsOf(row)).toEqual(expect.arrayContaining(['answered', 'transfer code']));
    expect(JSON.stringify([row, harness.log.entries])).not.toContain(code);
  });

  it('can type the card right behind the code, which may end with a pound key', async () => {
    const { id, code } = await coded();
    const { caller } = await dial();
    await caller.press(`${code}#${CARD}`);
    expect(await refersWith(caller)).toEqual([id, 'succeeded']);
  });

  it('can send the code as SIP INFO', async () => {
    const { id, code } = await coded();
    const { caller, said } = await dial();
    const headers = { 'Content-Type': 'application/dtmf-relay' };
    for (const signal of code) {
      await caller.dialog?.request({ method: 'INFO', headers, body: `Signal=${signal}\r\nDuration=160\r\n` }).final;
    }
    await harness.said.waitFor(() => said().includes('greeting'));
    await caller.hangUp();
    await harness.endedCall(id);
  });

  it('can send the code as tones in the sound, and so the card, from a trunk without events', async () => {
    const { id, code } = await coded();
    const { caller, said } = await dial({ withoutEvents: true });
    await caller.audio.pressTones(`${code}#`);
    await harness.said.waitFor(() => said().includes('greeting'));
    await caller.audio.pressTones(CARD);
    expect(await refersWith(caller)).toEqual([id, 'succeeded']);
    expect(kindsOf(await harness.endedCall(id))).toEqual(['keys by sound']);
  });

  it.each<['sound' | 'events', 'sound' | 'events', string[]]>([
    ['sound', 'events', ['keys by sound', 'keys by telephone-event']],
    ['events', 'sound', ['keys by telephone-event', 'keys by sound']],
  ])('can key the card as another kind than the code: %s, then %s', async (kindOfCode, kindOfCard, kinds) => {
    const { id, code } = await coded();
    const { caller, said } = await dial();
    const send = (kind: string, keys: string) =>
      kind === 'sound' ? caller.audio.pressTones(keys) : caller.press(keys);
    await send(kindOfCode, code);
    await harness.said.waitFor(() => said().includes('ask card_number'));
    // FreeSWITCH drops packets at the start of a prompt.
    await caller.nextSound();
    await send(kindOfCard, CARD);
    expect(await refersWith(caller)).toEqual([id, 'succeeded']);
    expect(kindsOf(await harness.endedCall(id))).toEqual(kinds);
  });

  it('uses a code once: the second call is not connected', async () => {
    const { id, code } = await coded();
    await coded();
    const first = await dial();
    await first.caller.press(code);
    await harness.said.waitFor(() => first.said().includes('greeting'));
    await first.caller.hangUp();
    await harness.endedCall(id);
    const second = await dial();
    await second.caller.press(`${code}${code}${code}`);
    expect(await second.caller.ended()).toBe('remote');
    expect([second.said(), guesses.wrong.length]).toEqual([['no_payment_waiting'], 3]);
  });
});

describe('a code that is dialed although the calling number finds the session', () => {
  it('is no part of the card number', async () => {
    const { id, code } = await coded({ callerPhone: '+15550103333' });
    const { caller, said } = await dial({ headers: { From: '<sip:+15550103333@trunk>' } });
    await harness.said.waitFor(() => said().includes('greeting'));
    await caller.press(`${code}#${CARD}`);
    expect(await refersWith(caller)).toEqual([id, 'succeeded']);
    expect(said()).not.toContainEqual(expect.stringContaining('looks_wrong'));
    expect(stepsOf(await harness.endedCall(id))).toContain('transfer code');
  });

  it('is no part of the card number if it is sent as tones in the sound, and the card as events', async () => {
    const { id, code } = await coded({ callerPhone: '+15550103335' });
    const { caller, said } = await dial({ headers: { From: '<sip:+15550103335@trunk>' } });
    // As above; platforms wait a second or two.
    await caller.heard.waitFor(({ sound }) => sound === 'loud');
    await caller.audio.pressTones(code);
    await harness.said.waitFor(() => said().includes('ask card_number'));
    await caller.press(CARD);
    expect(await refersWith(caller)).toEqual([id, 'succeeded']);
    expect(said()).not.toContainEqual(expect.stringContaining('looks_wrong'));
    const row = await harness.endedCall(id);
    expect(stepsOf(row)).toContain('transfer code');
    expect(kindsOf(row)).toEqual(['keys by sound', 'keys by telephone-event']);
  });

  it('chooses its merchant if the caller has several payments', async () => {
    const callerPhone = '+15550103334';
    const { id, code } = await coded({ callerPhone });
    await coded({ callerPhone, merchantId: parseId('Merchant', 'mer_demo_books') });
    const { caller, said } = await dial({ headers: { From: `<sip:${callerPhone}@trunk>` } });
    await caller.press(code);
    await harness.said.waitFor(() => said().includes('greeting'));
    await caller.press(CARD);
    expect(await refersWith(caller)).toEqual([id, 'succeeded']);
  });
});

describe('a wrong code', () => {
  it('ends the call after three, with the sentence that no payment is waiting', async () => {
    const { code } = await coded();
    const other = code === '11111111' ? '22222222' : '11111111';
    const { caller, said } = await dial();
    await caller.press(other.repeat(3));
    expect(await caller.ended()).toBe('remote');
    expect(said()).toEqual(['no_payment_waiting']);
    expect(guesses.wrong).toEqual(
      Array.from({ length: 3 }, () => ({ accountId: DEMO_ACCOUNT, trunk: '127.0.0.0/8', number: '+15550107777' })),
    );
    expect(harness.log.entries.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('ends the call at the first one if the caller has tried too often, and the next call is refused', async () => {
    const { code } = await coded();
    guesses.limit = 1;
    const { caller } = await dial();
    await caller.press(code === '11111111' ? '22222222' : '11111111');
    expect(await caller.ended()).toBe('remote');
    expect(guesses.wrong).toHaveLength(1);
    expect((await dial()).status).toBe(404);
  });

  it('is the code of another account, of an expired session and of one that was paid', async () => {
    await coded();
    const rivals = await coded({
      accountId: parseId('Account', 'acct_rival') as AccountId,
      merchantId: parseId('Merchant', 'mer_rival'),
    });
    const [expired, paid] = [await coded(), await coded()];
    await harness.db.database.query('update checkout_sessions set expires_at = now() where id = $1', [expired.id]);
    await harness.payElsewhere(paid.id);
    const { caller, said } = await dial();
    await caller.press(rivals.code + expired.code + paid.code);
    expect(await caller.ended()).toBe('remote');
    expect([said(), guesses.wrong.length]).toEqual([['no_payment_waiting'], 3]);
    const theirs = await dial({}, RIVALS_NUMBER);
    await theirs.caller.press(rivals.code);
    await harness.said.waitFor(() => theirs.said().includes('greeting'));
    await theirs.caller.hangUp();
    await harness.endedCall(rivals.id);
  });
});

it('a caller who keys nothing hears after six seconds that no payment is waiting', async () => {
  await coded();
  const { caller, status, said } = await dial();
  expect(status).toBe(200);
  expect(await caller.ended()).toBe('remote');
  expect(said()).toEqual(['no_payment_waiting']);
  expect(caller.heard.entries.some(({ sound }) => sound === 'loud')).toBe(true);
  await expect.poll(() => harness.phone.calls).toBe(0);
});

it('a session that is on another call cannot be taken: the caller hears so', async () => {
  const { id, code } = await coded({ callerPhone: '+15550102222' });
  const first = await dial({ headers: { From: '<sip:+15550102222@trunk>' } });
  await harness.said.waitFor(() => first.said().includes('greeting'));
  const { caller, said } = await dial();
  await caller.press(code);
  expect(await caller.ended()).toBe('remote');
  expect(said().at(-1)).toBe('session_not_taken');
  await first.caller.hangUp();
  await harness.endedCall(id);
});

it('a caller who hangs up while the line listens leaves nothing behind', async () => {
  await coded();
  const before = (await harness.db.database.query('select from calls')).rowCount;
  const { caller } = await dial();
  await caller.press('1234');
  await caller.hangUp();
  await expect.poll(() => harness.phone.calls).toBe(0);
  expect((await harness.db.database.query('select from calls')).rowCount).toBe(before);
});

it('a number whose account has no open code refuses unknown callers at once', async () => {
  await harness.db.database.query('update checkout_sessions set transfer_code_hash = null');
  expect((await dial()).status).toBe(404);
});
