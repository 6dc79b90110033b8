/** The test charge that proves a merchant's processor: approved, declined, refused, and where there is none. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { startFakeStripe } from '../support/fake-stripe.ts';
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

test('Stripe charges its published test card, and a refusal is said in words with what the account lacks', async () => {
  const stripe = await startFakeStripe();
  stripe.takesMoto = false;
  const own = await startDashboard({ moreProcessors: [stripeProcessorAt(stripe)] });
  try {
    const { body } = await own.api.post('/v1/merchants', { business_name: 'Diner' });
    const path = `/test/setup/merchants/${body.merchant_id}`;
    await own.submit(`${path}/processor?processor=stripe`, `${path}/processor`, {
      processor: 'stripe',
      ...STRIPE_CREDENTIALS,
    });
    const prove = async () => {
      const sent = await own.submit(`${path}/test-charge`, `${path}/test-charge`);
      return own.get((sent.headers.get('location') ?? '').replace('/dashboard', ''));
    };
    const { html } = await prove();
    expect(html).toContain('Stripe did not charge the test card');
    expect(html).toContain('What Stripe reports');
    expect(html).toContain('does not accept MOTO payments');
    expect(html).not.toContain('4242424242424242');
    stripe.takesMoto = true;
    expect((await prove()).html).toMatch(/Test card charged by Stripe.*Processor reference.*pi_.*<h2>Refunded /s);
    expect(stripe.violations).toEqual([]);
  } finally {
    await own.close();
    await stripe.close();
  }
});
