/**
 * Two users refund the same charge at once, and one user submits the same form twice: never more than the charge is
 * refunded, and every response is true.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { RefundResource } from '../../src/contract/refunds.ts';
import { deferred } from '../../src/lib/concurrency/deferred.ts';
import { startTestBrowser } from '../support/browser.ts';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard, type TestDashboard } from './dashboard.ts';
import { paidCharge } from './objects.ts';
import { type SecondUser, secondUserOf } from './second-user.ts';

const dashboard = useFixture(startDashboard);

const refundsOf = async (charge: string, { api }: TestDashboard = dashboard) =>
  (await api.get(`/v1/refunds?charge=${charge}`)).body.refunds as RefundResource[];
/** The text without tags. */
const readable = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const formPath = (charge: string) => `/test/charges/${charge}/refund`;

let ada: SecondUser;
let ben: SecondUser;
beforeEach(async () => {
  [ada, ben] = await Promise.all([secondUserOf(dashboard, 'support'), secondUserOf(dashboard, 'owner')]);
});

describe('a charge', () => {
  test.each([
    ['all of a charge', '40', '40', /The full \$40\.00 has already been refunded or is being refunded/],
    ['parts that exceed a charge', '30', '20', /\$(10|20)\.00 of \$40\.00 can still be refunded/],
  ])(
    'lets one of two users refund %s at once, and shows the other what is left',
    async (_, first, second, expected) => {
      const { charge } = await paidCharge(dashboard.api);
      const forms = [
        await ada.open(`${formPath(charge)}?amount=${first}`),
        await ben.open(`${formPath(charge)}?amount=${second}`),
      ];
      for (const [at, amount] of [first, second].entries()) {
        expect(readable(forms[at]?.html ?? '')).toContain(`Refund $${amount}.00 to Visa ···· 4242`);
        expect(forms[at]?.html).toContain(`Refund $${amount}.00`);
      }
      const answers = await Promise.all(forms.map((form) => form.send()));
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
      const won = answers.findIndex(({ status }) => status === 303);
      const [refund, ...others] = await refundsOf(charge);
      expect(others).toEqual([]);
      expect(refund).toMatchObject({ status: 'succeeded', amount_cents: Number([first, second][won]) * 100 });
      const refused = readable(answers[1 - won]?.html ?? '');
      expect(refused).toContain('Nothing was refunded');
      expect(refused).toMatch(expected);
    },
  );

  test('lets two users refund one after the other, the second only what is left', async () => {
    const { charge } = await paidCharge(dashboard.api);
    const late = await ben.open(`${formPath(charge)}?amount=20`);
    expect((await (await ada.open(`${formPath(charge)}?amount=30`)).send()).status).toBe(303);
    const refused = await late.send();
    expect(refused.status).toBe(422);
    expect(readable(refused.html)).toContain('$10.00 of $40.00 can still be refunded.');
    expect(refused.html).toContain(`href="/dashboard${formPath(charge)}"`);
    const rest = await ben.open(`${formPath(charge)}?amount=10`);
    expect(readable(rest.html)).toContain('$30.00 of this charge has already been refunded or is being refunded.');
    expect((await rest.send()).status).toBe(303);
    expect((await refundsOf(charge)).map(({ amount_cents }) => amount_cents)).toEqual([1_000, 3_000]);
  });

  test('lets two users refund parts at once if they do not exceed the charge', async () => {
    const { charge } = await paidCharge(dashboard.api);
    const forms = [await ada.open(`${formPath(charge)}?amount=15`), await ben.open(`${formPath(charge)}?amount=15`)];
    const answers = await Promise.all(forms.map((form) => form.send()));
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await refundsOf(charge)).toHaveLength(2);
  });
});

