/** Saved cards on the pay page: the texted code, the browser that entered it, and the payment. */
import { describe, expect, test } from 'vitest';
import { saveAttestation } from '../../src/db/screening/screen-facts.ts';
import { claimText } from '../../src/db/texts/texts.ts';
import { newId, parseId } from '../../src/domain/ids.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { openBody } from '../../src/notifications/sms/sealed-body.ts';
import { handleOf, testCard } from '../../src/payments/sandbox/cards.ts';
import { LINK_BASE, startTestApi, type TestApi } from '../contract/test-api.ts';
import { useFixture } from '../support/fixtures.ts';
import { getPage, openPageOf, openTestPage, postForm, submitForm, type TestPageOptions, VISA } from './pages.ts';

const vault = createVault([Buffer.alloc(32, 7)]);
const api = useFixture(() => startTestApi({ vault }));
const off = useFixture(() => startTestApi({ vault, savedCards: false }));

const SAVED = /<section class="pay" id="saved"/;
const FIELD = /<input id="code"/;
const PHONE = '+15550101234';

/** Opens a page whose caller has this many saved cards. */
async function open({ cards = 1, at = api, ...options }: TestPageOptions & { cards?: number; at?: TestApi } = {}) {
  const page = await openTestPage(at.database, options);
  const { accountId, id: merchantId } = page.merchant;
  const consumer = newId('Consumer');
  const values = [consumer, accountId, PHONE];
  await at.database.query(`insert into consumers (id, account_id, mode, phone) values ($1, $2, 'test', $3)`, values);
  const ids = Array.from({ length: cards }, () => newId('Instrument'));
  for (const id of ids) {
    await at.database.query(
      `insert into instruments (id, account_id, mode, consumer_id, merchant_id, processor, processor_handle, brand,
                                last_four, expiry_month, expiry_year)
       values ($1, $2, 'test', $3, $4, 'sandbox', $5, 'VISA', '1881', 4, 2039)`,
      [id, accountId, consumer, merchantId, handleOf(testCard('visa'))],
    );
  }
  return { ...page, url: at.url + page.path, cards: ids };
}

async function textsOf(sessionId: string) {
  const text = `select id, kind, recipient, body, sealed_body as "sealedBody", segments from texts
                 where session_id = $1 order by created_at desc`;
  const { rows } = await api.database.query<{ id: string; body: string; sealedBody: string; recipient: string }>(text, [
    sessionId,
  ]);
  return rows.map((row) => ({ ...row, words: openBody(vault, row) ?? '' }));
}

/** Requests a code, as the button does. @returns the code in the newest text */
async function requestCode({ url, sessionId }: { url: string; sessionId: string }): Promise<string> {
  await postForm(`${url}/text-code`, {});
  const [newest] = await textsOf(sessionId);
  return newest?.words.slice(-6) ?? '';
}

