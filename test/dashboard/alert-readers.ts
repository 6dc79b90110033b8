/**
 * Everyone who is told about attention items of the demo account: a mailbox and an endpoint in each mode, and a Slack
 * channel in test mode. In live mode, a channel must have a public address.
 */
import { randomBytes } from 'node:crypto';
import { gatherAlerts } from '../../src/alerts/gather.ts';
import { addAlertTarget } from '../../src/alerts/manage.ts';
import { sendDueAlerts } from '../../src/alerts/send.ts';
import { sweepAttention } from '../../src/attention/sweep.ts';
import type { AccountLimits } from '../../src/domain/account-limits.ts';
import { DEFAULT_ALERTS } from '../../src/domain/alerts.ts';
import { ATTENTION_EVENT_TYPES, type AttentionEventType } from '../../src/domain/attention.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { newId } from '../../src/domain/ids.ts';
import type { Mode } from '../../src/domain/session.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import type { Email } from '../../src/notifications/email/ports.ts';
import { DASHBOARD_URL, type TestApi } from '../contract/test-api.ts';
import { startSlackChannel } from '../support/slack-channel.ts';

const MODES = ['test', 'live'] as const;
const addressOf = (mode: Mode) => `ops-${mode}@example.com`;

interface Told {
  emails: string[];
  slack: string[];
}

export interface AlertReaders {
  /** Sweeps as the worker does. @returns what the mailbox of the mode and the channel got since, as text */
  sweep(mode: Mode): Promise<Told>;
  /** The number of webhook events about an item. */
  countEvents(type: AttentionEventType, mode: Mode, item: string): Promise<number>;
  /** As if everything that was told so far was told hours ago. */
  agePast(): Promise<unknown>;
  /** The daily summary of the mailbox is due, or not wanted. */
  setSummary(isDue: boolean): Promise<unknown>;
  close(): Promise<void>;
}

export async function startAlertReaders({ database }: TestApi, limits: AccountLimits): Promise<AlertReaders> {
  const vault = createVault([randomBytes(32)]);
  const channel = await startSlackChannel();
  await addAlertTarget(
    { database, vault },
    SYSTEM,
    { accountId: DEMO_ACCOUNT, mode: 'test' },
    { slackUrl: channel.url },
    { ...DEFAULT_ALERTS, name: '' },
  );
  let emails: Email[] = [];
  for (const mode of MODES) {
    const scope = { accountId: DEMO_ACCOUNT, mode };
    const to = { email: addressOf(mode) };
    await addAlertTarget({ database, vault }, SYSTEM, scope, to, { ...DEFAULT_ALERTS, name: '' });
    await database.query(
      `insert into webhook_endpoints (id, account_id, mode, url, events, signing_secret)
       values ($1, $2, $3, 'https://tickets.example.com', $4, 'sealed')`,
      [newId('WebhookEndpoint'), DEMO_ACCOUNT, mode, ATTENTION_EVENT_TYPES],
    );
  }
  const log = { warn: () => undefined, error: (fields: object) => console.error(fields) };
  const mailer = {
    send: async (email: Email) => {
      emails.push(email);
      return { status: 'sent' as const };
    },
    close: () => undefined,
  };
  const send = {
    sql: database,
    vault,
    mailers: { live: mailer, test: mailer },
    // The channel is on this machine.
    privateTargets: true,
    dashboardUrl: DASHBOARD_URL,
    log,
  };
  return {
    async sweep(mode) {
      emails = [];
      const before = channel.bodies.length;
      await sweepAttention(database, null, limits);
      await gatherAlerts({ database, log });
      await sendDueAlerts(send, new AbortController().signal);
      return {
        emails: emails.filter(({ to }) => to === addressOf(mode)).map(({ subject, text }) => `${subject}\n${text}`),
        slack: channel.bodies.slice(before).map((body) => JSON.stringify(body)),
      };
    },
    async countEvents(type, mode, item) {
      const text = `select from events where type = $1 and account_id = $2 and mode = $3 and facts->>'id' = $4`;
      return (await database.query(text, [type, DEMO_ACCOUNT, mode, item])).rowCount ?? 0;
    },
    agePast: () => database.query(`update alert_notices set opened_told_at = opened_told_at - interval '3 hours'`),
    setSummary: (isDue) =>
      database.query(
        `update alert_targets set summary_hour = $1, summarized_on = '2020-01-01' where email like 'ops-%'`,
        [isDue ? 0 : null],
      ),
    close: channel.close,
  };
}
