/** Repeated `POST /v1/refunds`: one refund per Idempotency-Key, also after a crash. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectError } from './fixtures.ts';
import { type RefundsApi, startRefundsApi } from './refunds-api.ts';

let refunds: RefundsApi;
beforeAll(async () => {
  refunds = await startRefundsApi();
});
afterAll(() => refunds.close());

describe('refunds with an Idempotency-Key', () => {
  const key = (name: string) => ({ 'idempotency-key': name });

  test('makes one refund for repeated requests', async () => {
    const { id } = await refunds.createCharge();
    const ask = () => refunds.refund({ charge: id, amount_cents: 1_000 }, key('one'));
    const first = await ask();
    const again = await ask();
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await refunds.refundsOf(id)).toHaveLength(1);
    expect((await refunds.refund({ charge: id, amount_cents: 1_000 }, key('two'))).body.refund_id).not.toBe(
      first.body.refund_id,
    );
  });

  test('makes a refund for each request without a key', async () => {
    const { id } = await refunds.createCharge();
    const ids = [
      await refunds.refund({ charge: id, amount_cents: 10 }),
      await refunds.refund({ charge: id, amount_cents: 10 }),
    ];
    expect(new Set(ids.map(({ body }) => body.refund_id)).size).toBe(2);
  });

  test('rejects a used key with different details', async () => {
    const { id } = await refunds.createCharge();
    await refunds.refund({ charge: id, amount_cents: 100 }, key('details'));
    const answer = await refunds.refund({ charge: id, amount_cents: 200 }, key('details'));
    expectError(answer, 'charge_details_mismatch', 'Idempotency-Key');
    expect(await refunds.refundsOf(id)).toHaveLength(1);
  });

  test('returns the refund of a key whose stored answer was lost, and makes no second one', async () => {
    const { id } = await refunds.createCharge();
    const body = { charge: id, amount_cents: 1_000 };
    const first = await refunds.refund(body, key('died'));
    await forgetAnswers();
    const again = await refunds.refund(body, key('died'));
    expect(again.headers.get('idempotent-replayed')).toBeNull();
    expect(again.body).toEqual(first.body);
    await forgetAnswers();
    expectError(
      await refunds.refund({ ...body, amount_cents: 999 }, key('died')),
      'charge_details_mismatch',
      'Idempotency-Key',
    );
    expect(await refunds.refundsOf(id)).toHaveLength(1);
  });

  test('returns a full or failed refund again after its stored answer was lost', async () => {
    const [{ id }, { id: refused }] = [await refunds.createCharge(), await refunds.createCharge('refund_refused')];
    const first = await refunds.refund({ charge: id }, key('whole'));
    const failed = await refunds.refund({ charge: refused }, key('refused'));
    await forgetAnswers();
    expect((await refunds.refund({ charge: id }, key('whole'))).body).toEqual(first.body);
    const again = await refunds.refund({ charge: refused }, key('refused'));
    expect({ ...again.body.error, request_id: '' }).toEqual({ ...failed.body.error, request_id: '' });
    expect(await refunds.refundsOf(refused)).toHaveLength(1);
  });

  test('forgets a key after 24 hours', async () => {
    const { id } = await refunds.createCharge();
    const body = { charge: id, amount_cents: 1_000 };
    const first = await refunds.refund(body, key('old'));
    await refunds.api.database.query(
      `update idempotency_keys set created_at = created_at - interval '24 hours 1 second'`,
    );
    await refunds.api.database.query(
      `update refunds set created_at = created_at - interval '24 hours 1 second' where charge_id = $1`,
      [id],
    );
    const second = await refunds.refund(body, key('old'));
    expect(second.status).toBe(200);
    expect(second.body.refund_id).not.toBe(first.body.refund_id);
    await forgetAnswers();
    expect((await refunds.refund(body, key('old'))).body.refund_id).toBe(second.body.refund_id);
  });

  /** As if the process had died between the refund and its answer. */
  const forgetAnswers = () => refunds.api.database.query('delete from idempotency_keys');
});
