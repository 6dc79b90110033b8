/** `POST /v1/send_link`: one link per session, and its texts. Rejections are in charge-rejected.test.ts. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { credentialsContext } from '../../src/accounts/merchants/processor.ts';
import { insertKey } from '../../src/db/keys/keys.ts';
import { findPayLink } from '../../src/db/pay-links/pay-links.ts';
import { setChosenLanguage } from '../../src/db/sessions/languages.ts';
import { assignNumber } from '../../src/db/sessions/sessions.ts';
import { optIn, optOut } from '../../src/db/texts/texts.ts';
import type { CheckoutSessionId } from '../../src/domain/ids.ts';
import { parseId } from '../../src/domain/ids.ts';
import { SendLinkResponse } from '../../src/http/api/routes/send-link.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { openBody } from '../../src/notifications/sms/sealed-body.ts';
import { createCheckoutCom } from '../../src/payments/checkoutcom/index.ts';
import { createSquare } from '../../src/payments/square/index.ts';
import { createStripe } from '../../src/payments/stripe/index.ts';
import { useFixture } from '../support/fixtures.ts';
import { STRIPE_WITH_PAGE } from '../support/stripe-with-page.ts';
import { createTestMerchant, createTestSession } from '../support/test-merchants.ts';
import { bearer, CALLER, expectError, withoutLink } from './fixtures.ts';
import { LINK_BASE, startTestApi, type TestApi, type TestClient } from './test-api.ts';

const vault = createVault([randomBytes(32)]);
let notified = 0;
const api = useFixture(() =>
  startTestApi({
    vault,
    moreProcessors: [createStripe(), createCheckoutCom(), createSquare()],
    onTextQueued: () => {
      notified += 1;
    },
  }),
);

const DINER = { merchant_id: 'mer_demo_diner', amount_cents: 4_250, caller_phone: CALLER };
const open = async (body: object = {}, of: TestClient = api) =>
  (await of.checkout({ ...DINER, ...body })).checkout_session_id;
const post = (checkout_session_id: string, headers = {}, of: TestClient = api) =>
  of.post('/v1/send_link', { checkout_session_id }, headers);

async function send(id: string, headers = {}, of: TestClient = api): Promise<SendLinkResponse> {
  const { status, body } = await post(id, headers, of);
  expect({ status, body }).toMatchObject({ status: 200 });
  return SendLinkResponse.strict().parse(body);
}

interface TextRow {
  id: string;
  kind: string;
  mode: string;
  recipient: string;
  body: string;
  sealedBody: string | null;
  segments: number;
}

async function textsOf(sessionId: string, of: Pick<TestApi, 'database'> = api): Promise<TextRow[]> {
  const { rows } = await of.database.query<TextRow>(
    `select id, kind, mode, recipient, body, sealed_body as "sealedBody", segments from texts
      where session_id = $1 order by created_at`,
    [sessionId],
  );
  return rows;
}

/** Lets time pass for the texts with the session's link. */
const wait = (id: string, interval: string) =>
  api.database.query(
    `update pay_links set texted_at = (select array_agg(t - $2::interval order by t desc) from unnest(texted_at) t)
      where session_id = $1`,
    [id, interval],
  );

test('texts the caller a link to the session', async () => {
  const before = notified;
  const id = await open({ order_id: 'order_1001', platform_call_id: 'call-1', allow_repeat: true });
  const link = await send(id);
  expect(link).toMatchObject({
    sent: true,
    payment_required: 'required',
    checkout_session_id: id,
    merchant_id: 'mer_demo_diner',
    order_id: 'order_1001',
    platform_call_id: 'call-1',
    short_url: expect.stringMatching(/^https:\/\/pay\.example\.com\/p\/[a-z2-9]{12}$/),
    pay_url: expect.stringMatching(/^https:\/\/pay\.example\.com\/pay\/[a-z2-9]{26}$/),
  });
  expect(await findPayLink(api.database, link.short_url.slice(`${LINK_BASE}/p/`.length))).toMatchObject({
    sessionId: id,
  });
  const [text, ...others] = await textsOf(id);
  expect(others).toEqual([]);
  if (text === undefined) throw new Error('no text');
  expect(text).toMatchObject({ kind: 'pay_link', mode: 'test', recipient: CALLER, body: '', segments: 1 });
  const words = openBody(vault, text);
  expect(words).toMatch(/^Demo Diner: pay \$\d+\.\d\d here: https/);
  expect(words).toContain(` ${link.short_url} `);
  expect(words).not.toContain(link.pay_url);
  expect(notified).toBe(before + 1);
});

