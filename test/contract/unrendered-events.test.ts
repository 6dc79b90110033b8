/** An event that cannot be rendered because of a bug: it is shown without its data, and all others completely. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventList, ListedEvent } from '../../src/http/api/routes/events.ts';
import { relayBatch } from '../../src/notifications/outbox/relay.ts';
import { CALLER } from './fixtures.ts';
import { startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

async function paid(): Promise<string> {
  const { body } = await api.post('/v1/create_checkout', {
    merchant_id: 'mer_demo_diner',
    amount_cents: 700,
    caller_phone: CALLER,
  });
  const { checkout_session_id } = body;
  await api.post('/v1/charge', { checkout_session_id, instrument_id: 'card_demo_visa' });
  return checkout_session_id;
}

/** A refund with an invalid date, which cannot be rendered. */
const corrupt = (id: string) =>
  api.database.query(
    `update events set facts = facts || '{"refund": {"created_at": "no day"}}' where session_id = $1`,
    [id],
  );
const repair = (id: string) =>
  api.database.query(`update events set facts = facts - 'refund' where session_id = $1`, [id]);
const relay = () => relayBatch({ database: api.database, docsUrl: 'https://docs.example.com' });

async function list(query = '') {
  const answer = await api.get(`/v1/events${query}`);
  expect(answer.status).toBe(200);
  return EventList.strict().parse(answer.body);
}

test('lists an event that cannot be rendered without its data, and all others completely', async () => {
  const [before, spoilt, after] = [await paid(), await paid(), await paid()];
  await corrupt(spoilt);
  const { events } = await list('?limit=6');
  expect(events.map(({ data }) => data?.checkout_session?.checkout_session_id ?? null)).toEqual([
    after,
    after,
    null,
    null,
    before,
    before,
  ]);
  const { rows } = await api.database.query(
    `select id, type, sequence::integer, mode from events where session_id = $1 order by sequence desc`,
    [spoilt],
  );
  const alone = await list(`?checkout_session_id=${spoilt}`);
  expect(alone.events).toMatchObject(rows.map((row) => ({ ...row, data: null })));
  expect(api.log.join('')).toContain('"msg":"event shown without its data"');
  const next = await list(`?limit=1&starting_after=${alone.events[0]?.id}`);
  expect(next).toMatchObject({ events: [{ id: alone.events[1]?.id, data: null }], has_more: true });
  await repair(spoilt);
  const repaired = (await list('?limit=6')).events;
  expect(repaired.map(({ data }) => data !== null)).toEqual(events.map(() => true));
});

test('sends an event again once it can be rendered', async () => {
  const id = await paid();
  await corrupt(id);
  await relay();
  const [event] = (await list(`?checkout_session_id=${id}`)).events;
  const answer = await api.send('POST', `/v1/events/${event?.id}/resend`);
  expect(answer.status).toBe(200);
  expect(ListedEvent.strict().parse(answer.body)).toEqual({ ...event, data: null });
  const waiting = async () =>
    (
      await api.database.query<{ failures: number }>(
        `select relay_failures as failures from events where id = $1 and relayed_at is null and relay_after <= now()`,
        [event?.id],
      )
    ).rows;
  expect(await waiting()).toEqual([{ failures: 0 }]);
  await repair(id);
  await relay();
  expect(await waiting()).toEqual([]);
});
