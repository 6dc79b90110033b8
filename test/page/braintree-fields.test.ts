/** The pay page with Braintree's Hosted Fields: a strict fake of them in a real browser, and the fake Braintree. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startFakeBraintree } from '../support/fake-braintree.ts';
import { CARDS } from '../support/fake-braintree-cards.ts';
import { BRAINTREE_CREDENTIALS, braintreeProcessorAt } from '../support/vendor-processors.ts';
import { fieldsContract } from './fields-contract.ts';

const CREDENTIALS = { ...BRAINTREE_CREDENTIALS, tokenization_key: 'sandbox_g42y39zw_348pk9cgf3bgyw2b' };

async function fill(page: Page, number: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Card number' }).fill(number);
  await page.getByRole('textbox', { name: 'Expiry' }).fill('12/39');
  await page.getByRole('textbox', { name: 'Security code' }).fill('123');
}

const { pages } = fieldsContract({
  name: 'braintree',
  async start() {
    const vendor = await startFakeBraintree();
    return {
      processor: braintreeProcessorAt(vendor),
      credentials: CREDENTIALS,
      good: CARDS.good,
      poor: CARDS.noMoney,
      token: (number) => vendor.token(number),
      violations: vendor.violations,
      close: () => vendor.close(),
    };
  },
  fill,
});

test('opens the fields with the tokenization key, with the postal code if the merchant asks for it', async () => {
  const link = await pages().open({ merchant: { asksPostalCode: true } });
  const visit = await pages().visit(link, {}, { lang: 'de' });
  await visit.page.getByRole('textbox', { name: 'Kartennummer' }).waitFor();
  const { calls, violations } = await visit.readScript();
  expect(calls).toContainEqual({ name: 'client', args: { authorization: CREDENTIALS.tokenization_key } });
  expect(calls).toContainEqual({ name: 'fields', args: ['number', 'expirationDate', 'cvv', 'postalCode'] });
  expect(violations).toEqual([]);
  await visit.close();
});

test('marks the field that is wrong until it is corrected', async () => {
  const visit = await pages().visit(await pages().open(), { tokens: {} });
  await fill(visit.page, '4111 1111 1111 1112');
  await visit.page.locator('form#pay button[type=submit]').click();
  const number = visit.page.locator('#number');
  await expect.poll(() => number.getAttribute('data-wrong')).toBe('');
  expect(await visit.page.locator('.box[data-wrong]').count()).toBe(1);
  await visit.page.getByRole('textbox', { name: 'Card number' }).fill('4111 1111 1111 1111');
  await expect.poll(() => number.getAttribute('data-wrong')).toBe(null);
  await visit.close();
});

test.each([
  ['HOSTED_FIELDS_FAILED_TOKENIZATION', 'This card could not be used'],
  ['HOSTED_FIELDS_TOKENIZATION_NETWORK_ERROR', 'could not be started'],
])('says what to do if Braintree returns %s, also after Enter in a field', async (error, words) => {
  const visit = await pages().visit(await pages().open(), { error });
  await fill(visit.page, CARDS.good);
  await visit.page.getByRole('textbox', { name: 'Security code' }).press('Enter');
  await expect.poll(() => visit.page.locator('#form-errors').textContent()).toContain(words);
  await visit.close();
});
