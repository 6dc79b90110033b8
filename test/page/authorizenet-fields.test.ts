/** The pay page with Accept.js: a strict fake of it in a real browser, and the fake Authorize.net behind the server. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startFakeAuthorizeNet } from '../support/fake-authorizenet.ts';
import { CARDS } from '../support/fake-authorizenet-cards.ts';
import { AUTHORIZE_NET_CREDENTIALS, authorizeNetProcessorAt } from '../support/vendor-processors.ts';
import { fieldsContract } from './fields-contract.ts';

async function fill(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('12/39');
  await page.getByLabel('Security code').fill('123');
}

const { pages } = fieldsContract({
  name: 'authorizenet',
  async start() {
    const vendor = await startFakeAuthorizeNet();
    return {
      processor: authorizeNetProcessorAt(vendor),
      credentials: AUTHORIZE_NET_CREDENTIALS,
      good: CARDS.good,
      poor: CARDS.declined,
      token: (number) => vendor.token(number),
      violations: vendor.violations,
      close: () => vendor.close(),
    };
  },
  fill,
});

test('passes the card to Accept.js as it documents it, with the postal code if the merchant asks for it', async () => {
  const link = await pages().open({ merchant: { asksPostalCode: true } });
  const visit = await pages().visit(link, { tokens: {}, errors: ['E_WC_17'] });
  await fill(visit.page, '4111 1111 1111 1111');
  await visit.page.getByLabel('Postal code').fill('98004');
  await visit.page.locator('form#pay button[type=submit]').click();
  await expect.poll(() => visit.page.locator('#form-errors').textContent()).toContain('could not be started');
  const { calls, violations } = await visit.readScript();
  expect(calls).toEqual([
    {
      name: 'dispatchData',
      args: {
        authData: {
          clientKey: AUTHORIZE_NET_CREDENTIALS.public_client_key,
          apiLoginID: AUTHORIZE_NET_CREDENTIALS.api_login_id,
        },
        cardData: { cardNumber: '4111111111111111', month: '12', year: '39', cardCode: '123', zip: '98004' },
      },
    },
  ]);
  expect(violations).toEqual([]);
  await visit.close();
});

test('shows a wrong field as the payer leaves it, and no field without the script', async () => {
  const visit = await pages().visit(await pages().open(), { tokens: {} });
  await visit.page.getByLabel('Card number').fill('4111111111111112');
  expect(await visit.page.getByLabel('Card number').inputValue()).toBe('4111 1111 1111 1112');
  expect(await visit.page.locator('.brand').textContent()).toBe('Visa');
  await visit.page.getByLabel('Expiry').fill('1/20');
  await visit.page.getByLabel('Security code').focus();
  expect(await visit.page.locator('#number-fault').textContent()).not.toBe('');
  expect(await visit.page.locator('#expiry-fault').textContent()).not.toBe('');
  const html = await (await fetch(`${pages().api.url}${(await pages().open()).path}`)).text();
  expect(html).not.toMatch(/name="(number|expiry|security_code|postal_code)"/);
  expect(html.replaceAll(/<template.*?<\/template>/gs, '')).not.toContain('id="number"');
  await visit.close();
});
