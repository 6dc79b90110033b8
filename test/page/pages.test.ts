/** The pay page over HTTP: its states and languages. */
import { describe, expect, test } from 'vitest';
import { startTestApi } from '../contract/test-api.ts';
import { useFixture } from '../support/fixtures.ts';
import { STATES } from './page-states.ts';
import { chargesOf, getPage, insertCharge, openPageOf, openTestPage, payOnPage, submitForm, VISA } from './pages.ts';

const api = useFixture(() => startTestApi());

const open = (options?: Parameters<typeof openTestPage>[1]) => openTestPage(api.database, options);
const get = (path: string, headers?: Record<string, string>) => getPage(api.url + path, headers);

describe('a page', () => {
  const sees = async (path: string, state: string, words: RegExp) => {
    const page = await get(path);
    expect(page).toMatchObject({ status: 200, state });
    expect(page.html).toMatch(words);
    return page;
  };

  test('shows the amount and the items if the session is ready to pay', async () => {
    const lineItems = [{ name: 'Pizza', quantity: 2, amountCents: 4_250 }];
    const { path } = await open({ session: { lineItems } });
    const { html } = await sees(path, 'ready', /Pay Demo Diner/);
    for (const words of [
      '$42.50',
      'A-1001',
      'phone number ending 34',
      'Pizza',
      '× 2',
      'You can pay until',
      'Test mode',
    ])
      expect(html).toContain(words);
  });

  test('shows that the session was paid by phone', async () => {
    const page = await open();
    await insertCharge(api.database, page, { status: 'succeeded', source: 'phone' });
    const { html } = await sees(page.path, 'already_paid', /paid by phone/);
    expect(html).toContain('Visa ending 1111');
  });

  test('names the hold on its button, in the language of the page', async () => {
    const page = await open();
    await api.database.query(`update checkout_sessions set capture = 'manual' where id = $1`, [page.sessionId]);
    const { html } = await sees(page.path, 'ready', /Place a hold of \$42\.50/);
    expect(html).not.toMatch(/Pay \$42\.50|Pay Demo Diner/);
    expect(html).toContain('<title>Hold for Demo Diner</title>');
    await sees(`${page.path}?lang=fr`, 'ready', /Bloquer 42,50/);
  });

  test('shows the amount with its tip on the receipt', async () => {
    const page = await open();
    await insertCharge(api.database, page, { status: 'succeeded', source: 'phone' });
    await api.database.query('update charges set amount_cents = 5015, tip_cents = 765 where session_id = $1', [
      page.sessionId,
    ]);
    await sees(page.path, 'already_paid', /\$50\.15.*Tip included.*\$7\.65/s);
  });

  test('names the bank account on the receipt of a debit, and no card', async () => {
    const page = await open();
    await insertCharge(api.database, page, { status: 'succeeded', source: 'phone' });
    await api.database.query(
      `update charges set payment_method = 'us_bank_account', brand = null, last_four = '6789' where session_id = $1`,
      [page.sessionId],
    );
    const { html } = await sees(page.path, 'already_paid', /Bank account.*Account ending 6789/s);
    expect(html).not.toContain('Card ending');
  });

  test.each([
    ['en', /Business.*Demo Diner/s, 'Paid to'],
    ['de', /Unternehmen.*Demo Diner/s, 'Bezahlt an'],
  ])('does not call a hold paid on its receipt in %s', async (language, receipt, paid) => {
    const page = await open();
    await insertCharge(api.database, page, { status: 'authorized', source: 'page' });
    const { html } = await sees(`${page.path}?lang=${language}`, 'paid', receipt);
    expect(html).not.toContain(paid);
  });

  test('shows what was captured of a hold, not what was held', async () => {
    const page = await open();
    await insertCharge(api.database, page, { status: 'succeeded', source: 'page' });
    const capture = `update charges set capture = 'manual', captured_cents = 3000 where session_id = $1`;
    await api.database.query(capture, [page.sessionId]);
    const { html } = await sees(page.path, 'paid', /\$30\.00/);
    expect(html).not.toContain('$42.50');
  });

  test('is ready to pay after a card was declined on the phone', async () => {
    const page = await open();
    await insertCharge(api.database, page, { status: 'failed', source: 'phone' });
    await api.database.query(`update charges set decline_code = 'incorrect_cvc' where session_id = $1`, [
      page.sessionId,
    ]);
    const { html } = await sees(page.path, 'ready', /Pay Demo Diner/);
    expect(html).not.toMatch(/id="form-errors"[^>]*autofocus|aria-invalid="true"/);
  });

  test('shows that a payment by phone or elsewhere is in progress', async () => {
    const [phone, own] = [await open(), await open()];
    await insertCharge(api.database, phone, { status: 'pending', source: 'phone' });
    await insertCharge(api.database, own, { status: 'pending', source: 'page' });
    await sees(phone.path, 'on_phone', /on your call is under way/);
    await sees(own.path, 'working', /do not pay again/);
  });

  test('asks not to pay here if the caller is paying by phone, before the charge exists', async () => {
    const paying = STATES.find(({ name }) => name === 'ready-paying-by-phone');
    const { html } = await get((await paying?.reach(api)) ?? '');
    const [words, amount] = [html.indexOf('Please do not pay here'), html.indexOf('class="amount"')];
    expect(html).toMatch(/<p id="live" class="live" aria-live="polite" data-stop>/);
    expect(words).toBeGreaterThan(0);
    expect(words).toBeLessThan(amount);
  });

  test('repeats the total of a long bill above the button', async () => {
    const lineItems = Array.from({ length: 4 }, (_, at) => ({ name: `Dish ${at}`, quantity: 1, amountCents: 1_000 }));
    const { html } = await sees((await open({ session: { lineItems } })).path, 'ready', /Dish 3/);
    expect(html).toMatch(/<p class="total"><span>Total<\/span><strong>\$42\.50<\/strong><\/p><button type="submit">/);
    const short = await open({ session: { lineItems: lineItems.slice(1) } });
    expect((await get(short.path)).html).not.toContain('class="total"');
  });

  test('shows a pending charge, even after the session has expired', async () => {
    const { path, sessionId } = await open();
    expect(await payOnPage(api.url + path, { ...VISA, number: '4000000000006702' })).toMatchObject({
      state: 'pending',
    });
    await api.database.query(`update checkout_sessions set expires_at = now() where id = $1`, [sessionId]);
    await sees(path, 'pending', /do not pay again/);
  });

  test('shows a charge that was not confirmed in time as pending, without promising a text', async () => {
    const { path, sessionId } = await open();
    const asking = { ...VISA, number: '4000000000003220' };
    expect(await payOnPage(api.url + path, asking)).toMatchObject({ state: 'action' });
    await api.database.query('update charges set action_deadline = now() where session_id = $1', [sessionId]);
    const { html } = await sees(path, 'pending', /do not pay again/);
    expect(html).not.toMatch(/text you/);
    expect(await submitForm(`${api.url + path}/action`, { answer: 'confirm' })).toMatchObject({ state: 'pending' });
    const event = `insert into events (id, account_id, mode, type, session_id, charge_id, facts)
                   select 'evt_' || id, account_id, mode, 'checkout.pending', session_id, id, '{}' from charges where session_id = $1`;
    await api.database.query(event, [sessionId]);
    expect((await sees(path, 'pending', /do not pay again/)).html).toMatch(/text you/);
  });

  test('shows that another session has paid the order', async () => {
    const { path, merchant } = await open();
    const other = await openPageOf(api.database, merchant);
    await payOnPage(api.url + path);
    await sees(other.path, 'already_paid', /This order is already paid/);
    expect((await get(other.path)).attempt).toBeUndefined();
  });

  test('shows refunds', async () => {
    const { path, sessionId } = await open();
    await payOnPage(api.url + path);
    await api.database.query('update charges set refunded_cents = 1000 where session_id = $1', [sessionId]);
    await sees(path, 'paid', /Refunded<\/dt><dd>\$10\.00/);
    await api.database.query(
      `insert into refunds (id, charge_id, session_id, account_id, mode, merchant_id, amount_cents, currency, processor,
                            processor_payment_id, resolve_at)
       select 're_of_page', id, session_id, account_id, mode, merchant_id, 400, currency, processor, 'pi', now() + interval '1 hour'
         from charges where session_id = $1`,
      [sessionId],
    );
    await sees(path, 'paid', /Refunded<\/dt><dd>\$10\.00.*Refund pending<\/dt><dd>\$4\.00/s);
  });

  test('shows that a link has expired, has nothing to pay, or has no connected merchant', async () => {
    await sees((await open({ session: { ttlSeconds: -1 } })).path, 'expired', /Ask Demo Diner for a new link/);
    await sees((await open({ session: { verdict: 'none' } })).path, 'nothing_to_pay', /nothing to pay/);
    await sees((await open({ merchant: { processor: null } })).path, 'gone', /cannot be taken here/);
    await sees((await open({ merchant: { mode: 'live' } })).path, 'gone', /cannot be taken here/);
  });

  test('allows no more attempts after five declines', async () => {
    const { path, sessionId } = await open();
    const declining = { ...VISA, number: '4000000000000002' };
    for (let attempt = 0; attempt < 5; attempt += 1) await payOnPage(api.url + path, declining);
    const { attempt } = await sees(path, 'no_more_attempts', /No more attempts/);
    expect(attempt).toBeUndefined();
    expect(await chargesOf(api.database, sessionId)).toHaveLength(5);
  });
});

