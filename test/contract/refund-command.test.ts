/** `ringkey refund`, from the command line to the processor. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RefundResource } from '../../src/contract/refunds.ts';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { runCommand } from '../support/run-command.ts';
import { CALLER, insertTestKeys, OTHER_KEY } from './fixtures.ts';
import { startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await insertTestKeys(api);
});
afterAll(() => api.close());

async function paid(): Promise<string> {
  const body = { merchant_id: 'mer_demo_diner', amount_cents: 2_000, caller_phone: CALLER };
  const { checkout_session_id } = await api.checkout(body);
  const answer = await api.post('/v1/charge', { checkout_session_id, instrument_id: 'card_demo_visa' });
  return String(answer.body.charge_id);
}

function ringkeyRefund(line: string, settings: Record<string, string> = {}) {
  const words = line === '' ? 'refund' : `refund ${line}`;
  return runCommand(words, { RINGKEY_HTTP_PORT: new URL(api.url).port, ...settings });
}

const refundsOf = async (charge: string) =>
  (await api.get(`/v1/refunds?charge=${charge}`)).body.refunds as RefundResource[];

test('refunds a part with a reason, then the rest with a key', async () => {
  const charge = await paid();
  const part = await ringkeyRefund(`${charge} --amount 500 --reason duplicate`);
  expect(part).toMatchObject({ code: 0, out: expect.stringMatching(/^re_\S+ {2}succeeded {2}500 USD$/), err: '' });
  expect(await ringkeyRefund(charge, { RINGKEY_API_KEY: DEMO_KEY })).toMatchObject({
    code: 0,
    out: expect.stringContaining('1500'),
  });
  expect(await refundsOf(charge)).toMatchObject([{ amount_cents: 1_500 }, { amount_cents: 500, reason: 'duplicate' }]);
});

test('makes one refund for the same idempotency key', async () => {
  const charge = await paid();
  const line = `${charge} --amount 500 --idempotency-key once-${charge}`;
  expect(await ringkeyRefund(line)).toEqual(await ringkeyRefund(line));
  expect(await refundsOf(charge)).toHaveLength(1);
});

test('prints a rejection and exits with an error code', async () => {
  const charge = await paid();
  const refused = await ringkeyRefund(`${charge} --amount 2001`);
  expect(refused).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^invalid_value: .*more than can be refunded: 0 of 2000 .* 2000 is left/),
  });
  expect(await ringkeyRefund(charge, { RINGKEY_API_KEY: OTHER_KEY })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^not_found: /),
  });
});

test.each([
  '',
  'ch_1 ch_2',
  'evt_1',
  'ch_1 --amount 12.50',
  'ch_1 --amount=-1',
  'ch_1 --amount 0',
  `ch_1 --key ${DEMO_KEY}`,
])('does not send an invalid command: %j', async (line) => {
  expect(await ringkeyRefund(line)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/Usage: ringkey refund/),
  });
});

test('prints help', async () => {
  expect(await ringkeyRefund('--help')).toMatchObject({ code: 0, out: expect.stringContaining('--amount') });
});

test('explains how to retry without a second refund if the service does not answer', async () => {
  // Nothing listens on port 1.
  expect(await ringkeyRefund('ch_1 --idempotency-key mine', { RINGKEY_HTTP_PORT: '1' })).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/--idempotency-key mine\n$/),
  });
});
