/**
 * What the pay page does with every vendor's fields: the page runs in a browser with a fake of the vendor's script, and
 * the fake vendor is behind the server.
 */
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlainCredentials } from '../../src/payments/port/credentials.ts';
import type { Processor } from '../../src/payments/port/processor.ts';
import { findBarriers } from './axe.ts';
import { consentsOf, holdForm, startVendorPages, type VendorPages, type Visit } from './fields-harness.ts';
import { SAVE_ONLY } from './save-only.ts';
import { keepsScreenshots, takeScreenshots } from './screenshots.ts';

interface FieldsBench {
  processor: Processor;
  credentials: PlainCredentials;
  good: string;
  /** The vendor declines it. */
  poor: string;
  /** A token of the vendor's script for this card. */
  token(number: string): string;
  /** Breaches of the published reference that the fake vendor noticed. */
  violations: readonly string[];
  close(): Promise<void>;
}

interface FieldsContract {
  /** The processor, and the fake of its script. */
  name: string;
  start(): Promise<FieldsBench>;
  /** Types the card into the fields. */
  fill(page: Page, number: string): Promise<void>;
}

/** @returns the pages, which are started before the tests */
export function fieldsContract({ name, start, fill }: FieldsContract) {
  let bench: FieldsBench;
  let pages: VendorPages;
  beforeAll(async () => {
    bench = await start();
    await bench.processor.prepare?.();
    pages = await startVendorPages(name, bench.processor, bench.credentials);
  });
  afterAll(async () => {
    await pages.close();
    await bench.close();
  });

  const tokens = () => Object.fromEntries([bench.good, bench.poor].map((number) => [number, bench.token(number)]));
  const press = ({ page }: Visit) => page.locator('form#pay button[type=submit]').first().click();
  const pay = async (visit: Visit, number: string) => {
    await fill(visit.page, number);
    await press(visit);
  };
  const stateIs = ({ page }: Visit, state: string) => page.locator(`main[data-state=${state}]`).waitFor();

  function expectTidy({ errors }: Visit): void {
    expect(errors).toEqual([]);
    expect(bench.violations).toEqual([]);
  }

  test('pays with a token, and sends no digits of the card to our server', async () => {
    const visit = await pages.visit(await pages.open(), { tokens: tokens() });
    const sent: string[] = [];
    visit.page.on('request', (request: Request) => void sent.push(request.postData() ?? ''));
    const held = await holdForm(visit.page);
    await pay(visit, bench.good);
    await held.sent;
    // Before the page navigates away, and the fake script starts again.
    expect((await visit.readScript()).violations).toEqual([]);
    held.release();
    await stateIs(visit, 'paid');
    expectTidy(visit);
    expect(sent.filter((body) => body.includes('token='))).toHaveLength(1);
    expect(sent.filter((body) => body.replaceAll(/\D/g, '').includes(bench.good))).toEqual([]);
    await visit.close();
  });

  test('accepts another card after a decline', async () => {
    const visit = await pages.visit(await pages.open(), { tokens: tokens() });
    await pay(visit, bench.poor);
    await stateIs(visit, 'declined');
    await pay(visit, bench.good);
    await stateIs(visit, 'paid');
    expectTidy(visit);
    await visit.close();
  });

  test('says that the card is wrong, and sends nothing', async () => {
    const visit = await pages.visit(await pages.open(), { tokens: tokens() });
    await pay(visit, `${bench.good.slice(0, -1)}${(Number(bench.good.at(-1)) + 1) % 10}`);
    await expect.poll(() => visit.page.locator('#form-errors').textContent()).toMatch(/card (details|number)/);
    const button = visit.page.locator('form#pay button[type=submit]').first();
    await expect.poll(() => button.getAttribute('aria-disabled')).not.toBe('true');
    expect(await visit.page.locator('main').getAttribute('data-state')).toBe('ready');
    expect((await visit.readScript()).violations).toEqual([]);
    expectTidy(visit);
    await visit.close();
  });

  test.each(['blocked', 'missing'] as const)(
    'says that the fields could not be loaded if the script of the vendor is %s',
    async (script) => {
      const visit = await pages.visit(await pages.open(), {}, { script });
      await visit.page.locator('form[data-fields=failed]').waitFor();
      expect(await visit.page.locator('#form-errors').textContent()).toContain('The card fields could not be loaded');
      await visit.close();
    },
  );

  test('holds the amount if it is captured later, and does not call it paid', async () => {
    const visit = await pages.visit(await pages.open({ session: { capture: 'manual' } }), { tokens: tokens() });
    await fill(visit.page, bench.good);
    await screenshots(visit, 'hold');
    expect(await visit.page.locator('form#pay button[type=submit]').first().textContent()).toMatch(/hold/i);
    await press(visit);
    await stateIs(visit, 'paid');
    expect(await visit.page.locator('main').textContent()).not.toMatch(/\bpaid\b/i);
    await screenshots(visit, 'held');
    expectTidy(visit);
    await visit.close();
  });

  test('records the consent to save the card if its box is selected', async () => {
    const link = await pages.open({ merchant: { cardSaving: 'ask' } });
    const visit = await pages.visit(link, { tokens: tokens() });
    await fill(visit.page, bench.good);
    await visit.page.getByRole('checkbox').check();
    await press(visit);
    await stateIs(visit, 'paid');
    expectTidy(visit);
    const wordingId = 'page.keep_card';
    expect(await consentsOf(pages, link)).toMatchObject([{ channel: 'page', wordingId }]);
    await visit.close();
  });

  test('saves a card without a payment, or shows no fields if the processor cannot', async () => {
    const link = await pages.open({ session: SAVE_ONLY });
    const visit = await pages.visit(link, { tokens: tokens() });
    if (bench.processor.can.verifiesTokens !== true) {
      await stateIs(visit, 'gone');
      await visit.close();
      return;
    }
    await fill(visit.page, bench.good);
    await visit.page.getByRole('checkbox').check();
    await screenshots(visit, 'save-only');
    await press(visit);
    await stateIs(visit, 'paid');
    expect(await visit.page.locator('h1').textContent()).toBe('Card saved');
    expectTidy(visit);
    const consent = { channel: 'page', wordingId: 'page.own', status: 'kept' };
    expect(await consentsOf(pages, link)).toMatchObject([consent]);
    await visit.close();
  });

  test('has no accessibility barriers around the fields', async () => {
    const visit = await pages.visit(await pages.open(), { tokens: tokens() });
    await fill(visit.page, bench.good);
    await screenshots(visit, 'ready');
    // Without transitions: during one, colors have less contrast than before and after.
    for (const colorScheme of ['light', 'dark'] as const) {
      await visit.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await findBarriers(visit.page)).toEqual([]);
    }
    await visit.close();
  });

  const screenshots = async ({ page }: Visit, state: string) => {
    if (keepsScreenshots) await takeScreenshots(page, `${name}-${state}`);
  };

  return { pages: () => pages };
}
