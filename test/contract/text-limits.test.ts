/** Limits of texts per number and account, and which numbers can be texted. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { textLinkToCaller } from '../../src/checkout/send-link.ts';
import { insertKey } from '../../src/db/keys/keys.ts';
import { insertTexts } from '../../src/db/texts/texts.ts';
import { type CheckoutSessionId, newId } from '../../src/domain/ids.ts';
import { TEXT_LIMITS, type TextLimits } from '../../src/domain/texts.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { useFixture } from '../support/fixtures.ts';
import { STRIPE_WITH_PAGE } from '../support/stripe-with-page.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../support/test-merchants.ts';
import { bearer } from './fixtures.ts';
import { LINK_BASE, startTestApi } from './test-api.ts';

const vault = createVault([randomBytes(32)]);
/** Low ones, for an account: few texts reach them. */
const LIMITS: TextLimits = { ...TEXT_LIMITS, accountHour: 20, accountDay: 25 };
const api = useFixture(() =>
  startTestApi({ vault, hasSmsCarrier: true, textLimits: LIMITS, moreProcessors: [STRIPE_WITH_PAGE] }),
);

let numbers = 0;
/** A number that no other test texts. */
const newNumber = () => `+1555010${String(2_000 + numbers++)}`;

/** A new account, which texts with `send`. */
async function newAccount(mode: 'test' | 'live' = 'live') {
  const merchant = await createTestMerchant(api.database, { mode, processor: mode === 'live' ? 'stripe' : 'sandbox' });
  const key = `rk_${mode}_${randomBytes(16).toString('hex')}`;
  await insertKey(api.database, { accountId: merchant.accountId, mode, key });
  const open = (callerPhone: string) => createTestSession(api.database, merchant, { callerPhone });
  const post = (checkout_session_id: string) => api.post('/v1/send_link', { checkout_session_id }, bearer(key));
  return { merchant, key, open, post, send: async (callerPhone: string) => post(await open(callerPhone)) };
}

const textsTo = async (recipient: string) =>
  (await api.database.query('select from texts where recipient = $1', [recipient])).rowCount;
const textsOf = async ({ accountId }: TestMerchant) =>
  (await api.database.query('select from texts where account_id = $1', [accountId])).rowCount;

/** Lets time pass for all texts so far. */
const wait = (interval: string) =>
  api.database.query('update texts set created_at = created_at - $1::interval', [interval]);

/** Queues a receipt, as the relay does. */
async function receipt({ accountId, mode }: TestMerchant, sessionId: CheckoutSessionId, recipient: string) {
  const text = { accountId, mode, sessionId, chargeId: null, kind: 'receipt', recipient, body: 'paid', segments: 1 };
  expect(await insertTexts(api.database, [text])).toHaveLength(1);
}

test('returns 429 with words for the caller for the sixth text to a number in an hour, across accounts', async () => {
  const [one, other] = [await newAccount(), await newAccount()];
  const number = newNumber();
  for (const account of [one, other, one, other, one]) expect((await account.send(number)).status).toBe(200);
  const { status, headers, body } = await other.send(number);
  expect(status).toBe(429);
  expect(body.error).toMatchObject({
    type: 'rate_limit_error',
    code: 'rate_limit',
    audience: 'caller',
    advice_code: 'try_again_later',
    message: 'Too many texts were sent to this number in the last hour.',
    agent_message: "I'm sorry, I can't text you a link right now.",
    agent_action: null,
  });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_500);
  expect(await textsTo(number)).toBe(5);
  expect((await other.send(newNumber())).status).toBe(200);
  await wait('61 minutes');
  for (let text = 0; text < 5; text += 1) expect((await one.send(number)).status).toBe(200);
  await wait('61 minutes');
  const late = await other.send(number);
  expect([late.status, late.body.error.message]).toEqual([
    429,
    'Too many texts were sent to this number in the last 24 hours.',
  ]);
  expect(await textsTo(number)).toBe(10);
});

