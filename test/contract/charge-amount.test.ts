/** `POST /v1/charge` with a tip or a part of the amount. */
import { beforeAll, describe, expect, test } from 'vitest';
import { useFixture } from '../support/fixtures.ts';
import { chargeCalls, VISA } from './charge-api.ts';
import { expectError } from './fixtures.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi());
const { session } = chargeCalls(api);

const offer = (settings: Record<string, unknown>) => api.send('PATCH', '/v1/merchants/mer_demo_diner', settings);
const charge = (checkout_session_id: string, amounts: Record<string, unknown>) =>
  api.post('/v1/charge', { checkout_session_id, instrument_id: VISA, ...amounts });

describe('at a merchant that offers tips and takes parts', () => {
  beforeAll(async () => {
    await offer({ tip_percentages: [15, 20], partial_minimum_cents: 500 });
  });

  test('charges the tip in addition', async () => {
    const id = await session();
    const { status, body } = await charge(id, { tip_cents: 765 });
    expect({ status, body }).toMatchObject({ status: 200, body: { amount_cents: 5015, tip_cents: 765 } });
    expect(body).not.toHaveProperty('remaining_cents');
    const read = (await api.get(`/v1/checkout_sessions/${id}`)).body;
    expect(read).toMatchObject({ amount_cents: 4250, charge: { amount_cents: 5015, tip_cents: 765 } });
  });

  test('charges a part with a tip, and says what is left', async () => {
    const id = await session();
    const { body } = await charge(id, { part_cents: 2000, tip_cents: 300 });
    expect(body).toMatchObject({ amount_cents: 2300, tip_cents: 300, remaining_cents: 2250, replay: false });
    const read = (await api.get(`/v1/checkout_sessions/${id}`)).body;
    expect(read).toMatchObject({
      session_status: 'complete',
      remaining_cents: 2250,
      charge: { remaining_cents: 2250 },
    });
  });

  test('returns the original for the same amounts or none, and rejects others', async () => {
    const id = await session();
    const { body } = await charge(id, { part_cents: 2000, tip_cents: 300 });
    expect((await charge(id, { part_cents: 2000, tip_cents: 300 })).body).toEqual({ ...body, replay: true });
    expect((await charge(id, {})).body).toEqual({ ...body, replay: true });
    for (const amounts of [{ part_cents: 2100 }, { part_cents: 4250 }, { tip_cents: 0 }])
      expectError(await charge(id, amounts), 'charge_details_mismatch');
  });

  test('counts the whole amount as no part', async () => {
    const { body } = await charge(await session(), { part_cents: 4250 });
    expect(body).toMatchObject({ amount_cents: 4250 });
    expect(body).not.toHaveProperty('remaining_cents');
  });

  test.each([
    [{ part_cents: 499 }, 'part_cents', 'from 500 to 4250'],
    [{ part_cents: 4251 }, 'part_cents', 'from 500 to 4250'],
    [{ tip_cents: 2126 }, 'tip_cents', 'at most 2125'],
    [{ part_cents: 2000, tip_cents: 1001 }, 'tip_cents', 'at most 1000'],
  ])('charges nothing for %o', async (amounts, param, words) => {
    const id = await session();
    const { status, body } = await charge(id, amounts);
    expect({ status, param: body.error.param }).toEqual({ status: 400, param });
    expect(body.error.message).toContain(words);
    expect((await api.get(`/v1/checkout_sessions/${id}`)).body.charge).toBeNull();
  });

  test('takes no part of a hold', async () => {
    const { status, body } = await charge(await session({ capture: 'manual' }), { part_cents: 2000 });
    expect({ status, param: body.error.param }).toEqual({ status: 400, param: 'part_cents' });
  });
});

test.each([{ tip_cents: 100 }, { part_cents: 2000 }])('a merchant that offers neither rejects %o', async (amounts) => {
  await offer({ tip_percentages: [], partial_minimum_cents: null });
  expect(await charge(await session(), amounts)).toMatchObject({ status: 400 });
});
