/** A user's own alerts, summaries and reports: in the language that the user has chosen. The account's are in English. */
import { beforeEach, expect, test } from 'vitest';
import { inviteUser } from '../../../src/accounts/users/manage.ts';
import { sendTestAlert, setOwnAlerts } from '../../../src/alerts/manage.ts';
import { sendDueAlerts } from '../../../src/alerts/send.ts';
import { setLanguage } from '../../../src/db/users/users.ts';
import { type AlertSettings, DEFAULT_ALERTS } from '../../../src/domain/alerts.ts';
import { SYSTEM } from '../../../src/domain/audit.ts';
import type { UserId } from '../../../src/domain/ids.ts';
import { LANGUAGE_TAGS, type LanguageTag } from '../../../src/languages/index.ts';
import type { Email } from '../../../src/notifications/email/ports.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { seedOfCharge } from '../../support/seed-money.ts';
import { type SeededPayment, seedPayment } from '../../support/seed-payments.ts';
import { useTestAlerts } from './test-alerts.ts';

const db = useTestDatabase();
const { merchant, scopeOf, manage, target, open, close, gather, sweep, deps } = useTestAlerts(db);

const OTHERS = LANGUAGE_TAGS.filter((tag) => tag !== 'en');
const BAKERY = 'Bakery 24';
let users: ReadonlyMap<LanguageTag, UserId>;

/** A user for each language. */
beforeEach(async () => {
  await db.database.query('update merchants set business_name = $2 where id = $1', [merchant.merchantId, BAKERY]);
  const invite = async (name: string) => {
    const email = `${name}-${merchant.merchantId}@example.com`;
    return inviteUser(db.database, SYSTEM, { accountId: merchant.accountId, name: '', role: 'owner', email });
  };
  const invited = new Map<LanguageTag, UserId>();
  for (const tag of LANGUAGE_TAGS) {
    const { user } = await invite(tag);
    await setLanguage(db.database, user.id, tag);
    invited.set(tag, user.id);
  }
  users = invited;
});

async function turnOn(settings: Partial<AlertSettings> = {}): Promise<void> {
  for (const userId of users.values())
    await setOwnAlerts(manage(), SYSTEM, { ...scopeOf(), userId }, { ...DEFAULT_ALERTS, ...settings });
}

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

/** What each user got, without addresses and names. */
function byLanguage(
  emails: readonly Email[],
): ReadonlyMap<LanguageTag, { subject: string; lines: string[]; html: string }> {
  expect(emails).toHaveLength(LANGUAGE_TAGS.length);
  return new Map(
    LANGUAGE_TAGS.map((tag) => {
      const email = emails.find(({ to }) => to.startsWith(`${tag}-`));
      if (email === undefined) throw new Error(`no email in ${tag}`);
      const lines = plain(email.text).split('\n');
      return [tag, { subject: plain(email.subject), lines: lines.filter(isWording), html: email.html }];
    }),
  );
}
const isWording = (line: string) => line !== '' && !line.startsWith('https://') && line !== BAKERY;

/** Every line differs from the English one. @returns the lines of each language */
function expectTranslated(emails: readonly Email[]): Record<LanguageTag, string[]> {
  const messages = byLanguage(emails);
  const english = messages.get('en');
  for (const tag of OTHERS) {
    const message = messages.get(tag);
    expect(message?.lines).toHaveLength(english?.lines.length ?? 0);
    for (const line of message?.lines ?? []) expect(english?.lines).not.toContain(line);
    expect(message?.subject).not.toBe(english?.subject);
    expect(message?.html).toContain(`<html lang="${tag}">`);
  }
  return Object.fromEntries([...messages].map(([tag, { lines }]) => [tag, lines])) as Record<LanguageTag, string[]>;
}

test('alerts are written in the language of each user, with amounts as it writes them and days of the time zone', async () => {
  await turnOn({ timeZone: 'America/New_York' });
  const amount = { amountCents: 123_450, currency: 'EUR' };
  await open('dispute_to_answer', 'dp_one', { amount, name: 'chargeback', endsAt: '2026-12-01T03:00:00Z' });
  const slow = await open('processor_slow', 'x', { processor: 'stripe', seconds: 9 });
  for (let made = 0; made < 20; made += 1) await open('charge_to_settle');
  const told = expectTranslated(await sweep());
  expect(told.en).toContain(`Answer the dispute of €1,234.50 at ${BAKERY} by 30 Nov 2026`);
  expect(told.de.join('\n')).toMatch(/Anfechtung über 1\.234,50 € bei .* bis 30\. Nov\.? 2026 beantworten/);
  expect(told.de.join('\n')).toMatch(/Dringend: Stripe ist langsam/);
  expect(told.es.join('\n')).toContain('2 más');
  expect(told.fr[0]).toBe('22 problèmes à traiter');
  await close(slow);
  expectTranslated(await sweep());
});

