/** The form of the pay page over HTTP: payments, declines, repeated forms. */
import { describe, expect, test } from 'vitest';
import { startTestApi } from '../contract/test-api.ts';
import { useFixture } from '../support/fixtures.ts';
import { getPage, openTestPage, payOnPage, postForm, submitForm, VISA } from './pages.ts';

const api = useFixture(() => startTestApi());

const open = (options?: Parameters<typeof openTestPage>[1]) => openTestPage(api.database, options);

async function chargesOf(sessionId: string) {
  const text = `select status, source, decline_code as "declineCode", last_four as "lastFour", amount_cents as "amountCents"
                  from charges where session_id = $1 order by created_at`;
  return (await api.database.query(text, [sessionId])).rows;
}

describe('the form', () => {
  test('takes a payment, and the page becomes the receipt', async () => {
    const { path, sessionId } = await open();
    const ready = await getPage(api.url + path);
    expect(ready).toMatchObject({ status: 200, state: 'ready' });
    expect(ready.html).toContain('Pay Demo Diner');
    expect(ready.html).toContain('$42.50');
    const paid = await submitForm(api.url + path, { attempt: ready.attempt ?? '', ...VISA });
    expect(paid).toMatchObject({ status: 200, state: 'paid' });
    expect(paid.html).toContain('Visa ending 4242');
    const charge = { status: 'succeeded', source: 'page', lastFour: '4242', amountCents: 4_250 };
    expect(await chargesOf(sessionId)).toMatchObject([charge]);
  });

  test('works at both URLs of the link', async () => {
    const { longPath } = await open();
    expect(await payOnPage(api.url + longPath)).toMatchObject({ state: 'paid' });
  });

  test('names the field that the bank declined, and accepts another try', async () => {
    const { path, sessionId } = await open();
    const card = { ...VISA, number: '4000000000000101', security_code: '999' };
    const declined = await payOnPage(api.url + path, card);
    expect(declined).toMatchObject({ state: 'declined' });
    expect(declined.html).toContain('<title>The card was declined · Pay Demo Diner</title>');
    expect(declined.html).toContain('href="#security_code">The security code does not match');
    expect(declined.html).toMatch(/id="security_code"[^>]*aria-describedby="security_code-hint security_code-fault"/);
    const paid = await submitForm(api.url + path, { attempt: declined.attempt ?? '', ...card, security_code: '123' });
    expect(paid.state).toBe('paid');
    expect(await chargesOf(sessionId)).toMatchObject([{ declineCode: 'incorrect_cvc' }, { status: 'succeeded' }]);
  });

  test.each([
    ['4000000000009995', 'The card was declined', 'Your bank did not approve this amount.'],
    ['4000000000000119', 'The payment was not taken', 'Your payment could not be processed.'],
    ['4000000000006207', 'The payment was not taken', 'This card cannot be charged right now.'],
  ])('calls the payment with %s declined only if the issuer decided', async (number, heading, text) => {
    const { path } = await open();
    const { state, html } = await payOnPage(api.url + path, { ...VISA, number });
    expect(state).toBe('declined');
    expect(html).toContain(`<title>${heading} · Pay Demo Diner</title>`);
    expect(html).toContain(`<h2>${heading}</h2>`);
    expect(html).toContain(text);
  });

  test('shows the error of each field without charging or echoing card data', async () => {
    const { path, sessionId } = await open({ merchant: { asksPostalCode: true } });
    const wrong = { number: '4242 4242 4242 4241', expiry: '01 / 20', security_code: '12', postal_code: '' };
    const answer = await payOnPage(api.url + path, wrong);
    expect(answer.state).toBe('ready');
    for (const name of ['number', 'expiry', 'security_code', 'postal_code']) {
      expect(answer.html).toContain(`href="#${name}"`);
      expect(answer.html).toContain(`id="${name}-fault"`);
    }
    expect(answer.html).not.toMatch(/4241|01 \/ 20/);
    expect(await chargesOf(sessionId)).toEqual([]);
  });

  test('answers a repeated attempt with the first outcome', async () => {
    const { path, sessionId } = await open();
    const { attempt = '' } = await getPage(api.url + path);
    const declined = { attempt, ...VISA, number: '4000000000009995' };
    await submitForm(api.url + path, declined);
    expect(await submitForm(api.url + path, { ...declined, number: VISA.number })).toMatchObject({ state: 'declined' });
    expect(await chargesOf(sessionId)).toHaveLength(1);
  });

  test('charges nothing if a declined form is sent again from the browser’s history with another card', async () => {
    const { path, sessionId } = await open();
    const { attempt = '' } = await getPage(api.url + path);
    await submitForm(api.url + path, { attempt, ...VISA, number: '4000000000009995' });
    // Too long ago for a double click.
    await api.database.query(`update charges set settled_at = now() - interval '5 seconds' where session_id = $1`, [
      sessionId,
    ]);
    const again = await submitForm(api.url + path, { attempt, ...VISA });
    expect(again.state).toBe('declined');
    expect(again.html).toContain('This form was sent before');
    expect(await submitForm(api.url + path, { attempt: again.attempt ?? '', ...VISA })).toMatchObject({
      state: 'paid',
    });
    expect(await chargesOf(sessionId)).toHaveLength(2);
    expect((await submitForm(api.url + path, { attempt, ...VISA })).html).not.toContain('This form was sent before');
  });

  test('charges once if it is sent twice at the same time', async () => {
    const { path, sessionId } = await open();
    const { attempt = '' } = await getPage(api.url + path);
    const sent = await Promise.all(Array.from({ length: 8 }, () => postForm(api.url + path, { attempt, ...VISA })));
    expect(sent.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 303));
    expect(await chargesOf(sessionId)).toMatchObject([{ status: 'succeeded' }]);
  });

  test('is declined once if it is sent twice at the same time', async () => {
    const { path, sessionId } = await open();
    const { attempt = '' } = await getPage(api.url + path);
    const declining = { attempt, ...VISA, number: '4000000000000002' };
    await Promise.all(Array.from({ length: 8 }, () => postForm(api.url + path, declining)));
    expect(await chargesOf(sessionId)).toMatchObject([{ status: 'failed' }]);
  });
});

