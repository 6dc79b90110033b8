/** A rolling upgrade: rows of kinds that only the newer version knows stay for its processes, and break nothing here. */
import { describe, expect, test } from 'vitest';
import { gatherAlerts } from '../../src/alerts/gather.ts';
import { sendDueAlerts } from '../../src/alerts/send.ts';
import { sweepAttention } from '../../src/attention/sweep.ts';
import { ALERTS_DUE } from '../../src/db/alerts/alert-messages.ts';
import { findNotificationWork } from '../../src/db/events/outbox.ts';
import { newId } from '../../src/domain/ids.ts';
import type { Email } from '../../src/notifications/email/ports.ts';
import { relayBatch } from '../../src/notifications/outbox/relay.ts';
import { useFixture } from '../support/fixtures.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi());
const ACCOUNT = 'acct_demo';
const KIND = 'kind_of_a_newer_version';
const FACTS = { id: 'att_1', kind: KIND, subject: 'x', merchantId: null, facts: {}, businessName: null };

async function insertItem(): Promise<string> {
  const id = newId('AttentionItem');
  await api.database.query(
    `insert into attention_items (id, kind, account_id, mode, subject, facts) values ($1, $2, $3, 'test', $1, '{}')`,
    [id, KIND, ACCOUNT],
  );
  return id;
}

/** @returns the texts of emails that were sent */
async function sendAlerts(): Promise<string[]> {
  const sent: Email[] = [];
  const mailer = {
    send: async (email: Email) => {
      sent.push(email);
      return { status: 'sent' as const };
    },
    close: () => undefined,
  };
  const errors: object[] = [];
  const log = { warn: () => undefined, error: (fields: object) => errors.push(fields) };
  await gatherAlerts({ database: api.database, log });
  const mailers = { live: mailer, test: mailer };
  const deps = { sql: api.database, vault: null, mailers, privateTargets: true, dashboardUrl: null, log };
  await sendDueAlerts(deps, new AbortController().signal);
  expect(errors).toEqual([]);
  return sent.map(({ text }) => text);
}

describe('of a kind that only a newer version knows', () => {
  test('an attention item is neither listed nor closed', async () => {
    const id = await insertItem();
    await sweepAttention(api.database, null);
    const { rows } = await api.database.query('select closed_at from attention_items where id = $1', [id]);
    expect(rows).toEqual([{ closed_at: null }]);
    const { status, body } = await api.get('/v1/attention_items');
    expect(status).toBe(200);
    expect(body.attention_items).toEqual([]);
    expect((await api.post(`/v1/attention_items/${id}/finish`, {})).status).toBe(404);
  });

  test('an event about an attention item stays in the outbox, and is listed without its data', async () => {
    const id = newId('Event');
    await api.database.query(
      `insert into events (id, account_id, mode, type, facts) values ($1, $2, 'test', 'attention.opened', $3)`,
      [id, ACCOUNT, { ...FACTS, isService: false, openedAt: '2026-11-26T10:00:00Z', closedAt: null }],
    );
    const before = await relayBatch({ database: api.database, docsUrl: 'https://docs.example.com' });
    expect(before.quarantined).toEqual([]);
    const { rows } = await api.database.query('select relayed_at, relay_failures from events where id = $1', [id]);
    expect(rows).toEqual([{ relayed_at: null, relay_failures: 0 }]);
    expect(await findNotificationWork(api.database)).toMatchObject({ events: false });
    const { status, body } = await api.get('/v1/events?type=attention.opened');
    expect(status).toBe(200);
    expect(body.events).toMatchObject([{ id, data: null }]);
  });

  test('a message waits, is not due here, and others are sent', async () => {
    await api.database.query('alter table alert_messages drop constraint alert_messages_kind_check');
    const targets = ['one@example.com', 'other@example.com'].map((email) =>
      api.post('/v1/alert_targets', { email, name: email }),
    );
    const [one, other] = (await Promise.all(targets)).map(({ body }) => String(body.alert_target_id));
    const message = newId('AlertMessage');
    await api.database.query(`insert into alert_messages (id, target_id, kind, content) values ($1, $2, $3, '{}')`, [
      message,
      one,
      KIND,
    ]);
    expect((await api.database.query(ALERTS_DUE)).rows).toEqual([]);
    const told = await insertItem();
    await api.database.query('insert into alert_notices (target_id, item_id, opened_told_at) values ($1, $2, now())', [
      other,
      told,
    ]);
    await api.database.query('update attention_items set closed_at = now() where id = $1', [told]);
    await api.database.query(
      `insert into attention_items (id, kind, account_id, mode, subject, facts)
       values ($1, 'key_expiring', $2, 'test', 'key_one', '{"name": "Agents", "endsAt": "2026-12-01T00:00:00Z"}')`,
      [newId('AttentionItem'), ACCOUNT],
    );
    expect(await sendAlerts()).toEqual([expect.stringContaining('API key Agents expires on 1 Dec 2026')]);
    const { rows } = await api.database.query(
      `select m.status, (select closed_told_at from alert_notices where item_id = $2) as told
         from alert_messages m where m.id = $1`,
      [message, told],
    );
    expect(rows).toEqual([{ status: 'waiting', told: null }]);
    const { body } = await api.get('/v1/alert_targets');
    expect(body.alert_targets).toContainEqual(expect.objectContaining({ alert_target_id: one, last_message: null }));
  });
});