test('a test message is in the language of the user', async () => {
  await turnOn();
  const { rows } = await db.database.query('select id from alert_targets');
  for (const { id } of rows) await sendTestAlert(db.database, { id });
  expect(expectTranslated(await sweep()).es).toContain('Mensaje de prueba');
});

test('a message that is written is sent in its language, even if the user chooses another one meanwhile', async () => {
  await turnOn();
  await open('charge_to_settle');
  await gather();
  for (const userId of users.values()) await setLanguage(db.database, userId, 'en');
  const sent: Email[] = [];
  const mailer = {
    send: async (email: Email) => {
      sent.push(email);
      return { status: 'sent' } as const;
    },
    close: () => undefined,
  };
  await sendDueAlerts({ ...deps(), mailers: { live: mailer, test: mailer } }, new AbortController().signal);
  expectTranslated(sent);
});

const seed = (payment: Partial<SeededPayment>, at: string) =>
  seedPayment(db.database, scopeOf(), {
    merchant: merchant.merchantId,
    at,
    status: 'succeeded',
    cents: 123_450,
    steps: ['answered'],
    ...payment,
  });

test('the daily summary is in the language of the user', async () => {
  const yesterday = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000).toISOString();
  await turnOn({ summaryHour: 0, topics: ['keys'] });
  await seed({}, yesterday);
  await seed({ currency: 'EUR' }, yesterday);
  await seed({ status: 'failed', code: 'do_not_honor' }, yesterday);
  await db.database.query(
    `insert into charge_days (account_id, mode, day, merchant_id, currency, succeeded, failed, pending, amount_cents)
     values ($1, $2, (now() at time zone 'UTC')::date - 4, $3, 'USD', 9, 1, 0, 0)`,
    [merchant.accountId, merchant.mode, merchant.merchantId],
  );
  for (let made = 0; made < 6; made += 1) await open('late_charge');
  await db.database.query(`update alert_targets set summarized_on = (now() at time zone 'UTC')::date - 2`);
  const told = expectTranslated(await sweep());
  const day = (tag: string) =>
    new Intl.DateTimeFormat(tag, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
      new Date(yesterday),
    );
  expect(told.de[0]).toBe(`Zusammenfassung für ${day('de')}`);
  expect(told.fr[0]).toBe(`Résumé du ${day('fr')}`);
  expect(told.de).toContain('Zahlungen, EUR: 1.234,50 € (1)');
  expect(told.de).toContain('Erfolgreiche Abbuchungen: 2 von 3, 67 % (in der Woche davor 90 %)');
  expect(told.fr).toContain('Paiements, EUR : 1 234,50 € (1)');
});

test('month-end reports are in the language of the user', async () => {
  await turnOn({ summaryHour: 0, topics: ['keys'], reportMerchants: [merchant.merchantId] });
  const { rows } = await db.database.query<{ at: Date }>(
    `select date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' - interval '15 days' as at`,
  );
  const at = rows[0]?.at ?? new Date(0);
  await seed({ currency: 'EUR' }, at.toISOString());
  const refund = {
    merchant: merchant.merchantId,
    at: at.toISOString(),
    cents: 1_000,
    currency: 'EUR',
    status: 'succeeded',
  } as const;
  await seedOfCharge(db.database, scopeOf(), 'refunds', refund);
  await db.database.query(`update alert_targets set reported_month = '2020-01'`);
  const told = expectTranslated(await sweep());
  const month = (tag: string) =>
    new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(at);
  expect(told.es[0]).toBe(`Informe de ${month('es')}`);
  expect(told.de).toContain('Zahlungen: 1.234,50 € (1)');
});

test('alerts of the account, and of a user who has chosen no language, are in English', async () => {
  await target();
  const german = users.get('de');
  if (german === undefined) throw new Error('there is a German user');
  await setLanguage(db.database, german, null);
  await setOwnAlerts(manage(), SYSTEM, { ...scopeOf(), userId: german }, DEFAULT_ALERTS);
  await open('charge_to_settle');
  const emails = await sweep();
  expect(emails).toHaveLength(2);
  for (const { subject, html } of emails) {
    expect(subject).toMatch(/ has no outcome$/);
    expect(html).toContain('<html lang="en">');
  }
});