describe('the bank’s challenge', () => {
  test.each([
    ['ends in a payment if the bank approves', '4000000000003220', 'confirm', 'paid'],
    ['ends in a decline if the bank declines after it', '4000008400001629', 'confirm', 'declined'],
    ['ends in a decline if the bank does not recognize the payer', '4000000000003105', 'confirm', 'declined'],
    ['stays open if the bank gets no answer', '4000000000003204', 'confirm', 'action'],
    ['ends in a decline if the payer does not confirm', '4000000000003204', 'cancel', 'declined'],
  ])('%s', async (_name, number, answer, state) => {
    const { path, sessionId } = await open();
    const challenged = await payOnPage(api.url + path, { ...VISA, number });
    expect(challenged.state).toBe('action');
    expect(challenged.html).toContain(`action="${path}/action?lang=en"`);
    expect((await getPage(`${api.url + path}/action`)).headers.get('location')).toBe(`${path}?lang=en`);
    const after = await submitForm(`${api.url + path}/action`, { answer });
    expect(after.state).toBe(state);
    expect(await submitForm(`${api.url + path}/action`, { answer })).toMatchObject({ state });
    expect(await chargesOf(sessionId)).toHaveLength(1);
  });
});

describe('answers to the bank’s challenge', () => {
  const limited = useFixture(() => startTestApi({ rateLimits: { answer: { requests: 2, windowSeconds: 600 } } }));

  test('are limited per pay link, and refused in the payer’s language', async () => {
    const spanish = { session: { language: 'es-MX' } };
    const [one, other] = await Promise.all([1, 2].map(() => openTestPage(limited.database, spanish)));
    for (const each of [one, other]) {
      await payOnPage(limited.url + each?.path, { ...VISA, number: '4000000000003204' });
    }
    const answer = (path = '') => postForm(`${limited.url + path}/action`, { result: 'junk', answer: 'confirm' });
    expect([(await answer(one?.path)).status, (await answer(one?.path)).status]).toEqual([303, 303]);
    const refused = await answer(one?.path);
    expect(refused.status).toBe(429);
    expect(refused.html).toContain('lang="es"');
    expect(refused.html).toContain('Demasiados intentos');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await answer(other?.path)).status).toBe(303);
  });
});

