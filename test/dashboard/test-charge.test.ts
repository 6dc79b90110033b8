/** The test charge that proves a merchant's processor: approved, declined, refused, and where there is none. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { type FakeStripe, startFakeStripe } from '../support/fake-stripe.ts';
import { STRIPE_CREDENTIALS, stripeProcessorAt } from '../support/vendor-processors.ts';
import { startDashboard, type TestDashboard } from './dashboard.ts';
import { newAccount } from './users.ts';

const PAGE = `/test/setup/merchants/${DEMO_DINER}/test-charge`;

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await startDashboard();
});

afterAll(() => dashboard.close());

beforeEach(() => dashboard.as('owner'));

/** Makes a test charge, and follows to its result. */
async function makeTestCharge(page = PAGE) {
  const sent = await dashboard.submit(page, page);
  const to = sent.headers.get('location');
  return to === null ? sent : dashboard.get(to.replace('/dashboard', ''));
}

async function addMerchant(settings: object = {}): Promise<string> {
  const { body } = await dashboard.api.post('/v1/merchants', { business_name: 'Proven Bakery', ...settings });
  return String(body.merchant_id);
}

const pageOf = (merchant: string) => `/test/setup/merchants/${merchant}/test-charge`;

test('a test charge is charged, refunded, and recorded as every payment is', async () => {
  const { status, html } = await makeTestCharge();
  expect(status).toBe(200);
  expect(html).toMatch(/Test card charged by Sandbox in (?:less than a second|[1-9])/);
  expect(html).toContain('<h2>Refunded ');
  expect(html).toContain('It works: Sandbox charged and refunded $10.00');
  expect(html).not.toContain('to a published test card');
  const [, id] = /charges\/(ch_[a-z0-9]+)/.exec(html) ?? [];
  expect((await dashboard.api.get(`/v1/charges/${id}`)).body).toMatchObject({
    status: 'succeeded',
    amount_cents: 1_000,
    refunded_cents: 1_000,
    last_four: '4242',
    source: 'phone',
  });
});

test('a test charge is made only once, however often the form is submitted', async () => {
  const count = async () => {
    const { rows } = await dashboard.api.database.query('select count(*)::int as charges from charges');
    return (rows[0] as { charges: number }).charges;
  };
  const before = await count();
  const fields = { attempt: 'a-first-test-charge' };
  const [one, other] = [await dashboard.submit(PAGE, PAGE, fields), await dashboard.submit(PAGE, PAGE, fields)];
  expect(other.headers.get('location')).toBe(one.headers.get('location'));
  expect((await count()) - before).toBe(1);
});

test('connecting a processor in test mode leads to its test charge', async () => {
  const path = `/test/setup/merchants/${await addMerchant()}`;
  const sent = await dashboard.submit(`${path}/processor?processor=sandbox`, `${path}/processor`, {
    processor: 'sandbox',
  });
  expect(sent.headers.get('location')).toBe(`/dashboard${path}/test-charge?notice=connected`);
  expect((await dashboard.get(`${path}/test-charge?notice=connected`)).html).toContain('Make a test charge');
});

test('a merchant without a processor, or with cards on the pay page only, has words in place of a test charge', async () => {
  const merchant = await addMerchant();
  expect((await makeTestCharge(pageOf(merchant))).html).toContain('Connect a processor first.');
  await dashboard.api.post(`/v1/merchants/${merchant}/processor`, { processor: 'sandbox_page' });
  const refusal = await dashboard.submit(PAGE, pageOf(merchant));
  expect(refusal.status).toBe(422);
  expect(refusal.html).toContain('takes cards on the pay page only');
});

test('a merchant that requires no payment says so, and nothing is charged', async () => {
  const merchant = await addMerchant({ payment_policy: 'never' });
  await dashboard.api.post(`/v1/merchants/${merchant}/processor`, { processor: 'sandbox' });
  const { status, html } = await makeTestCharge(pageOf(merchant));
  expect(status).toBe(422);
  expect(html).toContain('requires no payment');
});

test('test charges are for test mode, for developers, and for merchants of the account', async () => {
  expect((await dashboard.get(PAGE.replace('/test/', '/live/'))).status).toBe(404);
  await dashboard.as('support');
  expect((await dashboard.submit(PAGE, PAGE)).status).toBe(403);
  await dashboard.as('owner', await newAccount(dashboard.api.database));
  expect((await dashboard.submit('/test/setup/account', PAGE)).status).toBe(404);
});

