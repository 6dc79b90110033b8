/** `/v1/refunds` over HTTP: every rule and every error. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_ACCOUNT } from '../../src/dev/seed.ts';
import { newId } from '../../src/domain/ids.ts';
import { RefundResource } from '../../src/domain/refund.ts';
import { InFlight } from '../../src/payments/in-flight.ts';
import type { Processor } from '../../src/payments/ports.ts';
import { refundCharge } from '../../src/payments/refund.ts';
import { handleOf, testCard } from '../../src/payments/sandbox/cards.ts';
import { createSandbox } from '../../src/payments/sandbox/index.ts';
import { notebook } from '../integration/payments/support.ts';
import { addKeys, bearer, CALLER, expectError, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { type Answer, startTestApi, type TestApi } from './support.ts';

const AMOUNT = 4_000;
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await addKeys(api);
});
afterAll(() => api.close());

/** A session that was paid, or tried to be, with this test card. */
async function charged(card = 'visa', at = api): Promise<{ id: string; session: string }> {
  const instrument = newId('Instrument');
  await at.database.query(
    `insert into instruments (id, account_id, mode, consumer_id, merchant_id, processor, processor_handle, brand,
                              last_four, expiry_month, expiry_year)
     values ($1, $2, 'test', 'con_demo_caller', 'mer_demo_diner', 'sandbox', $3, 'VISA', '0000', 12, 2049)`,
    [instrument, DEMO_ACCOUNT, handleOf(testCard(card))],
  );
  const body = { merchant_id: 'mer_demo_diner', amount_cents: AMOUNT, caller_phone: CALLER };
  const { checkout_session_id: session } = await at.checkout(body);
  const { body: answer } = await at.post('/v1/charge', { checkout_session_id: session, instrument_id: instrument });
  return { id: String(answer.charge_id ?? answer.error?.charge), session };
}

const refund = (body: object, headers: Record<string, string> = {}) => api.post('/v1/refunds', body, headers);
const read = (id: unknown, headers?: Record<string, string>) => api.get(`/v1/refunds/${id}`, headers);
const list = (query: string) => api.get(`/v1/refunds${query}`);
const refundsOf = async (charge: string) => (await list(`?charge=${charge}`)).body.refunds as RefundResource[];

/** With a sandbox of its own temper for refunds. */
async function startWith(sandboxOf: (database: TestApi['database']) => Processor): Promise<TestApi> {
  const deps = { inFlight: new InFlight(), log: notebook(), onPending: () => undefined };
  const own: TestApi = await startTestApi({
    refund: (order) => refundCharge({ ...deps, sql: own.database, processors: [sandboxOf(own.database)] }, order),
  });
  return own;
}

function expectRefusal(answer: Answer, charge: string, param: 'charge' | 'amount_cents'): void {
  expectError(answer, 'invalid_value', param);
  expect(answer.body.error.charge).toBe(charge);
}

