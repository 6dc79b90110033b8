/**
 * `POST /v1/refunds/{id}/settle`: the outcome of a refund that a person found in the processor's records. Also the
 * permission to settle, and the lists of what needs settlement.
 */
import { describe, expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { RefundResource } from '../../src/contract/refunds.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { bearer, expectError, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { AMOUNT } from './refunds-api.ts';
import { GIVEN, givenAs, LOST, TAKEN, useSettleApi } from './settle-api.ts';
import type { Answer } from './test-api.ts';

const {
  refunds,
  settleCharge,
  settleRefund,
  pendingCharge,
  unsettledCharge,
  pendingRefund,
  unsettledRefund,
  eventsOf,
  auditOf,
} = useSettleApi();

describe('settling a refund', () => {
  test('marks a refund as succeeded, with its event and an audit event', async () => {
    const { charge, id } = await unsettledRefund();
    expect((await refunds.read(id)).body).toMatchObject({ status: 'pending', needs_settling: true });
    const { status, body } = await settleRefund(id, GIVEN);
    expect(status).toBe(200);
    expect(RefundResource.strict().parse(body)).toMatchObject({
      refund_id: id,
      charge,
      status: 'succeeded',
      processor_refund_id: 're_42',
      amount_cents: 1_000,
    });
    expect((await refunds.read(id)).body).toEqual(body);
    expect(await eventsOf(String(body.checkout_session_id))).toContain('refund.succeeded');
    expect(await auditOf(id)).toMatchObject([
      {
        action: 'refund.settled',
        actor: 'key',
        changes: { amount_cents: 1_000, processor_refund_id: 're_42' },
      },
    ]);
    expect((await refunds.refund({ charge, amount_cents: AMOUNT - 999 })).status).toBe(400);
  });

  test.each(['refused', 'not_received'])('does not count a refund that was not made (%s)', async (outcome) => {
    const { charge, id } = await unsettledRefund();
    const { status, body } = await settleRefund(id, { outcome });
    expect([status, body.status, (body.failure as { charge: string }).charge]).toEqual([200, 'failed', charge]);
    expect(await eventsOf(String(body.checkout_session_id))).toContain('refund.failed');
    expect((await refunds.api.get(`/v1/charges/${charge}`)).body.refunded_cents).toBe(0);
  });

  test('accepts only the known processor reference of a refund, and no missing refund', async () => {
    const { id } = await unsettledRefund();
    await refunds.api.database.query(`update refunds set processor_refund_id = 'theirs' where id = $1`, [id]);
    expectError(await settleRefund(id, GIVEN), 'invalid_value', 'processor_refund_id');
    expectError(await settleRefund(id, LOST), 'invalid_value', 'outcome');
    expect((await refunds.read(id)).body.status).toBe('pending');
    const { body } = await settleRefund(id, { ...GIVEN, processor_refund_id: 'theirs' });
    expect(body).toMatchObject({ status: 'succeeded', processor_refund_id: 'theirs' });
  });

  test('rejects a refund while the processor is still asked', async () => {
    const { id } = await pendingRefund();
    for (const said of [GIVEN, LOST, { outcome: 'refused' }]) {
      const early = await settleRefund(id, said);
      expectError(early, 'invalid_value', 'refund_id');
      expect(early.body.error.message).toContain('still being asked');
    }
    expect((await refunds.read(id)).body.status).toBe('pending');
  });

  test('rejects the processor reference of another refund and names that refund, also at once', async () => {
    const made = [await unsettledRefund(), await unsettledRefund(), await unsettledRefund()];
    const said = givenAs(made[0]?.id ?? '');
    const answers = await Promise.all(made.map(({ id }) => settleRefund(id, said)));
    const won = answers.filter(({ status }) => status === 200).map(({ body }) => String(body.refund_id));
    expect(won).toHaveLength(1);
    for (const [at, answer] of answers.entries()) {
      if (answer.status === 200) continue;
      expectError(answer, 'invalid_value', 'processor_refund_id');
      expect(answer.body.error).toMatchObject({
        charge: made[at]?.charge,
        message: expect.stringContaining(won[0] ?? ''),
      });
      expect((await refunds.read(made[at]?.id ?? '')).body).toMatchObject({
        status: 'pending',
        processor_refund_id: null,
      });
    }
  });

  test('settles a refund once for several requests at once, and returns the outcome to the others', async () => {
    const { charge, id } = await unsettledRefund();
    const answers = await Promise.all(
      [givenAs(id), LOST, { outcome: 'refused' }, givenAs(id), LOST, givenAs(id)].map((said) => settleRefund(id, said)),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const ending = won[0]?.body.status;
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body.error.message)).toEqual(
      refused.map(() => `The refund is already settled, and that is final: it ${ending}.`),
    );
    expect(await auditOf(id)).toHaveLength(1);
    const { body } = await refunds.api.get(`/v1/charges/${charge}`);
    expect(body.refunded_cents).toBe(ending === 'succeeded' ? 1_000 : 0);
  });

  test.each([
    ['nothing', {}, 'missing_required_fields', 'outcome'],
    ['a success without an id', { outcome: 'succeeded' }, 'missing_required_fields', 'processor_refund_id'],
    [
      'a refusal with an id',
      { outcome: 'refused', processor_refund_id: 're_1' },
      'invalid_value',
      'processor_refund_id',
    ],
    ['the id of a payment', TAKEN, 'invalid_value', 'processor_payment_id'],
  ] as const)('does not settle a refund with %s', async (_, body, code, param) => {
    const { id } = await unsettledRefund();
    expectError(await settleRefund(id, body), code, param);
    expect((await refunds.read(id)).body.status).toBe('pending');
  });
});