describe('at Stripe', () => {
  let stripe: FakeStripe;
  let own: TestDashboard;
  let path: string;

  beforeAll(async () => {
    stripe = await startFakeStripe();
    own = await startDashboard({ moreProcessors: [stripeProcessorAt(stripe)] });
  });

  afterAll(async () => {
    await own.close();
    expect(stripe.violations).toEqual([]);
    await stripe.close();
  });

  beforeEach(async () => {
    const { body } = await own.api.post('/v1/merchants', { business_name: 'Diner' });
    path = `/test/setup/merchants/${body.merchant_id}`;
  });

  const connect = (credentials: object) =>
    own.submit(`${path}/processor?processor=stripe`, `${path}/processor`, { processor: 'stripe', ...credentials });

  async function prove(): Promise<string> {
    const sent = await own.submit(`${path}/test-charge`, `${path}/test-charge`);
    return (await own.get((sent.headers.get('location') ?? '').replace('/dashboard', ''))).html;
  }

  test.each([
    ['a secret key of live mode', 'secret_key', 'sk_live_not_of_this_mode', 'must begin with sk_test_ or rk_test_.'],
    ['a publishable key of live mode', 'publishable_key', 'pk_live_not_of_this', 'must begin with pk_test_.'],
    ['half a key', 'secret_key', 'sk_test_5', 'does not have the form that Stripe uses in test mode. Copy it again.'],
    ['an empty key', 'secret_key', ' ', 'is missing.'],
  ])('%s is named at its field, with the other processors folded', async (_, name, value, fault) => {
    const { status, html } = await connect({ ...STRIPE_CREDENTIALS, [name]: value });
    expect(status).toBe(422);
    expect(html).toMatch(new RegExp(`id="field-${name}-fault">“[A-Z][a-z ]+ key” ${fault}<`));
    expect(html).toContain(`href="#field-${name}"`);
    expect(html).toMatch(/<details class="other-choices"><summary>Other processors<\/summary>/);
    expect(html).not.toContain(`"${value}"`);
  });

  test('rejected keys, an account that is not ready and a processor that is down are said in words', async () => {
    expect((await connect({ secret_key: `sk_test_${'a'.repeat(24)}` })).html).toContain(
      'Stripe rejected these credentials.',
    );
    stripe.chargesEnabled = false;
    expect((await connect(STRIPE_CREDENTIALS)).html).toContain('the account cannot take payments yet');
    stripe.chargesEnabled = true;
    stripe.answerNext({ status: 503, body: {} });
    const { status, html } = await connect(STRIPE_CREDENTIALS);
    expect([status, html.includes('Stripe could not be reached to test these credentials.')]).toEqual([422, true]);
    expect((await connect(STRIPE_CREDENTIALS)).headers.get('location')).toContain('notice=connected');
  });

  test('the published test card is charged, and a refusal is said in words with what the account lacks', async () => {
    // Of the check that found MOTO enabled.
    stripe.forgetKeys();
    stripe.takesMoto = false;
    await connect(STRIPE_CREDENTIALS);
    const html = await prove();
    expect(html).toContain('Stripe did not charge the test card');
    expect(html).toContain('What Stripe reports');
    expect(html).toContain('does not accept MOTO payments');
    expect(html).toContain('It does not work yet: Stripe charged nothing');
    expect(html).toContain('Stripe refused because of the merchant’s account, its credentials or the request');
    expect(html).not.toContain('`processor_code`');
    expect(html).not.toContain('4242424242424242');
    stripe.takesMoto = true;
    expect(await prove()).toMatch(
      /Test card charged by Stripe.*Processor reference.*pi_.*<h2>Refunded .*It works: Stripe charged and refunded \$10\.00/s,
    );
  });

  test('a test charge that worked is no full success as long as the account lacks something', async () => {
    await connect(STRIPE_CREDENTIALS);
    const sent = await own.submit(`${path}/test-charge`, `${path}/test-charge`);
    const result = (sent.headers.get('location') ?? '').replace('/dashboard', '');
    expect((await own.get(result)).html).toMatch(
      /class="notice good"[^>]*>.{0,200}It works: Stripe charged and refunded/s,
    );
    stripe.forgetKeys();
    stripe.takesMoto = false;
    const { html } = await own.get(result);
    stripe.takesMoto = true;
    stripe.forgetKeys();
    expect(html).toContain('What Stripe reports');
    expect(html).toContain('does not accept MOTO payments');
    expect(html).toContain('The test charge worked. 1 requirement above is still open');
    expect(html).not.toContain('It works');
    expect(html).not.toContain('class="notice good"');
  });

  test('a charge without an answer is not said to have failed', async () => {
    await connect(STRIPE_CREDENTIALS);
    stripe.failNext('reset', undefined, ({ path: at }) => at.includes('payment_intents'));
    const html = await prove();
    expect(html).toContain('Not known yet: Stripe has not confirmed the charge');
    expect(html).not.toContain('It does not work');
  });

  test('a refund without an answer is pending', async () => {
    await connect(STRIPE_CREDENTIALS);
    stripe.failNext('reset', undefined, ({ path: at }) => at.includes('refunds'));
    const html = await prove();
    expect(html).toContain('It works: Stripe charged $10.00. The refund is pending');
    expect(html).not.toContain('refunded $10.00');
  });
});