test("texts in the caller's language, as sent or chosen on the phone", async () => {
  const spanish = await open({ language: 'es' });
  await send(spanish);
  const [text] = await textsOf(spanish);
  expect(text && openBody(vault, text)).toMatch(/^Demo Diner: pague /);
  const changed = await open({ language: 'es' });
  await setChosenLanguage(api.database, changed as CheckoutSessionId, 'de');
  await send(changed);
  const [other] = await textsOf(changed);
  expect(other && openBody(vault, other)).toMatch(/^Demo Diner: Bitte zahlen Sie /);
});

test('returns the same link, and texts it at most once a minute and three times an hour', async () => {
  const id = await open();
  const first = await send(id);
  const again = { ...first, sent: false };
  expect(await send(id)).toEqual(again);
  await wait(id, '50 seconds');
  expect(await send(id)).toEqual(again);
  await wait(id, '11 seconds');
  expect(await send(id)).toEqual(first);
  await wait(id, '61 seconds');
  expect(await send(id)).toEqual(first);
  await wait(id, '61 seconds');
  expect(await send(id)).toEqual(again);
  expect(await textsOf(id)).toHaveLength(3);
  await wait(id, '58 minutes');
  expect(await send(id)).toEqual(first);
  expect(await send(id)).toEqual(again);
  expect(await textsOf(id)).toHaveLength(4);
});

test('sends one text and one link for fifty requests at once', async () => {
  const id = await open();
  const links = await Promise.all(Array.from({ length: 50 }, () => send(id)));
  expect(links.filter(({ sent }) => sent)).toHaveLength(1);
  expect(new Set(links.map(({ short_url, pay_url }) => `${short_url} ${pay_url}`)).size).toBe(1);
  const texts = await textsOf(id);
  expect(texts).toHaveLength(1);
  expect(texts.map((text) => openBody(vault, text))).toEqual([expect.stringContaining(links[0]?.short_url ?? '')]);
});

test('repeats the answer for an Idempotency-Key without a second text', async () => {
  const id = await open();
  const key = { 'idempotency-key': 'link-1' };
  const first = await send(id, key);
  expect(await send(id, key)).toEqual(first);
  expect(await textsOf(id)).toHaveLength(1);
});

test('does not text a number that answered STOP, and promises no text', async () => {
  const id = await open({ merchant_id: 'mer_demo_books' });
  await optOut(api.database, CALLER, 'STOP');
  const link = await send(id);
  expect(link.sent).toBe(false);
  expect(await textsOf(id)).toEqual([]);
  const charged = await api.post('/v1/charge', { checkout_session_id: id, instrument_id: 'card_demo_visa' });
  expect(charged.body.error).toMatchObject({ code: 'needs_enrollment', agent_action: 'offer_different_card' });
  await optIn(api.database, CALLER);
  expect(await send(id)).toEqual({ ...link, sent: true });
});

test('texts the number from the call if the session has none', async () => {
  const id = await open({ caller_phone: undefined });
  expectError(await post(id), 'session_missing_consumer');
  const sessionId = parseId('CheckoutSession', id);
  if (sessionId === null) throw new Error('no session');
  await assignNumber(api.database, sessionId, '+15550107002');
  expect((await send(id)).sent).toBe(true);
  expect(await textsOf(id)).toMatchObject([{ recipient: '+15550107002' }]);
});

test.each([
  [true, true],
  [false, false],
])('sends a text in live mode with a carrier (%s): %s', async (hasSmsCarrier, sent) => {
  const own = await startTestApi({ hasSmsCarrier, moreProcessors: [STRIPE_WITH_PAGE] });
  try {
    const merchant = await createTestMerchant(own.database, { mode: 'live', processor: 'stripe' });
    const key = 'rk_live_links_0123456789abcdef';
    await insertKey(own.database, { accountId: merchant.accountId, mode: 'live', key });
    const id = await createTestSession(own.database, merchant);
    expect((await send(id, bearer(key), own)).sent).toBe(sent);
    expect(await textsOf(id, own)).toHaveLength(sent ? 1 : 0);
  } finally {
    await own.close();
  }
});