describe('a refund', () => {
  test('of the whole charge, where no amount is given', async () => {
    const { id, session } = await charged();
    const { status, body } = await refund({ charge: id });
    expect(status).toBe(200);
    expect(() => RefundResource.strict().parse(body)).not.toThrow();
    expect(body).toEqual({
      ...{ refund_id: expect.stringMatching(/^re_[a-z2-9]{26}$/), charge: id, checkout_session_id: session },
      ...{ merchant_id: 'mer_demo_diner', status: 'succeeded', amount_cents: AMOUNT, currency: 'USD', reason: null },
      ...{ processor_refund_id: expect.stringMatching(/^sandbox_refund_/), metadata: {} },
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect((await read(body.refund_id)).body).toEqual(body);
  });

  test('of a part, then of the rest; with a reason, and metadata that is echoed', async () => {
    const { id } = await charged();
    const asked = { charge: id, amount_cents: 1_500, reason: 'duplicate', metadata: { ticket: '4711', ä: 'ö\n' } };
    const { body: part } = await refund(asked);
    expect(part).toMatchObject({ ...asked, status: 'succeeded' });
    const { body: rest } = await refund({ charge: id });
    expect(rest).toMatchObject({ amount_cents: 2_500, status: 'succeeded' });
    expect((await refundsOf(id)).map(({ refund_id }) => refund_id)).toEqual([rest.refund_id, part.refund_id]);
  });

  test('leaves the session and its charge as they are', async () => {
    const { id, session } = await charged();
    const before = await api.get(`/v1/checkout_sessions/${session}`);
    await refund({ charge: id });
    expect((await api.get(`/v1/checkout_sessions/${session}`)).body).toEqual(before.body);
  });

  test('that is taken on and not made yet is pending, and counts', async () => {
    const own = await startWith((database) => createSandbox(database, { settleMs: 600_000 }));
    try {
      const { id } = await charged('refund_dawdles', own);
      const { status, body } = await own.post('/v1/refunds', { charge: id, amount_cents: 3_000 });
      expect(status).toBe(200);
      expect(body).toMatchObject({ status: 'pending', processor_refund_id: expect.stringMatching(/^sandbox_refund_/) });
      expect((await own.get(`/v1/refunds/${body.refund_id}`)).body).toEqual(body);
      expectRefusal(await own.post('/v1/refunds', { charge: id, amount_cents: 1_001 }), id, 'amount_cents');
    } finally {
      await own.close();
    }
  });

  test('on credentials that are gone is refused, in words about refunds', async () => {
    const own = await startWith((database) => ({ ...createSandbox(database), needsCredentials: true }));
    try {
      const { id } = await charged('visa', own);
      const { status, body } = await own.post('/v1/refunds', { charge: id });
      expect(status).toBe(422);
      expect(body.error).toMatchObject({
        ...{ code: 'merchant_credentials_invalid', audience: 'caller', charge: id },
        agent_message: expect.stringContaining('refunded'),
        display_message: expect.stringContaining('refunded'),
      });
    } finally {
      await own.close();
    }
  });

  test('that the processor refuses is an error, stays in the list as failed, and what it was of can be given back again', async () => {
    const { id } = await charged('refund_refused');
    const answer = await refund({ charge: id, amount_cents: 4_000 });
    expectRefusal(answer, id, 'charge');
    expect(answer.body.error.processor_code).toBe('refund_refused');
    const [failed, ...others] = await refundsOf(id);
    expect(others).toEqual([]);
    expect(failed).toMatchObject({
      ...{ status: 'failed', amount_cents: 4_000, processor_refund_id: null },
      failure: { code: 'invalid_value', param: 'charge', charge: id, processor_code: 'refund_refused' },
    });
    expect((await read(failed?.refund_id)).status).toBe(200);
    expectRefusal(await refund({ charge: id, amount_cents: 4_000 }), id, 'charge');
    expect(await refundsOf(id)).toHaveLength(2);
  });

  test('whose outcome is not known is a 424, pending in the list, and in the way of another', async () => {
    const { id } = await charged('refund_hangs');
    const answer = await refund({ charge: id });
    expect(answer.status).toBe(424);
    expect(answer.body.error).toMatchObject({
      ...{ code: 'processor_unavailable', type: 'processor_error', audience: 'caller', charge: id },
      agent_message: expect.stringContaining('refund'),
      display_message: expect.stringContaining('refund'),
    });
    expect(answer.body.error.agent_message).not.toContain('pay again');
    expect(await refundsOf(id)).toMatchObject([{ status: 'pending', processor_refund_id: null, amount_cents: AMOUNT }]);
    expectRefusal(await refund({ charge: id }), id, 'charge');
    expectRefusal(await refund({ charge: id, amount_cents: 1 }), id, 'charge');
  });
});

describe('refused', () => {
  test('more than the charge, and more than is left of it', async () => {
    const { id } = await charged();
    expectRefusal(await refund({ charge: id, amount_cents: AMOUNT + 1 }), id, 'amount_cents');
    expect((await refund({ charge: id, amount_cents: AMOUNT - 1 })).status).toBe(200);
    expectRefusal(await refund({ charge: id, amount_cents: 2 }), id, 'amount_cents');
    expect((await refund({ charge: id, amount_cents: 1 })).status).toBe(200);
    expectRefusal(await refund({ charge: id }), id, 'charge');
    expect(await refundsOf(id)).toHaveLength(2);
  });

  test('a charge that failed, and one that is pending', async () => {
    for (const card of ['do_not_honor', 'hangs_taken']) {
      const { id } = await charged(card);
      expectRefusal(await refund({ charge: id }), id, 'charge');
      expect(await refundsOf(id)).toEqual([]);
    }
  });

  test('a charge that is none, and one of another account', async () => {
    const { id } = await charged();
    for (const charge of ['ch_nobodys', 'nonsense', 'cs_1', '../keys', 're_1']) {
      expectError(await refund({ charge }), 'not_found', 'charge');
    }
    expectError(await refund({ charge: id }, bearer(OTHER_KEY)), 'not_found', 'charge');
  });

  test('a charge of the other mode, and no key', async () => {
    const { id } = await charged();
    expectError(await refund({ charge: id }, bearer(LIVE_KEY)), 'invalid_key');
    expectError(await refund({ charge: id }, bearer('rk_test_wrong')), 'invalid_key');
    expect(await refundsOf(id)).toEqual([]);
  });

  test('a charge of a processor that is not here', async () => {
    const { id } = await charged();
    await api.database.query(`update charges set processor = 'stripe' where id = $1`, [id]);
    expectRefusal(await refund({ charge: id }), id, 'charge');
  });

  test.each([
    ['nothing at all', 'missing_required_fields', 'charge', {}],
    ['no charge', 'missing_required_fields', 'charge', { amount_cents: 1 }],
    ['a charge that is a number', 'invalid_value', 'charge', { charge: 7 }],
    ['an empty charge', 'invalid_value', 'charge', { charge: '' }],
    ['no money', 'invalid_value', 'amount_cents', { charge: 'ch_1', amount_cents: 0 }],
    ['less than nothing', 'invalid_value', 'amount_cents', { charge: 'ch_1', amount_cents: -5 }],
    ['half a cent', 'invalid_value', 'amount_cents', { charge: 'ch_1', amount_cents: 1.5 }],
    ['an amount as text', 'invalid_value', 'amount_cents', { charge: 'ch_1', amount_cents: '100' }],
    ['more than any charge', 'invalid_value', 'amount_cents', { charge: 'ch_1', amount_cents: 100_000_000 }],
    ['no amount at all', 'invalid_value', 'amount_cents', { charge: 'ch_1', amount_cents: null }],
    ['a reason of one’s own', 'invalid_value', 'reason', { charge: 'ch_1', reason: 'cold soup' }],
    ['metadata that is none', 'invalid_value', 'metadata', { charge: 'ch_1', metadata: 'x' }],
    ['metadata deeper than one level', 'invalid_value', 'metadata.a', { charge: 'ch_1', metadata: { a: {} } }],
    ['metadata with a zero byte', 'invalid_value', 'metadata.a', { charge: 'ch_1', metadata: { a: '\u0000' } }],
    ['something else', 'invalid_value', 'currency', { charge: 'ch_1', currency: 'USD' }],
  ] as const)('%s', async (_, code, param, body) => {
    expectError(await refund(body), code, param);
  });

  test('too much metadata', async () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'v']));
    expectError(await refund({ charge: 'ch_1', metadata: many }), 'invalid_value', 'metadata');
  });
});

