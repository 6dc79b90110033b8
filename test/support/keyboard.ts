/** Uses a page only with the keyboard. */
import type { Locator, Page } from 'playwright-core';

const MAX_STOPS = 60;

/** Presses Tab until the element has the focus. @throws if it is not reached */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`not reached with the keyboard: ${await target.evaluate((element) => element.outerHTML)}`);
}

/** {@link tabTo}, then Enter. */
export async function pressByKeyboard(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** {@link tabTo}, then typing. */
export async function typeByKeyboard(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}
