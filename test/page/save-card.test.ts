/** Saving the card of a payment on the pay page. */
import { describe, expect, test } from 'vitest';
import { InFlight } from '../../src/lib/concurrency/in-flight.ts';
import { createLog } from '../../src/lib/observability/log.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { keepDueCards } from '../../src/payments/charges/keep-card.ts';
import { takePayment } from '../../src/payments/charges/take-payment.ts';
import { createSandbox } from '../../src/payments/sandbox/index.ts';
import { startTestApi } from '../contract/test-api.ts';
import { useFixture } from '../support/fixtures.ts';
import { getPage, openPageOf, openTestPage, payOnPage, submitForm, type TestPageOptions, VISA } from './pages.ts';

const vault = createVault([Buffer.alloc(32, 7)]);
const silent = createLog({ level: 'silent', instance: 'test' });
const api = useFixture(() => startTestApi({ vault }));

const BOX = /<label class="keep"><input type="checkbox" name="keep_card" value="1"><span>([^<]+)<\/span>/;
const TICKED = { ...VISA, keep_card: '1' };

const open = ({ merchant, session }: TestPageOptions = {}) =>
  openTestPage(api.database, { merchant: { cardSaving: 'ask', ...merchant }, ...(session && { session }) });

const payments = () => ({
  database: api.database,
  vault,
  processors: [createSandbox(api.database)],
  credentialsFor: async () => null,
  inFlight: new InFlight(),
  log: silent,
  onPending: () => undefined,
});

/** Saves due cards, as the worker does. */
const keepCards = () => keepDueCards(payments(), new AbortController().signal);

async function rowsOf(table: 'card_consents' | 'instruments', accountId: string) {
  return (await api.database.query(`select * from ${table} where account_id = $1`, [accountId])).rows;
}

describe('the checkbox', () => {
  test('is shown, and not selected, if the merchant saves cards and the caller’s number is known', async () => {
    const { html } = await getPage(api.url + (await open()).path);
    expect(BOX.exec(html)?.[1]).toContain('Save this card');
    expect(html).not.toMatch(/checked/);
  });

  test.each<[string, TestPageOptions]>([
    ['the merchant saves no cards', { merchant: { cardSaving: 'never' } }],
    ['the caller’s number is unknown', { session: { callerPhone: null } }],
  ])('is not shown if %s, and a forged form saves nothing', async (_name, options) => {
    const { path, merchant } = await open(options);
    expect((await getPage(api.url + path)).html).not.toMatch(BOX);
    expect((await payOnPage(api.url + path, TICKED)).state).toBe('paid');
    expect(await rowsOf('card_consents', merchant.accountId)).toEqual([]);
  });
});

describe('the merchant’s own words', () => {
  const saving = {
    saveTerms: 'merchant_initiated',
    sentence: 'Charge me if I do not come.',
    maxAmountCents: 500,
  } as const;

  test('label the checkbox, and their terms are stored with the consent', async () => {
    const { path, merchant } = await open({ merchant: { cardSaving: 'never' }, session: { saving } });
    expect(BOX.exec((await getPage(api.url + path)).html)?.[1]).toBe(saving.sentence);
    expect((await payOnPage(api.url + path, TICKED)).state).toBe('paid');
    const terms = { save_terms: 'merchant_initiated', max_amount_cents: 500, wording: saving.sentence };
    expect(await rowsOf('card_consents', merchant.accountId)).toMatchObject([{ wording_id: 'page.own', ...terms }]);
  });

  test('are not shown in another language, where the standard terms hold', async () => {
    const { path, merchant } = await open({ session: { saving } });
    const url = `${api.url + path}?lang=de`;
    const page = await getPage(url);
    expect(BOX.exec(page.html)?.[1]).toContain('Karte');
    expect((await submitForm(url, { attempt: page.attempt ?? '', ...TICKED })).state).toBe('paid');
    const terms = { save_terms: 'returning', max_amount_cents: null };
    expect(await rowsOf('card_consents', merchant.accountId)).toMatchObject([
      { wording_id: 'page.keep_card', ...terms },
    ]);
  });
});

describe('the card of a payment', () => {
  test.each(['en', 'es', 'fr', 'de'])(
    'is saved if the checkbox is selected, with the consent in %s',
    async (language) => {
      const { path, merchant, sessionId } = await open();
      const url = `${api.url + path}?lang=${language}`;
      const page = await getPage(url);
      const wording = BOX.exec(page.html)?.[1];
      expect((await submitForm(url, { attempt: page.attempt ?? '', ...TICKED })).state).toBe('paid');
      await keepCards();
      const consent = {
        channel: 'page',
        call_id: null,
        wording_id: 'page.keep_card',
        language,
        wording,
        status: 'kept',
      };
      expect(await rowsOf('card_consents', merchant.accountId)).toMatchObject([consent]);
      const [card] = await rowsOf('instruments', merchant.accountId);
      expect(card).toMatchObject({ brand: 'VISA', last_four: '4242', expiry_month: 12, expiry_year: 2039 });
      const text = `select c.id from consumers, checkout_sessions s, chargeable_cards(consumers.id, s.merchant_id, now()) c
                   where s.id = $1 and consumers.account_id = s.account_id and consumers.phone = s.caller_phone`;
      expect((await api.database.query(text, [sessionId])).rows).toEqual([{ id: card?.id }]);
    },
  );

  test('is saved after the bank’s challenge', async () => {
    const { path, merchant } = await open();
    expect((await payOnPage(api.url + path, { ...TICKED, number: '4000000000003220' })).state).toBe('action');
    expect((await submitForm(`${api.url + path}/action`, { answer: 'confirm' })).state).toBe('paid');
    await keepCards();
    expect(await rowsOf('card_consents', merchant.accountId)).toMatchObject([{ status: 'kept' }]);
  });

  test.each([
    ['is not saved if the checkbox is not selected', VISA],
    ['is not saved if the checkbox has another value', { ...VISA, keep_card: 'no' }],
    ['is not saved if the payment uses a wallet', { ...TICKED, wallet: 'apple_pay' }],
  ])('%s', async (_name, form) => {
    const { path, merchant } = await open();
    expect((await payOnPage(api.url + path, form)).state).toBe('paid');
    await keepCards();
    expect(await rowsOf('card_consents', merchant.accountId)).toEqual([]);
    expect(await rowsOf('instruments', merchant.accountId)).toEqual([]);
  });

  test('is not saved after a decline, nor with a later card without consent', async () => {
    const { path, merchant } = await open();
    expect((await payOnPage(api.url + path, { ...TICKED, number: '4000000000000002' })).state).toBe('declined');
    expect((await payOnPage(api.url + path)).state).toBe('paid');
    await keepCards();
    expect(await rowsOf('instruments', merchant.accountId)).toEqual([]);
  });

  test('can be charged in the next session', async () => {
    const { path, merchant } = await open();
    await payOnPage(api.url + path, TICKED);
    await keepCards();
    const { sessionId } = await openPageOf(api.database, merchant, { orderId: 'A-1002' });
    const [card] = await rowsOf('instruments', merchant.accountId);
    const result = await takePayment(payments(), {
      sessionId,
      scope: { accountId: merchant.accountId, mode: 'test' },
      source: 'saved_card',
      card: { kind: 'saved', instrumentId: card?.id, at: new Date() },
    });
    expect(result).toMatchObject({ type: 'succeeded', charge: { lastFour: '4242' } });
  });
});
