/** Debian's Chromium for tests. Nothing of it calls home. */
import { type Browser, chromium } from 'playwright-core';

const OPTIONS = {
  executablePath: '/usr/bin/chromium',
  args: [
    ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
    ...['--disable-dev-shm-usage', '--disable-component-update', '--disable-sync'],
  ],
};

export interface TestBrowser {
  browser: Browser;
  /** Call it in `afterAll`. */
  close(): Promise<void>;
}

export async function startTestBrowser(): Promise<TestBrowser> {
  const browser = await chromium.launch(OPTIONS);
  return { browser, close: () => browser.close() };
}
