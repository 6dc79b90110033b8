/** The pay page with Stripe's fields: a strict fake of Stripe.js in a real browser, and the fake Stripe behind the server. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeStripe, startFakeStripe } from '../support/fake-stripe.ts';
import { ASKS } from '../support/fake-stripe-cards.ts';
import { endDialog } from '../support/fake-stripe-intents.ts';
import { STRIPE_CREDENTIALS, stripeProcessorAt } from '../support/vendor-processors.ts';
import { findBarriers } from './axe.ts';
import { consentsOf, holdForm, startVendorPages, type VendorPages, type Visit } from './fields-harness.ts';
import { SAVE_ONLY } from './save-only.ts';

let stripe: FakeStripe;
let pages: VendorPages;
beforeAll(async () => {
  stripe = await startFakeStripe();
  pages = await startVendorPages('stripe', stripeProcessorAt(stripe), {
    ...STRIPE_CREDENTIALS,
    account_id: 'acct_Connected1',
  });
});
afterAll(async () => {
  await pages.close();
  await stripe.close();
});

const GOOD = '4242424242424242';
const POOR = '4000000000009995';

const tokens = () => ({
  [GOOD]: stripe.token('ctoken', GOOD),
  [POOR]: stripe.token('ctoken', POOR),
});

const pay = async ({ page }: Visit, number = GOOD) => {
  await page.getByLabel('Card number').fill(number);
  await page.getByRole('button', { name: /^Pay/ }).click();
};

const stateOf = ({ page }: Visit) => page.locator('main').getAttribute('data-state');

async function expectTidy(visit: Visit): Promise<void> {
  expect(visit.errors).toEqual([]);
  expect((await visit.readScript()).violations).toEqual([]);
}

test('pays with a token from Stripe’s field, within the page’s Content-Security-Policy', async () => {
  const link = await pages.open();
  const visit = await pages.visit(link, { tokens: tokens() });
  await visit.page.getByLabel('Card number').waitFor();
  const { calls } = await visit.readScript();
  expect(calls.find(({ name }) => name === 'Stripe')?.args).toEqual({
    key: STRIPE_CREDENTIALS.publishable_key,
    options: { locale: 'en', stripeAccount: 'acct_Connected1' },
  });
  expect(calls.find(({ name }) => name === 'elements')?.args).toMatchObject({
    mode: 'payment',
    amount: 4_250,
    currency: 'usd',
    allowedPaymentMethodTypes: ['card'],
    locale: 'en',
  });
  await expectTidy(visit);
  await pay(visit);
  await visit.page.locator('main[data-state=paid]').waitFor();
  expect(stripe.violations).toEqual([]);
  const ours = [...stripe.intents.values()].filter(({ metadata }) => metadata.ringkey_session === link.sessionId);
  expect(ours).toMatchObject([{ status: 'succeeded', amount: 4_250, currency: 'usd' }]);
  await visit.close();
});

test('says that the card is incomplete, and accepts it once it is complete', async () => {
  const visit = await pages.visit(await pages.open(), { tokens: tokens() });
  await visit.page.getByRole('button', { name: /^Pay/ }).click();
  await visit.page.getByText('Please check your card details.').waitFor();
  expect(await stateOf(visit)).toBe('ready');
  await pay(visit);
  await visit.page.locator('main[data-state=paid]').waitFor();
  await visit.close();
});

test('accepts another card after a decline', async () => {
  const visit = await pages.visit(await pages.open(), { tokens: tokens() });
  await pay(visit, POOR);
  await visit.page.locator('main[data-state=declined]').waitFor();
  await pay(visit);
  await visit.page.locator('main[data-state=paid]').waitFor();
  await visit.close();
});

test.each([
  ['blocked', {}],
  ['missing', {}],
  ['served', { failsToLoad: true }],
] as const)('a script that is %s leads to the phone', async (script, settings) => {
  const visit = await pages.visit(await pages.open(), settings, { script });
  await visit.page.locator('form[data-fields=failed]').waitFor();
  expect(await visit.page.locator('#form-errors').textContent()).toContain('pay by phone on your call');
  expect(await visit.page.getByRole('button', { name: /^Pay/ }).count()).toBe(0);
  await visit.close();
});

test('shows a readable page while the script is slow, and the fields once it has loaded', async () => {
  const visit = await pages.visit(await pages.open(), { tokens: tokens() }, { script: 'slow' });
  await visit.page.getByText('$42.50').first().waitFor();
  await visit.page.clock.fastForward('00:07');
  await visit.page.getByText('The card fields are loading slowly').waitFor();
  visit.release();
  await visit.page.getByLabel('Card number').waitFor();
  await expect.poll(() => visit.page.locator('#form-errors').textContent()).toBe('');
  await visit.close();
});

test.each([
  [{ submitError: { type: 'api_connection_error' } }, 'could not be started'],
  [{ tokenError: { type: 'card_error' } }, 'Please try another card'],
])('says what to do if Stripe returns %j', async (settings, words) => {
  const visit = await pages.visit(await pages.open(), { tokens: tokens(), ...settings });
  await pay(visit);
  await expect.poll(() => visit.page.locator('#form-errors').textContent()).toContain(words);
  expect(await visit.page.getByRole('button', { name: /^Pay/ }).getAttribute('aria-disabled')).toBe('false');
  await visit.close();
});

test.each([
  [true, 'paid'],
  [false, 'declined'],
])('continues after the bank’s dialog returned %j: the page is %s', async (isConfirmed, state) => {
  const requests: string[] = [];
  const askBank = (clientSecret: string) => {
    const [id = ''] = clientSecret.split('_secret_');
    const intent = stripe.intents.get(id);
    if (intent === undefined) throw new Error(`no intent ${id}`);
    requests.push(intent.status);
    endDialog(intent, isConfirmed ? 'done' : 'refused');
    return isConfirmed;
  };
  const visit = await pages.visit(
    await pages.open(),
    { tokens: { [ASKS]: stripe.token('ctoken', ASKS) } },
    { askBank },
  );
  await pay(visit, ASKS);
  await visit.page.locator(`main[data-state=${state}]`).waitFor();
  expect(requests).toEqual(['requires_action']);
  expect(visit.errors).toEqual([]);
  expect(stripe.violations).toEqual([]);
  await visit.close();
});

const save = async ({ page }: Visit, number: string) => {
  await page.getByLabel('Card number').fill(number);
  await page.locator('#keep_card').check();
  await page.getByRole('button', { name: 'Save card' }).click();
};

const setupsOf = (sessionId: string) =>
  [...stripe.setups.values()].filter(({ metadata }) => metadata.ringkey_session === sessionId);

test('saves a card without a payment, and without an amount in Stripe’s field', async () => {
  const link = await pages.open({ session: SAVE_ONLY });
  const visit = await pages.visit(link, { tokens: tokens() });
  await visit.page.getByLabel('Card number').waitFor();
  const elements = (await visit.readScript()).calls.find(({ name }) => name === 'elements')?.args;
  expect(elements).toMatchObject({ mode: 'setup', currency: 'usd' });
  expect(elements).not.toHaveProperty('amount');
  await expectTidy(visit);
  await save(visit, GOOD);
  await visit.page.locator('main[data-state=paid]').waitFor();
  expect(await visit.page.locator('h1').textContent()).toBe('Card saved');
  expect(setupsOf(link.sessionId)).toMatchObject([{ status: 'succeeded' }]);
  expect(await consentsOf(pages, link)).toMatchObject([{ status: 'kept', channel: 'page', wordingId: 'page.own' }]);
  expect(stripe.violations).toEqual([]);
  await visit.close();
});

test.each([
  [true, 'paid', 'kept'],
  [false, 'declined', 'not_kept'],
])('saves a card after the bank’s dialog returned %j: the page is %s', async (isConfirmed, state, status) => {
  const askBank = (clientSecret: string) => {
    const setup = [...stripe.setups.values()].find(({ client_secret: secret }) => secret === clientSecret);
    stripe.endDialog(setup?.metadata.ringkey_charge ?? '', isConfirmed ? 'done' : 'refused');
    return isConfirmed;
  };
  const link = await pages.open({ session: SAVE_ONLY });
  const visit = await pages.visit(link, { tokens: { [ASKS]: stripe.token('ctoken', ASKS) } }, { askBank });
  await save(visit, ASKS);
  await visit.page.locator(`main[data-state=${state}]`).waitFor();
  expect(await consentsOf(pages, link)).toMatchObject([{ status }]);
  expect(visit.errors).toEqual([]);
  expect(stripe.violations).toEqual([]);
  await visit.close();
});

test('saves no card if the payer does not confirm at the bank', async () => {
  const link = await pages.open({ session: SAVE_ONLY });
  const settings = { tokens: { [ASKS]: stripe.token('ctoken', ASKS) } };
  const visit = await pages.visit(link, settings, { askBank: () => new Promise<boolean>(() => undefined) });
  await save(visit, ASKS);
  await visit.page.getByRole('button', { name: 'Do not confirm' }).click();
  await visit.page.locator('main[data-state=declined]').waitFor();
  expect(setupsOf(link.sessionId)).toMatchObject([{ status: 'canceled' }]);
  expect(await consentsOf(pages, link)).toMatchObject([{ status: 'not_kept' }]);
  await visit.close();
});

test('does not reload the page if the bank’s dialog cannot be shown', async () => {
  const link = await pages.open();
  const settings = { tokens: { [ASKS]: stripe.token('ctoken', ASKS) } };
  // This dialog never ends.
  const first = await pages.visit(link, settings, { askBank: () => new Promise<boolean>(() => undefined) });
  await pay(first, ASKS);
  await first.page.locator('main[data-state=action]').waitFor();
  await first.close();
  const visit = await pages.visit(link, {}, { script: 'blocked' });
  await visit.page.locator('#form-errors:not(:empty)').waitFor();
  let loads = 0;
  visit.page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await visit.page.locator('main[data-state=action]').waitFor();
  await visit.page.getByRole('button', { name: 'Do not confirm' }).click();
  await visit.page.locator('main[data-state=declined]').waitFor();
  // Only the redirect after the form.
  expect(loads).toBe(1);
  await visit.close();
});

test('pays with a wallet by its button', async () => {
  const link = await pages.open();
  const wallet = stripe.token('ctoken', GOOD, 'apple_pay');
  const visit = await pages.visit(link, { tokens: { apple_pay: wallet }, wallet: 'apple_pay' });
  await visit.page.getByRole('button', { name: 'apple_pay' }).click();
  await visit.page.locator('main[data-state=paid]').waitFor();
  expect(visit.errors).toEqual([]);
  await visit.close();
});

test('hides the wallet buttons without a usable wallet', async () => {
  const visit = await pages.visit(await pages.open(), { tokens: tokens() });
  await visit.page.getByLabel('Card number').waitFor();
  await expect.poll(() => visit.page.locator('#wallets').isHidden()).toBe(true);
  await expectTidy(visit);
  await visit.close();
});

test('charges once on a double click', async () => {
  const link = await pages.open();
  const visit = await pages.visit(link, { tokens: tokens() });
  await visit.page.getByLabel('Card number').fill(GOOD);
  await visit.page.getByRole('button', { name: /^Pay/ }).dblclick();
  await visit.page.locator('main[data-state=paid]').waitFor();
  const { rows } = await pages.api.database.query('select count(*)::int as n from charges where session_id = $1', [
    link.sessionId,
  ]);
  expect(rows).toEqual([{ n: 1 }]);
  await visit.close();
});

test('saves the card if the payer selects the box, and tells Stripe before it creates the token', async () => {
  const link = await pages.open({ merchant: { cardSaving: 'ask' } });
  const visit = await pages.visit(link, { tokens: tokens() });
  await visit.page.getByLabel('Card number').fill(GOOD);
  await visit.page.getByRole('checkbox').check();
  // Read the calls before the page navigates away.
  const held = await holdForm(visit.page);
  await visit.page.getByRole('button', { name: /^Pay/ }).click();
  await held.sent;
  const { calls } = await visit.readScript();
  expect(calls.find(({ name }) => name === 'update')?.args).toEqual({ setupFutureUsage: 'off_session' });
  await expectTidy(visit);
  held.release();
  await visit.page.locator('main[data-state=paid]').waitFor();
  const ours = [...stripe.intents.values()].filter(({ metadata }) => metadata.ringkey_session === link.sessionId);
  expect(ours).toMatchObject([{ status: 'succeeded', setup_future_usage: 'off_session' }]);
  expect(await consentsOf(pages, link)).toEqual([{ status: 'kept', channel: 'page', wordingId: 'page.keep_card' }]);
  await visit.close();
});

test('has no accessibility barriers around the fields', async () => {
  const visit = await pages.visit(await pages.open({ merchant: { cardSaving: 'ask' } }), { tokens: tokens() });
  await visit.page.getByLabel('Card number').waitFor();
  // Without transitions: during one, colors have less contrast than before and after.
  await visit.page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await findBarriers(visit.page)).toEqual([]);
  await visit.page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  expect(await findBarriers(visit.page)).toEqual([]);
  await visit.close();
});
