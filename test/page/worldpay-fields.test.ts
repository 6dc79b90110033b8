/** The pay page with Worldpay's Access Checkout SDK: a strict fake of it in a real browser, and the fake Worldpay. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { CARDS, startFakeWorldpay } from '../support/fake-worldpay.ts';
import { WORLDPAY_CREDENTIALS, worldpayProcessorAt } from '../support/vendor-processors.ts';
import { fieldsContract } from './fields-contract.ts';

const CREDENTIALS = { ...WORLDPAY_CREDENTIALS, checkout_id: '5d3f9d7a-0b8e-4c1d-9a57-aaaabbbbcccc' };

async function fill(page: Page, number: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Card number' }).fill(number);
  await page.getByRole('textbox', { name: 'Expiry' }).fill('12/39');
  await page.getByRole('textbox', { name: 'Security code' }).fill('123');
}

const { pages } = fieldsContract({
  name: 'worldpay',
  async start() {
    const vendor = await startFakeWorldpay();
    return {
      processor: worldpayProcessorAt(vendor),
      credentials: CREDENTIALS,
      good: CARDS.good,
      poor: CARDS.noMoney,
      token: (number) => vendor.session(number),
      violations: vendor.violations,
      close: () => vendor.close(),
    };
  },
  fill,
});

test('opens the fields with the checkout ID, in the language of the page, without a postal code', async () => {
  const link = await pages().open({ merchant: { asksPostalCode: true } });
  const visit = await pages().visit(link, {}, { lang: 'de' });
  await visit.page.getByRole('textbox', { name: 'Kartennummer' }).waitFor();
  expect(await visit.page.locator('#postal_code').count()).toBe(0);
  const { calls, violations } = await visit.readScript();
  const accessibility = { ariaLabel: { pan: 'Kartennummer' }, lang: { locale: 'de' }, title: { enabled: true } };
  expect(calls).toMatchObject([{ name: 'init', args: { id: CREDENTIALS.checkout_id, form: '#pay', accessibility } }]);
  expect(violations).toEqual([]);
  await visit.close();
});

test('says that the payment was not started if Worldpay creates no session', async () => {
  const visit = await pages().visit(await pages().open(), { tokens: {} });
  await fill(visit.page, CARDS.good);
  await visit.page.locator('form#pay button[type=submit]').click();
  await expect.poll(() => visit.page.locator('#form-errors').textContent()).toContain('could not be started');
  await visit.close();
});

test('marks a field that is no longer right', async () => {
  const visit = await pages().visit(await pages().open(), { tokens: {} });
  const number = visit.page.getByRole('textbox', { name: 'Card number' });
  await number.fill('4444 3333');
  expect(await visit.page.locator('#number').getAttribute('data-wrong')).toBe(null);
  await number.fill(CARDS.good);
  await number.fill('4444 3333 2222 1112');
  expect(await visit.page.locator('#number').getAttribute('data-wrong')).toBe('');
  await visit.close();
});