describe('an Idempotency-Key', () => {
  const key = (name: string) => ({ 'idempotency-key': name });

  test('is one refund, however often it comes', async () => {
    const { id } = await charged();
    const ask = () => refund({ charge: id, amount_cents: 1_000 }, key('one'));
    const first = await ask();
    const again = await ask();
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await refundsOf(id)).toHaveLength(1);
    expect((await refund({ charge: id, amount_cents: 1_000 }, key('two'))).body.refund_id).not.toBe(
      first.body.refund_id,
    );
  });

  test('without one, each request is a refund', async () => {
    const { id } = await charged();
    const ids = [await refund({ charge: id, amount_cents: 10 }), await refund({ charge: id, amount_cents: 10 })];
    expect(new Set(ids.map(({ body }) => body.refund_id)).size).toBe(2);
  });

  test('with other details is refused', async () => {
    const { id } = await charged();
    await refund({ charge: id, amount_cents: 100 }, key('details'));
    const answer = await refund({ charge: id, amount_cents: 200 }, key('details'));
    expectError(answer, 'charge_details_mismatch', 'Idempotency-Key');
    expect(await refundsOf(id)).toHaveLength(1);
  });

  test('whose first process died before it answered finds its refund, and no other', async () => {
    const { id } = await charged();
    const body = { charge: id, amount_cents: 1_000 };
    const first = await refund(body, key('died'));
    await forgetAnswers();
    const again = await refund(body, key('died'));
    expect(again.headers.get('idempotent-replayed')).toBeNull();
    expect(again.body).toEqual(first.body);
    await forgetAnswers();
    expectError(
      await refund({ ...body, amount_cents: 999 }, key('died')),
      'charge_details_mismatch',
      'Idempotency-Key',
    );
    expect(await refundsOf(id)).toHaveLength(1);
  });

  test('so it does for the whole charge, of which nothing is left then, and for a refusal', async () => {
    const [{ id }, { id: refused }] = [await charged(), await charged('refund_refused')];
    const first = await refund({ charge: id }, key('whole'));
    const failed = await refund({ charge: refused }, key('refused'));
    await forgetAnswers();
    expect((await refund({ charge: id }, key('whole'))).body).toEqual(first.body);
    const again = await refund({ charge: refused }, key('refused'));
    expect({ ...again.body.error, request_id: '' }).toEqual({ ...failed.body.error, request_id: '' });
    expect(await refundsOf(refused)).toHaveLength(1);
  });

  test('is forgotten after 24 hours', async () => {
    const { id } = await charged();
    const body = { charge: id, amount_cents: 1_000 };
    const first = await refund(body, key('old'));
    await api.database.query(`update idempotency_keys set created_at = created_at - interval '24 hours 1 second'`);
    await api.database.query(
      `update refunds set created_at = created_at - interval '24 hours 1 second' where charge_id = $1`,
      [id],
    );
    const second = await refund(body, key('old'));
    expect(second.status).toBe(200);
    expect(second.body.refund_id).not.toBe(first.body.refund_id);
    await forgetAnswers();
    expect((await refund(body, key('old'))).body.refund_id).toBe(second.body.refund_id);
  });

  /** As if the process had died between the refund and its answer. */
  const forgetAnswers = () => api.database.query('delete from idempotency_keys');
});

