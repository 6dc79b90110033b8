/** The pay page with Adyen's Custom Card: a strict fake of Adyen Web in a real browser, and the fake Adyen. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createAdyen } from '../../src/payments/adyen/index.ts';
import type { NotifiedOutcomes } from '../../src/payments/adyen/outcomes.ts';
import { LINK_BASE } from '../contract/test-api.ts';
import { CARDS, type FakeAdyen, startFakeAdyen } from '../support/fake-adyen.ts';
import { memoryPayerAnswers } from '../support/payer-answers.ts';
import { ADYEN_CREDENTIALS } from '../support/vendor-processors.ts';
import { fieldsContract } from './fields-contract.ts';
import { getPage, submitForm, type TestPage } from './pages.ts';

const CREDENTIALS = { ...ADYEN_CREDENTIALS, client_key: 'test_FAKEFAKEFAKEFAKEFAKEFAKEFAKEFAKE' };
/** All answers arrive, so no notification is needed. */
const NO_OUTCOMES: NotifiedOutcomes = { of: async () => [], chargeOf: async () => null };

const BROWSER = {
  acceptHeader: '*/*',
  colorDepth: 24,
  javaEnabled: false,
  language: 'en-US',
  screenHeight: 900,
  screenWidth: 1600,
  timeZoneOffset: -60,
  userAgent: 'Mozilla/5.0',
};

let vendor: FakeAdyen;

async function fill(page: Page, number: string): Promise<void> {
  await page.getByRole('textbox', { name: 'encryptedCardNumber' }).fill(number);
  await page.getByRole('textbox', { name: 'encryptedExpiryDate' }).fill('12/39');
  await page.getByRole('textbox', { name: 'encryptedSecurityCode' }).fill('123');
}

const { pages } = fieldsContract({
  name: 'adyen',
  async start() {
    vendor = await startFakeAdyen(() => undefined);
    return {
      processor: createAdyen({ outcomes: NO_OUTCOMES, answers: memoryPayerAnswers(), testServer: vendor.url }),
      credentials: CREDENTIALS,
      good: CARDS.good,
      poor: CARDS.noMoney,
      token: (number) => vendor.encrypt(number),
      violations: vendor.violations,
      close: () => vendor.close(),
    };
  },
  fill,
});

test('opens the fields with the client key, in the language of the page, without a postal code', async () => {
  const link = await pages().open({ merchant: { asksPostalCode: true } });
  const visit = await pages().visit(link, {}, { lang: 'de' });
  await visit.page.getByRole('textbox', { name: 'encryptedCardNumber' }).waitFor();
  expect(await visit.page.locator('#postal_code').count()).toBe(0);
  const { calls, violations } = await visit.readScript();
  const args = { clientKey: CREDENTIALS.client_key, environment: 'test', locale: 'de', countryCode: 'US' };
  expect(calls).toMatchObject([{ name: 'AdyenCheckout', args }]);
  expect(violations).toEqual([]);
  await visit.close();
});

test('marks the wrong field until it is corrected, also after Enter in a field', async () => {
  const visit = await pages().visit(await pages().open(), { tokens: {} });
  await fill(visit.page, '4111111111111112');
  await visit.page.getByRole('textbox', { name: 'encryptedSecurityCode' }).press('Enter');
  const number = visit.page.locator('#number');
  await expect.poll(() => number.getAttribute('data-wrong')).toBe('');
  expect(await visit.page.locator('.box[data-wrong]').count()).toBe(1);
  await visit.page.getByRole('textbox', { name: 'encryptedCardNumber' }).fill(CARDS.good);
  await expect.poll(() => number.getAttribute('data-wrong')).toBe(null);
  await visit.close();
});

test('says that the fields could not be loaded if Adyen does not accept the page’s address', async () => {
  const visit = await pages().visit(await pages().open(), { failsToStart: true });
  await visit.page.locator('form[data-fields=failed]').waitFor();
  expect(await visit.page.locator('#form-errors').textContent()).toContain('The card fields could not be loaded');
  await visit.close();
});

/** Plays a browser without JavaScript that pays with a card whose bank asks. @returns the charge */
async function startAtTheBank({ path, sessionId }: TestPage): Promise<string> {
  const url = pages().api.url + path;
  const { attempt = '' } = await getPage(url);
  const token = `${vendor.encrypt(CARDS.asks)}~${Buffer.from(JSON.stringify(BROWSER)).toString('base64url')}`;
  expect((await submitForm(url, { attempt, token })).state).toBe('action');
  const { rows } = await pages().api.database.query(
    `select id from charges where session_id = $1 and status = 'pending'`,
    [sessionId],
  );
  return String(rows[0]?.id);
}