test('pays with the test wallet, which the charge names', async () => {
  const { path, sessionId } = await open();
  const { attempt = '' } = await getPage(api.url + path);
  const paid = await submitForm(api.url + path, { attempt, number: '', wallet: 'apple_pay' });
  expect(paid.state).toBe('paid');
  const { rows } = await api.database.query('select wallet from charges where session_id = $1', [sessionId]);
  expect(rows).toEqual([{ wallet: 'apple_pay' }]);
  expect(await chargesOf(sessionId)).toMatchObject([{ status: 'succeeded', lastFour: '4242' }]);
});

describe('an entered value', () => {
  /** Submits a form, and gets the page again with the cookies of the response. */
  async function sendAndReturn(url: string, fields: Record<string, string>) {
    const { attempt = '' } = await getPage(url);
    const answer = await postForm(url, { attempt, ...fields });
    const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    return { answer, cookie, page: await getPage(url, { cookie }) };
  }
  const shownIn = (html: string, name: string) =>
    new RegExp(`<input id="${name}"[^>]* value="([^"]*)"`).exec(html)?.[1];

  test.each([
    ['a field is wrong', { number: '4242 4242 4242 4241', expiry: '04 / 20', security_code: '12' }, 'ready', '04 / 20'],
    ['the card is declined', { ...VISA, number: '4000000000009995' }, 'declined', '12 / 39'],
  ])(
    'is prefilled for expiry and postal code if %s, but not for number and code',
    async (_name, card, state, expiry) => {
      const { path } = await open({ merchant: { asksPostalCode: true } });
      const { answer, cookie, page } = await sendAndReturn(api.url + path, { ...card, postal_code: 'SW1A 1AA' });
      expect(page.state).toBe(state);
      expect(shownIn(page.html, 'expiry')).toBe(expiry);
      expect(shownIn(page.html, 'postal_code')).toBe('SW1A1AA');
      for (const name of ['number', 'security_code']) expect(shownIn(page.html, name)).toBeUndefined();
      expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
      // The cookie is encrypted, works for this page only, and is deleted once it was read.
      const sealed = cookie.split('.').at(-1) ?? '';
      for (const typed of ['SW1A', expiry, expiry.replaceAll(/\D/g, '')]) {
        expect([sealed, Buffer.from(sealed, 'base64url').toString('latin1')].join(' ')).not.toContain(typed);
      }
      expect(page.headers.get('set-cookie')).toMatch(/=; .*Max-Age=0/);
      const other = await open({ merchant: { asksPostalCode: true } });
      expect(shownIn((await getPage(api.url + other.path, { cookie })).html, 'expiry')).toBeUndefined();
    },
  );

  test('is not kept after a payment, nor if a number is in the wrong field', async () => {
    const [paid, swapped] = [await open(), await open()];
    expect((await sendAndReturn(api.url + paid.path, VISA)).cookie).toBe('');
    const mixed = { ...VISA, number: '123', expiry: '4242424242424242' };
    expect((await sendAndReturn(api.url + swapped.path, mixed)).cookie).toBe('');
  });
});

test('returns the URL of the page with the outcome to the page’s script', async () => {
  const { path } = await open();
  const { attempt = '' } = await getPage(api.url + path);
  const headers = { 'sec-fetch-site': 'same-origin', accept: 'application/json' };
  const { status, html } = await postForm(api.url + path, { attempt, ...VISA }, headers);
  expect({ status, body: JSON.parse(html) }).toEqual({ status: 200, body: { next: `${path}?lang=en` } });
});