describe('the list', () => {
  test('goes a page at a time, newest first, of one charge or of all', async () => {
    const { id } = await charged();
    const ids: unknown[] = [];
    for (const amount_cents of [1, 2, 3, 4, 5])
      ids.unshift((await refund({ charge: id, amount_cents })).body.refund_id);
    const page = async (query: string) => {
      const { body } = await list(query);
      return { ids: (body.refunds as RefundResource[]).map(({ refund_id }) => refund_id), more: body.has_more };
    };
    expect(await page(`?charge=${id}`)).toEqual({ ids, more: false });
    expect(await page(`?charge=${id}&limit=2`)).toEqual({ ids: ids.slice(0, 2), more: true });
    expect(await page(`?charge=${id}&limit=2&starting_after=${ids[1]}`)).toEqual({ ids: ids.slice(2, 4), more: true });
    expect(await page(`?charge=${id}&limit=2&starting_after=${ids[3]}`)).toEqual({ ids: ids.slice(4), more: false });
    expect(await page('?limit=3')).toEqual({ ids: ids.slice(0, 3), more: true });
  });

  test('knows no charge of others, and no page after what is not in it', async () => {
    const [{ id }, { id: other }] = [await charged(), await charged()];
    const { body } = await refund({ charge: other });
    expectError(await list('?charge=ch_nobodys'), 'not_found', 'charge');
    expectError(await list('?charge=nonsense'), 'not_found', 'charge');
    expectError(await api.get(`/v1/refunds?charge=${id}`, bearer(OTHER_KEY)), 'not_found', 'charge');
    expectError(await api.get(`/v1/refunds?charge=${id}`, bearer(LIVE_KEY)), 'invalid_key');
    expectError(await list(`?charge=${id}&starting_after=${body.refund_id}`), 'invalid_value', 'starting_after');
    expectError(await list('?starting_after=re_nobodys'), 'invalid_value', 'starting_after');
    expectError(await list('?limit=0'), 'invalid_value', 'limit');
    expect((await api.get('/v1/refunds', bearer(OTHER_KEY))).body).toEqual({ refunds: [], has_more: false });
    expect((await api.get('/v1/refunds', bearer(LIVE_KEY))).body).toEqual({ refunds: [], has_more: false });
  });

  test('a refund of nobody, of others, of the other mode', async () => {
    const { id } = await charged();
    const { body } = await refund({ charge: id });
    for (const text of ['re_nobodys', 'nonsense', id]) expectError(await read(text), 'not_found', 'refund_id');
    expectError(await read(body.refund_id, bearer(OTHER_KEY)), 'not_found', 'refund_id');
    expectError(await read(body.refund_id, bearer(LIVE_KEY)), 'invalid_key');
  });
});

