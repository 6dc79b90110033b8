/** The pay page of a checkout that only saves a card: no amount, a consent that must be ticked, and nothing charged. */
import { describe, expect, test } from 'vitest';
import { LANGUAGE_TAGS } from '../../src/languages/index.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { startTestApi } from '../contract/test-api.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import {
  chargesOf,
  getPage,
  insertCharge,
  openTestPage,
  type PageAnswer,
  payOnPage,
  submitForm,
  type TestPageOptions,
  VISA,
} from './pages.ts';
import { SAVE_ONLY } from './save-only.ts';

const api = useFixture(() => startTestApi({ vault: createVault([Buffer.alloc(32, 7)]) }));
const chrome = useFixture(startTestBrowser);

const AGREED = { ...VISA, keep_card: '1' };
const BOX =
  /<input type="checkbox" id="keep_card" name="keep_card" value="1" required[^>]*><span lang="([^"]+)">([^<]+)/;

async function open({ merchant, session }: TestPageOptions = {}) {
  const page = await openTestPage(api.database, {
    ...(merchant && { merchant }),
    session: { ...SAVE_ONLY, ...session },
  });
  const rows = async (table: 'card_consents' | 'instruments') =>
    (await api.database.query(`select * from ${table} where account_id = $1`, [page.merchant.accountId])).rows;
  return { ...page, url: api.url + page.path, rows };
}

/** The page shows no amount, as there is none. */
function expectNoAmount({ html }: PageAnswer): void {
  expect(html).not.toMatch(/\b0[.,]00\b/);
}

describe('the form', () => {
  test.each(LANGUAGE_TAGS)('in %s says what the card is for, and charges nothing', async (language) => {
    const { url } = await open();
    const page = await getPage(`${url}?lang=${language}`);
    expect(page.state).toBe('ready');
    expectNoAmount(page);
    expect(page.html).toMatch(/50[.,]00/);
    expect(page.html).not.toContain('name="wallet"');
    expect(page.html).not.toMatch(/<input[^>]*\schecked/);
    const spoken = language === 'en' ? 'en' : 'en-US';
    expect(BOX.exec(page.html)?.slice(1)).toEqual([spoken, SAVE_ONLY.saving.sentence]);
  });

  test('says that a card with the terms `returning` is used only when the payer chooses it', async () => {
    const saving = { saveTerms: 'returning', sentence: 'Save it for next time?', maxAmountCents: null } as const;
    const { html } = await getPage((await open({ session: { saving } })).url);
    expect(html).toContain('will use this card only when you choose it for a payment');
  });

  test('is not shown if the merchant’s processor cannot save a card here', async () => {
    const { url } = await open({ merchant: { processor: null } });
    const page = await getPage(url);
    expect(page.state).toBe('gone');
    expect(page.html).toContain('No card can be saved here');
  });

  test('is not shown after the end of the session', async () => {
    const page = await getPage((await open({ session: { ttlSeconds: -1 } })).url);
    expect(page.state).toBe('expired');
    expectNoAmount(page);
  });
});

