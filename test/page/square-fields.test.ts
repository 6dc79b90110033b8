/** The pay page with Square's fields: a strict fake of its SDK in a real browser, and the fake Square behind the server. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeSquare, startFakeSquare } from '../support/fake-square.ts';
import { CARDS } from '../support/fake-square-cards.ts';
import { SQUARE_CREDENTIALS, squareProcessorAt } from '../support/vendor-processors.ts';
import { findBarriers } from './axe.ts';
import { consentsOf, holdForm, startVendorPages, type VendorPages, type Visit } from './fields-harness.ts';
import { SAVE_ONLY } from './save-only.ts';

let square: FakeSquare;
let pages: VendorPages;
beforeAll(async () => {
  square = await startFakeSquare();
  const processor = squareProcessorAt(square);
  // Loads Square's large package before a payer has to wait for it.
  await processor.prepare?.();
  pages = await startVendorPages('square', processor, SQUARE_CREDENTIALS);
});
afterAll(async () => {
  await pages.close();
  await square.close();
});

const GOOD = '4111111111111111';

const pay = async ({ page }: Visit, number = GOOD) => {
  await page.getByLabel('Card number').fill(number);
  await page.getByRole('button', { name: /^Pay/ }).click();
};

test('pays with a token of the SDK, which gets the amount', async () => {
  const visit = await pages.visit(await pages.open(), { tokens: { [GOOD]: square.token() } }, { lang: 'de' });
  await visit.page.getByLabel('Card number').fill(GOOD);
  // Read the calls before the page navigates away.
  const held = await holdForm(visit.page);
  await visit.page.locator('form#pay button[type=submit]').click();
  await held.sent;
  const { calls, violations } = await visit.readScript();
  expect(calls.find(({ name }) => name === 'payments')?.args).toEqual({
    applicationId: SQUARE_CREDENTIALS.application_id,
    locationId: SQUARE_CREDENTIALS.location_id,
  });
  expect(calls.find(({ name }) => name === 'setLocale')?.args).toBe('de');
  expect(calls.find(({ name }) => name === 'tokenize')?.args).toEqual({
    amount: '42.50',
    currencyCode: 'USD',
    intent: 'CHARGE',
    billingContact: {},
    customerInitiated: true,
    sellerKeyedIn: false,
  });
  expect(violations).toEqual([]);
  expect(visit.errors).toEqual([]);
  held.release();
  await visit.page.locator('main[data-state=paid]').waitFor();
  expect(square.violations).toEqual([]);
  await visit.close();
});

test('saves a card without a payment, for which the SDK verifies the payer', async () => {
  const opened = await pages.open({ session: SAVE_ONLY });
  const visit = await pages.visit(opened, { tokens: { [GOOD]: square.token() } });
  await visit.page.getByLabel('Card number').fill(GOOD);
  const held = await holdForm(visit.page);
  await visit.page.locator('#keep_card').check();
  await visit.page.locator('form#pay button[type=submit]').click();
  await held.sent;
  const { calls, violations } = await visit.readScript();
  expect(calls.find(({ name }) => name === 'tokenize')?.args).toEqual({
    intent: 'STORE',
    billingContact: {},
    customerInitiated: true,
    sellerKeyedIn: false,
  });
  expect(violations).toEqual([]);
  held.release();
  await visit.page.locator('main[data-state=paid]').waitFor();
  const text = 'select processor, last_four from instruments where account_id = $1';
  const { rows } = await pages.api.database.query(text, [opened.merchant.accountId]);
  expect(rows).toEqual([{ processor: 'square', last_four: CARDS.good }]);
  expect(square.violations).toEqual([]);
  await visit.close();
});

test('accepts another card after a decline', async () => {
  const tokens = { [GOOD]: square.token(), '4000000000009995': square.token(CARDS.noMoney) };
  const visit = await pages.visit(await pages.open(), { tokens });
  await pay(visit, '4000000000009995');
  await visit.page.locator('main[data-state=declined]').waitFor();
  await pay(visit);
  await visit.page.locator('main[data-state=paid]').waitFor();
  await visit.close();
});

test.each([
  [{ tokens: {} }, 'Please check your card details.'],
  [{ result: { status: 'Cancel' } }, ''],
  [{ result: { status: 'Unknown' } }, 'could not be started'],
  [
    { result: { status: 'Error', errors: [{ type: 'CARD_DECLINED_VERIFICATION_REQUIRED', message: 'Declined' }] } },
    'Your bank could not confirm your identity.',
  ],
  [{ thrown: { errors: [{ type: 'UNKNOWN', message: 'An unknown error' }] } }, 'could not be started'],
])('says what to do if Square returns %j', async (settings, words) => {
  const visit = await pages.visit(await pages.open(), settings);
  await pay(visit);
  const button = visit.page.getByRole('button', { name: /^Pay/ });
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('false');
  expect(await visit.page.locator('#form-errors').textContent()).toContain(words);
  expect(await visit.page.locator('main').getAttribute('data-state')).toBe('ready');
  await visit.close();
});

test.each([
  ['apple_pay', 'Apple Pay'],
  ['google_pay', 'Google Pay'],
] as const)('%s pays by its button', async (wallet, name) => {
  const tokens = { [wallet]: square.token() };
  const visit = await pages.visit(await pages.open(), { tokens, wallets: [wallet] });
  await visit.page.getByRole('button', { name }).click();
  await visit.page.locator('main[data-state=paid]').waitFor();
  expect(visit.errors).toEqual([]);
  await visit.close();
});

test.each(['blocked', 'missing'] as const)(
  'the page says that the fields did not load if the script is %s',
  async (script) => {
    const visit = await pages.visit(await pages.open(), {}, { script });
    await visit.page.locator('form[data-fields=failed]').waitFor();
    expect(await visit.page.locator('#form-errors').textContent()).toContain('The card fields could not be loaded');
    await visit.close();
  },
);

test('allows any https host only for frames, because the bank’s 3-D Secure page is one', async () => {
  const link = await pages.open();
  const answer = await fetch(pages.api.url + link.path);
  const policy = answer.headers.get('content-security-policy') ?? '';
  const wide = policy.split('; ').filter((directive) => /\shttps?:(\s|$)|\*(\s|$)/.test(directive));
  expect(wide).toEqual(['frame-src https:']);
});

test('tells the SDK to save the card if the box is selected, and records the consent', async () => {
  const link = await pages.open({ merchant: { cardSaving: 'ask' } });
  const visit = await pages.visit(link, { tokens: { [GOOD]: square.token() } });
  await visit.page.getByLabel('Card number').fill(GOOD);
  await visit.page.getByRole('checkbox').check();
  const held = await holdForm(visit.page);
  await visit.page.locator('form#pay button[type=submit]').click();
  await held.sent;
  const { calls, violations } = await visit.readScript();
  expect(calls.find(({ name }) => name === 'tokenize')?.args).toMatchObject({ intent: 'CHARGE_AND_STORE' });
  expect(violations).toEqual([]);
  held.release();
  await visit.page.locator('main[data-state=paid]').waitFor();
  // Square saves a card in a second step, which the worker does later.
  const due = [{ status: 'agreed', channel: 'page', wordingId: 'page.keep_card' }];
  expect(await consentsOf(pages, link)).toEqual(due);
  await visit.close();
});

test('has no accessibility barriers around the fields', async () => {
  const visit = await pages.visit(await pages.open(), { tokens: { [GOOD]: square.token() } });
  await visit.page.getByLabel('Card number').waitFor();
  // Without transitions: during one, colors have less contrast than before and after.
  await visit.page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await findBarriers(visit.page)).toEqual([]);
  await visit.page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  expect(await findBarriers(visit.page)).toEqual([]);
  await visit.close();
});
