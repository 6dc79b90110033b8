/**
 * A merchant at the fake Stripe or Square, the pay page of a session of its, and a browser in which the vendor's script
 * is a strict stand-in on the vendor's own URL, with the page's Content-Security-Policy in force.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { credentialsContext } from '../../src/accounts/merchants/processor.ts';
import { connectProcessor } from '../../src/db/merchants/merchant-processors.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import type { PlainCredentials, Processor } from '../../src/payments/ports.ts';
import { startTestApi, type TestApi } from '../contract/test-api.ts';
import { startTestBrowser } from '../support/browser.ts';
import { openTestPage, type TestPage, type TestPageOptions } from './pages.ts';

/** What the stand-ins keep: see test/support/vendor-scripts. */
interface StandIn {
  calls: { name: string; args: unknown }[];
  violations: string[];
}

export interface VendorPages {
  api: TestApi;
  /** A session of a new merchant, connected to the processor. */
  open(options?: TestPageOptions): Promise<TestPage>;
  /** A new browser window. @param settings of the stand-in: `tokens`, by card number or wallet, and its faults */
  visit(page: TestPage, settings?: object, options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
}

interface VisitOptions {
  /** What happens to the vendor's script. */
  script?: 'served' | 'blocked' | 'missing' | 'slow';
  lang?: string;
  /** How the bank's dialog ends for the PaymentIntent of this client secret: whether the payer is confirmed. */
  askBank?: (clientSecret: string) => boolean | Promise<boolean>;
}

export interface Visit {
  page: Page;
  /** What the stand-in was asked. */
  standIn(): Promise<StandIn>;
  /** Faults on the page's console: what its policy kept out, exceptions. */
  complaints: string[];
  /** Lets a `slow` script come. */
  release(): void;
  close(): Promise<void>;
}

/** @param name of the processor, and of its stand-in */
export async function startVendorPages(
  name: 'stripe' | 'square',
  processor: Processor,
  credentials: PlainCredentials,
): Promise<VendorPages> {
  const vault = createVault([randomBytes(32)]);
  const api = await startTestApi({ processors: [processor], vault });
  const { browser } = await startTestBrowser();
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
      await browser.close();
      await api.close();
    },
  };
}

/** Holds the page's form back when it is sent, so that the page can still be read. */
export async function holdForm(page: Page): Promise<{ sent: Promise<void>; release(): void }> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let tell: () => void = () => undefined;
  const sent = new Promise<void>((resolve) => {
    tell = resolve;
  });
  await page.route('**/p/*', async (route) => {
    if (route.request().method() === 'POST') {
      tell();
      await released;
    }
    return route.continue();
  });
  return { sent, release };
}

/** What the payers of a page have agreed to. */
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
  { script: fate = 'served', lang = 'en', askBank }: VisitOptions,
): Promise<Visit> {
  const context = await browser.newContext();
  // A test that waits for the script turns the clock itself.
  if (fate === 'slow') await context.clock.install();
  const complaints: string[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await refuseOthers(context, api.url, complaints);
  for (const url of urls) {
    await context.route(url, async (route) => {
      if (fate === 'blocked') return route.abort('blockedbyclient');
      if (fate === 'missing') return route.fulfill({ status: 404, body: 'not found' });
      if (fate === 'slow') await released;
      return route.fulfill({ contentType: 'text/javascript', body: script });
    });
  }
  if (askBank !== undefined) await context.exposeFunction('askBank', askBank);
  await context.addInitScript(`window.standIn = ${JSON.stringify(settings)}`);
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A server without event streams: the page looks by itself.
    const isStream = message.location().url.includes('/events');
    if (message.type() === 'error' && !isStream) complaints.push(message.text());
  });
  await page.goto(`${api.url}${path}?lang=${lang}`, { waitUntil: 'domcontentloaded' });
  return {
    page,
    complaints,
    release,
    standIn: () => page.evaluate('window.standIn'),
    close: () => context.close(),
  };
}

/** Whatever else the page asks of other hosts would leave this machine. */
async function refuseOthers(context: BrowserContext, own: string, complaints: string[]): Promise<void> {
  await context.route(
    (url) => url.origin !== own,
    (route) => {
      complaints.push(`asked ${route.request().url()}`);
      return route.abort();
    },
  );
}
