/**
 * Every page of the dashboard in each language: no text is left in English. A text that is the same in both languages is
 * data, such as a name or an ID, or one of the words that both have.
 */
import { expect, test } from 'vitest';
import { LANGUAGE_TAGS, type LanguageTag } from '../../src/languages/index.ts';
import { useFixture } from '../support/fixtures.ts';
import { filledPath, isStream, startFilledDashboard } from './addresses.ts';
import { shownTexts } from './shown-texts.ts';
import { OF_OWN_OBJECTS, TRANSLATED, WITHOUT_WORDS } from './translated-pages.ts';
import { leftInEnglish, OTHERS } from './untranslated.ts';

const dashboard = useFixture(() => startFilledDashboard());

const LIMIT_MS = 600_000;

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

const routeOf = (path: string) => path.split('?', 1)[0] ?? '';

test('tests the translation of every page', () => {
  const pages = dashboard.pathsOf('GET').filter((path) => !isStream(path) && !path.endsWith('.csv'));
  const tested = [...[...TRANSLATED].map(routeOf), ...OF_OWN_OBJECTS, ...WITHOUT_WORDS];
  expect([...new Set(tested)].sort()).toEqual([...new Set(pages)].sort());
});

test(
  'leaves no text of a translated page in English',
  async () => {
    const paths = [...TRANSLATED].map((path) => filledPath(path, dashboard.ids));
    const english = await textsIn('en', paths);
    const left: string[] = [];
    for (const tag of OTHERS) left.push(...leftInEnglish(tag, await textsIn(tag, paths), english));
    expect(left).toEqual([]);
  },
  LIMIT_MS,
);

test(
  'puts a narrow no-break space before French punctuation, and within guillemets',
  async () => {
    await chooseLanguage('fr');
    const texts: string[] = [];
    for (const path of TRANSLATED) {
      const { html } = await dashboard.get(`/test${filledPath(path, dashboard.ids)}`);
      // Shown texts have all kinds of spaces as one.
      texts.push(...shownTexts(html.replaceAll('\u202f', '~').replaceAll('\u00a0', '^')));
    }
    expect(texts.some((text) => text.includes('~:'))).toBe(true);
    expect(texts.filter((text) => /[ ^][:;?!»]|«[ ^]/.test(text))).toEqual([]);
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
