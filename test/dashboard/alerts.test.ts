/** Alerts in the settings, and the user's own. */
import { beforeEach, expect, test } from 'vitest';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = useFixture(startDashboard);
beforeEach(async () => {
  await dashboard.api.database.query('delete from alert_targets');
  await dashboard.as('developer');
});

const readable = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const SETTINGS = {
  'topics:payments': 'on',
  'topics:service': 'on',
  time_zone: 'Europe/Berlin',
  quiet_from: '22',
  quiet_until: '7',
  summary_hour: '8',
};

async function added(fields: Record<string, string>): Promise<string> {
  const { status, headers, html } = await dashboard.submit('/test/setup/alerts/new', '/test/setup/alerts/new', {
    ...SETTINGS,
    ...fields,
  });
  expect(status, html).toBe(303);
  return String(headers.get('location')).replace('/dashboard', '').replace(/\?.*/, '');
}

test('adds, tests, changes and removes an alert of the account', async () => {
  const path = await added({ email: 'Ops@example.com' });
  expect(readable((await dashboard.get('/test/setup/alerts')).html)).toMatch(/ops@example\.com Email None yet/);
  await dashboard.submit(path, `${path}/test`);
  expect(readable((await dashboard.get(path)).html)).toMatch(/Last message Waiting Test,/);
  const wrong = await dashboard.submit(path, path, { ...SETTINGS, quiet_until: '' });
  expect(wrong.status).toBe(422);
  expect(readable(wrong.html)).toContain('must be two different hours');
  expect((await dashboard.submit(path, path, { ...SETTINGS, urgent_only: 'on', summary_hour: '' })).status).toBe(303);
  const { html } = await dashboard.get(path);
  expect(html).toMatch(/name="urgent_only" checked/);
  expect(html).toMatch(/name="topics:payments" checked/);
  expect(html).not.toMatch(/name="topics:keys" checked/);
  await dashboard.submit(path, `${path}/delete`);
  expect((await dashboard.get(path)).status).toBe(404);
  expect(readable((await dashboard.get('/test/audit')).html)).toContain('Alert target deleted');
});

test('never shows the URL of a Slack channel, and needs a recent sign-in for a live one', async () => {
  const slack = { slack_url: 'https://hooks.example.com/services/verysecret', name: '#payments' };
  const path = await added(slack);
  for (const page of [path, '/test/setup/alerts', '/test/audit'])
    expect((await dashboard.get(page)).html).not.toContain('verysecret');
  expect(readable((await dashboard.get(path)).html)).toContain('#payments');
  const wrong = await dashboard.submit('/test/setup/alerts/new', '/test/setup/alerts/new', {
    ...SETTINGS,
    slack_url: 'http://hooks.example.com/services/verysecret',
  });
  expect(wrong.status).toBe(422);
  expect(wrong.html).not.toContain('verysecret');
  await dashboard.api.database.query(`update user_sessions set created_at = created_at - interval '1 hour'`);
  const live = await dashboard.submit('/live/setup/alerts', '/live/setup/alerts/new', { ...SETTINGS, ...slack });
  expect(live.headers.get('location') ?? '').toContain('sign-in');
});

test.each(['/test/setup/alerts/new', '/test/your-alerts'])(
  'says at the problems of %s that one must be chosen',
  async (path) => {
    const none = { email: 'ops@example.com', time_zone: 'UTC', 'topics:': '' };
    const { status, html } = await dashboard.submit(path, path, none);
    expect(status).toBe(422);
    const field = html.match(/<fieldset class="field" id="field-topics">.*?<\/fieldset>/s)?.[0] ?? '';
    expect(readable(field)).toMatch(/This must name at least one\. *$/);
    expect(readable(html)).toContain('Topics must name at least one.');
    expect(html).toContain('href="#field-topics"');
    expect((await dashboard.api.database.query('select from alert_targets')).rowCount).toBe(0);
  },
);

test('lets support change no alerts of the account', async () => {
  const path = await added({ email: 'ops@example.com' });
  await dashboard.as('support');
  expect((await dashboard.submit(path, `${path}/delete`)).status).toBe(403);
  expect((await dashboard.submit(path, `${path}/test`)).status).toBe(403);
  expect((await dashboard.submit(path, path, SETTINGS)).status).toBe(403);
});

test('lets a viewer turn on own alerts, which no other user sees', async () => {
  await dashboard.as('viewer');
  const { email } = dashboard.user.user;
  const path = '/test/your-alerts';
  expect(readable((await dashboard.get(path)).html)).toContain(
    `Emails to ${email} about what needs attention in test mode`,
  );
  expect((await dashboard.submit(path, path, { time_zone: 'Mars/Base' })).status).toBe(422);
  expect((await dashboard.submit(path, path, SETTINGS)).status).toBe(303);
  expect((await dashboard.submit(path, `${path}/test`)).status).toBe(303);
  expect(readable((await dashboard.get(path)).html)).toMatch(/Last message Waiting Test,/);
  expect(readable((await dashboard.get('/live/your-alerts')).html)).toContain('Turn on alerts');
  await dashboard.as('owner');
  expect((await dashboard.get('/test/setup/alerts')).html).not.toContain(email);
  expect(readable((await dashboard.get(path)).html)).toContain('Turn on alerts');
  const { rows } = await dashboard.api.database.query(`select mode, user_id from alert_targets where account_id = $1`, [
    DEMO_ACCOUNT,
  ]);
  expect(rows).toHaveLength(1);
});

test('turns own alerts off', async () => {
  const path = '/test/your-alerts';
  await dashboard.submit(path, path, SETTINGS);
  expect((await dashboard.submit(path, `${path}/delete`)).status).toBe(303);
  expect(readable((await dashboard.get(path)).html)).toContain('Turn on alerts');
  expect((await dashboard.submit(path, `${path}/test`)).status).toBe(404);
});
