/**
 * Every page of the dashboard in each language: no text is left in English. A text that is the same in both languages is
 * data, such as a name or an ID, or one of the words that both have.
 */
import { expect, test } from 'vitest';
import { PLATFORMS } from '../../src/http/dashboard/try-it/platforms.ts';
import { LANGUAGE_TAGS, type LanguageTag, languageFor } from '../../src/languages/index.ts';
import { useFixture } from '../support/fixtures.ts';
import { filledPath, isStream, startFilledDashboard } from './addresses.ts';
import { shownTexts } from './shown-texts.ts';

const dashboard = useFixture(() => startFilledDashboard());

const LIMIT_MS = 600_000;
const OTHERS = LANGUAGE_TAGS.filter((tag) => tag !== 'en');

/** The pages that are translated, by the path of their route. */
const TRANSLATED: ReadonlySet<string> = new Set([
  '/refunds',
  '/refunds/:id',
  '/palette',
  '/palette?q=c',
  '/calls',
  '/calls/:id',
  '/calls/:id/now',
  '/checkouts/:id',
  '/callers?number=%2B15550101234',
  '/checkouts',
  '/now',
  '/now/calls',
  '/wall',
  '/wall/figures',
  '/tail',
  '/callers',
  '/callers/erase?number=%2B15550101234',
  '/try',
  '/try/:id',
  '/setup/merchants',
  '/setup/merchants/new',
  '/setup/merchants/:id',
  '/setup/merchants/:id/processor',
  '/setup/merchants/:id/processor?processor=adyen',
  '/setup/merchants/:id/notifications',
  '/setup/merchants/:id/logo',
  '/setup/merchants/:id/test-charge',
  '/setup/go-live',
  '/start',
  '/setup/account',
  '/setup/keys',
  '/setup/keys/new',
  '/setup/keys/:id',
  '/setup/users',
  '/setup/users/new',
  '/setup/users/:id',
  '/setup/users/:id/remove',
  '/your-sign-in',
  '/your-sign-in/new-authenticator',
  '/your-alerts?attempt=one-attempt',
  '/setup/alerts',
  '/setup/alerts/new?attempt=one-attempt',
  '/setup/alerts/:id?attempt=one-attempt',
  '/attention',
  '/attention?status=set_aside',
  '/attention?status=closed',
  '/audit',
  '/overview',
  '/views/:id',
  '/charges',
  '/charges/:id',
  '/charges/:id/refund?attempt=one-attempt',
  '/charges/:id/refund?attempt=one-attempt&amount=0.10',
  '/disputes',
  '/disputes/:id',
  '/payouts',
  '/payouts/:id',
  '/payout-entries',
  '/reports',
  '/requests',
  '/events',
  '/events/:id',
  '/setup/webhooks',
  '/setup/webhooks/new?attempt=one-attempt',
  '/setup/webhooks/:id?attempt=one-attempt',
  '/search',
  '/search?q=4242',
  '/texts',
]);

/** Words and names that are the same in English. */
const SAME: Readonly<Record<Exclude<LanguageTag, 'en'>, readonly string[]>> = {
  de: [
    'Logo',
    'Logo · Test · Ringkey',
    'Test',
    'Live',
    'Passkeys',
    'Browser',
    'Status',
    'ID',
    'Name',
    'Filter',
    'Sandbox',
    'SIP',
    'Agent',
    'Operation',
    'SIP Call-ID',
    'Codec',
    'Jitter',
  ],
  es: ['ID', 'Sandbox', 'SIP', 'SIP Call-ID'],
  fr: [
    'Logo',
    'Logo · Test · Ringkey',
    'Test',
    'Actions',
    'Mode',
    'Menu',
    'Documentation',
    'Pages',
    'ID',
    'Sandbox',
    'Active',
    'SIP',
    'Agent',
    'Type',
    'Net',
    'Net, USD',
    'SIP Call-ID',
    'Codec',
    'Note',
  ],
};

/** IDs, addresses, numbers, amounts and codes. */
const DATA = [
  /^[a-z]{2,6}_[\w…]*$/,
  /^[A-Za-z]?\S*@\S+$/,
  /^(?:https?|sip):\S+$/,
  /^[A-Z]{3}$/,
  /^[a-z_]+(?:\.[a-z_]+)+$/,
  /^(?:, )?\d+ m?s$/,
  // Processors, paths of the API and months.
  /^(?:test|sandbox)$/,
  /^\/v1\/\w+$/,
  /^\p{Lu}\p{L}+ \d{4}$/u,
  /^(?:Ringkey|UTC|DEMO|Visa ···· \d{4}(?:, \d\d\/\d{4})?|Ctrl K)$/,
  /^(?:Apple|Google) Pay$/,
  /^(?:Adyen|Authorize\.net|Braintree|Checkout\.com|Hyperswitch|Square|Stripe|Worldpay)$/,
  /^(?:Visa|Mastercard|American Express|Discover|Diners Club|JCB|UnionPay|Maestro)$/,
  // Time zones.
  /^[A-Z]\w+(?:\/[\w+ -]+)+$/,
];
/** Names in the data of the test. */
const NAMES = [
  /^Ringkey demo$/,
  /^U$/,
  /^(?:A key|User \d+|Paid|ops@example\.com|Demo (?:Books|Diner|Library|Market))(?: · Test · Ringkey| \(\w+\))?$/,
  /^(?:Diner|table)$/,
];

