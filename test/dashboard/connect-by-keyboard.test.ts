/** Connecting processors in a browser with the keyboard only, against their fakes: wrong credentials, and then right ones. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startTestBrowser } from '../support/browser.ts';
import { startFakeBraintree } from '../support/fake-braintree.ts';
import { startFakeCheckoutCom } from '../support/fake-checkoutcom.ts';
import { startFakeWorldpay } from '../support/fake-worldpay.ts';
import { useFixture } from '../support/fixtures.ts';
import {
  BRAINTREE_CREDENTIALS,
  braintreeProcessorAt,
  CHECKOUT_COM_CREDENTIALS,
  checkoutComProcessorAt,
  WORLDPAY_CREDENTIALS,
  worldpayProcessorAt,
} from '../support/vendor-processors.ts';
import { startDashboard } from './dashboard.ts';

const braintree = useFixture(startFakeBraintree);
const checkoutCom = useFixture(startFakeCheckoutCom);
const worldpay = useFixture(startFakeWorldpay);
const chrome = useFixture(startTestBrowser);
const dashboard = useFixture(() =>
  startDashboard({
    moreProcessors: [
      braintreeProcessorAt(braintree),
      checkoutComProcessorAt(checkoutCom),
      worldpayProcessorAt(worldpay),
    ],
  }),
);

/** The focused element: its name, its place, and whether its focus is visible. */
interface Stop {
  tag: string;
  name: string;
  isSeen: boolean;
}
const STOP = `(() => {
  const element = document.activeElement;
  const { left, top, width, height } = element.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const isSeen = above !== null && element.contains(above) && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  return { tag: element.tagName, name: element.getAttribute('name') ?? '', isSeen };
})()`;

/** Tabs from the fold of the other processors to the submit button. @returns the fields, in order */
async function fillIn(page: Page, values: Readonly<Record<string, string>>): Promise<string[]> {
  const fields: string[] = [];
  while (fields.length < 20) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<Stop>(STOP);
    expect(stop).toMatchObject({ isSeen: true });
    if (stop.tag === 'BUTTON') break;
    fields.push(stop.name);
    await page.keyboard.type(values[stop.name] ?? '');
  }
  await page.keyboard.press('Enter');
  return fields;
}

const focused = (page: Page) => page.evaluate<string>("document.activeElement.getAttribute('name') ?? ''");

test.each([
  ['checkoutcom', 390, CHECKOUT_COM_CREDENTIALS, 'secret_key'],
  ['braintree', 1440, BRAINTREE_CREDENTIALS, 'public_key'],
  ['worldpay', 390, { ...WORLDPAY_CREDENTIALS, checkout_id: '' }, 'checkout_id'],
] as const)('connects %s with the keyboard, after wrong credentials: %i px', async (kind, width, right, wrong) => {
  const context = await chrome.browser.newContext({ reducedMotion: 'reduce', viewport: { width, height: 844 } });
  try {
    const [name = '', value = ''] = dashboard.user.cookie.split('=');
    await context.addCookies([{ name, value, url: dashboard.api.url }]);
    const page = await context.newPage();
    const merchant = `/test/setup/merchants/mer_demo_diner`;
    await page.goto(`${dashboard.api.url}/dashboard${merchant}/processor?processor=${kind}`);
    const others = page.locator('.other-choices');
    await others.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await others.getByRole('link').first().isVisible()).toBe(true);
    await page.keyboard.press('Enter');

    const fields = await fillIn(page, { ...right, [wrong]: 'not a credential' });
    expect(fields).toContain(wrong);
    const fault = page.locator(`#field-${wrong}-fault`);
    await fault.waitFor();
    await expect.poll(() => focused(page)).toBe(wrong);
    expect(await page.locator(`#field-${wrong}`).getAttribute('aria-describedby')).toContain(`field-${wrong}-fault`);

    await others.locator('summary').focus();
    await fillIn(page, right);
    await page.waitForURL('**/test-charge?notice=connected*');
  } finally {
    await context.close();
  }
});

test('says in the user’s language what is wrong with a secret of notifications, and leads to its field', async () => {
  await dashboard.api.database.query(`update users set language = 'de' where id = $1`, [dashboard.user.user.id]);
  const page = '/test/setup/merchants/mer_demo_diner/processor';
  const { status, html } = await dashboard.submit(`${page}?processor=checkoutcom`, page, {
    processor: 'checkoutcom',
    ...CHECKOUT_COM_CREDENTIALS,
    notification_secret: 'short',
  });
  expect(status).toBe(422);
  expect(html).toContain('Ein Signaturschlüssel hat 10 bis 250 Zeichen');
  expect(html).toContain('href="#field-notification_secret"');
  expect(html).not.toContain('printable ASCII');
});