test('sends five texts for fifty requests at once to one number', async () => {
  const [one, other] = [await newAccount(), await newAccount()];
  const number = newNumber();
  const sessions = await Promise.all(Array.from({ length: 50 }, (_, place) => (place % 2 ? one : other).open(number)));
  const answers = await Promise.all(sessions.map((id, place) => (place % 2 ? one : other).post(id)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(45);
  expect(await textsTo(number)).toBe(5);
});

test('sends as many texts as the account is allowed per hour for fifty requests at once', async () => {
  const account = await newAccount();
  const sessions = await Promise.all(Array.from({ length: 50 }, () => account.open(newNumber())));
  const answers = await Promise.all(sessions.map((id) => account.post(id)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(await textsOf(account.merchant)).toBe(20);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.error.message).toBe('The account has reached its limit of texts for the last hour.');
});

test('sends one text for requests at once for a session, also when it is the last one allowed', async () => {
  const account = await newAccount();
  const number = newNumber();
  for (let text = 0; text < 4; text += 1) await account.send(number);
  const id = await account.open(number);
  const answers = await Promise.all(Array.from({ length: 20 }, () => account.post(id)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers.filter(({ body }) => body.sent === true)).toHaveLength(1);
});

test('records once in the audit log that an account has reached 80% of its limit', async () => {
  const account = await newAccount();
  for (let text = 0; text < 15; text += 1) await account.send(newNumber());
  const auditEvents = async () =>
    (await api.get('/v1/audit_events?action=account.texts_near_limit', bearer(account.key))).body.audit_events;
  expect(await auditEvents()).toEqual([]);
  for (let text = 0; text < 3; text += 1) await account.send(newNumber());
  expect(await auditEvents()).toMatchObject([
    {
      action: 'account.texts_near_limit',
      object_id: account.merchant.accountId,
      environment: 'live',
      changes: { last_hour: { texts: 16, limit: 20 } },
    },
  ]);
  expect(api.log.filter((line) => line.includes('account is near its limit of texts'))).not.toEqual([]);
});

test('counts receipts, and sends them above every limit', async () => {
  const account = await newAccount();
  const number = newNumber();
  const id = await account.open(number);
  for (let text = 0; text < 7; text += 1) await receipt(account.merchant, id, number);
  expect((await account.post(id)).status).toBe(429);
  expect(await textsTo(number)).toBe(7);
});

test('applies the limits in test mode to the account’s own links, without receipts', async () => {
  const [one, other] = [await newAccount('test'), await newAccount('test')];
  const number = newNumber();
  const id = await one.open(number);
  for (let text = 0; text < 5; text += 1) await receipt(one.merchant, id, number);
  for (let text = 0; text < 5; text += 1) expect((await one.send(number)).status).toBe(200);
  expect((await one.send(number)).status).toBe(429);
  expect((await other.send(number)).status).toBe(200);
});

test('tells the line that no text can be sent', async () => {
  const account = await newAccount();
  const number = newNumber();
  for (let text = 0; text < 5; text += 1) await account.send(number);
  const processors = [STRIPE_WITH_PAGE];
  const deps = { database: api.database, vault, processors, linkBase: () => LINK_BASE, hasSmsCarrier: true };
  const { accountId, mode } = account.merchant;
  expect(await textLinkToCaller(deps, { id: await account.open(number), accountId, mode })).toEqual({
    result: 'not_sent',
    reason: 'too_often',
  });
  expect(await textLinkToCaller(deps, { id: await account.open('+19005551234'), accountId, mode })).toEqual({
    result: 'not_sent',
    reason: 'too_often',
  });
});

test.each([
  ['premium', '+19005551234'],
  ['premium, of an area of the country', '+12129761234'],
  ['satellite (Iridium)', '+881612345678'],
  ['satellite (Inmarsat)', '+870773110000'],
  ['international network', '+882161234567'],
  ['of another country', '+525511112222'],
  ['of another country with the same code', '+18765551234'],
])('does not text a number that is %s', async (_, number) => {
  const account = await newAccount();
  const { status, body } = await account.send(number);
  expect(status).toBe(429);
  expect(body.error).toMatchObject({
    code: 'rate_limit',
    advice_code: 'do_not_try_again',
    message: expect.stringContaining('This number is not texted.'),
    agent_message: "I'm sorry, I can't text you a link right now.",
  });
  expect(await textsTo(number)).toBe(0);
});

test('adds countries with text_countries, but no premium or satellite numbers', async () => {
  const account = await newAccount();
  const change = (text_countries: unknown) => api.send('PATCH', '/v1/account', { text_countries }, bearer(account.key));
  expect((await change(['mx', 'GB'])).body.text_countries).toEqual(['MX', 'GB']);
  expect((await api.get('/v1/account', bearer(account.key))).body.text_countries).toEqual(['MX', 'GB']);
  expect((await account.send('+525512345678')).status).toBe(200);
  for (const number of ['+447012345678', '+449098790000', '+881612345678'])
    expect((await account.send(number)).status).toBe(429);
  const wrong = await change(['Mexico']);
  expect(wrong.body.error).toMatchObject({ code: 'invalid_value', param: 'text_countries.0' });
  expect((await change([])).body.text_countries).toEqual([]);
  expect((await account.send('+525587654321')).status).toBe(429);
});

test('texts the countries of the currencies and numbers of its merchants', async () => {
  const account = await newAccount();
  const { accountId, merchantId, mode } = account.merchant;
  expect((await account.send('+447400123456')).status).toBe(429);
  await api.database.query(
    `insert into merchant_numbers (account_id, mode, number, merchant_id) values ($1, $2, '+442071838750', $3)`,
    [accountId, mode, merchantId],
  );
  expect((await account.send('+447400123456')).status).toBe(200);
  expect((await account.send('+4915112345678')).status).toBe(429);
  await api.database.query(
    `insert into merchants (id, account_id, mode, slug, business_name, currency, policy)
     values ($1, $2, $3, 'euro', 'Euro', 'EUR', 'always')`,
    [newId('Merchant'), accountId, mode],
  );
  expect((await account.send('+4915112345678')).status).toBe(200);
});

test('promises no text that the account is not allowed to send', async () => {
  const refusal = async (caller_phone: string) => {
    const { checkout_session_id } = await api.checkout({
      merchant_id: 'mer_demo_diner',
      amount_cents: 4_250,
      caller_phone,
    });
    return (await api.post('/v1/charge', { checkout_session_id, instrument_id: 'card_nobody' })).body.error;
  };
  expect(await refusal('+15550107001')).toMatchObject({ code: 'needs_enrollment', agent_action: 'send_link' });
  for (const phone of ['+525533334444', '+19005551234']) {
    expect(await refusal(phone)).toMatchObject({ code: 'needs_enrollment', agent_action: 'offer_different_card' });
  }
});