describe('a card', () => {
  test('is saved with the consent, and the used page says so', async () => {
    const { url, rows, sessionId } = await open();
    const saved = await payOnPage(url, AGREED);
    expect(saved.state).toBe('paid');
    expect(saved.html).toContain('Card saved');
    expect(saved.html).toContain('ending 4242');
    expectNoAmount(saved);
    const wording = SAVE_ONLY.saving.sentence;
    expect(await rows('card_consents')).toMatchObject([
      {
        channel: 'page',
        wording_id: 'page.own',
        language: 'en',
        wording,
        status: 'kept',
        save_terms: 'merchant_initiated',
        max_amount_cents: 5_000,
      },
    ]);
    expect(await rows('instruments')).toMatchObject([{ brand: 'VISA', last_four: '4242', expiry_year: 2039 }]);
    expect(await chargesOf(api.database, sessionId)).toMatchObject([{ status: 'succeeded', amountCents: 0 }]);
    expect((await getPage(url)).state).toBe('paid');
  });

  test('is not sent without the consent, and the error names the box', async () => {
    const { url, rows, sessionId } = await open();
    const page = await payOnPage(url, VISA);
    expect(page.state).toBe('ready');
    expect(page.html).toContain('<a href="#keep_card">Tick the box if you agree.');
    expect(await chargesOf(api.database, sessionId)).toEqual([]);
    expect(await rows('card_consents')).toEqual([]);
    expect((await payOnPage(url, AGREED)).state).toBe('paid');
  });

  test('is not sent with wrong fields, whose errors are shown together with the missing consent', async () => {
    const { url } = await open();
    const { html } = await payOnPage(url, { ...VISA, number: '4242' });
    expect(html).toContain('#number');
    expect(html).toContain('#keep_card');
  });

  test('is saved under the merchant’s sentence and terms on a page in another language', async () => {
    const { url, rows } = await open();
    const german = `${url}?lang=de`;
    const page = await getPage(german);
    expect((await submitForm(german, { attempt: page.attempt ?? '', ...AGREED })).state).toBe('paid');
    const consent = { wording: SAVE_ONLY.saving.sentence, language: 'en-US', save_terms: 'merchant_initiated' };
    expect(await rows('card_consents')).toMatchObject([consent]);
  });

  test('is saved after the bank’s challenge, and not if the payer cancels it', async () => {
    for (const [answer, state, saved] of [
      ['confirm', 'paid', 1],
      ['cancel', 'declined', 0],
    ] as const) {
      const { url, rows } = await open();
      const challenged = await payOnPage(url, { ...AGREED, number: '4000000000003220' });
      expect(challenged.state).toBe('action');
      expect(challenged.html).toContain('this card may be saved');
      expect((await submitForm(`${url}/action`, { answer })).state).toBe(state);
      expect(await rows('instruments')).toHaveLength(saved);
    }
  });

  test('can be replaced by another one after a decline', async () => {
    const { url, rows } = await open();
    const declined = await payOnPage(url, { ...AGREED, number: '4000000000000002' });
    expect(declined.state).toBe('declined');
    expectNoAmount(declined);
    expect((await payOnPage(url, AGREED)).state).toBe('paid');
    expect(await rows('instruments')).toHaveLength(1);
  });

  test('of a wallet is not saved by a forged form', async () => {
    const { url, rows, sessionId } = await open();
    expect((await payOnPage(url, { ...AGREED, wallet: 'apple_pay' })).state).toBe('ready');
    expect(await chargesOf(api.database, sessionId)).toEqual([]);
    expect(await rows('instruments')).toEqual([]);
  });

  test('that the processor did not answer for is not called saved or a payment', async () => {
    const { url } = await open();
    const page = await payOnPage(url, { ...AGREED, number: '4000000000006702' });
    expect(page.state).toBe('pending');
    expect(page.html).toContain('whether your card is saved');
    expectNoAmount(page);
  });

  test('saved by phone is reported on the page', async () => {
    const page = await open();
    await insertCharge(api.database, page, { status: 'succeeded', source: 'phone' });
    const { state, html } = await getPage(page.url);
    expect(state).toBe('already_paid');
    expect(html).toContain('Card already saved');
  });
});

test('the script asks for the consent before anything is sent, and keeps what was typed', async () => {
  const { url, rows } = await open();
  const page = await chrome.browser.newPage();
  try {
    await page.goto(url);
    for (const [name, value] of Object.entries(VISA)) await page.locator(`#${name}`).fill(value);
    await page.locator('#pay button[type=submit]').click();
    await page.locator('#form-errors', { hasText: 'Tick the box' }).waitFor();
    expect(await page.locator('#number').inputValue()).toBe(VISA.number);
    expect(await rows('card_consents')).toEqual([]);
    await page.locator('#keep_card').check();
    await page.locator('#pay button[type=submit]').click();
    await page.locator('main[data-state=paid]').waitFor();
    expect(await rows('instruments')).toHaveLength(1);
  } finally {
    await page.close();
  }
});
