/** One payment per order: a second checkout for an order, and two checkouts that are open at once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderLine } from '../../src/contract/agent-lines.ts';
import { LANGUAGE_TAGS } from '../../src/languages/index.ts';
import { CALLER } from './fixtures.ts';
import { startTestApi, type TestApi } from './test-api.ts';

const VISA = 'card_demo_visa';
const DINER = 'mer_demo_diner';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

let count = 0;
/** An unpaid order of the diner. */
async function newOrder(amountCents = 4_250): Promise<string> {
  const id = `order_of_test_${count++}`;
  await api.database.query(
    `insert into sandbox_orders (account_id, merchant_id, order_id, amount_cents) values ('acct_demo', $1, $2, $3)`,
    [DINER, id, amountCents],
  );
  return id;
}
const open = (order_id: string, more = {}) =>
  api.checkout({ merchant_id: DINER, caller_phone: CALLER, order_id, ...more });
const charge = (checkout_session_id: string, instrument_id = VISA) =>
  api.post('/v1/charge', { checkout_session_id, instrument_id });
const setCharge = (id: unknown, what: string) => api.database.query(`update charges set ${what} where id = $1`, [id]);
async function pay(order: string): Promise<unknown> {
  const { body } = await charge((await open(order)).checkout_session_id);
  expect(body.status).toBe('succeeded');
  return body.charge_id;
}
const line = (status: 'pending' | 'succeeded') => orderLine({ language: 'en' }, { status, remainingCents: 0 });

describe('a checkout for an order', () => {
  test('requires no payment for a paid order, and says so', async () => {
    const order = await newOrder();
    await pay(order);
    const second = await open(order);
    expect(second).toMatchObject({ payment_required: 'none', transfer_to: null, cards: [], amount_cents: 4250 });
    expect(second.agent_message).toBe(line('succeeded'));
    expect(second.agent_message).toMatch(/already paid/);
  });

  test('does not say of an order that was paid in part that nothing is left to pay', async () => {
    const order = await newOrder();
    const [first, second] = [await open(order), await open(order)];
    const { charge_id } = (await charge(first.checkout_session_id)).body;
    await setCharge(charge_id, 'amount_cents = 2300, tip_cents = 300, remaining_cents = 2250');
    const read = (await api.get(`/v1/checkout_sessions/${first.checkout_session_id}`)).body;
    expect(read.agent_message).toMatch(/went through, and twenty-two dollars and fifty cents is left to pay\.$/);
    const { status, body } = await charge(second.checkout_session_id);
    expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'charge_details_mismatch' });
    expect(body.error.agent_message).toMatch(/^There's already a payment for that order/);
    const third = await open(order);
    expect(third).toMatchObject({ payment_required: 'none', amount_cents: 4250 });
    expect(third.agent_message).toBe(body.error.agent_message);
  });

  test('says that an order is being paid, until the charge fails', async () => {
    const order = await newOrder();
    const id = await pay(order);
    await setCharge(id, `status = 'pending'`);
    expect(await open(order)).toMatchObject({ payment_required: 'none', agent_message: line('pending') });
    await setCharge(id, `status = 'failed', decline_code = 'do_not_honor'`);
    expect((await open(order)).payment_required).toBe('required');
  });

  test('requires payment again after a full refund, but not after a partial one', async () => {
    const order = await newOrder();
    const charged = await pay(order);
    const refund = (amount_cents: number) => api.post('/v1/refunds', { charge: charged, amount_cents });
    expect((await refund(1_000)).status).toBe(200);
    expect((await open(order)).payment_required).toBe('none');
    expect((await refund(3_250)).status).toBe(200);
    const again = await open(order);
    expect(again.payment_required).toBe('required');
    expect((await charge(again.checkout_session_id)).body.status).toBe('succeeded');
  });

  test('requires no payment while a refund is pending, because it may fail', async () => {
    const order = await newOrder();
    const charged = await pay(order);
    const other = await open(order, { allow_repeat: true });
    expect((await api.post('/v1/refunds', { charge: charged })).status).toBe(200);
    const setRefund = (status: string) =>
      api.database.query('update refunds set status = $2, settled_at = null where charge_id = $1', [charged, status]);
    await setRefund('pending');
    expect(await open(order)).toMatchObject({ payment_required: 'none', agent_message: line('succeeded') });
    // Opened before: refused when it is charged.
    await api.database.query('update checkout_sessions set allow_repeat = false where id = $1', [
      other.checkout_session_id,
    ]);
    expect((await charge(other.checkout_session_id)).body.error).toMatchObject({ charge: charged });
  });

  test('creates and charges a repeated checkout with allow_repeat', async () => {
    const order = await newOrder();
    await pay(order);
    const second = await open(order, { allow_repeat: true });
    expect(second.payment_required).toBe('required');
    expect((await charge(second.checkout_session_id)).body.status).toBe('succeeded');
  });

  test('still knows a paid order that its source no longer has', async () => {
    const order = await newOrder();
    await pay(order);
    await api.database.query('delete from sandbox_orders where order_id = $1', [order]);
    expect(await open(order)).toMatchObject({ payment_required: 'none', amount_cents: 4250 });
  });

  test('distinguishes orders with the same ID at different merchants', async () => {
    const order = await newOrder();
    await pay(order);
    await api.database.query(
      `insert into sandbox_orders (account_id, merchant_id, order_id, amount_cents) values ('acct_demo', 'mer_demo_books', $1, 2500)`,
      [order],
    );
    expect((await open(order, { merchant_id: 'mer_demo_books' })).payment_required).toBe('required');
  });

  test('requires no payment for a paid order in the tool form', async () => {
    const order = await newOrder();
    await pay(order);
    const body = { amount_cents: 4_250, order_id: order };
    const answer = await api.post('/api/tools/create_checkout', body, { 'x-ringkey-merchant': 'demo-diner' });
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^cs_/),
      payment_required: 'none',
      agent_message: line('succeeded'),
    });
  });
});

