/** Reading refunds: by ID, in lists and in events. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RefundResource } from '../../src/contract/refunds.ts';
import { bearer, expectError, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { AMOUNT, type RefundsApi, startRefundsApi } from './refunds-api.ts';

let refundsApi: RefundsApi;
beforeAll(async () => {
  refundsApi = await startRefundsApi();
});
afterAll(() => refundsApi.close());

describe('the list', () => {
  test('lists refunds of one charge or of all in pages, newest first', async () => {
    const { id } = await refundsApi.createCharge();
    const ids: unknown[] = [];
    for (const amount_cents of [1, 2, 3, 4, 5])
      ids.unshift((await refundsApi.refund({ charge: id, amount_cents })).body.refund_id);
    const page = async (query: string) => {
      const { body } = await refundsApi.list(query);
      return { ids: (body.refunds as RefundResource[]).map(({ refund_id }) => refund_id), more: body.has_more };
    };
    expect(await page(`?charge=${id}`)).toEqual({ ids, more: false });
    expect(await page(`?charge=${id}&limit=2`)).toEqual({ ids: ids.slice(0, 2), more: true });
    expect(await page(`?charge=${id}&limit=2&starting_after=${ids[1]}`)).toEqual({ ids: ids.slice(2, 4), more: true });
    expect(await page(`?charge=${id}&limit=2&starting_after=${ids[3]}`)).toEqual({ ids: ids.slice(4), more: false });
    expect(await page('?limit=3')).toEqual({ ids: ids.slice(0, 3), more: true });
  });

  test('rejects charges of others, and an ID that is not in the list', async () => {
    const [{ id }, { id: other }] = [await refundsApi.createCharge(), await refundsApi.createCharge()];
    const { body } = await refundsApi.refund({ charge: other });
    expectError(await refundsApi.list('?charge=ch_nobodys'), 'not_found', 'charge');
    expectError(await refundsApi.list('?charge=nonsense'), 'not_found', 'charge');
    expectError(await refundsApi.api.get(`/v1/refunds?charge=${id}`, bearer(OTHER_KEY)), 'not_found', 'charge');
    expectError(await refundsApi.api.get(`/v1/refunds?charge=${id}`, bearer(LIVE_KEY)), 'invalid_key');
    expectError(
      await refundsApi.list(`?charge=${id}&starting_after=${body.refund_id}`),
      'invalid_value',
      'starting_after',
    );
    expectError(await refundsApi.list('?starting_after=re_nobodys'), 'invalid_value', 'starting_after');
    expectError(await refundsApi.list('?limit=0'), 'invalid_value', 'limit');
    expect((await refundsApi.api.get('/v1/refunds', bearer(OTHER_KEY))).body).toEqual({ refunds: [], has_more: false });
    expect((await refundsApi.api.get('/v1/refunds', bearer(LIVE_KEY))).body).toEqual({ refunds: [], has_more: false });
  });

  test('rejects unknown refunds and those of other accounts and modes', async () => {
    const { id } = await refundsApi.createCharge();
    const { body } = await refundsApi.refund({ charge: id });
    for (const text of ['re_nobodys', 'nonsense', id])
      expectError(await refundsApi.read(text), 'not_found', 'refund_id');
    expectError(await refundsApi.read(body.refund_id, bearer(OTHER_KEY)), 'not_found', 'refund_id');
    expectError(await refundsApi.read(body.refund_id, bearer(LIVE_KEY)), 'invalid_key');
  });
});

describe('events', () => {
  const eventsOf = async (session: string) =>
    (await refundsApi.api.get(`/v1/events?checkout_session_id=${session}`)).body.events as {
      id: string;
      type: string;
      data: Record<string, unknown>;
    }[];

  test('sends an event for each outcome, with the refund as retrieved, and its charge', async () => {
    const { id, session } = await refundsApi.createCharge();
    const { body } = await refundsApi.refund({
      charge: id,
      amount_cents: 10,
      reason: 'fraudulent',
      metadata: { a: 'b' },
    });
    const [event, ...before] = await eventsOf(session);
    expect(before.map(({ type }) => type)).toEqual(['checkout.completed', 'checkout.succeeded']);
    expect(event).toMatchObject({
      type: 'refund.succeeded',
      data: {
        checkout_session: { checkout_session_id: session, session_status: 'complete', metadata: {} },
        charge: { charge_id: id, status: 'succeeded', amount_cents: AMOUNT },
      },
    });
    expect(event?.data.refund).toEqual(body);
    expect(Object.keys(event?.data ?? {})).toEqual(['checkout_session', 'charge', 'refund']);
  });

  test('contains the failure of a refund as in the rejection', async () => {
    const { id, session } = await refundsApi.createCharge('refund_refused');
    const { body } = await refundsApi.refund({ charge: id });
    const [event] = await eventsOf(session);
    const [failed] = await refundsApi.refundsOf(id);
    expect(event?.type).toBe('refund.failed');
    expect(event?.data.refund).toMatchObject({
      refund_id: failed?.refund_id,
      status: 'failed',
      failure: { ...body.error, request_id: event?.id },
    });
  });

  test('sends no event for an unknown outcome or a refund that we rejected', async () => {
    const { id, session } = await refundsApi.createCharge('refund_hangs');
    await refundsApi.refund({ charge: id });
    await refundsApi.refund({ charge: id });
    expect((await eventsOf(session)).map(({ type }) => type)).toEqual(['checkout.completed', 'checkout.succeeded']);
  });

  test('allows filtering by refund events and subscribing to them', async () => {
    expect((await refundsApi.api.get('/v1/events?type=refund.succeeded')).status).toBe(200);
    const url = 'https://example.com/refunds';
    const { body } = await refundsApi.api.post('/v1/webhook_endpoints', {
      url,
      events: ['refund.succeeded', 'refund.failed'],
    });
    expect(body.events).toEqual(['refund.succeeded', 'refund.failed']);
  });
});