const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** @returns the cookie, or an empty string if none was set */
async function enterCode(url: string, code: string): Promise<string> {
  const { status, headers } = await postForm(`${url}/check-code`, { code });
  expect(status).toBe(303);
  return headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

async function knownBrowser(page: { url: string; sessionId: string }): Promise<string> {
  return enterCode(page.url, await requestCode(page));
}

async function chargesOf(sessionId: string) {
  const text = 'select status, source, instrument_id as card from charges where session_id = $1';
  return (await api.database.query(text, [sessionId])).rows;
}

/** Makes screening step up the session, by the attestation of its call. */
async function stepUp(sessionId: string): Promise<void> {
  const id = parseId('CheckoutSession', sessionId);
  if (id !== null) await saveAttestation(api.database, id, 'standin', { attestation: 'C' });
}

/** Makes the codes of a session older. */
const ageCodes = (sessionId: string, seconds: number) =>
  api.database.query(
    `update page_codes set expires_at = expires_at - $2 * interval '1 second',
            texted_at = array(select t - $2 * interval '1 second' from unnest(texted_at) with ordinality u (t, place) order by place)
      where session_id = $1`,
    [sessionId, seconds],
  );

describe('a code', () => {
  test('is offered in the same way to numbers with and without cards', async () => {
    const some = await open();
    const none = await openPageOf(api.database, some.merchant, { callerPhone: '+15550109934' });
    const [one, other] = [await getPage(some.url), await getPage(api.url + none.path)];
    expect(one.html).toMatch(SAVED);
    expect(one.html).not.toContain('1881');
    const own = ({ html }: { html: string }) => /<section.*?<\/section>/s.exec(html)?.[0].replaceAll(/\/p\/\w+/g, '');
    expect(own(one)).toBe(own(other));
  });

  test('is neither offered nor texted if the account has no saved cards', async () => {
    const page = await open({ cards: 0 });
    expect((await getPage(page.url)).html).not.toMatch(SAVED);
    await requestCode(page);
    expect(await textsOf(page.sessionId)).toEqual([]);
  });

  test.each<[string, TestPageOptions]>([
    ['no number is known', { session: { callerPhone: null } }],
    ['there is nothing to pay', { session: { verdict: 'none' } }],
    ['the session is over', { session: { ttlSeconds: -1 } }],
  ])('is neither offered nor texted if %s', async (_name, options) => {
    const page = await open(options);
    expect((await getPage(page.url)).html).not.toMatch(SAVED);
    await requestCode(page);
    expect(await textsOf(page.sessionId)).toEqual([]);
  });

  test('is not offered if RINGKEY_SAVED_CARDS is off', async () => {
    const page = await open({ at: off });
    expect((await getPage(page.url)).html).not.toMatch(SAVED);
  });

  test('is neither offered nor texted if screening steps up the caller, but the page takes a new card', async () => {
    const page = await open();
    await stepUp(page.sessionId);
    const { html, state } = await getPage(page.url);
    expect(html).not.toMatch(SAVED);
    expect(state).toBe((await getPage((await open()).url)).state);
    await requestCode(page);
    expect(await textsOf(page.sessionId)).toEqual([]);
  });

  test('is neither offered nor texted to a number that replied STOP', async () => {
    const phone = '+15550101299';
    const page = await open({ session: { callerPhone: phone } });
    await api.database.query(`insert into text_opt_outs (phone, keyword) values ($1, 'STOP')`, [phone]);
    expect((await getPage(page.url)).html).not.toMatch(SAVED);
    await requestCode(page);
    expect(await textsOf(page.sessionId)).toEqual([]);
  });

  test('is texted to the session’s number, encrypted in the queue, bound to the page, and stored as a hash', async () => {
    const page = await open();
    const code = await requestCode(page);
    const [text] = await textsOf(page.sessionId);
    expect(text).toMatchObject({ kind: 'page_code', recipient: PHONE, body: '', segments: 1 });
    expect(text?.words).toMatch(/^Demo Diner: \d{6} is your code/);
    expect(text?.words.split('\n').at(-1)).toBe(`@${new URL(LINK_BASE).hostname} #${code}`);
    const { rows } = await api.database.query('select * from page_codes where session_id = $1', [page.sessionId]);
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(api.log.join('')).not.toContain(code);
    const { html } = await getPage(page.url);
    expect(html).toMatch(/<input id="code"[^>]* inputmode="numeric" autocomplete="one-time-code"/);
    expect(html).not.toContain('1881');
  });

  test('is texted once per double click and at most three times an hour', async () => {
    const page = await open();
    await Promise.all(Array.from({ length: 8 }, () => postForm(`${page.url}/text-code`, {})));
    expect(await textsOf(page.sessionId)).toHaveLength(1);
    for (let more = 0; more < 3; more += 1) {
      await ageCodes(page.sessionId, 60);
      await postForm(`${page.url}/text-code`, {});
    }
    expect(await textsOf(page.sessionId)).toHaveLength(3);
    const refused = await submitForm(`${page.url}/text-code`, {});
    expect(refused.html).toContain('No more codes can be texted for now');
    await ageCodes(page.sessionId, 3_600);
    await postForm(`${page.url}/text-code`, {});
    expect(await textsOf(page.sessionId)).toHaveLength(4);
  });

  test('shows an error if it is wrong, and is rejected after five wrong tries', async () => {
    const page = await open();
    const code = await requestCode(page);
    for (let tried = 0; tried < 4; tried += 1) {
      const { html } = await submitForm(`${page.url}/check-code`, { code: another(code) });
      expect(html).toMatch(/<input id="code"[^>]*aria-describedby="code-hint code-fault" aria-invalid="true"/);
      expect(html).toMatch(/id="code-fault" role="alert">This is not the code/);
    }
    // Malformed codes do not count as tries.
    expect((await submitForm(`${page.url}/check-code`, { code: 'abc' })).html).toContain('This is not the code');
    const last = await submitForm(`${page.url}/check-code`, { code: another(code) });
    expect(last.html).toContain('can no longer be used');
    expect(last.html).not.toMatch(FIELD);
    expect(await enterCode(page.url, code)).toBe('');
  });

  test('is rejected after five minutes, and replaced by a newer one', async () => {
    const page = await open();
    const first = await requestCode(page);
    await ageCodes(page.sessionId, 30);
    const second = await requestCode(page);
    if (first !== second) expect(await enterCode(page.url, first)).toBe('');
    await ageCodes(page.sessionId, 300);
    expect(await enterCode(page.url, second)).toBe('');
  });

  test('works once, even if several windows submit it at the same time', async () => {
    const page = await open();
    const code = await requestCode(page);
    const cookies = await Promise.all(Array.from({ length: 6 }, () => enterCode(page.url, code)));
    expect(cookies.filter((cookie) => cookie !== '')).toHaveLength(1);
  });

  test('does not work for another session', async () => {
    const [page, other] = [await open(), await open()];
    const code = await requestCode(page);
    await requestCode(other);
    expect(await enterCode(other.url, code)).toBe('');
  });

  test('is not sent if it waited too long in the queue', async () => {
    const page = await open();
    await requestCode(page);
    const [text] = await textsOf(page.sessionId);
    await api.database.query(`update texts set created_at = created_at - interval '5 minutes' where id = $1`, [
      text?.id,
    ]);
    expect(await claimText(api.database, text?.id ?? '', 1_000)).toMatchObject({ tooLate: 'code_expired' });
  });

  test('is not accepted from another site', async () => {
    const page = await open();
    const foreign = { 'sec-fetch-site': 'cross-site' };
    expect((await postForm(`${page.url}/text-code`, {}, foreign)).status).toBe(403);
    expect(await textsOf(page.sessionId)).toEqual([]);
  });
});

describe('a browser that entered the code', () => {
  test('gets a cookie that scripts and other sites cannot read', async () => {
    const proxied = await startTestApi({ vault, trustedProxies: ['127.0.0.0/8'] });
    try {
      const { url } = await open({ at: proxied });
      const https = { 'sec-fetch-site': 'same-origin', 'x-forwarded-proto': 'https' };
      await postForm(`${url}/text-code`, {}, https);
      const { rows } = await proxied.database.query('select id, body, sealed_body as "sealedBody" from texts');
      const code = openBody(vault, rows[0] as never)?.slice(-6) ?? '';
      const { headers } = await postForm(`${url}/check-code`, { code }, https);
      expect(headers.get('set-cookie')).toMatch(
        /^__Host-ringkey-\w+=[^;]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      );
    } finally {
      await proxied.close();
    }
  });

  test('sees the cards, and other browsers see none', async () => {
    const page = await open({ cards: 2 });
    const cookie = await knownBrowser(page);
    const { html } = await getPage(page.url, { cookie });
    expect(html.match(/Pay \$42\.50 with Visa ending 1881, valid to 04\/39/g)).toHaveLength(2);
    expect((await getPage(page.url)).html).not.toContain('1881');
    const { merchant } = await open();
    const other = await openPageOf(api.database, merchant, { callerPhone: '+15550109934' });
    const none = { ...other, url: api.url + other.path };
    expect((await getPage(none.url, { cookie: await knownBrowser(none) })).html).toContain(
      'No card is saved for this number',
    );
  });

  test('is only known to its session and number, and not by a forged cookie', async () => {
    const page = await open();
    const cookie = await knownBrowser(page);
    const other = await openPageOf(api.database, page.merchant, { orderId: 'A-1002' });
    const [, value = ''] = cookie.split('=');
    const name = (await knownBrowser({ url: api.url + other.path, sessionId: other.sessionId })).split('=')[0];
    expect((await getPage(api.url + other.path, { cookie: `${name}=${value}` })).html).not.toContain('1881');
    for (const forged of [
      cookie.replace('.', '.A'),
      cookie.slice(0, -8),
      `${cookie.split('=')[0]}=9999999999999 ${PHONE}`,
    ]) {
      expect((await getPage(page.url, { cookie: forged })).html).not.toContain('1881');
    }
    const forOthers = '+15550101777';
    await api.database.query('update checkout_sessions set caller_phone = $2 where id = $1', [
      page.sessionId,
      forOthers,
    ]);
    expect((await getPage(page.url, { cookie })).html).not.toContain('1881');
  });

  test('can no longer see or use saved cards once screening steps up the caller', async () => {
    const page = await open();
    const cookie = await knownBrowser(page);
    const { html: before, attempt = '' } = await getPage(page.url, { cookie });
    expect(before).toContain('1881');
    await stepUp(page.sessionId);
    const { html } = await getPage(page.url, { cookie });
    expect(html).not.toContain('1881');
    expect(html).not.toMatch(SAVED);
    const headers = { 'sec-fetch-site': 'same-origin', cookie };
    await postForm(`${page.url}/saved-card`, { attempt, card: page.cards[0] ?? '' }, headers);
    expect(await chargesOf(page.sessionId)).toEqual([]);
  });

  test('pays with a saved card once, even if the form is repeated', async () => {
    const page = await open();
    const cookie = await knownBrowser(page);
    const headers = { 'sec-fetch-site': 'same-origin', cookie };
    const { attempt = '' } = await getPage(page.url, { cookie });
    const form = { attempt, card: page.cards[0] ?? '' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => postForm(`${page.url}/saved-card`, form, headers)),
    );
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
    expect(await chargesOf(page.sessionId)).toEqual([{ status: 'succeeded', source: 'page', card: page.cards[0] }]);
    const paid = await getPage(page.url, { cookie });
    expect(paid).toMatchObject({ state: 'paid' });
    expect(paid.html).not.toMatch(SAVED);
    expect(paid.html).toContain('Visa ending 4242');
  });

  test.each([
    ['without the cookie', async () => ({})],
    ['from another site', async (cookie: string) => ({ cookie, 'sec-fetch-site': 'cross-site' })],
  ])('charges nothing %s', async (_name, headersFor) => {
    const page = await open();
    const cookie = await knownBrowser(page);
    const headers = { 'sec-fetch-site': 'same-origin', ...(await headersFor(cookie)) };
    const { attempt = '' } = await getPage(page.url, { cookie });
    await postForm(`${page.url}/saved-card`, { attempt, card: page.cards[0] ?? '' }, headers);
    expect(await chargesOf(page.sessionId)).toEqual([]);
  });

  test("charges nothing with another caller's card or without a card", async () => {
    const [page, other] = [await open(), await open()];
    const headers = { 'sec-fetch-site': 'same-origin', cookie: await knownBrowser(page) };
    for (const card of [other.cards[0] ?? '', 'card_none', '', '<script>']) {
      const { attempt = '' } = await getPage(page.url);
      const { headers: answered } = await postForm(`${page.url}/saved-card`, { attempt, card }, headers);
      expect(answered.get('location')).toContain('notice=not_started');
    }
    expect(await chargesOf(page.sessionId)).toEqual([]);
  });

  test('creates one charge if the card form is sent at the same time', async () => {
    const page = await open();
    const cookie = await knownBrowser(page);
    const headers = { 'sec-fetch-site': 'same-origin', cookie };
    const [one, two] = [await getPage(page.url, { cookie }), await getPage(page.url, { cookie })];
    await Promise.all([
      postForm(`${page.url}/saved-card`, { attempt: one.attempt ?? '', card: page.cards[0] ?? '' }, headers),
      postForm(page.url, { attempt: two.attempt ?? '', ...VISA }, headers),
    ]);
    expect(await chargesOf(page.sessionId)).toMatchObject([{ status: 'succeeded' }]);
  });

  test('charges nothing while the phone is charging', async () => {
    const page = await open();
    const cookie = await knownBrowser(page);
    const { attempt = '' } = await getPage(page.url, { cookie });
    await api.database.query(
      `insert into charges (id, session_id, account_id, merchant_id, mode, amount_cents, currency, source, processor, status)
       values ($1, $2, $3, $4, 'test', 4250, 'USD', 'phone', 'sandbox', 'pending')`,
      [newId('Charge'), page.sessionId, page.merchant.accountId, page.merchant.id],
    );
    const headers = { 'sec-fetch-site': 'same-origin', cookie };
    const answer = await postForm(`${page.url}/saved-card`, { attempt, card: page.cards[0] ?? '' }, headers);
    expect(answer.headers.get('location')).toContain('notice=other_attempt');
    expect(await getPage(page.url, { cookie })).toMatchObject({ state: 'on_phone' });
    expect(await chargesOf(page.sessionId)).toMatchObject([{ status: 'pending', source: 'phone' }]);
  });
});
