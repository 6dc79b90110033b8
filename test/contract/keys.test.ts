/** `/v1/keys`, and the effect of changes on requests with the key. */

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { IssuedKeyResource, KeyResource, RolledKeyResource } from '../../src/accounts/keys/resources.ts';
import { insertAccount } from '../../src/db/keys/accounts.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { type AccountId, newId } from '../../src/domain/ids.ts';
import { hashKey } from '../../src/domain/key.ts';
import type { Mode } from '../../src/domain/session.ts';
import { KeyList } from '../../src/http/api/routes/keys.ts';
import { deferred } from '../../src/lib/concurrency/deferred.ts';
import { DEMO_ACCOUNT, DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());
afterEach(() => void vi.useRealTimers());

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** A key of the account, or of a new one. */
async function ownKey(mode: Mode = 'test', accountId?: AccountId): Promise<{ id: string; text: string }> {
  const account = accountId ?? newId('Account');
  await insertAccount(api.database, { id: account, name: 'Test account' });
  const { key, text } = await issueKey(api.database, SYSTEM, { accountId: account, mode });
  return { id: key.id, text };
}

async function remove(path: string, key: string): Promise<Answer> {
  const response = await fetch(api.url + path, { method: 'DELETE', headers: bearer(key) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

const codeOf = ({ status, body }: Answer) => [status, body.error?.code, body.error?.param];

/** Whether requests with the key are accepted. */
async function opens(key: string): Promise<boolean> {
  const { status, body } = await api.get('/v1/keys', bearer(key));
  if (status === 200) return true;
  expect(body.error.code).toBe('invalid_key');
  return false;
}

describe('a new key', () => {
  test('creates a random key, shows it once, and stores only its hash', async () => {
    const own = await ownKey();
    const created = await api.post('/v1/keys', { name: 'Voice agent' }, bearer(own.text));
    const issued = IssuedKeyResource.strict().parse(created.body);
    expect(issued).toMatchObject({ environment: 'test', name: 'Voice agent', expires_at: null, revoked_at: null });
    expect(issued.key).toMatch(/^rk_test_[A-Za-z0-9_-]{32,}$/);
    expect(issued.prefix).toBe(issued.key.slice(0, 12));
    expect(await opens(issued.key)).toBe(true);
    const listed = await api.get('/v1/keys', bearer(own.text));
    expect(KeyList.strict().parse(listed.body).keys[0]).toMatchObject({ key_id: issued.key_id });
    expect(listed.text).not.toContain(issued.key);
    const { rows } = await api.database.query('select to_jsonb(k) as row from keys k');
    expect(JSON.stringify(rows)).not.toContain(issued.key);
    expect(JSON.stringify(rows)).toContain(hashKey(issued.key).toString('hex'));
    expect(api.log.join('')).not.toContain(issued.key);
  });

  test('creates a key only in the mode of the requesting key', async () => {
    const live = await ownKey('live');
    const { body } = await api.post('/v1/keys', { environment: 'live' }, bearer(live.text));
    expect(body).toMatchObject({ environment: 'live', key: expect.stringMatching(/^rk_live_/) });
    expect(codeOf(await api.post('/v1/keys', { environment: 'test' }, bearer(live.text)))).toEqual([
      401,
      'invalid_key',
      undefined,
    ]);
  });

  test.each([
    [{ environment: 'production' }, 'invalid_environment', 'environment'],
    [{ environment: 5 }, 'invalid_environment', 'environment'],
    [{ name: ' ' }, 'invalid_value', 'name'],
    [{ name: 'x'.repeat(101) }, 'invalid_value', 'name'],
  ])('rejects a key with %j', async (body, code, param) => {
    expect(codeOf(await api.post('/v1/keys', body))).toEqual([400, code, param]);
  });
});

describe('an account’s keys', () => {
  async function accountWith(active: number): Promise<{ text: string; count(): Promise<number | null> }> {
    const account = newId('Account');
    const { text } = await ownKey('test', account);
    await api.database.query(
      `insert into keys (id, account_id, mode, key_hash, prefix)
       select 'key_many' || n || $1, $1, 'test', sha256(('many' || n || $1)::bytea), 'rk_test_many'
         from generate_series(2, $2::integer) n`,
      [account, active],
    );
    const all = () => api.database.query('select 1 from keys where account_id = $1', [account]);
    return { text, count: async () => (await all()).rowCount };
  }

  const newest = async (key: string) =>
    KeyList.parse((await api.get('/v1/keys?limit=1', bearer(key))).body).keys[0]?.key_id;

  test('limits an account to 100 keys per mode, also at once, until one is revoked', async () => {
    const { text, count } = await accountWith(98);
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.post('/v1/keys', {}, bearer(text))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400, 400]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body.error).toMatchObject({ code: 'invalid_value', message: expect.stringContaining('100 keys') });
    expect(await count()).toBe(100);
    await remove(`/v1/keys/${await newest(text)}`, text);
    expect((await api.post('/v1/keys', {}, bearer(text))).status).toBe(200);
  });

  test('rolls keys at the limit, up to 200 active keys', async () => {
    const full = await accountWith(100);
    const roll = async (key: string, body: object) => api.post(`/v1/keys/${await newest(key)}/roll`, body, bearer(key));
    expect((await roll(full.text, {})).status).toBe(200);
    const over = await accountWith(200);
    expect(codeOf(await roll(over.text, {}))).toEqual([400, 'invalid_value', undefined]);
    expect((await roll(over.text, { expires_in_seconds: 0 })).status).toBe(200);
  });
});

describe('the list', () => {
  test('lists the keys of one account and mode in pages, newest first', async () => {
    const account = newId('Account');
    const first = await ownKey('test', account);
    await ownKey('live', account);
    await ownKey();
    const ids = [first.id];
    for (const name of ['a', 'b', 'c']) {
      ids.unshift(String((await api.post('/v1/keys', { name }, bearer(first.text))).body.key_id));
    }
    const page = async (query: string) => {
      const { keys, has_more } = KeyList.parse((await api.get(`/v1/keys?${query}`, bearer(first.text))).body);
      return { ids: keys.map((key) => key.key_id), has_more };
    };
    expect(await page('')).toEqual({ ids, has_more: false });
    expect(await page('limit=3')).toEqual({ ids: ids.slice(0, 3), has_more: true });
    expect(await page(`limit=3&starting_after=${ids[2]}`)).toEqual({ ids: ids.slice(3), has_more: false });
  });

  test.each([
    ['limit=0', 400, 'invalid_value', 'limit'],
    ['limit=101', 400, 'invalid_value', 'limit'],
    ['limit=1e1', 400, 'invalid_value', 'limit'],
    ['limit=1&limit=2', 400, 'invalid_value', 'limit'],
    ['starting_after=key_nobody', 400, 'invalid_value', 'starting_after'],
    ['starting_after=%00', 400, 'invalid_value', 'starting_after'],
  ])('rejects the query %s', async (query, status, code, param) => {
    expect(codeOf(await api.get(`/v1/keys?${query}`))).toEqual([status, code, param]);
  });
});

describe('retrieving a key', () => {
  test('returns the object of the list, for active, rolled and revoked keys', async () => {
    const own = await ownKey();
    const created = async (body: object) => (await api.post('/v1/keys', body, bearer(own.text))).body.key_id as string;
    await created({ name: 'Voice agent', scope: 'agent', allowed_sources: ['203.0.113.0/24'] });
    await api.post(`/v1/keys/${await created({ name: 'Rolled' })}/roll`, {}, bearer(own.text));
    await remove(`/v1/keys/${await created({ name: 'Revoked' })}`, own.text);
    const { keys } = KeyList.parse((await api.get('/v1/keys', bearer(own.text))).body);
    expect(keys).toHaveLength(5);
    for (const key of keys) {
      const { status, body } = await api.get(`/v1/keys/${key.key_id}`, bearer(own.text));
      expect([status, body]).toEqual([200, key]);
    }
  });

  test.each(['key_nobody', 'cs_1', "key_'", 'key_%00'])('does not find the malformed or unknown ID %s', async (id) => {
    expect(codeOf(await api.get(`/v1/keys/${id}`))).toEqual([404, 'key_not_found', 'key_id']);
  });

  test('does not find keys of another account, and rejects keys of the other mode', async () => {
    const account = newId('Account');
    const [own, live, foreign] = [await ownKey('test', account), await ownKey('live', account), await ownKey()];
    const read = async (id: string) => codeOf(await api.get(`/v1/keys/${id}`, bearer(own.text)));
    expect(await read(foreign.id)).toEqual([404, 'key_not_found', 'key_id']);
    expect(await read(live.id)).toEqual([401, 'invalid_key', undefined]);
  });

  test('requires the scope `full`, like the list', async () => {
    const own = await ownKey();
    const agent = (await api.post('/v1/keys', { scope: 'agent' }, bearer(own.text))).body;
    for (const path of ['/v1/keys', `/v1/keys/${own.id}`]) {
      expect(codeOf(await api.get(path, bearer(String(agent.key))))).toEqual([401, 'invalid_key', undefined]);
    }
  });
});

describe('a revoked key', () => {
  test('rejects a revoked key from the next request on, also if it was cached', async () => {
    const [own, other] = [await ownKey('test', DEMO_ACCOUNT), await ownKey('test', DEMO_ACCOUNT)];
    expect(await opens(other.text)).toBe(true);
    const revoked = await remove(`/v1/keys/${other.id}`, own.text);
    expect(KeyResource.strict().parse(revoked.body).revoked_at).not.toBeNull();
    expect(await opens(other.text)).toBe(false);
    expect(await opens(other.text)).toBe(false);
  });

  test('keeps the time of the first revocation', async () => {
    const [own, other] = [await ownKey('test', DEMO_ACCOUNT), await ownKey('test', DEMO_ACCOUNT)];
    const first = await remove(`/v1/keys/${other.id}`, own.text);
    expect((await remove(`/v1/keys/${other.id}`, own.text)).body).toEqual(first.body);
  });

  test('does not cache a revoked key again from a concurrent read', async () => {
    const other = await ownKey('test', DEMO_ACCOUNT);
    const query = api.database.query.bind(api.database) as (...args: unknown[]) => Promise<unknown>;
    let hold = true;
    const [read, held] = [deferred<void>(), deferred<void>()];
    // The late request has read its row when the key is revoked.
    const late = Object.assign(Object.create(api.database) as TestApi['database'], {
      query: async (...args: unknown[]) => {
        const result = await query(...args);
        if (hold && JSON.stringify(args).includes('find_key')) {
          hold = false;
          read.resolve();
          await held.promise;
        }
        return result;
      },
    });
    const second = await startTestApi({ database: late });
    const withKey = () => fetch(`${second.url}/v1/keys`, { headers: bearer(other.text) });
    const lateAnswer = withKey();
    await read.promise;
    const revoked = await fetch(`${second.url}/v1/keys/${other.id}`, { method: 'DELETE', headers: bearer(DEMO_KEY) });
    expect(revoked.status).toBe(200);
    held.resolve();
    expect((await lateAnswer).status).toBe(200);
    expect((await withKey()).status).toBe(401);
    await second.close();
  });
});

describe('a rolled key', () => {
  test('keeps a rolled key valid for the chosen time', async () => {
    const old = await ownKey();
    expect(await opens(old.text)).toBe(true);
    const answer = await api.post(`/v1/keys/${old.id}/roll`, { expires_in_seconds: 604_800 }, bearer(old.text));
    const rolled = RolledKeyResource.strict().parse(answer.body);
    expect(rolled.replaces.key_id).toBe(old.id);
    const leftMs = Date.parse(rolled.replaces.expires_at ?? '') - Date.now();
    expect(leftMs).toBeGreaterThan(604_800_000 - 60_000);
    expect(leftMs).toBeLessThanOrEqual(604_800_000);
    expect([await opens(old.text), await opens(rolled.key)]).toEqual([true, true]);
  });

  test('ends a rolled key at once if the time is 0', async () => {
    const old = await ownKey();
    expect(await opens(old.text)).toBe(true);
    const { body } = await api.post(`/v1/keys/${old.id}/roll`, { expires_in_seconds: 0 }, bearer(old.text));
    expect([await opens(old.text), await opens(String(body.key))]).toEqual([false, true]);
  });

  test('keeps a rolled key valid for a day by default, and never extends its expiry', async () => {
    const old = await ownKey();
    const roll = async (body: unknown) =>
      RolledKeyResource.parse((await api.post(`/v1/keys/${old.id}/roll`, body, bearer(old.text))).body).replaces;
    const first = await roll({});
    expect(Date.parse(first.expires_at ?? '') - Date.now()).toBeGreaterThan(86_000_000);
    expect(await roll({ expires_in_seconds: 604_800 })).toEqual(first);
  });

  test('rejects an expired key, also in the cache', async () => {
    const old = await ownKey();
    await api.database.query(`update keys set expires_at = now() + interval '1 hour' where id = $1`, [old.id]);
    expect(await opens(old.text)).toBe(true);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    expect(await opens(old.text)).toBe(false);
  });

  test.each([-1, 604_801, 1.5, '60', false])('rejects rolling a key with %j seconds', async (expires_in_seconds) => {
    const old = await ownKey();
    const answer = await api.post(`/v1/keys/${old.id}/roll`, { expires_in_seconds }, bearer(old.text));
    expect(codeOf(answer)).toEqual([400, 'invalid_value', 'expires_in_seconds']);
  });

  test('does not roll a revoked key', async () => {
    const [own, dead] = [await ownKey('test', DEMO_ACCOUNT), await ownKey('test', DEMO_ACCOUNT)];
    await remove(`/v1/keys/${dead.id}`, own.text);
    expect(codeOf(await api.post(`/v1/keys/${dead.id}/roll`, {}, bearer(own.text)))).toEqual([
      404,
      'key_not_found',
      undefined,
    ]);
  });
});

describe('keys of other accounts and modes', () => {
  test('does not revoke or roll a key of another account', async () => {
    const [own, other] = [await ownKey(), await ownKey()];
    expect(codeOf(await remove(`/v1/keys/${other.id}`, own.text))).toEqual([404, 'key_not_found', 'key_id']);
    expect(codeOf(await api.post(`/v1/keys/${other.id}/roll`, {}, bearer(own.text)))).toEqual([
      404,
      'key_not_found',
      'key_id',
    ]);
    expect(await opens(other.text)).toBe(true);
  });

  test('does not revoke a key of the other mode', async () => {
    const account = newId('Account');
    const [own, live] = [await ownKey('test', account), await ownKey('live', account)];
    expect(codeOf(await remove(`/v1/keys/${live.id}`, own.text))).toEqual([401, 'invalid_key', undefined]);
    expect(await opens(live.text)).toBe(true);
  });

  test.each(['key_nobody', 'cs_1', "key_'", 'key_%00'])('does not find the unknown key %s', async (id) => {
    expect(codeOf(await remove(`/v1/keys/${id}`, (await ownKey()).text))).toEqual([404, 'key_not_found', 'key_id']);
  });
});

test('accepts a key for at most a second after another process has revoked it', async () => {
  const { id, text } = await ownKey();
  expect(await opens(text)).toBe(true);
  await api.database.query('update keys set revoked_at = now() where id = $1', [id]);
  const changedAt = performance.now();
  // When the last accepted request was sent. The answer may take longer on a busy machine.
  let letInAt = changedAt;
  for (let sentAt = changedAt; await opens(text); sentAt = performance.now()) letInAt = sentAt;
  expect(letInAt - changedAt).toBeLessThan(1_000);
});
