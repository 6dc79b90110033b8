/** `attention.opened` and `attention.closed`: events about attention items, for endpoints that list these types. */
import { expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { sweepAttention } from '../../src/attention/sweep.ts';
import { insertAccount } from '../../src/db/keys/accounts.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { newId } from '../../src/domain/ids.ts';
import { EventResource } from '../../src/http/api/routes/events.ts';
import { relayBatch } from '../../src/notifications/outbox/relay.ts';
import { useFixture } from '../support/fixtures.ts';
import { bearer } from './fixtures.ts';
import { lateCharge } from './late-charges.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi());

async function subscribe(headers?: Record<string, string>): Promise<string> {
  const endpoint = { url: 'https://hooks.example.com/', events: ['attention.opened', 'attention.closed'] };
  const { status, text, body } = await api.post('/v1/webhook_endpoints', endpoint, headers);
  expect(status, text).toBe(200);
  return String(body.webhook_endpoint_id);
}

async function events(type: string, headers?: Record<string, string>): Promise<EventResource[]> {
  const { status, text, body } = await api.get(`/v1/events?type=${type}&limit=100`, headers);
  expect(status, text).toBe(200);
  return (body.events as unknown[]).map((event) => EventResource.strict().parse(event));
}

const sweep = () => sweepAttention(api.database, null);

test('sends one event when an item opens, and one when its cause is gone, to endpoints that list the types', async () => {
  await lateCharge(api);
  await sweep();
  expect(await events('attention.opened')).toEqual([]);
  const endpoint = await subscribe();
  const { charge } = await lateCharge(api);
  await sweep();
  await sweep();
  const [opened, ...others] = await events('attention.opened');
  expect(others).toEqual([]);
  expect(opened?.data).toMatchObject({
    checkout_session: null,
    charge: null,
    attention_item: {
      kind: 'late_charge',
      object_id: charge,
      title: expect.stringMatching(/ at Demo Diner was paid late$/),
      is_service: false,
      closed_at: null,
    },
  });
  expect(await events('attention.closed')).toEqual([]);
  await api.post('/v1/refunds', { charge });
  await sweep();
  const [closed] = await events('attention.closed');
  expect(closed?.data.attention_item).toMatchObject({
    attention_item_id: opened?.data.attention_item?.attention_item_id,
    closed_at: expect.stringMatching(/Z$/),
  });
  await relayBatch({ database: api.database, docsUrl: 'https://docs.example.com' });
  const { rows } = await api.database.query(
    `select e.type from webhook_deliveries d join events e on e.id = d.event_id where d.endpoint_id = $1 order by e.sequence`,
    [endpoint],
  );
  expect(rows).toEqual([{ type: 'attention.opened' }, { type: 'attention.closed' }]);
});

test('sends an item of the service to each account that lists the types, and items of an account to no other', async () => {
  const accounts = [newId('Account'), newId('Account')];
  const headers = await Promise.all(
    accounts.map(async (id) => {
      await insertAccount(api.database, { id, name: 'Test account' });
      const { text } = await issueKey(api.database, SYSTEM, { accountId: id, mode: 'test' });
      await subscribe(bearer(text));
      return bearer(text);
    }),
  );
  await api.database.query('delete from attention_sweep');
  await api.database.query(
    `insert into attention_sweep (swept_at, phone_seen_at) values (now(), now() - interval '1 hour')`,
  );
  await lateCharge(api);
  await sweep();
  for (const of of headers) {
    expect((await events('attention.opened', of)).map(({ data }) => data.attention_item)).toMatchObject([
      { kind: 'phone_missing', is_service: true },
    ]);
  }
});