describe('two open checkouts for an order', () => {
  test('charges only one of two checkouts, and explains it to the other', async () => {
    const order = await newOrder();
    const ids = [];
    for (let at = 0; at < 8; at += 1) ids.push((await open(order)).checkout_session_id);
    const answers = await Promise.all(ids.map((id) => charge(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const [paid] = answers.filter(({ status }) => status === 200);
    for (const { status, body } of answers.filter((answer) => answer !== paid)) {
      expect({ status, ...body.error }).toMatchObject({
        status: 409,
        code: 'charge_details_mismatch',
        audience: 'caller',
        charge: paid?.body.charge_id,
        agent_message: expect.stringMatching(/already paid|being confirmed/),
      });
    }
    const { rows } = await api.database.query('select from charges where session_id = any($1)', [ids]);
    expect(rows).toHaveLength(1);
  });

  test('charges both checkouts if the second has allow_repeat', async () => {
    const order = await newOrder();
    const [first, second] = [await open(order), await open(order, { allow_repeat: true })];
    expect((await charge(first.checkout_session_id)).status).toBe(200);
    expect((await charge(second.checkout_session_id)).status).toBe(200);
  });

  test.each(['succeeded', 'pending'] as const)(
    'are texted about no more once one has %s, unless the order may be paid again',
    async (status) => {
      const order = await newOrder();
      const [first, second] = [await open(order), await open(order)];
      const again = await open(order, { allow_repeat: true });
      const { charge_id } = (await charge(first.checkout_session_id)).body;
      if (status === 'pending') await setCharge(charge_id, `status = 'pending'`);
      const send = ({ checkout_session_id }: { checkout_session_id: string }) =>
        api.post('/v1/send_link', { checkout_session_id });
      const refused = await send(second);
      expect({ status: refused.status, ...refused.body.error }).toMatchObject({
        status: 409,
        code: 'charge_details_mismatch',
        audience: 'caller',
        charge: charge_id,
        agent_message: line(status),
      });
      expect((await send(again)).body).toMatchObject({ sent: true });
      const { rows } = await api.database.query('select session_id from texts where session_id = any($1)', [
        [second.checkout_session_id, again.checkout_session_id],
      ]);
      expect(rows).toEqual([{ session_id: again.checkout_session_id }]);
    },
  );

  test('explains it in the merchant’s language', async () => {
    const said = LANGUAGE_TAGS.map((language) => orderLine({ language }, { status: 'succeeded', remainingCents: 0 }));
    expect(new Set(said).size).toBe(LANGUAGE_TAGS.length);
    const order = await newOrder();
    const [first, second] = [await open(order), await open(order)];
    await charge(first.checkout_session_id);
    await api.database.query(`update merchants set language = 'fr-CA' where id = $1`, [DINER]);
    const { error } = (await charge(second.checkout_session_id)).body;
    await api.database.query(`update merchants set language = 'en-US' where id = $1`, [DINER]);
    expect(error.agent_message).toMatch(/déjà payée/);
  });
});
