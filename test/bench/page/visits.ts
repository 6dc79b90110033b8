/** Visits a page with a phone's browser on a slow connection, and measures the payer's waits. */
import type { Browser, Page } from 'playwright-core';

/** A slow 3G connection. */
const NETWORK = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const PHONE = { width: 390, height: 800 };
/** The resources that a browser loads to show a page, without beacons and event streams. */
const ASSETS = ['document', 'script', 'stylesheet', 'image', 'font'];

export interface Visit {
  /** Time since the start of the navigation. */
  largestPaintMs: number;
  layoutShift: number;
  requests: number;
  /** Size of the bodies as sent. */
  bytes: number;
}

const OBSERVE = `
  window.bench = { paint: 0, shift: 0 };
  new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) bench.paint = startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) bench.shift += value; })
    .observe({ type: 'layout-shift', buffered: true });`;

/** Visits in a new window with an empty cache. */
export async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: PHONE });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.emulateNetworkConditions', NETWORK);
    await page.addInitScript(OBSERVE);
    const sizes = watchAssets(page);
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForFunction('bench.paint > 0');
    const { paint, shift } = (await page.evaluate('bench')) as { paint: number; shift: number };
    const all = await Promise.all(sizes);
    return {
      largestPaintMs: paint,
      layoutShift: shift,
      requests: all.length,
      bytes: all.reduce((sum, size) => sum + size, 0),
    };
  } finally {
    await context.close();
  }
}

/** @returns filled as assets arrive */
function watchAssets(page: Page): Promise<number>[] {
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (!ASSETS.includes(request.resourceType()) || request.url().startsWith('data:')) return;
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  return sizes;
}