const PLATFORM_NAMES: ReadonlySet<string> = new Set([...PLATFORMS.values()].map(({ title }) => title));

/** Each language in its own words, to choose from. */
const LANGUAGE_NAMES = LANGUAGE_TAGS.map((tag) => languageFor(tag).page.name);

const isData = (text: string) =>
  LANGUAGE_NAMES.includes(text) ||
  DATA.some((pattern) => pattern.test(text)) ||
  NAMES.some((name) => name.test(text)) ||
  PLATFORM_NAMES.has(text);

async function chooseLanguage(tag: LanguageTag | null): Promise<void> {
  await dashboard.api.database.query('update users set language = $2 where id = $1', [dashboard.user.user.id, tag]);
}

/** The texts of each page. */
async function textsIn(tag: LanguageTag, paths: readonly string[]): Promise<Map<string, string[]>> {
  await chooseLanguage(tag);
  const texts = new Map<string, string[]>();
  for (const path of paths) {
    const { status, html } = await dashboard.get(`/test${path}`);
    expect(status, path).toBeLessThan(400);
    if (html.includes('<html')) expect(html, path).toContain(`<html lang="${tag}">`);
    texts.set(path, shownTexts(html));
  }
  return texts;
}

const translatedPaths = () => {
  const known = dashboard.pathsOf('GET').filter((path) => !isStream(path) && !path.endsWith('.csv'));
  const routes = [...TRANSLATED].filter((path) => known.includes(path.split('?', 1)[0] ?? ''));
  expect(routes).toEqual([...TRANSLATED]);
  return routes.map((path) => filledPath(path, dashboard.ids));
};

test(
  'leaves no text of a translated page in English',
  async () => {
    const paths = translatedPaths();
    const english = await textsIn('en', paths);
    const left: string[] = [];
    for (const tag of OTHERS) {
      for (const [path, texts] of await textsIn(tag, paths)) {
        const known = new Set(english.get(path));
        const same = texts.filter((text) => known.has(text) && !isData(text) && !SAME[tag].includes(text));
        left.push(...same.map((text) => `${tag} ${path}: ${text}`));
      }
    }
    expect(left).toEqual([]);
  },
  LIMIT_MS,
);

test.each(LANGUAGE_TAGS)('shows an error page in the chosen language: %s', async (tag) => {
  await chooseLanguage(tag);
  const { status, html } = await dashboard.get('/test/nothing');
  expect(status).toBe(404);
  expect(html).toContain(`<html lang="${tag}">`);
  const title = {
    en: 'Page not found',
    de: 'Seite nicht gefunden',
    es: 'Página no encontrada',
    fr: 'Page introuvable',
  };
  expect(html).toContain(`<h1 tabindex="-1">${title[tag]}</h1>`);
});

test('explains in the chosen language that the role does not allow a page', async () => {
  await dashboard.as('viewer');
  await chooseLanguage('de');
  const { status, html } = await dashboard.get('/test/setup/users/new');
  expect(status).toBe(403);
  expect(html).toContain('<p>Das können nur Inhaber des Kontos.');
  await dashboard.as('owner');
});

test('asks a user to sign in again in the chosen language', async () => {
  await chooseLanguage('fr');
  expect((await dashboard.get('/sign-in?again=1')).html).toContain('<h1 tabindex="-1">Se reconnecter</h1>');
});

test('saves the language that the user has chosen, and only one that is offered', async () => {
  const [here, action] = ['/test/your-sign-in', '/test/your-sign-in/language'];
  const chosen = async () => {
    const text = 'select language from users where id = $1';
    return (await dashboard.api.database.query<{ language: string | null }>(text, [dashboard.user.user.id])).rows[0];
  };
  await chooseLanguage('de');
  expect((await dashboard.submit(here, action, { language: 'en' })).status).toBe(303);
  expect(await chosen()).toEqual({ language: 'en' });
  expect((await dashboard.submit(here, action, { language: 'ja' })).status).toBe(400);
  expect(await chosen()).toEqual({ language: 'en' });
  expect((await dashboard.submit(here, action, { language: '' })).status).toBe(303);
  expect(await chosen()).toEqual({ language: null });
});

test('keeps the language after a form was read from the request’s body', async () => {
  await chooseLanguage('de');
  const answer = await dashboard.submit('/test/refunds', '/test/refunds/views', { name: '', query: 'status=pending' });
  expect(answer.status).toBe(400);
  expect(answer.html).toContain('Ein Name muss 1 bis');
  // Only messages of the API are marked as English.
  expect(answer.html).not.toContain('<span lang');
});

test('finds texts and attributes, and neither code nor IDs nor what is marked as English', () => {
  const html = `<html lang="de"><p title="A title">Some &amp; text <code>code</code><span class="id">re_1</span></p>
    <p lang="en"><b>English</b> too</p><input placeholder="Hint"/><time>26 Nov</time> after</html>`;
  expect(shownTexts(html)).toEqual(['A title', 'Some & text', 'Hint', 'after']);
});
