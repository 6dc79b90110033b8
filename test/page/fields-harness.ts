/**
 * A pay page of a merchant at the fake of a vendor, in a browser. A strict fake of the vendor's script is served at
 * the vendor's own URL, and the page's Content-Security-Policy is in force.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { credentialsContext } from '../../src/accounts/merchants/processor.ts';
import { connectProcessor } from '../../src/db/merchants/merchant-processors.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import type { PlainCredentials } from '../../src/payments/port/credentials.ts';
import type { Processor } from '../../src/payments/port/processor.ts';
import { startTestApi, type TestApi } from '../contract/test-api.ts';
import { startTestBrowser } from '../support/browser.ts';
import { openTestPage, type TestPage, type TestPageOptions } from './pages.ts';

/** What the fake script records: see test/support/vendor-scripts. */
interface FakeScript {
  calls: { name: string; args: unknown }[];
  violations: string[];
}

export interface VendorPages {
  api: TestApi;
  /** Opens a session of a new merchant that is connected to the processor. */
  open(options?: TestPageOptions): Promise<TestPage>;
  /** Opens a new browser window. @param settings of the fake script: `tokens` by card number or wallet, and its faults */
  visit(page: TestPage, settings?: object, options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
}

interface VisitOptions {
  /** How the vendor's script is served. `slow`: not before {@link Visit.release}. */
  script?: 'served' | 'blocked' | 'missing' | 'slow';
  lang?: string;
  /** Plays the bank's dialog for the PaymentIntent of this client secret. @returns whether the payer confirmed */
  askBank?: (clientSecret: string) => boolean | Promise<boolean>;
}

export interface Visit {
  page: Page;
  /** Reads the calls that the fake script received. */
  readScript(): Promise<FakeScript>;
  /** Errors of the page: CSP violations, exceptions, requests to other hosts. */
  errors: string[];
  /** Serves a `slow` script. */
  release(): void;
  close(): Promise<void>;
}

/** @param name of the processor and of its fake script */
export async function startVendorPages(
  name: string,
  processor: Processor,
  credentials: PlainCredentials,
): Promise<VendorPages> {
  const vault = createVault([randomBytes(32)]);
  const api = await startTestApi({ processors: [processor], vault });
  const { browser, close } = await startTestBrowser();
  const script = readFileSync(new URL(`../support/vendor-scripts/${name}.js`, import.meta.url), 'utf8');
  return {
    api,
    async open(options = {}) {
      const page = await openTestPage(api.database, {
        ...options,
        merchant: { ...options.merchant, processor: null },
      });
      const sealed = vault.seal(JSON.stringify(credentials), credentialsContext(page.merchant.id, name));
      await connectProcessor(api.database, page.merchant, {
        processor: name,
        credentials: sealed,
        account: null,
        recordsOf: null,
      });
      return page;
    },
    visit: (page, settings = {}, options = {}) =>
      visit({ api, browser, script, urls: urlsOf(processor) }, page, settings, options),
    async close() {
      await close();
      await api.close();
    },
  };
}

/** Holds the submitted form back until `release`, so that the page can still be read. */
export async function holdForm(page: Page): Promise<{ sent: Promise<void>; release(): void }> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let markSent: () => void = () => undefined;
  const sent = new Promise<void>((resolve) => {
    markSent = resolve;
  });
  await page.route('**/p/*', async (route) => {
    if (route.request().method() === 'POST') {
      markSent();
      await released;
    }
    return route.continue();
  });
  return { sent, release };
}

/** The card consents of a page's payers. */
export async function consentsOf({ api }: VendorPages, { merchant }: TestPage): Promise<unknown[]> {
  const text = 'select status, channel, wording_id as "wordingId" from card_consents where account_id = $1';
  return (await api.database.query(text, [merchant.accountId])).rows;
}

const urlsOf = (processor: Processor) => processor.page('test')?.scripts.map(({ url }) => url) ?? [];

interface Stage {
  api: TestApi;
  browser: Browser;
  script: string;
  urls: readonly string[];
}

async function visit(
  { api, browser, script, urls }: Stage,
  { path }: TestPage,
  settings: object,
  { script: served = 'served', lang = 'en', askBank }: VisitOptions,
): Promise<Visit> {
  const context = await browser.newContext();
  // Tests of a slow script advance the clock themselves.
  if (served === 'slow') await context.clock.install();
  const errors: string[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await blockOtherHosts(context, api.url, errors);
  for (const url of urls) {
    await context.route(url, async (route) => {
      if (served === 'blocked') return route.abort('blockedbyclient');
      if (served === 'missing') return route.fulfill({ status: 404, body: 'not found' });
      if (served === 'slow') await released;
      return route.fulfill({ contentType: 'text/javascript', body: script });
    });
  }
  if (askBank !== undefined) await context.exposeFunction('askBank', askBank);
  await context.addInitScript(`window.standIn = ${JSON.stringify(settings)}`);
  const page = await context.newPage();
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    // The test server has no event stream. The page then polls.
    const isStream = message.location().url.includes('/events');
    if (message.type() === 'error' && !isStream) errors.push(message.text());
  });
  await page.goto(`${api.url}${path}?lang=${lang}`, { waitUntil: 'domcontentloaded' });
  return {
    page,
    errors,
    release,
    readScript: () => page.evaluate('window.standIn'),
    close: () => context.close(),
  };
}

/** Blocks and records all other requests to other hosts, which would leave this machine. */
async function blockOtherHosts(context: BrowserContext, own: string, errors: string[]): Promise<void> {
  await context.route(
    (url) => url.origin !== own,
    (route) => {
      errors.push(`request to ${route.request().url()}`);
      return route.abort();
    },
  );
}
