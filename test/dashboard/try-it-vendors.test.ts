/** The form Try it for merchants of vendors' processors: which cards the caller enters, and what cannot be tried. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { TestCall, TestCallOrder, TestCalls, TestCheckout } from '../../src/http/dashboard/try-it/ports.ts';
import { SCRIPT_GROUPS } from '../../src/http/dashboard/try-it/scripts.ts';
import { addEntered } from '../../src/local/scripted-caller/entered.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { createAuthorizeNet } from '../../src/payments/authorizenet/index.ts';
import { createBraintree } from '../../src/payments/braintree/index.ts';
import { createHyperswitch } from '../../src/payments/hyperswitch/index.ts';
import { createWorldpay } from '../../src/payments/worldpay/index.ts';
import { useFixture } from '../support/fixtures.ts';
import { runningTestCall } from './addresses.ts';
import { startDashboard } from './dashboard.ts';

const placed: { order: TestCallOrder; checkout: TestCheckout }[] = [];

/** Creates the checkout of each order, and dials nothing. */
const testCalls: TestCalls = {
  async place(order, createCheckout): Promise<TestCall> {
    const checkout = await createCheckout('sip:agent@127.0.0.1');
    placed.push({ order, checkout });
    return { ...runningTestCall(), order, checkout };
  },
  find: () => null,
};

/** Nothing is sent to them: a test call only needs their checkouts. */
const moreProcessors = [createAuthorizeNet(), createBraintree(), createHyperswitch(), createWorldpay()];
const dashboard = useFixture(() => startDashboard({ testCalls, moreProcessors }));
beforeEach(() => placed.splice(0));

/** A merchant that is connected to the processor, as if its credentials had been checked. */
async function merchantAt(processor: string, settings: object = {}): Promise<string> {
  const { api } = dashboard;
  const { body } = await api.post('/v1/merchants', { business_name: `At ${processor}`, ...settings });
  await api.database.query('update merchants set processor = $2 where id = $1', [body.merchant_id, processor]);
  return String(body.merchant_id);
}

const submit = (fields: Record<string, string>) =>
  dashboard.submit('/test/try', '/test/try', { card: '', amount: '42.50', ...fields });

test.each([
  ['adyen', 'pay', { card: '4111111111111111', expiry: '0330', security_code: '737' }, {}],
  ['adyen', 'declined', { card: '4111111111111111', declined_security_code: '999' }, {}],
  ['checkoutcom', 'decline-then-ok', { card: '4242424242424242', declined_card: '4544249167673670' }, {}],
  ['stripe', 'declined', { card: '4242424242424242', declined_card: '4000000000000002' }, {}],
  ['authorizenet', 'declined', { card: '4111111111111111', declined_postal_code: '46282' }, { asks_postal_code: true }],
  ['worldpay', 'hold', { card: '4444333322221111' }, {}],
  ['hyperswitch', 'pay', { card: '4242424242424242' }, {}],
  ['payconnector', 'mistype', { card: '4111111111111111' }, {}],
  ['braintree', 'pay', { card: '4111111111111111' }, {}],
])('has the caller enter test cards of %s for the script %s', async (processor, script, enters, settings) => {
  const merchant = await merchantAt(processor, settings);
  expect((await submit({ merchant, script })).status).toBe(303);
  const [{ order } = { order: null }] = placed;
  expect(order).toMatchObject({ accountId: DEMO_ACCOUNT, script, card: null, enters });
  // The command line takes them as they are.
  for (const [field, digits] of Object.entries(order?.enters ?? {})) {
    expect(addEntered({}, `${field}=${digits}`)).not.toBeNull();
  }
});

test('enters a chosen card, also as the one that is declined', async () => {
  const merchant = await merchantAt('checkoutcom');
  await submit({ merchant, script: 'pay', card: 'checkoutcom.amex' });
  await submit({ merchant, script: 'declined', card: 'checkoutcom.expired_card' });
  expect(placed.map(({ order }) => order.enters)).toMatchObject([
    { card: '345678901234564', security_code: '1051' },
    { card: '4242424242424242', declined_card: '4724117215951699' },
  ]);
});

test('lets a declined caller pay the amount that Braintree’s sandbox declines', async () => {
  const merchant = await merchantAt('braintree');
  await submit({ merchant, script: 'declined' });
  expect(placed.map(({ checkout }) => checkout.amountCents)).toEqual([200_100]);
});

describe('places no call', () => {
  test.each([
    ['worldpay', 'declined', 'declines by the name on the card'],
    ['braintree', 'decline-then-ok', 'declines by amount, not by card'],
    ['authorizenet', 'declined', 'does not ask for the postal code'],
    ['payconnector', 'hold', 'cannot hold an amount'],
    ['payconnector', 'declined', 'Your endpoint decides the outcome'],
    ['hyperswitch', 'save-only', 'cannot save a card there without a payment'],
    ['adyen', 'ach', 'makes no bank debits'],
    ['stripe', 'pending', 'Only the sandbox loses an answer'],
    ['square', 'pay', 'accepts no cards on the keypad'],
  ])('at %s for the script %s, and says why', async (processor, script, why) => {
    const { status, html } = await submit({ merchant: await merchantAt(processor), script });
    expect(status).toBe(422);
    expect(html).toContain(why);
    expect(placed).toEqual([]);
  });

  test.each([
    ['adyen', 'visa', 'Choose a test card of Adyen'],
    ['adyen', 'worldpay.visa', 'Choose a test card of Adyen'],
    ['sandbox', 'adyen.visa', 'Choose a test card of the sandbox'],
  ])('at %s with the card %s of another processor', async (processor, card, why) => {
    const { status, html } = await submit({ merchant: await merchantAt(processor), script: 'pay', card });
    expect(status).toBe(422);
    expect(html).toContain(why);
    expect(placed).toEqual([]);
  });
});

test('offers cards of the vendors that merchants are connected to, and says what cannot be tried there', async () => {
  await merchantAt('worldpay');
  const { html } = await dashboard.get('/test/try');
  expect(html).toContain('value="worldpay.visa"');
  expect(html).toMatch(/data-vendor="worldpay".*declines by the name on the card/s);
});

test('every script is placed at a vendor, or refused with a reason', async () => {
  const merchant = await merchantAt('worldpay', { bank_debit_phone: '+15550100002' });
  const reasons: string[] = [];
  for (const script of SCRIPT_GROUPS.flatMap(([, scripts]) => Object.keys(scripts))) {
    const { status, html } = await submit({ merchant, script });
    if (status !== 303) reasons.push(`${script}: ${/Not at Worldpay: ([^<]+)/.exec(html)?.[1] ?? 'no reason'}`);
  }
  expect(reasons.filter((reason) => reason.endsWith('no reason'))).toEqual([]);
});
