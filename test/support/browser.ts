/** Debian's Chromium for tests, with all background requests disabled. */
import { type Browser, chromium } from 'playwright-core';

/** Default time limit of each step in a browser: half of a test's, so that the failure names the step that hangs. */
const LIMIT_MS = 120_000;

const OPTIONS = {
  executablePath: '/usr/bin/chromium',
  timeout: LIMIT_MS,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-dev-shm-usage',
    '--disable-component-update',
    '--disable-sync',
  ],
};

interface TestBrowser {
  browser: Browser;
  /** Call it in `afterAll`. */
  close(): Promise<void>;
}

export async function startTestBrowser(): Promise<TestBrowser> {
  const browser = await chromium.launch(OPTIONS);
  const newContext = browser.newContext.bind(browser);
  // The browser's `newPage` also creates its context here.
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(LIMIT_MS);
    return context;
  };
  return { browser, close: () => browser.close() };
}