describe('the same form', () => {
  test('creates one refund if it is submitted twice at once and again later', async () => {
    const { charge } = await paidCharge(dashboard.api);
    const form = await ada.open(`${formPath(charge)}?amount=10`);
    const answers = [...(await Promise.all([form.send(), form.send()])), await form.send()];
    const [refund, ...others] = await refundsOf(charge);
    expect(others).toEqual([]);
    for (const { status, headers } of answers) {
      expect([status, headers.get('location')]).toEqual([303, `/dashboard/test/refunds/${refund?.refund_id}`]);
    }
  });

  test('refunds nothing more with another reason, and does not say that nothing was refunded', async () => {
    const { charge } = await paidCharge(dashboard.api);
    const attempt = 'the-attempt-of-one-form';
    const address = (reason: string) => `${formPath(charge)}?amount=10&reason=${reason}&attempt=${attempt}`;
    expect((await (await ada.open(address('duplicate'))).send()).status).toBe(303);
    const again = await (await ada.open(address('fraudulent'))).send();
    expect(again.status).toBe(422);
    expect(readable(again.html)).toContain('This form was already submitted');
    expect(readable(again.html)).toContain('$30.00 of $40.00 can still be refunded.');
    expect(again.html).not.toContain('Nothing was refunded');
    expect(await refundsOf(charge)).toHaveLength(1);
  });

  test('says that it was already submitted while the first request is in progress', async () => {
    const requested = deferred<void>();
    const mayAnswer = deferred<void>();
    const slow = await startDashboard({
      idempotencyWaitMs: 0,
      refund: async () => {
        requested.resolve(undefined);
        await mayAnswer.promise;
        return { type: 'refused', reason: 'unavailable' };
      },
    });
    try {
      const { charge } = await paidCharge(slow.api);
      const form = await (await secondUserOf(slow, 'support')).open(`${formPath(charge)}?amount=10`);
      const first = form.send();
      await requested.promise;
      const second = await form.send();
      expect(second.status).toBe(422);
      expect(readable(second.html)).toContain('This form was already submitted');
      expect(second.html).not.toContain('Nothing was refunded');
      mayAnswer.resolve(undefined);
      expect((await first).status).toBe(503);
    } finally {
      mayAnswer.resolve(undefined);
      await slow.close();
    }
  });
});

describe('in a browser', () => {
  const chrome = useFixture(startTestBrowser);

  async function pageOf({ user }: SecondUser) {
    const context = await chrome.browser.newContext();
    const [name = '', value = ''] = user.cookie.split('=');
    await context.addCookies([{ name, value, url: dashboard.api.url }]);
    return { page: await context.newPage(), close: () => context.close() };
  }

  test('creates one refund on a double click, also after Back and the button again', async () => {
    const { charge } = await paidCharge(dashboard.api);
    const { page, close } = await pageOf(ada);
    try {
      await page.goto(`${dashboard.api.url}/dashboard${formPath(charge)}`);
      await page.fill('#amount', '10');
      await page.getByRole('button', { name: 'Continue' }).click();
      const refund = page.getByRole('button', { name: 'Refund $10.00' });
      await refund.dblclick();
      await page.waitForURL('**/refunds/re_*');
      const made = page.url();
      await page.goBack();
      await refund.click();
      await page.waitForURL('**/refunds/re_*');
      expect(page.url()).toBe(made);
      await page.goBack();
      await page.reload();
      await refund.click();
      await page.waitForURL('**/refunds/re_*');
      expect(page.url()).toBe(made);
      expect(await refundsOf(charge)).toHaveLength(1);
    } finally {
      await close();
    }
  });

  test('creates another refund for another amount after Back', async () => {
    const { charge } = await paidCharge(dashboard.api);
    const { page, close } = await pageOf(ben);
    try {
      await page.goto(`${dashboard.api.url}/dashboard${formPath(charge)}`);
      for (const amount of ['10', '5']) {
        await page.fill('#amount', amount);
        await page.getByRole('button', { name: 'Continue' }).click();
        await page.getByRole('button', { name: `Refund $${amount}.00` }).click();
        await page.waitForURL('**/refunds/re_*');
        await page.goBack();
        await page.goBack();
      }
      expect((await refundsOf(charge)).map(({ amount_cents }) => amount_cents)).toEqual([500, 1_000]);
    } finally {
      await close();
    }
  });
});
