/** A currency without a minor unit, from REST to the receipt: 4250 is ¥4,250, in the sandbox, at Stripe and at Square. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { credentialsContext } from '../../src/accounts/merchants/processor.ts';
import { connectProcessor } from '../../src/db/merchants/merchant-processors.ts';
import { LANGUAGE_TAGS } from '../../src/languages/index.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { openBody } from '../../src/notifications/sms/sealed-body.ts';
import type { PlainCredentials } from '../../src/payments/port/credentials.ts';
import { CALLER } from '../contract/fixtures.ts';
import { startTestApi, type TestApi } from '../contract/test-api.ts';
import { startFakeSquare } from '../support/fake-square.ts';
import { startFakeStripe } from '../support/fake-stripe.ts';
import { useFixture } from '../support/fixtures.ts';
import {
  SQUARE_CREDENTIALS,
  STRIPE_CREDENTIALS,
  squareProcessorAt,
  stripeProcessorAt,
} from '../support/vendor-processors.ts';
import { getPage, openTestPage, payOnPage, submitForm } from './pages.ts';

const vault = createVault([randomBytes(32)]);
const api = useFixture(() => startTestApi({ vault }));
const YEN = { amount: { amountCents: 4_250, currency: 'JPY' } } as const;

/** Creates a merchant with this currency, connected to the sandbox. */
async function newMerchant(currency: string): Promise<string> {
  const { body } = await api.post('/v1/merchants', { business_name: 'Sushi', currency });
  const { merchant_id: id } = body as unknown as { merchant_id: string };
  await api.post(`/v1/merchants/${id}/processor`, { processor: 'sandbox' });
  return id;
}

test.each([
  ['JPY', '¥4,250', '¥4,250'],
  ['KRW', '₩4,250', 'KRW 4,250'],
])(
  'shows %s without decimals on the page, in the text, in the charge and on the receipt',
  async (currency, shown, texted) => {
    const checkout = await api.checkout({
      merchant_id: await newMerchant(currency),
      amount_cents: 4_250,
      caller_phone: CALLER,
    });
    expect(checkout).toMatchObject({ amount_cents: 4_250, currency });
    const { body } = await api.post('/v1/send_link', { checkout_session_id: checkout.checkout_session_id });
    const { short_url: link } = body as unknown as { short_url: string };
    const path = new URL(link).pathname;
    const { rows } = await api.database.query<{ id: string; body: string; sealedBody: string; segments: number }>(
      `select id, body, sealed_body as "sealedBody", segments from texts where session_id = $1`,
      [checkout.checkout_session_id],
    );
    const [text] = rows;
    expect(text === undefined ? '' : openBody(vault, text)?.replaceAll('\u00a0', ' ')).toContain(texted);
    expect(text?.segments).toBe(1);
    for (const language of LANGUAGE_TAGS) {
      const { html } = await getPage(`${api.url}${path}?lang=${language}`);
      expect(/class="amount">([^<]+)/.exec(html)?.[1]?.replace(/\D/g, ''), language).toBe('4250');
    }
    expect((await getPage(api.url + path)).html).toContain(shown);
    const paid = await payOnPage(api.url + path);
    expect(paid.state).toBe('paid');
    expect(paid.html).toContain(`<dd>${shown}</dd>`);
    const charges = await api.database.query('select amount_cents, currency from charges where session_id = $1', [
      checkout.checkout_session_id,
    ]);
    expect(charges.rows).toEqual([{ amount_cents: 4_250, currency }]);
  },
);

describe('an amount in yen', () => {
  async function openAt(of: TestApi, name: string, credentials: PlainCredentials) {
    const page = await openTestPage(of.database, { merchant: { processor: null, currency: 'JPY' }, session: YEN });
    const sealed = vault.seal(JSON.stringify(credentials), credentialsContext(page.merchant.id, name));
    await connectProcessor(of.database, page.merchant, {
      processor: name,
      credentials: sealed,
      account: null,
      recordsOf: null,
    });
    return of.url + page.path;
  }

  test('is sent to Stripe and to its fields without decimals', async () => {
    const stripe = await startFakeStripe();
    const of = await startTestApi({ processors: [stripeProcessorAt(stripe)], vault });
    try {
      const url = await openAt(of, 'stripe', STRIPE_CREDENTIALS);
      const { attempt = '', html } = await getPage(url);
      expect(html.replaceAll('&quot;', '"')).toContain('"amountCents":4250,"amount":"4250","currency":"JPY"');
      const token = stripe.token('ctoken', '4242424242424242');
      expect(await submitForm(url, { attempt, token })).toMatchObject({ state: 'paid' });
      expect([...stripe.intents.values()]).toMatchObject([{ amount: 4_250, currency: 'jpy' }]);
    } finally {
      await of.close();
      await stripe.close();
    }
  });

  test('is sent to Square and to its wallets without decimals', async () => {
    const square = await startFakeSquare();
    const processor = squareProcessorAt(square);
    // Loads Square's large package before a payer has to wait for it.
    await processor.prepare?.();
    const of = await startTestApi({ processors: [processor], vault });
    try {
      const url = await openAt(of, 'square', SQUARE_CREDENTIALS);
      const { attempt = '', html } = await getPage(url);
      expect(html.replaceAll('&quot;', '"')).toContain('"amount":"4250","currency":"JPY","country":"JP"');
      expect(await submitForm(url, { attempt, token: square.token() })).toMatchObject({ state: 'paid' });
      expect(square.payments).toMatchObject([{ amount_money: { amount: 4_250, currency: 'JPY' } }]);
    } finally {
      await of.close();
      await square.close();
    }
  });
});
