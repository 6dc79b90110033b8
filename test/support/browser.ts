/** Debian's Chromium for tests, with all background requests disabled. */
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

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
  /** Closes what was opened in it. Call it in `afterAll`. */
  close(): Promise<void>;
}

/** One for all test files of this process. Its process ends with this one. */
let shared: Promise<Browser> | undefined;

/** Each file has contexts of its own, which share nothing. */
export async function startTestBrowser(): Promise<TestBrowser> {
  const running = await runningBrowser();
  const contexts = new Set<BrowserContext>();
  // The browser's `newPage` also creates its context here.
  const newContext: Browser['newContext'] = async (options) => {
    const context = await running.newContext(options);
    contexts.add(context);
    context.setDefaultTimeout(LIMIT_MS);
    return context;
  };
  const browser = Object.create(running, { newContext: { value: newContext } }) as Browser;
  const close = async () => void (await Promise.all([...contexts].map((context) => context.close())));
  return { browser, close };
}

/** Started on first use, and again if it crashed. */
async function runningBrowser(): Promise<Browser> {
  const last = await shared;
  if (last?.isConnected()) return last;
  shared = chromium.launch(OPTIONS);
  return shared;
}

/** Ends the browser's process, which would keep a benchmark from ending. */
export async function endTestBrowser(): Promise<void> {
  await (await shared)?.close();
}
