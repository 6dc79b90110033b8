/** Alerts: one message for all that is new, once; quiet hours; failures; Slack. Against a mailer of the test and a real HTTP server. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { inviteUser, removeUser } from '../../../src/accounts/users/manage.ts';
import { gatherAlerts } from '../../../src/alerts/gather.ts';
import { addAlertTarget, editAlertTarget, sendTestAlert, setOwnAlerts } from '../../../src/alerts/manage.ts';
import { type SendAlertsDeps, sendDueAlerts } from '../../../src/alerts/send.ts';
import { claimAlerts } from '../../../src/db/alerts/alert-messages.ts';
import { findAlertTarget } from '../../../src/db/alerts/alert-targets.ts';
import { DELIVERY_FINDERS } from '../../../src/db/attention/delivery.ts';
import { type AlertSettings, DEFAULT_ALERTS } from '../../../src/domain/alerts.ts';
import type { AttentionKind } from '../../../src/domain/attention.ts';
import { SYSTEM } from '../../../src/domain/audit.ts';
import { newId } from '../../../src/domain/ids.ts';
import type { Mode } from '../../../src/domain/session.ts';
import { createVault } from '../../../src/lib/vault/vault.ts';
import type { Email, MailAnswer } from '../../../src/notifications/email/ports.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { seedOfCharge } from '../../support/seed-money.ts';
import { type SeededPayment, seedPayment } from '../../support/seed-payments.ts';
import { createTestMerchant, type TestMerchant } from '../../support/test-merchants.ts';

const db = useTestDatabase();
const vault = createVault([randomBytes(32)]);
const log = { warn: () => undefined, error: () => undefined };

let merchant: TestMerchant;
let sent: Email[] = [];
let answer: MailAnswer = { status: 'sent' };

beforeEach(async () => {
  for (const table of ['alert_targets', 'attention_items']) await db.database.query(`delete from ${table}`);
  merchant = await createTestMerchant(db.database);
  [sent, answer] = [[], { status: 'sent' }];
});

const deps = (): SendAlertsDeps => ({
  sql: db.database,
  vault,
  mailers: {
    live: {
      send: async (email) => {
        sent.push(email);
        return answer;
      },
      close: () => undefined,
    },
    test: { send: async () => ({ status: 'sent' }), close: () => undefined },
  },
  privateTargets: true,
  dashboardUrl: 'https://pay.example.com/dashboard',
  log,
});

const scopeOf = (mode: Mode = merchant.mode) => ({ accountId: merchant.accountId, mode });
const manage = () => ({ database: db.database, vault });
const target = (
  settings: Partial<AlertSettings> = {},
  to: { email: string } | { slackUrl: string } = { email: 'ops@example.com' },
) => addAlertTarget(manage(), SYSTEM, scopeOf(), to, { ...DEFAULT_ALERTS, name: '', ...settings });

async function open(kind: AttentionKind, subject: string = newId('Charge'), facts: object = {}): Promise<string> {
  const id = newId('AttentionItem');
  await db.database.query(
    `insert into attention_items (id, kind, account_id, mode, subject, merchant_id, facts) values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, kind, merchant.accountId, merchant.mode, subject, merchant.merchantId, facts],
  );
  return id;
}
const close = (id: string) => db.database.query('update attention_items set closed_at = now() where id = $1', [id]);
const agePast = (column: string, minutes: number) =>
  db.database.query(`update alert_notices set ${column} = ${column} - $1 * interval '1 minute'`, [minutes]);

const gather = () => gatherAlerts({ database: db.database, log });
async function sweep(): Promise<Email[]> {
  sent = [];
  await gather();
  await sendDueAlerts(deps(), new AbortController().signal);
  return sent;
}
const due = () => db.database.query(`update alert_messages set next_attempt_at = now() where status = 'waiting'`);

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

describe('a daily summary', () => {
  /** The day before today, at noon in UTC. */
  const yesterday = () => new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000);
  const summarize = () =>
    db.database.query(`update alert_targets set summarized_on = (now() at time zone 'UTC')::date - 2`);
  const seed = (payment: Partial<SeededPayment>) =>
    seedPayment(db.database, scopeOf(), {
      merchant: merchant.merchantId,
      at: yesterday().toISOString(),
      status: 'succeeded',
      cents: 4_250,
      steps: ['answered'],
      ...payment,
    });

  test('has the figures of yesterday once, by currency, with the rate of the week before and open items', async () => {
    await target({ summaryHour: 0, topics: ['keys'] });
    await seed({});
    await seed({});
    await seed({ cents: 300, currency: 'EUR' });
    // A card that was saved without a payment.
    await seed({ cents: 0 });
    await seed({ status: 'failed', code: 'do_not_honor' });
    await seed({ at: new Date(yesterday().getTime() - 86_400_000).toISOString() });
    await seed({ at: new Date().toISOString() });
    await db.database.query(
      `insert into refunds (id, charge_id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, processor,
                            processor_payment_id, created_at, settled_at, resolve_at)
       select $1, id, session_id, account_id, mode, merchant_id, 'succeeded', 1000, currency, processor, 'x', $2, now(), now()
         from charges where account_id = $3 and currency = 'USD' and status = 'succeeded' limit 1`,
      [newId('Refund'), yesterday(), merchant.accountId],
    );
    const pending = { cents: 100, currency: 'EUR', status: 'pending' };
    const ofMerchant = { merchant: merchant.merchantId, at: yesterday().toISOString() };
    await seedOfCharge(db.database, scopeOf(), 'refunds', { ...ofMerchant, ...pending });
    await db.database.query(
      `insert into charge_days (account_id, mode, day, merchant_id, currency, succeeded, failed, pending, amount_cents)
       values ($1, $2, (now() at time zone 'UTC')::date - 4, $3, 'USD', 9, 1, 0, 0)`,
      [merchant.accountId, merchant.mode, merchant.merchantId],
    );
    await open('late_charge');
    expect(await sweep()).toEqual([]);
    await summarize();
    const [email, ...others] = await sweep();
    expect(others).toEqual([]);
    expect(email?.subject).toMatch(/: Summary of \w+day,? \d+ \w+$/);
    const figures = [
      'Calls: 5, 3 of them paid',
      'Charges that succeeded: 3 of 4, 75% (90% in the week before)',
      'Payments, USD: 2, $85.00',
      'Refunded, USD: $10.00',
      'Net, USD: $75.00',
      'Payments, EUR: 1, €3.00',
      'Refunded, EUR: €1.00',
    ];
    for (const line of figures) expect(email?.text).toContain(`${line}\n`);
    expect(email?.text).toMatch(/Needs attention\n.* was paid late\n/);
    expect(email?.html).toContain('75% (90% in the week before)');
    expect(await sweep()).toEqual([]);
  });

  test('follows once the news are sent, if both are due', async () => {
    await target({ summaryHour: 0 });
    await open('late_charge');
    await summarize();
    expect((await sweep())[0]?.subject).toMatch(/ was paid late$/);
    expect((await sweep())[0]?.subject).toMatch(/: Summary of /);
    expect(await sweep()).toEqual([]);
  });

  test('of a day on which nothing happened is sent only if that was chosen', async () => {
    const { id } = await target({ summaryHour: 0 });
    await summarize();
    expect(await sweep()).toEqual([]);
    await db.database.query('update alert_targets set summary_if_empty = true where id = $1', [id]);
    await summarize();
    expect((await sweep())[0]?.text).toContain('Calls: None');
  });

  test('is of the day in the zone of the target', async () => {
    await target({ summaryHour: 0, timeZone: 'Pacific/Kiritimati' });
    const { rows } = await db.database.query<{ day: string; at: Date }>(
      `select ((now() at time zone 'Pacific/Kiritimati')::date - 1)::text as day,
              date_trunc('day', now() at time zone 'Pacific/Kiritimati') at time zone 'Pacific/Kiritimati' - interval '1 minute' as at`,
    );
    await seed({ at: rows[0]?.at.toISOString() ?? '' });
    await db.database.query('update alert_targets set summarized_on = $1::date - 1', [rows[0]?.day]);
    expect((await sweep())[0]?.text).toContain('Payments: 1, $42.50\n');
  });
});

