/**
 * Secrets of every kind pass through the whole product, in the right and in wrong places. Afterwards none of them is in
 * a table, in Redis, in the log, in the request log, or on a page.
 */
import { Secret, TOTP } from 'otpauth';
import { beforeAll, expect, test } from 'vitest';
import { inviteUser } from '../../src/accounts/users/manage.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { sendLink } from '../../src/local/scripted-caller/rest-client.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { payOnPage } from '../page/pages.ts';
import { collectWrittenTexts, findCardData, type WrittenText } from '../support/card-data-search.ts';
import { createCheckout, waitForEndedCall } from '../support/checkouts.ts';
import { useFixture } from '../support/fixtures.ts';
import { startProduct } from '../support/product.ts';
import { findSecrets, type Secrets } from '../support/secret-search.ts';
import { TestCaller } from '../support/test-caller.ts';
import { crawl, strangerAt, tryEverywhere } from './canary-tries.ts';
import { FORM_TOKEN } from './dashboard.ts';
import { startEchoingProvider } from './echoing-provider.ts';
import { setUpPassword, type TextBrowser } from './sign-in-site.ts';

/** Codes and dates that do not appear by chance: nothing else writes numbers with a leading zero. */
const KEYED = { number: '4539578763621486', expiry: '0634', securityCode: '049' };
const TYPED = { number: '4532015112830366', expiry: '0641', securityCode: '091' };
const MISPLACED = { number: '4716395182740630', expiry: '0536', securityCode: '083' };

const CLIENT_SECRET = 'client-secret-canary-7Qw2';
const CODE = 'authorization-code-canary-9Zk4';

const site = useFixture(async () => {
  const provider = await startEchoingProvider();
  const product = await startProduct({
    RINGKEY_LOG_LEVEL: 'debug',
    RINGKEY_OIDC_ISSUER: provider.issuer,
    RINGKEY_OIDC_CLIENT_ID: 'ringkey',
    RINGKEY_OIDC_CLIENT_SECRET: CLIENT_SECRET,
  });
  return {
    product,
    provider,
    async close() {
      await product.close();
      await provider.close();
    },
  };
});

const secrets: Record<string, string> = {};
/** Too short for `findSecrets`, so the test searches for them next to the names of their fields. */
const codes: string[] = [];
let owner: TextBrowser;
let cookie = '';

function codeNow(secret: string, steps = 0): string {
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  codes.push(code);
  return code;
}

/** An invited user sets up password and app, signs in with wrong values, then with the app and with a recovery code. */
async function setUpOwner(): Promise<void> {
  const { product } = site;
  const given = { accountId: DEMO_ACCOUNT, email: 'owner@example.com', name: 'Owner', role: 'owner' as const };
  const { token } = await inviteUser(product.testDatabase.database, SYSTEM, given);
  const password = 'canary rivers of 1851';
  owner = strangerAt(product.baseUrl);
  const refused = { password: 'short canary pw', code: '000000' };
  expect((await owner.post(`/dashboard/invitation/${token}`, refused)).status).toBe(422);
  const { secret, recoveryCodes } = await setUpPassword(owner, token, password, (key) => codeNow(key, -1));
  const email = given.email;
  const stranger = strangerAt(product.baseUrl);
  const signIn = (fields: Record<string, string>, browser = stranger) => browser.post('/dashboard/sign-in', fields);
  expect((await signIn({ email, password: codeNow(secret), code: password })).status).toBe(422);
  expect((await signIn({ email: password, password: email, code: recoveryCodes[1] ?? '' })).status).toBe(422);
  expect((await signIn({ email, password, code: codeNow(secret) })).status).toBe(303);
  expect((await signIn({ email, password, code: recoveryCodes[0] ?? '' }, owner)).status).toBe(303);
  cookie = `ringkey=${owner.cookies.get('ringkey')}`;
  Object.assign(secrets, {
    invitation: token,
    password,
    'refused password': refused.password,
    'TOTP secret': secret,
    'used recovery code': recoveryCodes[0],
    'recovery code': recoveryCodes[1],
    'session cookie': owner.cookies.get('ringkey'),
    'other session': stranger.cookies.get('ringkey'),
  });
}

