/** Which language the dashboard speaks: the browser's before signing in, the user's choice afterwards. */
import { expect, test } from 'vitest';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';
import { startSignInSite } from './sign-in-site.ts';

const site = useFixture(() => startSignInSite());
const dashboard = useFixture(() => startDashboard());

const accepting = (languages: string) => ({ 'accept-language': languages });
/** The language of a page and its first heading. */
const spokenOn = (html: string) => [
  /<html lang="([^"]*)">/.exec(html)?.[1],
  /<h1[^>]*>(?:<[^>]+>)*([^<]+)/.exec(html)?.[1],
];

test.each([
  { title: 'German of Switzerland', languages: 'de-CH,de;q=0.9,en;q=0.8', spoken: ['de', 'Anmelden'] },
  { title: 'Spanish of Mexico', languages: 'es-MX', spoken: ['es', 'Iniciar sesión'] },
  { title: 'Japanese and then French', languages: 'ja, fr;q=0.4, en;q=0.3', spoken: ['fr', 'Se connecter'] },
  { title: 'English before German', languages: 'en-GB,en;q=0.9,de;q=0.8', spoken: ['en', 'Sign in'] },
  { title: 'every language', languages: '*', spoken: ['en', 'Sign in'] },
  { title: 'only languages that the dashboard lacks', languages: 'ja,zh-TW;q=0.9', spoken: ['en', 'Sign in'] },
  { title: 'markup', languages: '"><script>alert(1)</script>, constructor;q=1e999', spoken: ['en', 'Sign in'] },
  { title: 'hundreds of languages', languages: `${'xx-YY;q=0.9,'.repeat(900)}de`, spoken: ['en', 'Sign in'] },
])('opens the sign-in page for a browser that accepts $title', async ({ languages, spoken }) => {
  const { status, html } = await site.browser().get('/dashboard/sign-in', accepting(languages));
  expect([status, ...spokenOn(html)]).toEqual([200, ...spoken]);
  expect(html).not.toContain('<script>alert');
});

test('explains a wrong password, a refused form and an old link in the language of the browser', async () => {
  const browser = site.browser();
  const fields = { email: 'nobody@example.com', password: 'no password', code: '000000' };
  const wrong = await browser.post('/dashboard/sign-in', fields, accepting('fr-BE'));
  expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('est incorrect')]);
  const forged = await browser.post('/dashboard/sign-in', fields, {
    ...accepting('es'),
    'sec-fetch-site': 'cross-site',
  });
  expect([forged.status, ...spokenOn(forged.html)]).toEqual([403, 'es', 'Envíe el formulario de nuevo']);
  const gone = await browser.get(`/dashboard/invitation/${'A'.repeat(43)}`, accepting('de'));
  expect([gone.status, ...spokenOn(gone.html)]).toEqual([410, 'de', 'Dieser Link ist nicht mehr gültig']);
});

test('follows the user’s choice instead of the browser until the choice is removed or the user signs out', async () => {
  await dashboard.as('viewer');
  const [here, action] = ['/test/your-sign-in', '/test/your-sign-in/language'];
  const speaks = async (languages: string, path = here) =>
    spokenOn((await dashboard.get(path, accepting(languages))).html);

  expect(await speaks('de-AT')).toEqual(['de', 'Ihre Anmeldung']);
  const { html } = await dashboard.get(here, accepting('ja'));
  expect(html).toMatch(/Language of the browser<.*English<.*Deutsch<.*Español<.*Français</s);

  expect((await dashboard.submit(here, action, { language: 'es' })).status).toBe(303);
  expect(await speaks('de-AT')).toEqual(['es', 'Su inicio de sesión']);
  expect(await speaks('de-AT', '/test/nothing')).toEqual(['es', 'Página no encontrada']);
  expect((await dashboard.submit(here, action, { language: '' })).status).toBe(303);
  expect(await speaks('fr')).toEqual(['fr', 'Votre connexion']);

  expect((await dashboard.submit(here, action, { language: 'es' })).status).toBe(303);
  expect((await dashboard.submit(here, '/sign-out')).headers.get('location')).toBe('/dashboard/sign-in');
  expect(await speaks('de-AT', '/sign-in')).toEqual(['de', 'Anmelden']);
});

test('keeps the language of the user who signed out for the sign-in page, and for no other user', async () => {
  await dashboard.as('viewer');
  const here = '/test/your-sign-in';
  const signOut = async () => {
    const cookies = (await dashboard.submit(here, '/sign-out')).headers.getSetCookie();
    return cookies.find((cookie) => cookie.startsWith('ringkey-language=')) ?? '';
  };
  const german = { ...accepting('de-AT'), cookie: 'ringkey-language=es' };
  await dashboard.submit(here, `${here}/language`, { language: 'es' });
  const kept = await signOut();
  expect(kept).toMatch(/^ringkey-language=es; Path=\/dashboard; Max-Age=31536000; HttpOnly; SameSite=Lax$/);
  expect(spokenOn((await site.browser().get('/dashboard/sign-in', german)).html)).toEqual(['es', 'Iniciar sesión']);
  const markup = { ...german, cookie: 'ringkey-language="><script>' };
  expect(spokenOn((await site.browser().get('/dashboard/sign-in', markup)).html)).toEqual(['de', 'Anmelden']);

  await dashboard.as('viewer');
  const both = { ...german, cookie: `${dashboard.user.cookie}; ringkey-language=es` };
  expect(spokenOn((await dashboard.get(here, both)).html)).toEqual(['de', 'Ihre Anmeldung']);
  expect(await signOut()).toMatch(/^ringkey-language=; Path=\/dashboard; Max-Age=0;/);
});

test('marks each name in the choice of languages with its own language', async () => {
  await dashboard.as('viewer');
  const { html } = await dashboard.get('/test/your-sign-in', accepting('fr'));
  for (const [tag, name] of [
    ['de', 'Deutsch'],
    ['en', 'English'],
    ['es', 'Español'],
  ])
    expect(html).toContain(`<option value="${tag}" lang="${tag}">${name}</option>`);
});

test('marks messages of the API as English in another language', async () => {
  await dashboard.as('owner');
  const path = '/test/setup/webhooks/new';
  const refused = () => dashboard.submit(path, path, { url: 'ftp://hooks.example.com' });
  const english = await refused();
  expect([english.status, ...spokenOn(english.html)]).toEqual([422, 'en', 'Add webhook endpoint']);
  expect(english.html).not.toContain('<span lang');
  const text = 'update users set language = $2 where id = $1';
  await dashboard.api.database.query(text, [dashboard.user.user.id, 'de']);
  const german = await refused();
  expect([german.status, ...spokenOn(german.html)]).toEqual([422, 'de', 'Webhook-Endpunkt hinzufügen']);
  expect(german.html).toMatch(/<span lang="en">[^<]+<\/span>/);
});