describe('the language of a page', () => {
  const headingIn = async (path: string, headers?: Record<string, string>) =>
    /<html lang="(\w+)">/.exec((await get(path, headers)).html)?.[1];

  test("is `?lang`, or else the session's, the merchant's or the browser's", async () => {
    const german = { 'accept-language': 'de-CH,de;q=0.9,en;q=0.8' };
    const [english, french, dutch] = [
      await open(),
      await open({ merchant: { language: 'fr-CA' } }),
      await open({ merchant: { language: 'nl-NL' } }),
    ];
    expect(await headingIn(english.path, german)).toBe('en');
    expect(await headingIn(french.path, german)).toBe('fr');
    expect(await headingIn(`${french.path}?lang=es`, german)).toBe('es');
    const spanish = await open({ session: { language: 'es-MX' } });
    expect(await headingIn(spanish.path, german)).toBe('es');
    expect(await headingIn(`${spanish.path}?lang=fr`, german)).toBe('fr');
    expect(await headingIn(dutch.path, german)).toBe('de');
    expect(await headingIn('/p/abcdefghijkm', german)).toBe('de');
    expect(await headingIn('/p/abcdefghijkm', { 'accept-language': 'xx, *;q=0.1, en;q=zzz' })).toBe('en');
  });

  test('applies to amounts, errors and the page after the form', async () => {
    const { path } = await open({ merchant: { language: 'de-DE' } });
    expect((await get(path)).html).toContain('42,50 $');
    const { attempt = '' } = await get(`${path}?lang=fr`);
    const declined = await submitForm(`${api.url + path}?lang=fr`, { attempt, ...VISA, number: '4000000000009995' });
    expect(declined.html).toContain('<html lang="fr">');
    expect(declined.html).toContain('banque');
  });
});