/** Submits a dashboard form. @returns the secret that the response shows once */
async function shownOnce(
  page: string,
  action: string,
  fields: Record<string, string>,
  secret: RegExp,
): Promise<string> {
  const token = FORM_TOKEN.exec((await owner.get(`/dashboard/test${page}?attempt=of-the-canaries`)).html)?.[1] ?? '';
  const { status, html } = await owner.post(`/dashboard/test${action}`, { form_token: token, ...fields });
  const shown = secret.exec(html)?.[0];
  if (shown === undefined) throw new Error(`${action} returned ${status} without a secret`);
  return shown;
}

async function makeSecrets(): Promise<void> {
  const [keys, hooks, account] = ['/setup/keys/new', '/setup/webhooks/new', '/setup/account'];
  const hook = { url: 'https://hooks.example.com/a', 'events:checkout.completed': 'on' };
  const key = { name: 'Agent', scope: 'full', attempt: 'attempt-of-a-key' };
  secrets['API key'] = await shownOnce(keys, keys, key, /rk_test_[A-Za-z0-9_-]{20,}/);
  secrets['webhook secret'] = await shownOnce(hooks, hooks, hook, /whsec_[A-Za-z0-9+/=]{20,}/);
  const sip = await shownOnce(account, `${account}/roll`, { attempt: 'attempt-of-sip' }, /<code>[A-Za-z0-9+/]{43}=/);
  secrets['SIP header secret'] = sip.replace('<code>', '');
}

/** Enters rejected credentials: of the other mode, in the wrong field, and some that the vendor has to check. */
async function enterCredentials(): Promise<void> {
  const path = '/setup/merchants/mer_demo_diner/processor';
  const credentials = { 'live key': 'sk_live_canary0123456789', 'test key': 'sk_test_canary9876543210' };
  const token = FORM_TOKEN.exec((await owner.get(`/dashboard/test${path}?processor=square`)).html)?.[1] ?? '';
  const enter = (fields: Record<string, string>) =>
    owner.post(`/dashboard/test${path}`, { form_token: token, processor: 'stripe', ...fields });
  const token2 = 'EAAAcanary0123456789abcdefghij';
  for (const fields of [
    { secret_key: credentials['live key'], attempt: 'attempt-of-live' },
    { secret_key: credentials['test key'], publishable_key: credentials['test key'], account_id: 'wrong' },
    { processor: 'square', access_token: token2, application_id: token2, location_id: '' },
    { processor: 'authorizenet', api_login_id: token2, transaction_key: token2 },
    { processor: 'braintree', public_key: token2, private_key: token2 },
    { processor: 'hyperswitch', base_url: 'http://10.0.0.1/', api_key: token2 },
    { processor: 'checkoutcom', secret_key: token2, public_key: token2 },
    { processor: 'worldpay', username: token2, password: token2, entity: '', narrative: token2 },
    { processor: 'adyen', api_key: token2, merchant_account: '' },
    { processor: 'payconnector', url: 'http://10.0.0.1/', username: token2, password: token2 },
    { processor: token2, secret_key: token2 },
  ]) {
    const { status, html } = await enter(fields);
    expect(status).toBe(422);
    for (const secret of Object.values(fields).filter((value) => value.includes('canary')))
      expect(html).not.toContain(secret);
  }
  Object.assign(secrets, credentials, { 'access token': token2 });
}

async function failAtTheProvider(): Promise<void> {
  const browser = strangerAt(site.product.baseUrl);
  const started = await browser.get('/dashboard/sign-in/oidc');
  const state = new URL(started.location ?? '').searchParams.get('state') ?? '';
  secrets['OIDC code'] = CODE;
  secrets['OIDC client secret'] = CLIENT_SECRET;
  secrets['sign-in attempt'] = browser.cookies.get('ringkey-sign-in') ?? '';
  const answer = await browser.get(`/dashboard/sign-in/oidc/callback?code=${CODE}&state=${state}`);
  expect(answer.status, answer.html).toBe(403);
  expect(site.provider.heard.join(), answer.html).toContain(CODE);
}