describe('events', () => {
  const eventsOf = async (session: string) =>
    (await api.get(`/v1/events?checkout_session_id=${session}`)).body.events as {
      id: string;
      type: string;
      data: Record<string, unknown>;
    }[];

  test('one tells of each outcome, with the refund as it is retrieved, and the charge', async () => {
    const { id, session } = await charged();
    const { body } = await refund({ charge: id, amount_cents: 10, reason: 'fraudulent', metadata: { a: 'b' } });
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

  test('a failed one says why, as the refusal did', async () => {
    const { id, session } = await charged('refund_refused');
    const { body } = await refund({ charge: id });
    const [event] = await eventsOf(session);
    const [failed] = await refundsOf(id);
    expect(event?.type).toBe('refund.failed');
    expect(event?.data.refund).toMatchObject({
      ...{ refund_id: failed?.refund_id, status: 'failed' },
      failure: { ...body.error, request_id: event?.id },
    });
  });

  test('nothing is told of what is not known yet, or was refused by us', async () => {
    const { id, session } = await charged('refund_hangs');
    await refund({ charge: id });
    await refund({ charge: id });
    expect((await eventsOf(session)).map(({ type }) => type)).toEqual(['checkout.completed', 'checkout.succeeded']);
  });

  test('kinds that can be asked for, and subscribed to', async () => {
    expect((await api.get('/v1/events?type=refund.succeeded')).status).toBe(200);
    const url = 'https://example.com/refunds';
    const { body } = await api.post('/v1/webhook_endpoints', { url, events: ['refund.succeeded', 'refund.failed'] });
    expect(body.events).toEqual(['refund.succeeded', 'refund.failed']);
  });
});

test('when the record is away nothing is begun, and the client is told to come again', async () => {
  const own = await startTestApi({ refund: async () => ({ type: 'refused', reason: 'unavailable' }) });
  try {
    const { status, headers, body } = await own.post('/v1/refunds', { charge: 'ch_1' });
    expect({ status, code: body.error.code, after: headers.get('retry-after') }).toEqual({
      ...{ status: 503, code: 'internal_error', after: '1' },
    });
  } finally {
    await own.close();
  }
});