describe('a month-end report', () => {
  const DUE = { summaryHour: 0, topics: ['keys'] as AlertSettings['topics'] };
  const monthIsOver = () => db.database.query(`update alert_targets set reported_month = '2020-01'`);
  /** The middle of the month before the present one, in UTC. */
  async function lastMonth(): Promise<{ at: string; name: string; month: string }> {
    const { rows } = await db.database.query<{ at: Date; name: string; month: string }>(
      `select at, to_char(at, 'FMMonth YYYY') as name, to_char(at, 'YYYY-MM') as month
         from (select date_trunc('month', now() at time zone 'UTC') - interval '15 days' as at) middle`,
    );
    const [found] = rows;
    if (found === undefined) throw new Error('there is always a last month');
    return { name: found.name, month: found.month, at: `${found.month}-15T12:00:00.000Z` };
  }
  const seedLastMonth = async (payment: Partial<SeededPayment> = {}) =>
    seedPayment(db.database, scopeOf(), {
      merchant: merchant.merchantId,
      at: (await lastMonth()).at,
      status: 'succeeded',
      cents: 4_250,
      ...payment,
    });
  const chosen = () => ({ ...DUE, reportMerchants: [merchant.merchantId] });

  test('is sent once when a month is over, whatever number of workers look and start again', async () => {
    await target(chosen());
    await seedLastMonth();
    await seedLastMonth();
    await seedLastMonth({ at: new Date().toISOString() });
    await seedOfCharge(db.database, scopeOf(), 'refunds', {
      merchant: merchant.merchantId,
      at: (await lastMonth()).at,
      cents: 1_000,
      status: 'succeeded',
    });
    // Nothing is sent about months before the target was added.
    expect(await sweep()).toEqual([]);
    await monthIsOver();
    await Promise.all([gather(), gather(), gather()]);
    const [email, ...others] = await sweep();
    expect(others).toEqual([]);
    const { name, month } = await lastMonth();
    expect(email?.subject).toMatch(new RegExp(`: Report of ${name}$`));
    expect(email?.text).toContain('Payments: 2, $85.00\n');
    expect(email?.text).toContain('Refunded: $10.00\n');
    expect(email?.text).toContain('Net: $75.00\n');
    expect(email?.text).toContain(`/reports?merchant_id=${merchant.merchantId}&month=${month}&zone=UTC`);
    expect(await sweep()).toEqual([]);
  });

  test('has a block for each chosen merchant, also for one without payments', async () => {
    await target(chosen());
    await monthIsOver();
    expect((await sweep())[0]?.text).toContain('No payments, refunds, disputes or payouts');
  });

  test('waits until news are sent, and is then sent', async () => {
    await target({ ...chosen(), topics: ['payments'] });
    await open('late_charge');
    await monthIsOver();
    expect((await sweep())[0]?.subject).toMatch(/ was paid late$/);
    expect((await sweep())[0]?.subject).toMatch(/: Report of /);
    expect(await sweep()).toEqual([]);
  });

  test('is of the month in the zone of the target', async () => {
    const zone = 'Pacific/Kiritimati';
    await target({ ...chosen(), timeZone: zone });
    const { rows } = await db.database.query<{ at: Date }>(
      `select date_trunc('month', now() at time zone $1) at time zone $1 - interval '1 minute' as at`,
      [zone],
    );
    await seedLastMonth({ at: rows[0]?.at.toISOString() ?? '' });
    await monthIsOver();
    expect((await sweep())[0]?.text).toContain('Payments: 1, $42.50\n');
  });

  test('is only of merchants of the account', async () => {
    const other = await createTestMerchant(db.database);
    for (const reportMerchants of [[other.merchantId], [merchant.merchantId, merchant.merchantId]])
      await expect(target({ ...DUE, reportMerchants })).rejects.toMatchObject({ facts: { param: 'report_merchants' } });
  });

  test('begins with the present month when it is turned on later', async () => {
    const { id } = await target(DUE);
    await monthIsOver();
    expect(await sweep()).toEqual([]);
    const before = await findAlertTarget(db.database, scopeOf(), id);
    if (before === null) throw new Error('the target should exist');
    await editAlertTarget(manage(), SYSTEM, before, { ...before, ...chosen() });
    expect(await sweep()).toEqual([]);
  });
});

describe('a target that fails', () => {
  test('gets the same message again, with the same ID, and then one with all that happened meanwhile', async () => {
    const { id } = await target();
    await open('charge_to_settle');
    answer = { status: 'unavailable', code: '451' };
    const [first] = await sweep();
    await open('refund_to_settle', newId('Refund'));
    expect(await sweep()).toEqual([]);
    answer = { status: 'sent' };
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
    answer = { status: 'refused', code: '550' };
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
    answer = { status: 'sent' };
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
    const bodies: { text: string; blocks: { type: string; text?: { text: string } }[] }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        bodies.push(JSON.parse(body));
        response.writeHead(status).end('ok');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return { bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/T0/B0/secret` };
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
