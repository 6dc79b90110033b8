/** `POST /v1/charges/{charge_id}/settle`: the outcome of a charge that a person found in the processor's records. */
import { describe, expect, test } from 'vitest';
import { ListedChargeResource } from '../../src/contract/charges.ts';
import { recheckDueCharges } from '../../src/payments/charges/recheck.ts';
import { createSandbox } from '../../src/payments/sandbox/index.ts';
import { createRecordingLog } from '../integration/payments/test-payments.ts';
import { giveUp } from '../support/seed-payments.ts';
import { expectError } from './fixtures.ts';
import { AMOUNT } from './refunds-api.ts';
import { LOST, TAKEN, takenAs, useSettleApi } from './settle-api.ts';

const { refunds, settleCharge, pendingCharge, unsettledCharge, eventsOf, auditOf } = useSettleApi();

const lateAnswers = async () => {
  const { database } = refunds.api;
  await database.query('update charge_rechecks set due_at = now()');
  const deps = { database, processors: [createSandbox(database, { settleMs: 0 })], log: createRecordingLog() };
  await recheckDueCharges(deps, new AbortController().signal);
  return deps.log.lines.join('\n');
};

describe('settling a charge', () => {
  test('completes the session of a charge that was taken, with events and an audit event', async () => {
    const { id, session } = await unsettledCharge();
    const answer = await settleCharge(id, TAKEN);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    expect(ListedChargeResource.strict().parse(answer.body)).toMatchObject({
      charge_id: id,
      status: 'succeeded',
      processor_payment_id: 'pi_42',
      amount_cents: AMOUNT,
      settled_at: expect.stringMatching(/Z$/),
    });
    expect(answer.body).not.toHaveProperty('needs_settling');
    expect((await refunds.api.get(`/v1/charges/${id}`)).body).toEqual(answer.body);
    expect((await refunds.api.get(`/v1/checkout_sessions/${session}`)).body.session_status).toBe('complete');
    expect(await eventsOf(session)).toEqual(['checkout.completed', 'checkout.pending', 'checkout.succeeded']);
    expect(await auditOf(id)).toMatchObject([
      {
        action: 'charge.settled',
        actor: 'key',
        changes: { status: { from: 'pending', to: 'succeeded' }, amount_cents: AMOUNT, processor_payment_id: 'pi_42' },
      },
    ]);
  });

  test('fails a charge that was never received, and allows another payment of its session', async () => {
    const { id, session } = await unsettledCharge();
    const { status, body } = await settleCharge(id, LOST);
    expect([status, body.status, body.processor_payment_id]).toEqual([200, 'failed', null]);
    expect(await eventsOf(session)).toEqual(['checkout.failed', 'checkout.pending']);
    const again = await refunds.api.post('/v1/charge', {
      checkout_session_id: session,
      instrument_id: 'card_demo_visa',
    });
    expect([again.status, again.body.status]).toEqual([200, 'succeeded']);
    expectError(await settleCharge(id, TAKEN), 'invalid_value', 'charge_id');
  });

  test('marks a charge that was wrongly settled as not received as paid late, and as needing attention', async () => {
    const { id, session } = await unsettledCharge();
    await settleCharge(id, LOST);
    expect(await lateAnswers()).toContain('a charge reported as failed was paid');
    const charge = (await refunds.api.get(`/v1/charges/${id}`)).body;
    expect(charge).toMatchObject({ status: 'succeeded', was_late: true, needs_attention: true });
    expect(charge).not.toHaveProperty('failure');
    expect(ListedChargeResource.strict().parse(charge)).toEqual(charge);
    const attention = (await refunds.api.get('/v1/charges?needs_attention=true')).body.charges as {
      charge_id: string;
    }[];
    expect(attention.map(({ charge_id }) => charge_id)).toContain(id);
    expect((await refunds.api.get(`/v1/checkout_sessions/${session}`)).body).toMatchObject({
      session_status: 'complete',
      charge: { charge_id: id, was_late: true },
    });
    expect(await eventsOf(session)).toEqual([
      'checkout.completed',
      'checkout.failed',
      'checkout.pending',
      'checkout.succeeded',
    ]);
    const { body } = await refunds.api.get(`/v1/audit_events?object=${id}&action=charge.paid_late`);
    expect(body.audit_events).toHaveLength(1);
  });

  test('rejects a charge while the processor is still asked, and accepts the same request afterwards', async () => {
    const { id } = await pendingCharge();
    const headers = { 'idempotency-key': `early ${id}` };
    for (const said of [TAKEN, LOST]) {
      const early = await settleCharge(id, said, { 'idempotency-key': `early ${id} ${said.outcome}` });
      expectError(early, 'invalid_value', 'charge_id');
      expect(early.body.error).toMatchObject({ charge: id, message: expect.stringContaining('still being asked') });
    }
    expectError(await settleCharge(id, takenAs(id), headers), 'invalid_value', 'charge_id');
    const before = (await refunds.api.get(`/v1/charges/${id}`)).body;
    expect(before.status).toBe('pending');
    expect(before).not.toHaveProperty('needs_settling');
    await giveUp(refunds.api.database, id);
    expect((await refunds.api.get(`/v1/charges/${id}`)).body).toMatchObject({ needs_settling: true });
    expect((await settleCharge(id, takenAs(id), headers)).status).toBe(200);
    const repeated = await settleCharge(id, takenAs(id), headers);
    expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(await auditOf(id)).toHaveLength(1);
  });

  test('rejects settling a settled charge', async () => {
    const { id } = await refunds.createCharge();
    for (const said of [TAKEN, LOST]) {
      const { body } = await settleCharge(id, said);
      expect(body.error).toMatchObject({ code: 'invalid_value', param: 'charge_id', charge: id });
      expect(body.error.message).toBe('The charge is already settled, and that is final: it succeeded.');
    }
    expect(await auditOf(id)).toEqual([]);
  });

  test('rejects the processor reference of another charge and names that charge', async () => {
    const [one, two] = [await unsettledCharge(), await unsettledCharge()];
    expect((await settleCharge(one.id, takenAs(one.id))).status).toBe(200);
    const refused = await settleCharge(two.id, takenAs(one.id));
    expectError(refused, 'invalid_value', 'processor_payment_id');
    expect(refused.body.error).toMatchObject({ charge: two.id, message: expect.stringContaining(one.id) });
    expect((await refunds.api.get(`/v1/charges/${two.id}`)).body).toMatchObject({
      status: 'pending',
      processor_payment_id: null,
      needs_settling: true,
    });
    expect((await refunds.api.get(`/v1/checkout_sessions/${two.session}`)).body.session_status).not.toBe('complete');
    expect(await eventsOf(two.session)).toEqual(['checkout.pending']);
    expect(await auditOf(two.id)).toEqual([]);
    expect((await settleCharge(two.id, takenAs(two.id))).status).toBe(200);
  });

  test('accepts a processor reference for one of several charges at once, and names it to the others', async () => {
    const charges = await Promise.all([unsettledCharge(), unsettledCharge(), unsettledCharge(), unsettledCharge()]);
    const said = takenAs(charges[0].id);
    const answers = await Promise.all(charges.map(({ id }) => settleCharge(id, said)));
    const won = answers.filter(({ status }) => status === 200).map(({ body }) => String(body.charge_id));
    expect(won).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectError(answer, 'invalid_value', 'processor_payment_id');
      expect(answer.body.error.message).toContain(won[0]);
    }
  });

  test.each([
    ['of six days before', `created_at = created_at - interval '6 days'`, 400],
    ['of six days after', `created_at = created_at + interval '6 days'`, 400],
    ['that was declined', `status = 'failed'`, 400],
    ['of eight days before', `created_at = created_at - interval '8 days'`, 200],
    ['of another processor', `processor = 'stripe'`, 200],
    ['of the other mode', `mode = 'live'`, 200],
    ['of another merchant', `merchant_id = 'mer_demo_books'`, 200],
  ])('checks for the same processor reference of a charge %s', async (_, change, status) => {
    const { database } = refunds.api;
    const [one, two] = [await unsettledCharge(), await unsettledCharge()];
    await settleCharge(one.id, takenAs(one.id));
    await database.query(`update charges set ${change} where id = $1`, [one.id]);
    expect((await settleCharge(two.id, takenAs(one.id))).status).toBe(status);
  });

  test('rejects the processor reference of another merchant with the same account at the processor', async () => {
    const { database } = refunds.api;
    await database.query(
      `insert into merchant_processors (merchant_id, processor, account_id, mode, processor_account)
       select id, 'sandbox', account_id, mode, 'acct_shared' from merchants where id in ('mer_demo_books', 'mer_demo_market')
           on conflict (merchant_id, processor) do update set processor_account = excluded.processor_account`,
    );
    const [one, two] = [await unsettledCharge(), await unsettledCharge()];
    const move = 'update charges set merchant_id = $2 where id = $1';
    await database.query(move, [one.id, 'mer_demo_books']);
    await database.query(move, [two.id, 'mer_demo_market']);
    expect((await settleCharge(one.id, takenAs(one.id))).status).toBe(200);
    expectError(await settleCharge(two.id, takenAs(one.id)), 'invalid_value', 'processor_payment_id');
  });

  test('accepts only the known processor reference of a charge', async () => {
    const { id } = await unsettledCharge();
    await refunds.api.database.query(`update charges set processor_payment_id = 'theirs' where id = $1`, [id]);
    const refused = await settleCharge(id, takenAs(id));
    expectError(refused, 'invalid_value', 'processor_payment_id');
    expect(refused.body.error.message).toContain(
      'has received this charge: its reference is in `processor_payment_id`',
    );
    expect((await refunds.api.get(`/v1/charges/${id}`)).body.status).toBe('pending');
    const { body } = await settleCharge(id, { ...TAKEN, processor_payment_id: 'theirs' });
    expect(body).toMatchObject({ status: 'succeeded', processor_payment_id: 'theirs' });
  });

  test('settles a charge once for several requests at once, and returns the outcome to the others', async () => {
    const { id, session } = await unsettledCharge();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => settleCharge(id, at % 2 === 0 ? takenAs(id) : LOST)),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const ending = won[0]?.body.status;
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectError(answer, 'invalid_value', 'charge_id');
      expect(answer.body.error.message).toBe(`The charge is already settled, and that is final: it ${ending}.`);
    }
    expect(await auditOf(id)).toHaveLength(1);
    const expected = ending === 'succeeded' ? ['checkout.completed', 'checkout.pending', 'checkout.succeeded'] : null;
    expect(await eventsOf(session)).toEqual(expected ?? ['checkout.failed', 'checkout.pending']);
  });

  test.each([
    ['nothing', {}, 'missing_required_fields', 'outcome'],
    ['another outcome', { outcome: 'refused' }, 'invalid_value', 'outcome'],
    ['a success without an id', { outcome: 'succeeded' }, 'missing_required_fields', 'processor_payment_id'],
    [
      'a success with an empty id',
      { ...TAKEN, processor_payment_id: '' },
      'missing_required_fields',
      'processor_payment_id',
    ],
    ['an id with a space', { ...TAKEN, processor_payment_id: 'pi 42' }, 'invalid_value', 'processor_payment_id'],
    ['an id that is an option', { ...TAKEN, processor_payment_id: '--now' }, 'invalid_value', 'processor_payment_id'],
    ['a long id', { ...TAKEN, processor_payment_id: 'x'.repeat(256) }, 'invalid_value', 'processor_payment_id'],
    ['a loss with an id', { ...LOST, processor_payment_id: 'pi_42' }, 'invalid_value', 'processor_payment_id'],
    ['an amount', { ...TAKEN, amount_cents: 1 }, 'invalid_value', 'amount_cents'],
    ['now', { ...TAKEN, now: true }, 'invalid_value', 'now'],
  ] as const)('does not settle a charge with %s', async (_, body, code, param) => {
    const { id } = await unsettledCharge();
    expectError(await settleCharge(id, body), code, param);
    expect((await refunds.api.get(`/v1/charges/${id}`)).body.status).toBe('pending');
  });
});
