/** What tests of alerts do: add targets, open attention items, and read what a sweep sends. */
import { randomBytes } from 'node:crypto';
import { beforeEach } from 'vitest';
import { gatherAlerts } from '../../../src/alerts/gather.ts';
import { addAlertTarget } from '../../../src/alerts/manage.ts';
import { type SendAlertsDeps, sendDueAlerts } from '../../../src/alerts/send.ts';
import { type AlertSettings, DEFAULT_ALERTS } from '../../../src/domain/alerts.ts';
import type { AttentionKind } from '../../../src/domain/attention.ts';
import { SYSTEM } from '../../../src/domain/audit.ts';
import { newId } from '../../../src/domain/ids.ts';
import type { Mode } from '../../../src/domain/session.ts';
import { createVault } from '../../../src/lib/vault/vault.ts';
import type { Email, MailAnswer } from '../../../src/notifications/email/ports.ts';
import type { TestDatabase } from '../../support/database.ts';
import { createTestMerchant, type TestMerchant } from '../../support/test-merchants.ts';

const vault = createVault([randomBytes(32)]);
const log = { warn: () => undefined, error: () => undefined };

/** A new merchant without targets or items before each test. */
export function useTestAlerts(db: TestDatabase) {
  const merchant = {} as TestMerchant;
  let sent: Email[] = [];
  let answer: MailAnswer = { status: 'sent' };

  beforeEach(async () => {
    for (const table of ['alert_targets', 'attention_items']) await db.database.query(`delete from ${table}`);
    Object.assign(merchant, await createTestMerchant(db.database));
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

  const gather = (database = db.database) => gatherAlerts({ database, log });
  async function sweep(database = db.database): Promise<Email[]> {
    sent = [];
    await gather(database);
    await sendDueAlerts(deps(), new AbortController().signal);
    return sent;
  }
  const due = () => db.database.query(`update alert_messages set next_attempt_at = now() where status = 'waiting'`);
  /** The mailer's answer to everything that is sent from now on. */
  const answerWith = (next: MailAnswer) => {
    answer = next;
  };

  return { merchant, scopeOf, manage, target, open, close, agePast, deps, gather, sweep, due, answerWith };
}
