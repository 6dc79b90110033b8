/** `/v1/alert_targets`: who is told about attention items. */
import { describe, expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { AlertTargetResource } from '../../src/contract/alerts.ts';
import { insertAccount } from '../../src/db/keys/accounts.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { newId } from '../../src/domain/ids.ts';
import { useFixture } from '../support/fixtures.ts';
import { bearer, expectError } from './fixtures.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi());
const PATH = '/v1/alert_targets';
const SLACK = 'https://hooks.example.com/services/T0/B0/verysecretpath';

async function create(body: object, headers?: Record<string, string>): Promise<AlertTargetResource> {
  const { status, text, body: made } = await api.post(PATH, body, headers);
  expect(status, text).toBe(200);
  return AlertTargetResource.strict().parse(made);
}

async function newAccount(): Promise<Record<string, string>> {
  const account = newId('Account');
  await insertAccount(api.database, { id: account, name: 'Test account' });
  return bearer((await issueKey(api.database, SYSTEM, { accountId: account, mode: 'test' })).text);
}

describe('an alert target', () => {
  test('has defaults, is listed, changed and deleted, and each change is in the audit trail', async () => {
    const headers = await newAccount();
    const made = await create({ email: 'Ops@Example.com' }, headers);
    expect(made).toMatchObject({
      channel: 'email',
      email: 'ops@example.com',
      urgent_only: false,
      time_zone: 'UTC',
      quiet_from: null,
      summary_hour: null,
      last_message: null,
    });
    const path = `${PATH}/${made.alert_target_id}`;
    const change = { topics: ['keys'], quiet_from: 22, quiet_until: 7, summary_hour: 8, time_zone: 'Europe/Berlin' };
    const { body: changed } = await api.send('PATCH', path, change, headers);
    expect(changed).toEqual({ ...made, ...change });
    expect((await api.get(PATH, headers)).body.alert_targets).toEqual([changed]);
    expect((await api.send('DELETE', path, undefined, headers)).body).toMatchObject({ deleted: true });
    expect((await api.get(PATH, headers)).body.alert_targets).toEqual([]);
    expectError(await api.send('DELETE', path, undefined, headers), 'not_found');
    const { body } = await api.get(`/v1/audit_events?object=${made.alert_target_id}`, headers);
    expect((body.audit_events as { action: string }[]).map(({ action }) => action)).toEqual([
      'alert_target.deleted',
      'alert_target.changed',
      'alert_target.created',
    ]);
  });

  test('in Slack never shows its URL again, in no answer and in no audit event', async () => {
    const headers = await newAccount();
    const { alert_target_id: id, email } = await create({ slack_url: SLACK, name: '#payments' }, headers);
    expect(email).toBeNull();
    await api.send('PATCH', `${PATH}/${id}`, { slack_url: `${SLACK}2` }, headers);
    const audit = await api.get(`/v1/audit_events?object=${id}`, headers);
    expect(audit.text).toContain('"slack_url":"changed"');
    for (const { text } of [audit, await api.get(PATH, headers), await api.post(`${PATH}/${id}/test`, {}, headers)]) {
      expect(text).not.toContain('verysecretpath');
    }
  });

  test('gets a test message from a worker, ten times an hour at most', async () => {
    const { alert_target_id: id } = await create({ email: 'ops@example.com' });
    const { body } = await api.post(`${PATH}/${id}/test`, {});
    expect(body.last_message).toMatchObject({ kind: 'test', status: 'waiting', error_code: null });
    for (let sent = 1; sent < 10; sent += 1) await api.post(`${PATH}/${id}/test`, {});
    expectError(await api.post(`${PATH}/${id}/test`, {}), 'invalid_value');
  });

  test('gets ten test messages an hour at most, also from requests at the same time', async () => {
    const headers = await newAccount();
    const { alert_target_id: id } = await create({ email: 'ops@example.com' }, headers);
    const all = await Promise.all(Array.from({ length: 14 }, () => api.post(`${PATH}/${id}/test`, {}, headers)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(10);
  });

  test.each<[object, string]>([
    [{}, 'email'],
    [{ email: 'ops@example.com', slack_url: SLACK }, 'email'],
    [{ email: 'ops' }, 'email'],
    [{ email: 'ops@example.com', report_merchants: ['mer_none'] }, 'report_merchants'],
    [{ email: 'ops@example.com', report_merchants: ['nonsense'] }, 'report_merchants'],
    [{ email: 'ops@example.com', topics: [] }, 'topics'],
    [{ email: 'ops@example.com', topics: ['keys', 'keys'] }, 'topics'],
    [{ email: 'ops@example.com', time_zone: 'Mars/Base' }, 'time_zone'],
    [{ email: 'ops@example.com', quiet_from: 8 }, 'quiet_from'],
    [{ email: 'ops@example.com', quiet_from: 8, quiet_until: 8 }, 'quiet_from'],
    [{ email: 'ops@example.com', summary_hour: 24 }, 'summary_hour'],
    [{ email: 'ops@example.com', name: 'two\nlines' }, 'name'],
  ])('is refused as %j', async (body, param) => {
    expectError(await api.post(PATH, body), 'invalid_value', param);
  });

  test.each(['http://hooks.example.com/', 'https://user:pass@hooks.example.com/', 'file:///etc/passwd', 'nonsense'])(
    'is refused with the URL %s',
    async (url) => {
      expectError(await api.post(PATH, { slack_url: url }), 'invalid_url', 'slack_url');
    },
  );

  test('belongs to one account, and to one mode', async () => {
    const { alert_target_id: id } = await create({ email: 'ops@example.com' });
    const other = await newAccount();
    for (const answer of [
      await api.send('PATCH', `${PATH}/${id}`, { urgent_only: true }, other),
      await api.send('DELETE', `${PATH}/${id}`, undefined, other),
      await api.post(`${PATH}/${id}/test`, {}, other),
    ]) {
      expectError(answer, 'not_found');
    }
  });

  test('is one of twenty at most', async () => {
    const headers = await newAccount();
    for (let made = 0; made < 20; made += 1) await create({ email: `ops${made}@example.com` }, headers);
    expectError(await api.post(PATH, { email: 'ops@example.com' }, headers), 'invalid_value');
  });

  test('is one of fifty that are created in a day, so that no list of strangers can be emailed', async () => {
    const headers = await newAccount();
    for (let made = 0; made < 50; made += 1) {
      const { alert_target_id: id } = await create({ email: `stranger${made}@example.com` }, headers);
      await api.send('DELETE', `${PATH}/${id}`, undefined, headers);
    }
    expectError(await api.post(PATH, { email: 'stranger@example.com' }, headers), 'invalid_value', 'email');
    expect((await api.post(PATH, { slack_url: SLACK }, headers)).status).toBe(200);
  });
});
