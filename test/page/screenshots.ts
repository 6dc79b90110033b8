/** Screenshots of pages, taken only if RINGKEY_TEST_SCREENSHOTS names a folder. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const FOLDER = process.env.RINGKEY_TEST_SCREENSHOTS ?? '';
const THEMES = ['light', 'dark'] as const;
const WIDTHS = [320, 390, 1280] as const;
const HEIGHT = 800;

export const keepsScreenshots = FOLDER !== '';

/** Takes the loaded page in both themes and all widths: `<folder>/<name>-<theme>-<width>.png`. */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const colorScheme of THEMES) {
      // Without transitions, which pictures would catch halfway.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    }
  }
}