describe('permission to settle', () => {
  const both = async (): Promise<[settle: typeof settleCharge, id: string, said: object, param: string][]> => [
    [settleCharge, (await unsettledCharge()).id, TAKEN, 'charge_id'],
    [settleRefund, (await unsettledRefund()).id, GIVEN, 'refund_id'],
  ];
  const statusOf = async (id: string): Promise<unknown> =>
    (await refunds.api.get(`/v1/${id.startsWith('ch_') ? 'charges' : 'refunds'}/${id}`)).body.status;

  test('rejects a key of another account or of the other mode', async () => {
    for (const [settle, id, said, param] of await both()) {
      expectError(await settle(id, said, bearer(OTHER_KEY)), 'not_found', param);
      expectError(await settle(id, said, bearer(LIVE_KEY)), 'invalid_key');
      for (const none of ['ch_nobodys', 're_nobodys', 'nonsense'])
        expectError(await settle(none, said), 'not_found', param);
      expect(await statusOf(id)).toBe('pending');
    }
  });

  test('rejects an agent key', async () => {
    const scope = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;
    const { text } = await issueKey(refunds.api.database, SYSTEM, scope, { scope: 'agent' });
    for (const [settle, id, said] of await both()) {
      expectError(await settle(id, said, bearer(text)), 'invalid_key');
      expect(await statusOf(id)).toBe('pending');
    }
  });
});

test('lists only charges and refunds that need settlement with the filter', async () => {
  const [{ id: charge }, { id: refund, charge: refunded }] = [await unsettledCharge(), await unsettledRefund()];
  const [lookedUp, lookedUpRefund] = [await pendingCharge(), await pendingRefund()];
  const idsIn = ({ body }: Answer, list: string, field: string) =>
    (body[list] as Record<string, unknown>[]).map((each) => {
      expect(each).toMatchObject({ status: 'pending', needs_settling: true });
      return each[field];
    });
  const charges = idsIn(await refunds.api.get('/v1/charges?needs_settling=true&limit=100'), 'charges', 'charge_id');
  expect(charges).toContain(charge);
  expect(charges).not.toContain(lookedUp.id);
  const found = idsIn(await refunds.list('?needs_settling=true&limit=100'), 'refunds', 'refund_id');
  expect(found).toContain(refund);
  expect(found).not.toContain(lookedUpRefund.id);
  expect(idsIn(await refunds.list(`?needs_settling=true&charge=${refunded}`), 'refunds', 'refund_id')).toEqual([
    refund,
  ]);
  expectError(await refunds.list('?needs_settling=false'), 'invalid_value', 'needs_settling');
});