/** A merchant in test mode with one of the product's processors, and an open session. */
async function merchantAt(processor: string, credentials: Record<string, string>) {
  const merchantId = String((await api.post('/v1/merchants', { business_name: 'Corner Shop' })).body.merchant_id);
  const id = await open();
  const sealed = vault.seal(JSON.stringify(credentials), credentialsContext(merchantId, processor));
  await api.database.query(
    `with connected as (
       insert into merchant_processors (merchant_id, account_id, mode, processor, credentials)
       select id, account_id, mode, $2, $3 from merchants where id = $1),
     moved as (update merchants set processor = $2 where id = $1)
     update checkout_sessions set merchant_id = $1 where id = $4`,
    [merchantId, processor, sealed, id],
  );
  return id;
}

async function merchantOf(session: string): Promise<string> {
  const text = 'select merchant_id as id from checkout_sessions where id = $1';
  return (await api.database.query<{ id: string }>(text, [session])).rows[0]?.id ?? '';
}

describe('a merchant whose processor takes no card on the pay page', () => {
  const SECRET = { secret_key: 'sk_test_0123456789' };

  test.each([
    ['has no card fields there', 'checkoutcom', {}, 'has no card fields on the pay page'],
    ['is connected without its public key', 'stripe', SECRET, 'without the public key'],
  ])('gets no link if it %s, and the answer says why', async (_, processor, credentials, why) => {
    const id = await merchantAt(processor, credentials);
    const refused = await post(id);
    expectError(refused, 'not_configured');
    expect(refused.body.error.message).toContain(why);
    expect(refused.body.error.message).toContain('Transfer the call to the payment line.');
    expect(await textsOf(id)).toEqual([]);
    const { rowCount } = await api.database.query('select from pay_links where session_id = $1', [id]);
    expect(rowCount).toBe(0);
  });

  test('gets one with its public key', async () => {
    const id = await merchantAt('stripe', { ...SECRET, publishable_key: 'pk_test_0123456789' });
    expect((await send(id)).sent).toBe(true);
  });

  test.each([
    ['checkoutcom', {}, 'offer_different_card'],
    ['stripe', SECRET, 'offer_different_card'],
    ['stripe', { ...SECRET, publishable_key: 'pk_test_0123456789' }, 'send_link'],
  ])('at %s with %o is advised to use %s if no saved card can be charged', async (processor, credentials, action) => {
    const id = await merchantAt(processor, credentials);
    const { body } = await api.post('/v1/charge', { checkout_session_id: id, instrument_id: 'card_nowhere' });
    expect(body.error).toMatchObject({ code: 'needs_enrollment', agent_action: action });
  });

  test.each([
    ['checkoutcom', {}, 'offer_different_card'],
    ['stripe', SECRET, 'offer_different_card'],
    ['stripe', { ...SECRET, publishable_key: 'pk_test_0123456789' }, 'send_link'],
  ])(
    'at %s with %o is advised to use %s if a card of another vault is saved',
    async (processor, credentials, action) => {
      const merchant_id = await merchantOf(await merchantAt(processor, credentials));
      const card = { merchant_id, caller_phone: '+15550107034', token: 'tok_visa', vault: 'sandbox' };
      const { body } = await api.post('/v1/cards', card);
      expect(body.error).toMatchObject({ code: 'processor_mismatch', param: 'vault', agent_action: action });
    },
  );

  test.each([
    ['wants no texts', '+15550107037'],
    ['has a number in a country that the account does not text', '+4915123456789'],
  ])('is not advised for a card of another vault if the caller %s', async (_, caller_phone) => {
    await optOut(api.database, '+15550107037', 'STOP');
    const credentials = { ...SECRET, publishable_key: 'pk_test_0123456789' };
    const merchant_id = await merchantOf(await merchantAt('stripe', credentials));
    const card = { merchant_id, caller_phone, token: 'tok_visa', vault: 'sandbox' };
    const { body } = await api.post('/v1/cards', card);
    expect(body.error).toMatchObject({ code: 'processor_mismatch', agent_action: 'offer_different_card' });
    expect(body.error.agent_message).not.toMatch(/link/i);
  });

  const SQUARE = {
    access_token: 'EAAA_a-token-of-the-sandbox',
    application_id: 'sandbox-sq0idb-0123456789abc',
    location_id: 'L0CATI0N1',
  };
  const SAVING = { purpose: 'save_card', save_terms: 'returning', save_sentence: 'May we save this card?' };

  test.each([
    ['is promised to a caller who saves a card on the page', SQUARE, '+15550107035', /text you a secure link now/],
    ['is not promised without the public key', {}, '+15550107035', /can't text you a link/],
    ['is not promised to a caller who wants no texts', SQUARE, '+15550107036', /can't text you a link/],
  ])('a link %s', async (_, credentials, caller_phone, line) => {
    const merchant_id = await merchantOf(await merchantAt('square', credentials));
    await optOut(api.database, '+15550107036', 'STOP');
    const { status, body } = await api.post('/v1/create_checkout', { merchant_id, caller_phone, ...SAVING });
    expect(status).toBe(200);
    expect(body.agent_message).toMatch(line);
  });

  test.each([
    ['checkoutcom', {}, false],
    ['stripe', SECRET, false],
    ['stripe', { ...SECRET, publishable_key: 'pk_test_0123456789' }, true],
  ])('is not offered a link for an optional payment: %s with %o', async (processor, credentials, isOffered) => {
    const session = await merchantAt(processor, credentials);
    const { rows } = await api.database.query<{ merchant: string }>(
      `update merchants set policy = 'optional'
        where id = (select merchant_id from checkout_sessions where id = $1) returning id as merchant`,
      [session],
    );
    const request = { merchant_id: rows[0]?.merchant, amount_cents: 4_250, caller_phone: '+15550107033' };
    const { body } = await api.post('/v1/create_checkout', request);
    expect(body.payment_required).toBe('optional');
    expect(/link/.test(String(body.agent_message))).toBe(isOffered);
  });
});

test.each([
  ['address', { linkBase: () => null }],
  ['encryption key', { vault: null }],
])('creates no links without an %s, and offers none in errors', async (_, without) => {
  const own = await startTestApi(without);
  try {
    const id = await open({ merchant_id: 'mer_demo_books' }, own);
    expectError(await post(id, {}, own), 'not_configured');
    const { error } = (await own.post('/v1/charge', { checkout_session_id: id, instrument_id: 'card_demo_visa' })).body;
    const { agentMessage, displayMessage, action } = withoutLink('needs_enrollment');
    expect(error).toMatchObject({
      code: 'needs_enrollment',
      agent_message: agentMessage,
      display_message: displayMessage,
      agent_action: action,
    });
    const { rowCount } = await own.database.query('select from pay_links');
    expect(rowCount).toBe(0);
  } finally {
    await own.close();
  }
});

test('creates links in the modes that the address allows', async () => {
  const own = await startTestApi({ linkBase: (mode) => (mode === 'test' ? LINK_BASE : null), hasSmsCarrier: true });
  try {
    const merchant = await createTestMerchant(own.database, { mode: 'live', processor: 'stripe' });
    const key = 'rk_live_links_0123456789abcdef';
    await insertKey(own.database, { accountId: merchant.accountId, mode: 'live', key });
    expectError(await post(await createTestSession(own.database, merchant), bearer(key), own), 'not_configured');
    expect((await send(await open({}, own), {}, own)).sent).toBe(true);
  } finally {
    await own.close();
  }
});

test('stores and logs no code', async () => {
  const id = await open();
  const { short_url, pay_url } = await send(id, { 'idempotency-key': 'link-2' });
  const codes = [short_url, pay_url].map((url) => url.split('/').at(-1) ?? '');
  for (const path of codes.flatMap((code) => [`/p/${code}`, `/pay/${code}`, `/pay/${code}?a=${code}`])) {
    await (await fetch(`${api.url}${path}`)).text();
  }
  const tables = await api.database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  for (const code of codes) {
    expect(api.log.join('')).not.toContain(code);
    for (const { name } of tables.rows) {
      const found = await api.database.query(`select from "${name}" t where strpos(t::text, $1) > 0`, [code]);
      expect([name, found.rowCount]).toEqual([name, 0]);
    }
  }
});
