/** `return_to` of `create_checkout`: rejected at once if the call could not be sent there. */
import { beforeAll, describe, expect, test } from 'vitest';
import { errorEntry } from '../../src/contract/errors.ts';
import { useFixture } from '../support/fixtures.ts';
import { bearer, insertTestKeys, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { type Answer, startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi());
beforeAll(() => insertTestKeys(api));

/** The demo's account has `*`, the other one nothing. */
const KEYS = { demo: undefined, live: LIVE_KEY, other: OTHER_KEY } as const;
type Who = keyof typeof KEYS;

const headersOf = (who: Who) => (KEYS[who] === undefined ? {} : bearer(KEYS[who]));

/** With an unknown merchant number: `return_to` is checked even if nothing is to be paid. */
const ask = (who: Who, return_to: string) =>
  api.post('/v1/create_checkout', { merchant_number: '+15550100777', amount_cents: 100, return_to }, headersOf(who));

function expectRefusal({ status, body }: Answer, what: RegExp): void {
  expect([status, body.error?.code, body.error?.param]).toEqual([400, 'invalid_value', 'return_to']);
  expect(body.error.message).toMatch(what);
  expect(body.error.agent_message).toBe(errorEntry('invalid_value').agentMessage);
}

describe('a host', () => {
  test.each<[Who, string, RegExp]>([
    ['demo', 'sip:agent@10.0.0.1', /RINGKEY_RETURN_ALLOWED/],
    ['demo', 'sip:agent@169.254.169.254', /RINGKEY_RETURN_ALLOWED/],
    ['demo', 'sip:agent@[::ffff:10.0.0.1]', /RINGKEY_RETURN_ALLOWED/],
    ['demo', 'sip:agent@2130706433', /RINGKEY_RETURN_ALLOWED/],
    ['demo', 'sip:agent@freeswitch', /RINGKEY_RETURN_ALLOWED/],
    ['demo', 'sips:agent@db.internal', /RINGKEY_RETURN_ALLOWED/],
    ['other', 'sip:agent@192.168.0.9', /RINGKEY_RETURN_ALLOWED/],
  ])('rejects the host that is not public (%s: %s)', async (who, returnTo, what) => {
    expectRefusal(await ask(who, returnTo), what);
  });

  test('accepts all hosts in test mode until the account has a list, which then applies to this account only', async () => {
    const change = (return_hosts: unknown) => api.send('PATCH', '/v1/account', { return_hosts }, bearer(OTHER_KEY));
    expect((await ask('other', 'sip:agent@voice.example.com')).status).toBe(200);
    await change(['agents.example.org']);
    expectRefusal(await ask('other', 'sip:agent@voice.example.com'), /return_hosts/);
    expectRefusal(await ask('other', 'sip:agents.example.org;x=1@voice.example.com'), /return_hosts/);
    expect((await ask('other', 'sip:agent@Agents.Example.org.:5070')).status).toBe(200);
    expect((await ask('demo', 'sip:agent@voice.example.com')).status).toBe(200);
    await change(null);
  });

  test('allows hosts on the operator’s list for all accounts', async () => {
    for (const who of ['demo', 'live', 'other'] as const) {
      expect((await ask(who, 'sip:agent@127.0.0.1:5090')).status).toBe(200);
    }
  });
});

describe('a URI', () => {
  test.each<[Who, string]>([
    ['demo', 'sip:agent:secret@127.0.0.1:5090'],
    ['live', 'sips:agent:@voice.example.com'],
    ['demo', 'https://user:secret@example.com/thanks'],
  ])('rejects a URI with a password without repeating it (%s: %s)', async (who, returnTo) => {
    const answer = await ask(who, returnTo);
    expectRefusal(answer, /password/);
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  });

  test('requires https: for a page in live mode', async () => {
    expectRefusal(await ask('live', 'http://example.com/thanks'), /https:/);
    expect((await ask('live', 'https://example.com/thanks')).status).toBe(200);
    expect((await ask('demo', 'http://example.com/thanks')).status).toBe(200);
  });
});

describe('a number', () => {
  test.each<[Who, string, RegExp]>([
    ['live', '+12125550123', /return_number_prefixes/],
    ['live', 'tel:+1-212-555-0123', /return_number_prefixes/],
    ['live', '911', /E\.164/],
    ['demo', '112', /E\.164/],
    ['demo', 'tel:+881612345678', /satellite/],
  ])('rejects the number (%s: %s)', async (who, returnTo, what) => {
    expectRefusal(await ask(who, returnTo), what);
  });

  test('accepts a number with a prefix of the account', async () => {
    await api.send('PATCH', '/v1/account', { return_number_prefixes: ['+1212'] }, bearer(LIVE_KEY));
    expect((await ask('live', '+12125550123')).status).toBe(200);
    expectRefusal(await ask('live', '+13105550123'), /return_number_prefixes/);
    await api.send('PATCH', '/v1/account', { return_number_prefixes: [] }, bearer(LIVE_KEY));
  });
});

test('accepts a web address for the pay page', async () => {
  expect((await ask('live', 'https://example.com/thanks')).status).toBe(200);
});

test('rejects it in the tool form, too, and creates no session', async () => {
  const count = async () =>
    (await api.database.query('select count(*)::integer as count from checkout_sessions')).rows[0]?.count;
  const before = await count();
  const body = { amount_cents: 100, return_to: 'sip:agent@10.0.0.1' };
  expectRefusal(await api.post('/api/tools/create_checkout', body, { 'x-ringkey-merchant': 'demo-diner' }), /RINGKEY/);
  expect(await count()).toBe(before);
});