/** Enters a card on a call, where it is declined, and another on the pay page, once with a wrong digit. */
async function useCards(): Promise<void> {
  const { product } = site;
  const caller = await TestCaller.create(product);
  await caller.dial();
  await caller.press(KEYED.number + KEYED.expiry + KEYED.securityCode);
  await caller.waitForSentence(/another card/);
  await caller.hangUp();
  await waitForEndedCall(product.testDatabase, caller.checkout.id);
  await caller.close();
  const { id, transferTo } = await createCheckout(product, { caller_phone: '+15550101315' });
  const page = await sendLink(product.baseUrl, id);
  const { number, expiry, securityCode } = TYPED;
  const card = { number, expiry: `${expiry.slice(0, 2)} / ${expiry.slice(2)}`, security_code: securityCode };
  expect((await payOnPage(page, { ...card, number: `${number}1` })).state).toBe('ready');
  expect((await payOnPage(page, card)).state).toBe('declined');
  secrets['pay-link code'] = /\/pay\/([^/?]+)/.exec(page)?.[1] ?? '';
  secrets['transfer token'] = transferTo.split(/[-@]/)[1] ?? '';
}

/** Resets rate limits, which would otherwise refuse sign-ins and pay links from the sixth secret on. */
async function forgetRates(): Promise<void> {
  const { redis } = site.product.testRedis;
  const keys = await redis.keys('ringkey:rate:*');
  if (keys.length > 0) await redis.del(...keys);
}

/** Everything that the product stored or logged, and everything that REST and the pages return. */
async function allTexts(): Promise<WrittenText[]> {
  const { product } = site;
  const headers = { authorization: `Bearer ${secrets['API key']}` };
  const read = async (path: string) => {
    const answer = await fetch(`${product.baseUrl}/v1/${path}?limit=100`, { headers });
    return { place: `/v1/${path}`, text: `${answer.status} ${await answer.text()}` };
  };
  const pages = await crawl(product.baseUrl, '/dashboard/test', cookie);
  expect([...pages.keys()].filter((path) => path.includes('.csv')).length).toBeGreaterThan(4);
  expect(pages.size).toBeGreaterThan(50);
  return [
    ...(await collectWrittenTexts(product)),
    ...[...pages].map(([place, text]) => ({ place, text })),
    ...(await Promise.all(['requests', 'audit_events', 'events', 'texts', 'calls', 'charges'].map(read))),
  ];
}

beforeAll(async () => {
  await setUpOwner();
  await makeSecrets();
  // Before the call: the provider runs in this process, which would answer too late while it listens to the audio.
  await failAtTheProvider();
  await Promise.all([useCards(), enterCredentials()]);
});

test('stores, logs and shows no secret, wherever it was entered', async () => {
  const { product } = site;
  const { 'API key': key = '', invitation, password, ...others } = secrets;
  const tried = {
    invitation,
    'API key': key,
    'session cookie': others['session cookie'],
    'webhook secret': others['webhook secret'],

    'pay-link code': others['pay-link code'],
    'transfer token': others['transfer token'],
    'live key': others['live key'],
    card: MISPLACED.number,
    'card and code': Object.values(MISPLACED).join(' '),
  };
  for (const [name, secret = ''] of Object.entries(tried)) {
    await forgetRates();
    const statuses = await tryEverywhere(product.baseUrl, secret, { cookie, key });
    const refused = (status: number) => statuses.filter((each) => each === status).length;
    expect(Math.max(...statuses), name).toBeLessThan(500);
    expect([refused(400) > 9, refused(404) > 9, refused(422) > 0], name).toEqual([true, true, true]);
  }
  const texts = await allTexts();
  const rows = (table: string) => texts.find(({ place }) => place === `table public.${table}`)?.text.split('\n') ?? [];
  expect(rows('requests').length).toBeGreaterThan(100);
  expect(rows('audit_events').join()).toContain('user.sign_in_failed');
  expect(findSecrets(texts, secrets as Secrets)).toEqual([]);
  expect(findCardData(texts, [KEYED, TYPED, MISPLACED])).toEqual([]);
  const link = /\/(?:p\/[a-z0-9]{12}|pay\/[a-z0-9]{26})(?![a-z0-9])/;
  // The demo's welcome message contains a pay link.
  const withoutWelcome = (text: string) => text.replace(/^(?!\{).*$/gm, '');
  const linked = texts.filter(({ place, text }) => link.test(place === 'output' ? withoutWelcome(text) : text));
  expect(linked.map(({ place }) => place)).toEqual([]);
  const code = new RegExp(
    `(?:code|totp|password|email)[^0-9]{0,24}(?<![0-9A-Za-z])(?:${codes.join('|')})(?![0-9A-Za-z])`,
    'i',
  );
  expect(texts.filter(({ text }) => code.test(text)).map(({ place }) => place)).toEqual([]);
});
