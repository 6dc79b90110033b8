/**
 * Markup in every text that users and other services write: in a real browser, every page shows it as plain text. This
 * includes live parts of pages, search terms and CSV files.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPassword } from '../../src/db/users/credentials.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { relayBatch } from '../../src/notifications/outbox/relay.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { filledPath, isStream, type ObjectIds, runningTestCall, startFilledDashboard } from './addresses.ts';
import type { TestDashboard } from './dashboard.ts';
import { hostileText, OVERRIDE, writeHostileTexts } from './hostile-texts.ts';
import { liveCall, paidCharge } from './objects.ts';

const STEP_KINDS = ['said', 'agent', 'page', 'sip', 'note'] as const;
const testCall = {
  ...runningTestCall(),
  checkout: {
    ...runningTestCall().checkout,
    businessName: hostileText('try.merchant'),
    agentMessage: hostileText('try.agent_message'),
  },
  steps: STEP_KINDS.map((kind) => ({ kind, text: hostileText(`try.${kind}`), atMs: 1, forMs: 1, complete: true })),
};
const TRY_FIELDS = ['merchant', 'agent_message', ...STEP_KINDS].map((name) => `try.${name}`);

const dashboard = useFixture(() => startFilledDashboard(testCall));
const chrome = useFixture(startTestBrowser);
let context: BrowserContext;
let page: Page;
let ids: ObjectIds;
let fields: string[];

beforeAll(async () => {
  const { api, user } = dashboard;
  ids = { ...dashboard.ids, ...(await rowsWithoutAPath(dashboard)) };
  fields = [...(await writeHostileTexts(api.database)), ...TRY_FIELDS];
  // On a busy machine, Chromium reports a skipped view transition as a page error.
  context = await chrome.browser.newContext({ reducedMotion: 'reduce' });
  // A violation means that the page contained the markup, although the CSP blocked it.
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => console.error(event.blockedURI))`,
  );
  const [name = '', value = ''] = user.cookie.split('=');
  await context.addCookies([{ name, value, url: api.url }]);
  page = await context.newPage();
});
afterAll(() => context.close());

/** Creates a live call, a text, an email, a passkey, a password, a request and a delivery. */
async function rowsWithoutAPath({ api, user }: TestDashboard): Promise<ObjectIds> {
  const { database } = api;
  const { session, charge } = await paidCharge(api);
  await liveCall(api, session, 'expiry');
  await database.query(
    `insert into texts (id, account_id, mode, session_id, kind, recipient, body, segments)
     values ('txt_1', $1, 'test', $2, 'receipt', '+15550101234', '', 1)`,
    [DEMO_ACCOUNT, session],
  );
  await database.query(
    `insert into emails (id, account_id, mode, session_id, charge_id, kind, status, error_code)
     values ('eml_1', $1, 'test', $2, $3, 'receipt', 'failed', '')`,
    [DEMO_ACCOUNT, session, charge],
  );
  await database.query(
    `insert into user_passkeys (id, user_id, public_key, counter, transports, name) values ('pk', $1, '', 0, '{}', '')`,
    [user.user.id],
  );
  await setPassword(database, user.user.id, { passwordHash: 'a hash', totpSecret: 'sealed', totpStep: 1 });
  await database.query(
    `insert into request_log (id, account_id, mode, method, path, status, duration_ms, created_at)
     values ('req_1', $1, 'test', 'POST', '', 400, 1, now())`,
    [DEMO_ACCOUNT],
  );
  while ((await relayBatch({ database, docsUrl: 'https://docs.example.com' })).more);
  return { '/requests': 'req_1' };
}

const MADE = `typeof marked !== 'undefined' || document.querySelector('[data-marked], [onerror], img, script:not([src])') !== null`;
const SHOWN = `[document.title, document.body.textContent, ...[...document.querySelectorAll('input, textarea')]
  .map((element) => element.value)].join('\\n')`;

/** The paragraphs in which a hostile text reverses the text after it. */
const TURNED = `[...document.querySelectorAll('head:has(link[rel=stylesheet]) + body *')].flatMap((element) => {
  const isHostile = (node) => node.nodeType === Node.TEXT_NODE && node.data.includes('${OVERRIDE}');
  if (![...element.childNodes].some(isHostile) || !element.checkVisibility()) return [];
  const isApart = (each) => getComputedStyle(each).display !== 'inline' || getComputedStyle(each).unicodeBidi !== 'normal';
  let paragraph = element;
  while (!isApart(paragraph)) paragraph = paragraph.parentElement;
  const behind = paragraph.textContent.split('${OVERRIDE}').at(-1).split('\\n', 1)[0].trim();
  return /^\\S*![”"?]*$/.test(behind) ? [] : [paragraph.outerHTML];
})`;

/** Collects script errors, CSP violations and dialogs of pages. */
function watchForFaults(): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    // Parts of pages name no icon, so the browser requests the default one.
    const isIcon = message.location().url.endsWith('/favicon.ico');
    if (message.type() === 'error' && !isIcon) faults.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', ({ message }) => faults.push(`${page.url()}: ${message}`));
  page.on('dialog', (dialog) => {
    faults.push(`${page.url()}: ${dialog.message()}`);
    return dialog.dismiss();
  });
  return faults;
}

test('shows markup as plain text on every page, and shows all of it', async () => {
  const faults = watchForFaults();
  const isPage = (path: string) => !isStream(path) && !/\.(csv|wav)$|remove-passkey/.test(path);
  const paths = dashboard
    .pathsOf('GET')
    .filter(isPage)
    .map((path) => filledPath(path, ids));
  paths.push(
    '/your-sign-in/remove-passkey?passkey=pk',
    '/callers?number=%2B15550101234',
    `/search?q=${encodeURIComponent(hostileText('checkout_sessions.order_id'))}`,
    `/charges?order_id=${encodeURIComponent(hostileText('sought'))}`,
  );
  const [shown, turned]: [string[], string[]] = [[], []];
  for (const path of paths) {
    await page.goto(`${dashboard.api.url}/dashboard/test${path}`);
    expect(await page.evaluate(MADE), path).toBe(false);
    turned.push(...(await page.evaluate<string[]>(TURNED)).map((html) => `${path}: ${html}`));
    shown.push(await page.evaluate(SHOWN));
  }
  expect(faults).toEqual([]);
  expect(turned).toEqual([]);
  const all = shown.join('\n');
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  const isShown = (text: string) => all.includes(text) || all.includes(inJson(text));
  expect(fields.filter((field) => !isShown(hostileText(field)))).toEqual([]);
  // The check itself works.
  await page.setContent(hostileText('unescaped'));
  expect(await page.evaluate(MADE)).toBe(true);
});

test('puts markup into one cell of a CSV file, not as a formula', async () => {
  const { html: csv, headers } = await dashboard.get('/test/checkouts.csv');
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-disposition')).toMatch(/^attachment/);
  expect(csv).toContain(`,"${hostileText('checkout_sessions.order_id').replaceAll('"', '""')}",`);
});
