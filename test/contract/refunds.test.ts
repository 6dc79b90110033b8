/** `POST /v1/refunds`: rules and rejections. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RefundResource } from '../../src/contract/refunds.ts';
import { createSandbox } from '../../src/payments/sandbox/index.ts';
import { bearer, expectError, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { AMOUNT, expectRefusal, type RefundsApi, startRefundsApi } from './refunds-api.ts';
import { startTestApi } from './test-api.ts';

let refunds: RefundsApi;
beforeAll(async () => {
  refunds = await startRefundsApi();
});
afterAll(() => refunds.close());

describe('a successful refund', () => {
  test('refunds the whole charge if no amount is sent', async () => {
    const { id, session } = await refunds.createCharge();
    const { status, body } = await refunds.refund({ charge: id });
    expect(status).toBe(200);
    expect(() => RefundResource.strict().parse(body)).not.toThrow();
    expect(body).toEqual({
      refund_id: expect.stringMatching(/^re_[a-z2-9]{26}$/),
      charge: id,
      checkout_session_id: session,
      merchant_id: 'mer_demo_diner',
      status: 'succeeded',
      amount_cents: AMOUNT,
      currency: 'USD',
      reason: null,
      origin: 'ringkey',
      processor_refund_id: expect.stringMatching(/^sandbox_refund_/),
      metadata: {},
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect((await refunds.read(body.refund_id)).body).toEqual(body);
  });

  test('refunds a part and then the rest, and returns the reason and the metadata', async () => {
    const { id } = await refunds.createCharge();
    const metadata = { ticket: 4711, share: 0.5, vip: true, note: null, empty: '', ä: 'ö\n😀' };
    const refund = { charge: id, amount_cents: 1_500, reason: 'duplicate', metadata };
    const { body: part } = await refunds.refund(refund);
    expect(part).toMatchObject({ ...refund, status: 'succeeded' });
    const { body: rest } = await refunds.refund({ charge: id });
    expect(rest).toMatchObject({ amount_cents: 2_500, status: 'succeeded' });
    expect((await refunds.refundsOf(id)).map(({ refund_id }) => refund_id)).toEqual([rest.refund_id, part.refund_id]);
  });

  test('does not change the session and its charge', async () => {
    const { id, session } = await refunds.createCharge();
    const before = await refunds.api.get(`/v1/checkout_sessions/${session}`);
    await refunds.refund({ charge: id });
    expect((await refunds.api.get(`/v1/checkout_sessions/${session}`)).body).toEqual(before.body);
  });

  test('shows an accepted refund as pending, and counts its amount', async () => {
    const own = await startRefundsApi((database) => createSandbox(database, { settleMs: 600_000 }));
    try {
      const { id } = await own.createCharge('refund_dawdles');
      const { status, body } = await own.refund({ charge: id, amount_cents: 3_000 });
      expect(status).toBe(200);
      expect(body).toMatchObject({ status: 'pending', processor_refund_id: expect.stringMatching(/^sandbox_refund_/) });
      expect((await own.read(body.refund_id)).body).toEqual(body);
      expectRefusal(await own.refund({ charge: id, amount_cents: 1_001 }), id, 'amount_cents');
    } finally {
      await own.close();
    }
  });

  test('rejects a refund with invalid credentials, in words about refunds', async () => {
    const own = await startRefundsApi((database) => ({ ...createSandbox(database), needsCredentials: true }));
    try {
      const { id } = await own.createCharge('visa');
      const { status, body } = await own.refund({ charge: id });
      expect(status).toBe(422);
      expect(body.error).toMatchObject({
        code: 'merchant_credentials_invalid',
        audience: 'caller',
        charge: id,
        agent_message: expect.stringContaining('refunded'),
        display_message: expect.stringContaining('refunded'),
      });
    } finally {
      await own.close();
    }
  });

  test('returns an error for a refund that the processor rejects, lists it as failed, and allows another refund', async () => {
    const { id } = await refunds.createCharge('refund_refused');
    const answer = await refunds.refund({ charge: id, amount_cents: 4_000 });
    expectRefusal(answer, id, 'charge');
    expect(answer.body.error.processor_code).toBe('refund_refused');
    const [failed, ...others] = await refunds.refundsOf(id);
    expect(others).toEqual([]);
    expect(failed).toMatchObject({
      status: 'failed',
      amount_cents: 4_000,
      processor_refund_id: null,
      failure: { code: 'invalid_value', param: 'charge', charge: id, processor_code: 'refund_refused' },
    });
    expect((await refunds.read(failed?.refund_id)).status).toBe(200);
    expectRefusal(await refunds.refund({ charge: id, amount_cents: 4_000 }), id, 'charge');
    expect(await refunds.refundsOf(id)).toHaveLength(2);
  });

  test('returns 424 for an unknown outcome, lists the refund as pending, and rejects another one', async () => {
    const { id } = await refunds.createCharge('refund_hangs');
    const answer = await refunds.refund({ charge: id });
    expect(answer.status).toBe(424);
    expect(answer.body.error).toMatchObject({
      code: 'processor_unavailable',
      type: 'processor_error',
      audience: 'caller',
      charge: id,
      agent_message: expect.stringContaining('refund'),
      display_message: expect.stringContaining('refund'),
    });
    expect(answer.body.error.agent_message).not.toContain('pay again');
    expect(await refunds.refundsOf(id)).toMatchObject([
      { status: 'pending', processor_refund_id: null, amount_cents: AMOUNT },
    ]);
    expectRefusal(await refunds.refund({ charge: id }), id, 'charge');
    expectRefusal(await refunds.refund({ charge: id, amount_cents: 1 }), id, 'charge');
  });
});

describe('rejected refunds', () => {
  test('rejects an amount above the charge or above the rest of it', async () => {
    const { id } = await refunds.createCharge();
    expectRefusal(await refunds.refund({ charge: id, amount_cents: AMOUNT + 1 }), id, 'amount_cents');
    expect((await refunds.refund({ charge: id, amount_cents: AMOUNT - 1 })).status).toBe(200);
    expectRefusal(await refunds.refund({ charge: id, amount_cents: 2 }), id, 'amount_cents');
    expect((await refunds.refund({ charge: id, amount_cents: 1 })).status).toBe(200);
    expectRefusal(await refunds.refund({ charge: id }), id, 'charge');
    expect(await refunds.refundsOf(id)).toHaveLength(2);
  });

  test('rejects a refund of a failed or pending charge', async () => {
    for (const card of ['do_not_honor', 'hangs_taken']) {
      const { id } = await refunds.createCharge(card);
      expectRefusal(await refunds.refund({ charge: id }), id, 'charge');
      expect(await refunds.refundsOf(id)).toEqual([]);
    }
  });

  test('does not find an unknown charge or a charge of another account', async () => {
    const { id } = await refunds.createCharge();
    for (const charge of ['ch_nobodys', 'nonsense', 'cs_1', '../keys', 're_1']) {
      expectError(await refunds.refund({ charge }), 'not_found', 'charge');
    }
    expectError(await refunds.refund({ charge: id }, bearer(OTHER_KEY)), 'not_found', 'charge');
  });

  test('rejects a key of the other mode, and an unknown key', async () => {
    const { id } = await refunds.createCharge();
    expectError(await refunds.refund({ charge: id }, bearer(LIVE_KEY)), 'invalid_key');
    expectError(await refunds.refund({ charge: id }, bearer('rk_test_wrong')), 'invalid_key');
    expect(await refunds.refundsOf(id)).toEqual([]);
  });

  test('rejects a charge of a processor that this service does not have', async () => {
    const { id } = await refunds.createCharge();
    await refunds.api.database.query(`update charges set processor = 'stripe' where id = $1`, [id]);
    expectRefusal(await refunds.refund({ charge: id }), id, 'charge');
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
    ['a truth for an amount', 'invalid_value', 'amount_cents', { charge: 'ch_1', amount_cents: true }],
    ['a reason of one’s own', 'invalid_value', 'reason', { charge: 'ch_1', reason: 'cold soup' }],
    ['metadata that is none', 'invalid_value', 'metadata', { charge: 'ch_1', metadata: 'x' }],
    ['metadata deeper than one level', 'invalid_value', 'metadata.a', { charge: 'ch_1', metadata: { a: {} } }],
    ['metadata with half a character', 'invalid_value', 'metadata.a', { charge: 'ch_1', metadata: { a: '\ud800' } }],
    ['metadata that is too long', 'invalid_value', 'metadata.a', { charge: 'ch_1', metadata: { a: 'ä'.repeat(501) } }],
    ['metadata with a zero byte', 'invalid_value', 'metadata.a', { charge: 'ch_1', metadata: { a: '\u0000' } }],
    ['something else', 'invalid_value', 'currency', { charge: 'ch_1', currency: 'USD' }],
  ] as const)('%s', async (_, code, param, body) => {
    expectError(await refunds.refund(body), code, param);
  });

  test('rejects more than 50 names in metadata', async () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'v']));
    expectError(await refunds.refund({ charge: 'ch_1', metadata: many }), 'invalid_value', 'metadata');
  });
});

test('answers 503 with Retry-After if the refund is refused as unavailable', async () => {
  const own = await startTestApi({ refund: async () => ({ type: 'refused', reason: 'unavailable' }) });
  try {
    const { status, headers, body } = await own.post('/v1/refunds', { charge: 'ch_1' });
    expect({ status, code: body.error.code, after: headers.get('retry-after') }).toEqual({
      status: 503,
      code: 'internal_error',
      after: '1',
    });
  } finally {
    await own.close();
  }
});

test.each([null, ''])('rejects the amount %j instead of refunding the rest', async (amount_cents) => {
  const { id } = await refunds.createCharge();
  const answer = await refunds.refund({ charge: id, amount_cents });
  expectError(answer, 'invalid_value', 'amount_cents');
  expect(await refunds.refundsOf(id)).toEqual([]);
  // Null in other optional fields counts as absent.
  expect((await refunds.refund({ charge: id, amount_cents: 1_000, reason: null })).status).toBe(200);
});
