/** Pages that depend on the state of an object, forms with errors, and signing in: no text is left in English. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashPassword } from '../../src/accounts/users/password.ts';
import { setPassword } from '../../src/db/users/credentials.ts';
import { insertPasskey } from '../../src/db/users/passkeys.ts';
import { newId } from '../../src/domain/ids.ts';
import { LANGUAGE_TAGS, type LanguageTag } from '../../src/languages/index.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { createCharge } from '../contract/refunds-api.ts';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard, type TestDashboard } from './dashboard.ts';
import { deliveredEvents, liveCall, paidCharge, unsettledCharge, unsettledRefund } from './objects.ts';
import { shownTexts } from './shown-texts.ts';
import { codeOf, PASSWORD, startSignInSite } from './sign-in-site.ts';
import { OF_OWN_OBJECTS } from './translated-pages.ts';
import { leftInEnglish, OTHERS } from './untranslated.ts';
import { invitedUser } from './users.ts';

const dashboard = useFixture(() => startDashboard());
const site = useFixture(() => startSignInSite());

const LIMIT_MS = 600_000;

interface Shown {
  html: string;
  status: number;
}

/** Opens each page in this language. */
async function shownIn(tag: LanguageTag, pages: Readonly<Record<string, () => Promise<Shown>>>) {
  const texts = new Map<string, string[]>();
  for (const [name, open] of Object.entries(pages)) {
    const { html, status } = await open();
    expect([200, 410, 422], `${name}: ${status}`).toContain(status);
    expect(html, name).toContain(`<html lang="${tag}">`);
    texts.set(name, shownTexts(html));
  }
  return texts;
}

async function passkeyOf({ api, user }: TestDashboard): Promise<string> {
  const id = randomBytes(16).toString('base64url');
  const passkey = { id, userId: user.user.id, name: 'A key', publicKey: randomBytes(32), counter: 0, transports: [] };
  await insertPasskey(api.database, passkey);
  return id;
}

async function loggedRequest({ api }: TestDashboard): Promise<string> {
  const id = newId('Request');
  await api.database.query(
    `insert into requests (id, account_id, mode, method, route, path, status, duration_ms, created_at)
     values ($1, $2, 'test', 'POST', '/v1/charge', '/v1/charge', 422, 12, now())`,
    [id, DEMO_ACCOUNT],
  );
  return id;
}

/** Pages by name. The routes of {@link OF_OWN_OBJECTS} are among the names. */
async function pagesOfOwnObjects(): Promise<Record<string, () => Promise<Shown>>> {
  const { api, user } = dashboard;
  const { charge: paid, session } = await paidCharge(api);
  const held = (await createCharge(api, 'visa', 'manual')).id;
  const { charge } = await unsettledCharge(api);
  const { refund } = await unsettledRefund(api);
  const call = await liveCall(api, session, 'card_number');
  const [endpoint] = await deliveredEvents(api, [
    { url: 'https://hooks.example.com/', status_code: null, failure: 'forbidden_address' },
  ]);
  const request = await loggedRequest(dashboard);
  await setPassword(api.database, user.user.id, {
    passwordHash: await hashPassword(PASSWORD),
    totpSecret: 'sealed',
    totpStep: 1,
  });
  const passkey = await passkeyOf(dashboard);
  const at = (path: string) => () => dashboard.get(`/test${path}`);
  const settle =
    (outcome: string, processor_id = '') =>
    () => {
      const path = `/test/charges/${charge}/settle`;
      return dashboard.submit(path, `${path}/confirm`, { outcome, processor_id });
    };
  const own = '/test/your-sign-in';
  return {
    '/calls/:id/end': at(`/calls/${call}/end`),
    '/charges/:id/capture': at(`/charges/${held}/capture`),
    'capture of a part': at(`/charges/${held}/capture?amount=10`),
    'capture of no amount': at(`/charges/${held}/capture?amount=x`),
    '/charges/:id/void': at(`/charges/${held}/void`),
    'a hold': at(`/charges/${held}`),
    'a charge to settle': at(`/charges/${charge}`),
    '/charges/:id/settle': at(`/charges/${charge}/settle`),
    'settle as succeeded': settle('succeeded', 'pi_1'),
    'settle without a reference': settle('succeeded'),
    'settle as never received': settle('not_received'),
    'a refund to settle': at(`/refunds/${refund}`),
    '/refunds/:id/settle': at(`/refunds/${refund}/settle`),
    'refund of no amount': at(`/charges/${paid}/refund?attempt=one-attempt&amount=x`),
    'refund of too much': at(`/charges/${paid}/refund?attempt=one-attempt&amount=40.01`),
    'an endpoint that fails': at(`/setup/webhooks/${endpoint}?attempt=one-attempt`),
    '/requests/:id': at(`/requests/${request}`),
    '/your-sign-in/new-password': at('/your-sign-in/new-password'),
    'a new password that is too short': () =>
      dashboard.submit(`${own}/new-password`, `${own}/new-password`, { current: PASSWORD, password: 'x' }),
    '/your-sign-in/remove-passkey': at(`/your-sign-in/remove-passkey?passkey=${passkey}`),
  };
}

test(
  'leaves no text in English on pages that depend on the state of an object',
  async () => {
    const pages = await pagesOfOwnObjects();
    expect(Object.keys(pages)).toEqual(expect.arrayContaining([...OF_OWN_OBJECTS]));
    const choose = (tag: LanguageTag) =>
      dashboard.api.database.query('update users set language = $2 where id = $1', [dashboard.user.user.id, tag]);
    await choose('en');
    const english = await shownIn('en', pages);
    const left: string[] = [];
    for (const tag of OTHERS) {
      await choose(tag);
      left.push(...leftInEnglish(tag, await shownIn(tag, pages), english));
    }
    expect(left).toEqual([]);
  },
  LIMIT_MS,
);

/** The pages of someone who is not signed in. Each language gets an invitation of its own, which works once. */
async function signInPages(tag: LanguageTag): Promise<Record<string, () => Promise<Shown>>> {
  const headers = { 'accept-language': tag };
  const browser = site.browser();
  const { token } = await invitedUser(site.database, 'support');
  const invitation = `/dashboard/invitation/${token}`;
  let secret = '';
  return {
    'sign in': () => browser.get('/dashboard/sign-in', headers),
    'sign in again': () => browser.get('/dashboard/sign-in?again=1', headers),
    'a wrong password': () => browser.post('/dashboard/sign-in', { email: 'user@example.com' }, headers),
    'an invitation': async () => {
      const page = await browser.get(invitation, headers);
      secret = /<code>((?:[A-Z2-7]{1,4} ?)+)<\/code>/.exec(page.html)?.[1]?.replaceAll(' ', '') ?? '';
      return page;
    },
    'an invitation with a short password': () =>
      browser.post(invitation, { password: 'x', code: codeOf(secret) }, headers),
    'recovery codes': () => browser.post(invitation, { password: PASSWORD, code: codeOf(secret) }, headers),
    'an invitation that was used': () => site.browser().get(invitation, headers),
  };
}

test('leaves no text in English on the pages before signing in', async () => {
  const texts = new Map<LanguageTag, Map<string, string[]>>();
  for (const tag of LANGUAGE_TAGS) texts.set(tag, await shownIn(tag, await signInPages(tag)));
  const english = texts.get('en') ?? new Map<string, string[]>();
  expect(english.size).toBe(7);
  expect(OTHERS.flatMap((tag) => leftInEnglish(tag, texts.get(tag) ?? new Map(), english))).toEqual([]);
});
