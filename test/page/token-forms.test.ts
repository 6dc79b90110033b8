/** The form of a processor whose own script takes the card: how the server responds to any input. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { credentialsContext } from '../../src/accounts/merchants/processor.ts';
import { connectProcessor } from '../../src/db/merchants/merchant-processors.ts';
import type { Merchant } from '../../src/domain/merchant.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { startTestApi, type TestApi } from '../contract/test-api.ts';
import { type FakeStripe, startFakeStripe } from '../support/fake-stripe.ts';
import { ASKS } from '../support/fake-stripe-cards.ts';
import { endDialog } from '../support/fake-stripe-intents.ts';
import { STRIPE_CREDENTIALS, stripeProcessorAt } from '../support/vendor-processors.ts';
import { getPage, openTestPage, postForm, submitForm, VISA } from './pages.ts';

const vault = createVault([randomBytes(32)]);
let stripe: FakeStripe;
let api: TestApi;
beforeAll(async () => {
  stripe = await startFakeStripe();
  api = await startTestApi({ processors: [stripeProcessorAt(stripe)], vault });
});
afterAll(async () => {
  await api.close();
  await stripe.close();
});

async function open(merchant: Partial<Merchant> = {}) {
  const page = await openTestPage(api.database, { merchant: { ...merchant, processor: null } });
  const { id, accountId, mode } = page.merchant;
  const sealed = vault.seal(JSON.stringify(STRIPE_CREDENTIALS), credentialsContext(id, 'stripe'));
  await connectProcessor(api.database, page.merchant, {
    processor: 'stripe',
    credentials: sealed,
    account: null,
    recordsOf: null,
  });
  return { ...page, url: api.url + page.path, scope: { accountId, mode } };
}

async function chargesOf(sessionId: string) {
  return (await api.database.query('select status, source from charges where session_id = $1', [sessionId])).rows;
}

test('shows no card fields of its own, and says what to do without JavaScript', async () => {
  const { url } = await open();
  const { html, headers, state } = await getPage(url);
  expect(state).toBe('ready');
  expect(html).not.toMatch(/name="(number|expiry|security_code)"/);
  expect(html).toMatch(/<noscript><p>[^<]*JavaScript[^<]*keypad/);
  expect(html).toContain('data-processor="stripe"');
  expect(headers.get('content-security-policy')).toContain('https://js.stripe.com');
  expect(headers.get('content-security-policy')).not.toMatch(/unsafe|(?:^|\s)https:(?:\s|;|$)/);
});

test('accepts a token', async () => {
  const { url, sessionId } = await open();
  const { attempt = '' } = await getPage(url);
  const token = stripe.token('ctoken', '4242424242424242');
  expect(await submitForm(url, { attempt, token })).toMatchObject({ state: 'paid' });
  expect(await chargesOf(sessionId)).toEqual([{ status: 'succeeded', source: 'page' }]);
});

test.each([
  ['saves the card if the checkbox is selected', { keep_card: '1' }, 1],
  ['saves no card if the checkbox is not selected', {}, 0],
  ['saves no card of a wallet', { keep_card: '1', wallet: 'google_pay' }, 0],
])('%s', async (_name, more, savedCount) => {
  const { url, scope } = await open({ cardSaving: 'ask' });
  const { attempt = '', html } = await getPage(url);
  expect(html).toMatch(/data-needs-script hidden><label class="keep"><input type="checkbox" name="keep_card"/);
  const token = stripe.token('ctoken', '4242424242424242');
  expect(await submitForm(url, { attempt, token, ...more })).toMatchObject({ state: 'paid' });
  const text = 'select status, channel from card_consents where account_id = $1';
  const { rows } = await api.database.query(text, [scope.accountId]);
  expect(rows).toEqual(Array.from({ length: savedCount }, () => ({ status: 'kept', channel: 'page' })));
});

test('rejects a card number', async () => {
  const { url, sessionId } = await open();
  const { attempt = '' } = await getPage(url);
  expect((await postForm(url, { attempt, ...VISA })).status).toBe(404);
  expect((await postForm(url, { attempt, token: '', ...VISA })).status).toBe(404);
  expect(await chargesOf(sessionId)).toEqual([]);
});

test.each([
  ['empty', ''],
  ['10 KB long', `ctoken_${'x'.repeat(10_000)}`],
  ['markup', '<script>alert(1)</script>'],
  ['a zero byte', 'ctoken_\u0000x'],
  ["another processor's", 'cnon:card-nonce-ok'],
])('charges nothing with a token that is %s, and says so', async (_name, token) => {
  const { url, sessionId } = await open();
  const { attempt = '' } = await getPage(url);
  const answer = await submitForm(url, { attempt, token });
  expect(answer).toMatchObject({ status: 200, state: 'ready' });
  expect(answer.html).toContain('nothing was charged');
  expect(await chargesOf(sessionId)).toEqual([]);
});

test('charges once for a token that is used twice', async () => {
  const [one, other] = [await open(), await open()];
  const token = stripe.token('ctoken', '4242424242424242');
  const states = [];
  for (const { url } of [one, other]) {
    const { attempt = '' } = await getPage(url);
    states.push((await submitForm(url, { attempt, token })).state);
  }
  expect(states[0]).toBe('paid');
  expect(states[1]).not.toBe('paid');
});

async function openWaiting() {
  const page = await open();
  const { attempt = '' } = await getPage(page.url);
  expect(await submitForm(page.url, { attempt, token: stripe.token('ctoken', ASKS) })).toMatchObject({
    state: 'action',
  });
  return page;
}

test('asks the processor nothing when the page polls the state of the payment', async () => {
  const { url } = await openWaiting();
  const before = stripe.requests.length;
  expect(await (await fetch(`${url}/state`)).json()).toMatchObject({ state: 'action' });
  expect(stripe.requests.length).toBe(before);
});

test('does not say that nothing was charged when a paid page is reloaded', async () => {
  const { url, sessionId } = await openWaiting();
  const said = 'nothing was charged';
  expect((await getPage(`${url}?notice=not_started`)).html).toContain(said);
  const intent = [...stripe.intents.values()].find(({ metadata }) => metadata.ringkey_session === sessionId);
  if (intent === undefined) throw new Error('no intent');
  endDialog(intent, 'done');
  expect(await submitForm(`${url}/action`, {})).toMatchObject({ state: 'paid' });
  const { state, html } = await getPage(`${url}?notice=not_started`);
  expect(state).toBe('paid');
  expect(html).not.toContain(said);
});