const answered = (chargeId: string, result: string) => {
  const back = new URL(vendor.returnUrl(chargeId).replace(LINK_BASE, pages().api.url));
  back.searchParams.append('redirectResult', result);
  return back.href;
};

test('sends no answer of a charge that was given up, although its tab comes back while another card is confirmed', async () => {
  const link = await pages().open();
  const action = `${pages().api.url}${link.path}/action`;
  const before = vendor.requests.length;
  const givenUp = await startAtTheBank(link);
  const result = vendor.authenticate(givenUp, 'confirmed');
  const back = answered(givenUp, result);
  expect((await submitForm(action, { charge: givenUp, answer: 'cancel' })).state).toBe('declined');
  const charge = await startAtTheBank(link);
  const late = await getPage(back);
  expect(late.state).toBe('action');
  expect(late.html).not.toContain(result);
  expect((await submitForm(action, { charge: givenUp, result })).state).toBe('action');
  expect((await submitForm(action, { result })).state).toBe('action');
  expect((await submitForm(action, { charge: givenUp, answer: 'cancel' })).state).toBe('action');
  expect(vendor.requests.slice(before).filter(({ path }) => path === '/payments/details')).toEqual([]);
  const own = vendor.authenticate(charge, 'confirmed');
  expect((await getPage(answered(charge, own))).html).toContain(own);
  expect((await submitForm(action, { charge, result: own })).state).toBe('paid');
  expect(vendor.countPayments(givenUp)).toBe(0);
});

test('does not send an answer that comes back at another pay link', async () => {
  const [one, other] = [await pages().open(), await pages().open()];
  const [first, second] = [await startAtTheBank(one), await startAtTheBank(other)];
  const result = vendor.authenticate(first, 'confirmed');
  const moved = new URL(answered(first, result));
  moved.pathname = other.path;
  const answer = ({ path }: TestPage) => submitForm(`${pages().api.url}${path}/action`, { charge: first, result });
  expect((await getPage(moved.href)).html).not.toContain(result);
  expect((await answer(other)).state).toBe('action');
  expect((await answer(one)).state).toBe('paid');
  expect([first, second].map((id) => vendor.countPayments(id))).toEqual([1, 0]);
});

/** Types a card whose bank asks, and presses the button. Plays Adyen's page, whose link leads back to ours. */
async function payerAtTheBank(end: 'confirmed' | 'refused') {
  const { api, open, visit } = pages();
  const link = await open();
  const { page, errors, close } = await visit(link, { tokens: { [CARDS.asks]: vendor.encrypt(CARDS.asks) } });
  await page.context().route(`${vendor.url}/**`, async (route) => {
    const { rows } = await api.database.query('select id from charges where session_id = $1', [link.sessionId]);
    const chargeId = String(rows[0]?.id);
    const back = new URL(vendor.returnUrl(chargeId).replace(LINK_BASE, api.url));
    back.searchParams.append('redirectResult', vendor.authenticate(chargeId, end));
    const body = `<a id="back" href="${back.href.replaceAll('&', '&amp;')}">Back</a>`;
    await route.fulfill({ contentType: 'text/html', body });
  });
  await fill(page, CARDS.asks);
  await page.locator('form#pay button[type=submit]').first().click();
  await page.locator('#back').waitFor();
  return { page, errors, close };
}

test.each([
  ['confirmed', 'paid'],
  ['refused', 'declined'],
] as const)('leads the payer to the bank and back: %s, then %s', async (end, state) => {
  const { page, errors, close } = await payerAtTheBank(end);
  await page.locator('#back').click();
  await page.locator(`main[data-state=${state}]`).waitFor();
  expect(page.url()).not.toContain('redirectResult');
  expect(errors).toEqual([]);
  expect(vendor.violations).toEqual([]);
  await close();
});

test('leads a payer who comes back without an answer to the bank again, and lets the payer give up', async () => {
  const { page, close } = await payerAtTheBank('confirmed');
  await page.goBack();
  await page.locator('main[data-state=action]').waitFor();
  await page.locator('form#action button[value=confirm]').click();
  await page.locator('#back').waitFor();
  await page.goBack();
  await page.locator('main[data-state=action]').waitFor();
  await page.locator('form#action button[value=cancel]').click();
  await page.locator('main[data-state=declined]').waitFor();
  await close();
});
