/**
 * The account's accent color and contacts on the pay page, in every state, light and dark: real HTTP, a browser,
 * axe-core.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_BRANDING } from '../../src/domain/branding.ts';
import { LANGUAGE_TAGS } from '../../src/languages/index.ts';
import { startTestApi } from '../contract/test-api.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { findBarriers } from './axe.ts';
import { STATES } from './page-states.ts';
import { getPage, openTestPage } from './pages.ts';
import { keepsScreenshots, takeScreenshots } from './screenshots.ts';

const api = useFixture(() => startTestApi());
const chrome = useFixture(startTestBrowser);
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  context = await chrome.browser.newContext({ viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' });
  page = await context.newPage();
});
afterAll(() => context.close());

/** Sets the branding of all existing accounts. Each test's page has its own account. */
async function brand(branding: Record<string, string | null>, mode = 'test'): Promise<void> {
  await api.database.query(`update accounts set page_branding_${mode} = $1`, [JSON.stringify(branding)]);
}

/** Too light for the light theme. {@link MIDNIGHT} is too dark for the dark theme. */
const SUN = {
  accentColor: '#ffd400',
  supportPhone: '+442071838750',
  supportEmail: 'help+pay@a-long-name.example.com',
  termsUrl: 'https://example.com/terms?a=1&b=2',
  privacyUrl: 'https://example.com/privacy',
};
const MIDNIGHT = { ...SUN, accentColor: '#000033', supportEmail: null };

describe.each(STATES.filter(({ name }) => name !== 'not_found'))('$name', ({ state, reach }) => {
  test('is readable in the account’s color and shows its contacts', async () => {
    const path = await reach(api);
    for (const branding of [SUN, MIDNIGHT]) {
      await brand(branding);
      await page.goto(api.url + path);
      expect(await page.locator('main').getAttribute('data-state')).toBe(state);
      expect(await page.locator('.support a').first().getAttribute('href')).toBe('tel:+442071838750');
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await findBarriers(page), `${branding.accentColor}, ${colorScheme}`).toEqual([]);
      }
      expect(await page.evaluate(SIDEWAYS)).toBe(0);
      if (keepsScreenshots) await takeScreenshots(page, `branded-${state}-${branding.accentColor.slice(1)}`);
      await page.setViewportSize({ width: 320, height: 640 });
    }
  });
});

const SIDEWAYS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe('the page', () => {
  test('shows the contacts in each language, with a readable phone number', async () => {
    const { path } = await openTestPage(api.database);
    await brand(SUN);
    const labels = await Promise.all(
      LANGUAGE_TAGS.map(async (language) => {
        const { html } = await getPage(`${api.url}${path}?lang=${language}`);
        expect(html).toContain('>+44 20 7183 8750</a>');
        expect(html).toContain('href="mailto:help%2Bpay@a-long-name.example.com"');
        return /class="support"><span>([^<]+)/.exec(html)?.[1];
      }),
    );
    expect(new Set(labels).size).toBe(LANGUAGE_TAGS.length);
  });

  test('links the account’s terms and privacy policy in each language, in a new tab', async () => {
    const { path } = await openTestPage(api.database);
    await brand(SUN);
    const labels = await Promise.all(
      LANGUAGE_TAGS.map(async (language) => {
        const { html } = await getPage(`${api.url}${path}?lang=${language}`);
        const links = [...html.matchAll(/<a href="(https:[^"]+)" target="_blank" rel="noopener noreferrer">([^<]+)/g)];
        expect(links.map(([, url]) => url)).toEqual([
          'https://example.com/terms?a=1&amp;b=2',
          'https://example.com/privacy',
        ]);
        return links.map(([, , text]) => text).join();
      }),
    );
    expect(new Set(labels).size).toBe(LANGUAGE_TAGS.length);
  });

  test('has no contacts and the default color for an account without branding', async () => {
    const { path } = await openTestPage(api.database);
    const { html } = await getPage(api.url + path);
    expect(html).not.toContain('class="support"');
    expect(html.match(/--accent:#/g)).toHaveLength(2);
  });

  test('has the branding of its own mode', async () => {
    const { path } = await openTestPage(api.database);
    await brand(SUN, 'live');
    const { html } = await getPage(api.url + path);
    expect(html).not.toContain('class="support"');
    expect(html).not.toContain('#ffd400');
  });

  test('has the merchant’s own branding in place of the account’s, value by value', async () => {
    const { path } = await openTestPage(api.database);
    await brand(SUN);
    await api.database.query('update merchants set page_branding = $1', [
      JSON.stringify({ ...NO_BRANDING, accentColor: '#24569b', supportPhone: '+442071838751' }),
    ]);
    const { html } = await getPage(api.url + path);
    expect(html).toContain('--accent:#24569b');
    expect(html).not.toContain('#ffd400');
    expect(html).toContain('tel:+442071838751');
    expect(html).not.toContain('+442071838750');
    expect(html).toContain(SUN.privacyUrl);
    await api.database.query('update merchants set page_branding = null');
  });

  test('escapes markup, and puts nothing but the address into a mail link', async () => {
    const { path } = await openTestPage(api.database);
    await brand({ ...SUN, accentColor: 'red;}</style><script>1</script>', supportEmail: 'a?bcc=x&y@b.example' });
    const { html } = await getPage(api.url + path);
    expect(html).toContain('href="mailto:a%3Fbcc%3Dx%26y@b.example"');
    expect(html).not.toContain('red;}');
    expect(html.match(/<script/g)?.length ?? 0).toBe((await unbranded(path)).match(/<script/g)?.length ?? 0);
  });

  async function unbranded(path: string): Promise<string> {
    await api.database.query('update accounts set page_branding_test = null');
    return (await getPage(api.url + path)).html;
  }
});
