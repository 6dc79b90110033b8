/** Alerts: one message for all that is new, once; quiet hours; failures; Slack. Against a mailer of the test and a real HTTP server. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { inviteUser, removeUser } from '../../../src/accounts/users/manage.ts';
import { addAlertTarget, sendTestAlert, setOwnAlerts } from '../../../src/alerts/manage.ts';
import { claimAlerts } from '../../../src/db/alerts/alert-messages.ts';
import { findAlertTarget } from '../../../src/db/alerts/alert-targets.ts';
import { DELIVERY_FINDERS } from '../../../src/db/attention/delivery.ts';
import { type AlertSettings, DEFAULT_ALERTS } from '../../../src/domain/alerts.ts';
import { SYSTEM } from '../../../src/domain/audit.ts';
import { newId } from '../../../src/domain/ids.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { startSlackChannel } from '../../support/slack-channel.ts';
import { useTestAlerts } from './test-alerts.ts';

const db = useTestDatabase();
const { merchant, scopeOf, manage, target, open, close, agePast, gather, sweep, due, answerWith } = useTestAlerts(db);

describe('a message', () => {
  test('has everything that is new, once, with links, and says later what is resolved', async () => {
    await target();
    expect(await sweep()).toEqual([]);
    const refusing = await open('processor_refusing', 'x', { processor: 'stripe', count: 4, of: 5 });
    await open('key_expiring', 'key_one', { name: 'Agents', endsAt: '2026-12-01T00:00:00Z' });
    const [email, ...others] = await sweep();
    expect(others).toEqual([]);
    expect(email).toMatchObject({
      to: 'ops@example.com',
      fromName: 'Ringkey',
      subject: expect.stringMatching(/, test mode: 2 problems need attention$/),
    });
    expect(email?.text).toMatch(/Urgent: Stripe refuses charges at .*\n(.*\n)*API key Agents expires on 1 Dec 2026/);
    expect(email?.text).toContain(`https://pay.example.com/dashboard/test/setup/merchants/${merchant.merchantId}`);
    expect(email?.html).toContain('<html lang="en">');
    expect(await sweep()).toEqual([]);
    await close(refusing);
    const [resolved] = await sweep();
    expect(resolved?.subject).toMatch(/: Resolved: Stripe refuses charges at /);
    expect(await sweep()).toEqual([]);
  });

  test('names twenty problems, and says how many more there are', async () => {
    await target();
    for (let made = 0; made < 22; made += 1) await open('charge_to_settle');
    const [email] = await sweep();
    expect(email?.subject).toMatch(/22 problems need attention$/);
    expect(email?.text.match(/has no outcome/g)).toHaveLength(20);
    expect(email?.text).toContain('2 more\n');
  });

  test('is only about the topics of the target, and not about what is set aside or gone', async () => {
    await target({ topics: ['keys'] });
    await open('charge_to_settle');
    const done = await open('key_expiring', 'key_done');
    await db.database.query('insert into attention_marks (item_id, account_id, done_at) values ($1, $2, now())', [
      done,
      merchant.accountId,
    ]);
    await close(await open('key_expiring', 'key_gone'));
    expect(await sweep()).toEqual([]);
  });

  test('follows again if an item that was quiet still needs attention', async () => {
    await target();
    const id = await open('charge_to_settle');
    expect(await sweep()).toHaveLength(1);
    await db.database.query(
      `insert into attention_marks (item_id, account_id, quiet_until) values ($1, $2, now() + interval '1 hour')`,
      [id, merchant.accountId],
    );
    await agePast('opened_told_at', 60);
    expect(await sweep()).toEqual([]);
    await db.database.query(`update attention_marks set quiet_until = now() - interval '1 minute' where item_id = $1`, [
      id,
    ]);
    expect(await sweep()).toHaveLength(1);
    expect(await sweep()).toEqual([]);
  });

  test('about a problem that comes back waits for 30 minutes after the last one about it', async () => {
    await target();
    await close(await open('processor_slow', 'same'));
    const first = await open('processor_slow', 'same');
    expect(await sweep()).toHaveLength(1);
    await close(first);
    await open('processor_slow', 'same');
    expect((await sweep())[0]?.subject).toMatch(/Resolved: /);
    await agePast('opened_told_at', 31);
    expect((await sweep())[0]?.subject).not.toMatch(/Resolved: /);
  });

  test('about something that is not urgent waits for the end of quiet hours', async () => {
    const hour = new Date().getUTCHours();
    await target({ quietFrom: hour, quietUntil: (hour + 2) % 24 });
    await open('key_expiring', 'key_one');
    expect(await sweep()).toEqual([]);
    await open('late_charge');
    expect((await sweep())[0]?.subject).toMatch(/ was paid late$/);
    await db.database.query('update alert_targets set quiet_from = $1, quiet_until = $2', [
      (hour + 3) % 24,
      (hour + 5) % 24,
    ]);
    expect((await sweep())[0]?.text).toContain('API key');
  });

  test('shows names of merchants without markup and control characters', async () => {
    await db.database.query(`update merchants set business_name = $2 where id = $1`, [
      merchant.merchantId,
      '<b>Diner\u202e',
    ]);
    await target();
    await open('processor_slow', 'x', { processor: 'stripe', seconds: 9 });
    const [email] = await sweep();
    expect(email?.html).toContain('Stripe is slow at &lt;b&gt;Diner');
    expect(email?.subject).not.toContain('\u202e');
  });
});

describe('a target that fails', () => {
  test('gets the same message again, with the same ID, and then one with all that happened meanwhile', async () => {
    const { id } = await target();
    await open('charge_to_settle');
    answerWith({ status: 'unavailable', code: '451' });
    const [first] = await sweep();
    await open('refund_to_settle', newId('Refund'));
    expect(await sweep()).toEqual([]);
    answerWith({ status: 'sent' });
    await due();
    const [again] = await sweep();
    expect(again).toEqual(first);
    expect((await sweep())[0]?.subject).toMatch(/Refund of .* has no outcome$/);
    expect((await findAlertTarget(db.database, scopeOf(), id))?.last).toMatchObject({
      status: 'sent',
      errorCode: null,
    });
  });

  test('needs attention itself after three failures, until a message arrives', async () => {
    const { id } = await target();
    answerWith({ status: 'refused', code: '550' });
    for (let made = 0; made < 3; made += 1) {
      await sendTestAlert(db.database, { id });
      await sweep();
    }
    const found = async () => {
      const finder = DELIVERY_FINDERS.find(({ kind }) => kind === 'alerts_undelivered');
      return (await finder?.find(db.database, scopeOf()))?.map(({ subject, facts }) => ({ subject, facts }));
    };
    expect(await found()).toEqual([{ subject: id, facts: { name: 'ops@example.com', count: 3 } }]);
    expect((await findAlertTarget(db.database, scopeOf(), id))?.last).toMatchObject({
      status: 'failed',
      errorCode: '550',
    });
    answerWith({ status: 'sent' });
    await sendTestAlert(db.database, { id });
    await sweep();
    expect(await found()).toEqual([]);
  });

  test('gets the message of a worker that was killed while it sent it, and no other one', async () => {
    await target();
    await open('charge_to_settle');
    await gather();
    const [claimed] = await claimAlerts(db.database, 10, 600_000);
    expect(await sweep()).toEqual([]);
    await due();
    expect(await sweep()).toMatchObject([{ id: claimed?.id }]);
    await due();
    expect(await sweep()).toEqual([]);
  });
});

describe('a user', () => {
  test('gets alerts at the address of the sign-in until they are turned off or the user is removed', async () => {
    const by = { accountId: merchant.accountId, name: '', role: 'owner' } as const;
    await inviteUser(db.database, SYSTEM, { ...by, email: `boss-${merchant.merchantId}@example.com` });
    const { user } = await inviteUser(db.database, SYSTEM, {
      ...by,
      role: 'viewer',
      email: `${merchant.merchantId}@example.com`,
    });
    const own = (settings: AlertSettings | null) =>
      setOwnAlerts(manage(), SYSTEM, { ...scopeOf(), userId: user.id }, settings);
    await own({ ...DEFAULT_ALERTS, topics: ['payments'] });
    await own({ ...DEFAULT_ALERTS, urgentOnly: true });
    await open('key_expiring', 'key_one');
    await open('late_charge');
    expect(await sweep()).toMatchObject([{ to: user.email, text: expect.stringContaining('you turned on alerts') }]);
    await own(null);
    await open('late_charge');
    expect(await sweep()).toEqual([]);
    await own(DEFAULT_ALERTS);
    await removeUser(db.database, SYSTEM, { accountId: merchant.accountId, userId: user.id });
    expect(await sweep()).toEqual([]);
    const { rows } = await db.database.query(
      `select action from audit_events where account_id = $1 and action like 'alert_target.%' order by created_at, id`,
      [merchant.accountId],
    );
    expect(rows.map(({ action }) => action)).toEqual(
      ['created', 'changed', 'deleted', 'created'].map((what) => `alert_target.${what}`),
    );
  });
});

test('a user whose alerts are not delivered is not named by the address to the other targets of the account', async () => {
  const email = `jordan-${merchant.merchantId}@example.com`;
  const invited = { accountId: merchant.accountId, name: '', role: 'viewer', email } as const;
  const { user } = await inviteUser(db.database, SYSTEM, invited);
  await setOwnAlerts(manage(), SYSTEM, { ...scopeOf(), userId: user.id }, DEFAULT_ALERTS);
  await db.database.query('update alert_targets set failures = 3 where user_id = $1', [user.id]);
  const finder = DELIVERY_FINDERS.find(({ kind }) => kind === 'alerts_undelivered');
  const found = await finder?.find(db.database, scopeOf());
  expect(found?.map(({ facts }) => facts)).toEqual([{ name: 'j…@example.com', count: 3 }]);
});

describe('a channel in Slack', () => {
  async function startSlack(status = 200) {
    const channel = await startSlackChannel(status);
    onTestFinished(channel.close);
    return channel;
  }
  const last = async () => (await db.database.query('select status, error_code from alert_messages')).rows[0];

  test('gets text and blocks, in which names cannot mention anyone', async () => {
    const { bodies, url } = await startSlack();
    await db.database.query(`update merchants set business_name = $2 where id = $1`, [
      merchant.merchantId,
      '<!channel> & co',
    ]);
    // A name can be an address. Slack makes a link of it unless the text is verbatim.
    const { id } = await target({}, { slackUrl: url });
    await open('processor_slow', 'x', { processor: 'stripe', seconds: 9 });
    await open('late_charge');
    await sweep();
    expect(bodies).toHaveLength(1);
    expect(bodies[0]?.text).toMatch(/: 2 problems need attention$/);
    expect(bodies[0]?.blocks.map(({ type }) => type)).toEqual(['header', 'context', 'section', 'section', 'context']);
    expect(JSON.stringify(bodies[0])).toContain('Stripe is slow at &lt;!channel&gt; &amp; co');
    expect(JSON.stringify(bodies[0])).toContain('<https://pay.example.com/dashboard/test/charges');
    expect(bodies[0]?.blocks[2]?.text).toMatchObject({ type: 'mrkdwn', verbatim: true });
    const { rows } = await db.database.query('select slack_url from alert_targets where id = $1', [id]);
    expect(rows[0]?.slack_url).not.toContain('services');
    expect(await last()).toEqual({ status: 'sent', error_code: null });
  });

  test('that is gone ends the message, and a private address of live mode gets none', async () => {
    const { url } = await startSlack(404);
    await target({}, { slackUrl: url });
    await open('late_charge');
    await sweep();
    expect(await last()).toEqual({ status: 'failed', error_code: '404' });
    await db.database.query(`delete from alert_messages`);
    const slack = await startSlack();
    await addAlertTarget(manage(), SYSTEM, scopeOf('live'), { slackUrl: slack.url }, { ...DEFAULT_ALERTS, name: '' });
    await db.database.query(`update attention_items set mode = 'live'`);
    await sweep();
    expect(slack.bodies).toEqual([]);
    expect(await last()).toEqual({ status: 'waiting', error_code: 'forbidden_address' });
  });
});
