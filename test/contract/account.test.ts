/** `/v1/account`: the account of the key, and where its callers can be sent. */
import { beforeAll, describe, expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { findAccount, insertAccount } from '../../src/db/keys/accounts.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { newId } from '../../src/domain/ids.ts';
import type { Mode } from '../../src/domain/session.ts';
import { RolledHeaderSecret } from '../../src/http/api/routes/account.ts';
import { useFixture } from '../support/fixtures.ts';
import { bearer, expectError, insertTestKeys, OTHER_KEY } from './fixtures.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi());
beforeAll(() => insertTestKeys(api));

const change = (body: unknown, key = OTHER_KEY) => api.send('PATCH', '/v1/account', body, bearer(key));

const NO_BRANDING = {
  page_accent_color: null,
  page_support_phone: null,
  page_support_email: null,
  page_terms_url: null,
  page_privacy_url: null,
};

async function newAccount() {
  const accountId = newId('Account');
  await insertAccount(api.database, { id: accountId, name: 'Own' });
  const keyOf = async (mode: Mode) => (await issueKey(api.database, SYSTEM, { accountId, mode })).text;
  return { accountId, keyOf, stored: () => findAccount(api.database, accountId) };
}

test("allows the demo's account to send callers to every public host and to no number", async () => {
  const facts = { account_id: 'acct_demo', name: 'Ringkey demo', currency: 'USD' };
  expect((await api.get('/v1/account')).body).toEqual({
    ...facts,
    return_hosts: ['*'],
    return_number_prefixes: [],
    text_countries: [],
    attestation_url: null,
    ...NO_BRANDING,
  });
});

describe('the secret of the SIP headers', () => {
  const roll = (key: string) => api.post('/v1/account/roll_header_signing_secret', undefined, bearer(key));

  test('rolls the header secret at once, shows it once, and stores it encrypted', async () => {
    const { accountId, keyOf, stored } = await newAccount();
    const before = await stored();
    const { status, body } = await roll(await keyOf('test'));
    expect(status).toBe(200);
    const { header_signing_secret: secret } = RolledHeaderSecret.strict().parse(body);
    expect(Buffer.from(secret, 'base64')).toHaveLength(32);
    const after = await stored();
    expect(before).toMatchObject({ headerSecretSealed: false });
    expect(after).toMatchObject({ id: accountId, headerSecretSealed: true });
    expect([before?.headerSigningSecret, secret]).not.toContain(after?.headerSigningSecret);
    const { rows } = await api.database.query('select to_jsonb(a) as row from accounts a');
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(api.log.join('')).not.toContain(secret);
    const events = await api.database.query('select action, changes from audit_events where object_id = $1', [
      accountId,
    ]);
    expect(events.rows).toEqual([{ action: 'account.secret_rolled', changes: {} }]);
  });

  test('rejects rolling the header secret with a test key if the account has live keys', async () => {
    const { keyOf, stored } = await newAccount();
    const [test, live] = [await keyOf('test'), await keyOf('live')];
    const before = await stored();
    expect((await roll(test)).status).toBe(401);
    expect(await stored()).toEqual(before);
    expect((await roll(live)).status).toBe(200);
  });

  test('rejects rolling the header secret without encryption keys', async () => {
    const without = await startTestApi({ vault: null });
    try {
      const answer = await without.post('/v1/account/roll_header_signing_secret', undefined);
      expect([answer.status, answer.body.error.code]).toEqual([422, 'not_configured']);
    } finally {
      await without.close();
    }
  });
});

describe('updating the account', () => {
  test('updates the attestation URL in the mode of the key only', async () => {
    const { accountId, keyOf } = await newAccount();
    const [test, live] = [await keyOf('test'), await keyOf('live')];
    const attestation_url = 'https://voice.example.com/attestation';
    expect((await change({ attestation_url }, live)).body).toMatchObject({ attestation_url });
    expect((await api.get('/v1/account', bearer(test))).body).toMatchObject({ attestation_url: null });
    expect((await change({ return_number_prefixes: [] }, live)).body).toMatchObject({ attestation_url });
    for (const url of ['http://voice.example.com/', 'https://10.0.0.1/', 'https://localhost/', 'voice.example.com']) {
      expectError(await change({ attestation_url: url }, live), 'invalid_url', 'attestation_url');
    }
    expect((await change({ attestation_url: null }, live)).body).toMatchObject({ attestation_url: null });
    const { rows } = await api.database.query(
      `select changes from audit_events where object_id = $1 and changes ? 'live_attestation_url' order by created_at, id`,
      [accountId],
    );
    expect(rows).toEqual([
      { changes: { live_attestation_url: { from: null, to: attestation_url } } },
      { changes: { live_attestation_url: { from: attestation_url, to: null } } },
    ]);
  });

  test('updates the pay page in the mode of the key only, and keeps omitted fields', async () => {
    const { accountId, keyOf } = await newAccount();
    const [test, live] = [await keyOf('test'), await keyOf('live')];
    const given = {
      page_accent_color: '#24569B',
      page_support_phone: '+442071838750',
      page_support_email: 'Billing@Example.com',
      page_terms_url: 'https://example.com/terms',
      page_privacy_url: 'https://example.com/privacy',
    };
    const branding = { ...given, page_accent_color: '#24569b', page_support_email: 'billing@example.com' };
    expect((await change(given, live)).body).toMatchObject(branding);
    expect((await api.get('/v1/account')).body).toMatchObject(NO_BRANDING);
    expect((await api.get('/v1/account', bearer(test))).body).toMatchObject(NO_BRANDING);
    expect((await change({ page_support_phone: null }, live)).body).toMatchObject({
      ...branding,
      page_support_phone: null,
    });
    expect((await change({ return_number_prefixes: [] }, live)).body).toMatchObject({ page_accent_color: '#24569b' });
    const { rows } = await api.database.query(
      `select changes -> 'live_page_accent_color' as color from audit_events
        where object_id = $1 and changes ? 'live_page_accent_color'`,
      [accountId],
    );
    expect(rows).toEqual([{ color: { from: null, to: '#24569b' } }]);
  });

  test('replaces the lists that are sent, in both modes', async () => {
    const { accountId: account_id, keyOf } = await newAccount();
    const [test, live] = [await keyOf('test'), await keyOf('live')];

    const hosts = ['agents.example.com', '*.example.org', '2001:db8::7', '*'];
    const facts = {
      account_id,
      name: 'Own',
      currency: 'USD',
      return_hosts: hosts,
      attestation_url: null,
      text_countries: [],
      ...NO_BRANDING,
    };
    const first = await change({ return_hosts: ['Agents.Example.com', '*.example.org', '[2001:db8::7]', '*'] }, live);
    expect(first.body).toEqual({ ...facts, return_number_prefixes: [] });
    const second = await change({ return_number_prefixes: ['+44', '+15551234567'] }, live);
    expect(second.body).toEqual({ ...facts, return_number_prefixes: ['+44', '+15551234567'] });
    expect((await api.get('/v1/account', bearer(test))).body).toEqual(second.body);
    const third = await change({ return_hosts: null, return_number_prefixes: [] }, live);
    expect(third.body).toEqual({ ...facts, return_hosts: null, return_number_prefixes: [] });
    expect((await change({}, test)).body).toEqual(third.body);
  });

  test('rejects changing the lists with a test key if the account has live keys', async () => {
    const { keyOf } = await newAccount();
    const test = await keyOf('test');
    expect((await change({ return_number_prefixes: ['+44'] }, test)).status).toBe(200);
    const live = await keyOf('live');
    for (const lists of [{ return_number_prefixes: ['+4'] }, { return_hosts: ['*'] }]) {
      expectError(await change({ page_accent_color: '#24569b', ...lists }, test), 'invalid_key');
    }
    const { body } = await api.get('/v1/account', bearer(test));
    expect(body).toMatchObject({ return_hosts: null, return_number_prefixes: ['+44'], page_accent_color: null });
    const same = { return_hosts: null, return_number_prefixes: ['+44'], page_accent_color: '#24569b' };
    expect((await change(same, test)).body).toMatchObject(same);
    expect((await change({ return_hosts: ['*'] }, live)).status).toBe(200);
  });

  test('updates the own account only', async () => {
    const before = await api.get('/v1/account');
    expect((await change({ return_hosts: ['voice.example.net'] })).body).toMatchObject({
      name: 'Other',
      return_hosts: ['voice.example.net'],
    });
    expect((await api.get('/v1/account')).body).toEqual(before.body);
  });

  const fifty = Array.from({ length: 50 }, (_, number) => `a${number}.example.com`);
  test.each([
    [{ return_hosts: ['agents.example.com:5060'] }, 'return_hosts.0'],
    [{ return_hosts: ['*', 'sip:agent@example.com'] }, 'return_hosts.1'],
    [{ return_hosts: ['203.0.113.0/24'] }, 'return_hosts.0'],
    [{ return_hosts: ['example.com', 'EXAMPLE.com'] }, 'return_hosts'],
    [{ return_hosts: [...fifty, 'one.too.many.example'] }, 'return_hosts'],
    [{ return_hosts: 'example.com' }, 'return_hosts'],
    [{ return_number_prefixes: ['44'] }, 'return_number_prefixes.0'],
    [{ return_number_prefixes: ['+'] }, 'return_number_prefixes.0'],
    [{ return_number_prefixes: ['+1234567890123456'] }, 'return_number_prefixes.0'],
    [{ account_id: 'acct_demo' }, 'account_id'],
  ])('rejects an invalid account setting (case %#)', async (body, param) => {
    const before = await api.get('/v1/account', bearer(OTHER_KEY));
    expectError(await change(body), 'invalid_value', param);
    expect((await api.get('/v1/account', bearer(OTHER_KEY))).body).toEqual(before.body);
  });

  test.each([
    ...['red;}', 'red', '#fff', '#24569g', '#24569b;', '24569b', ' #24569b', '</style>', 7].map(
      (color) => ['page_accent_color', color] as const,
    ),
    ...['0207 183 8750', 'tel:+442071838750', '+44', '"><script>'].map(
      (phone) => ['page_support_phone', phone] as const,
    ),
    ...['nobody', '<b>@example.com', 'a@b', 'a@example.com,b@example.com', 'a@example.com\r\nbcc: b'].map(
      (email) => ['page_support_email', email] as const,
    ),
  ])('rejects changing %s to %j', async (name, value) => {
    const before = await api.get('/v1/account', bearer(OTHER_KEY));
    expectError(await change({ [name]: value }), 'invalid_value', name);
    expect((await api.get('/v1/account', bearer(OTHER_KEY))).body).toEqual(before.body);
  });

  test.each(
    ['http://example.com', 'javascript:alert(1)', 'https://a:b@example.com', 'https://localhost', 'example.com'].map(
      (url) => [url],
    ),
  )('of the links of the pay page to %j is refused', async (url) => {
    for (const name of ['page_terms_url', 'page_privacy_url']) {
      expectError(await change({ [name]: url }), 'invalid_url', name);
    }
  });

  test('accepts fifty hosts', async () => {
    expect((await change({ return_hosts: fifty })).body).toMatchObject({ return_hosts: fifty });
  });
});
