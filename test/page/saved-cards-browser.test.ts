/** Saved cards on the pay page in a browser: no step has accessibility barriers, and the last one pays. */
import { expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { openBody } from '../../src/notifications/sms/sealed-body.ts';
import { handleOf, testCard } from '../../src/payments/sandbox/cards.ts';
import { startTestApi } from '../contract/test-api.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { findBarriers } from './axe.ts';
import { openTestPage, type TestPage } from './pages.ts';
import { keepsScreenshots, takeScreenshots } from './screenshots.ts';

const vault = createVault([Buffer.alloc(32, 7)]);
const api = useFixture(() => startTestApi({ vault }));
const chrome = useFixture(startTestBrowser);

async function withSavedCard(): Promise<TestPage> {
  const opened = await openTestPage(api.database);
  const { accountId, id: merchantId } = opened.merchant;
  const consumer = newId('Consumer');
  await api.database.query(
    `insert into consumers (id, account_id, mode, phone) values ($1, $2, 'test', '+15550101234')`,
    [consumer, accountId],
  );
  await api.database.query(
    `insert into instruments (id, account_id, mode, consumer_id, merchant_id, processor, processor_handle, brand,
                              last_four, expiry_month, expiry_year)
     values ($1, $2, 'test', $3, $4, 'sandbox', $5, 'VISA', '1881', 4, 2039)`,
    [newId('Instrument'), accountId, consumer, merchantId, handleOf(testCard('visa'))],
  );
  return opened;
}

async function textedCode({ sessionId }: TestPage): Promise<string> {
  const { rows } = await api.database.query(
    'select id, body, sealed_body as "sealedBody" from texts where session_id = $1',
    [sessionId],
  );
  return openBody(vault, rows[0] as never)?.slice(-6) ?? '';
}

test('pays with a saved card after the payer has entered the texted code', async () => {
  const opened = await withSavedCard();
  const context = await chrome.browser.newContext({ viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' });
  try {
    const page = await context.newPage();
    const look = async (step: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await findBarriers(page), `${step}, ${colorScheme}`).toEqual([]);
      }
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(overflow), step).toBe(0);
      if (keepsScreenshots) await takeScreenshots(page, `saved-${step}`);
    };
    await page.goto(api.url + opened.path);
    await look('question');
    await page.getByText('Have you saved a card here before?').click();
    await look('ask');
    await page.getByRole('button', { name: 'Text me a code' }).click();
    await page.locator('#code').waitFor();
    await look('code');
    const code = await textedCode(opened);
    await page.locator('#code').fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'));
    await page.getByRole('button', { name: 'Show my cards' }).click();
    await page.locator('#code-fault').waitFor();
    await look('wrong-code');
    await page.locator('#code').fill(code);
    await page.getByRole('button', { name: 'Show my cards' }).click();
    const card = page.getByRole('button', { name: /Visa ending 1881/ });
    await card.waitFor();
    await look('cards');
    await card.click();
    await page.locator('main[data-state=paid]').waitFor();
  } finally {
    await context.close();
  }
});
