/** Partial payments on the pay page: the part shown is the amount charged, also without JavaScript. */
import { describe, expect, test } from 'vitest';
import { startTestApi } from '../contract/test-api.ts';
import { useFixture } from '../support/fixtures.ts';
import { getPage, openPageOf, openTestPage, submitForm, type TestPage, type TestPageOptions, VISA } from './pages.ts';

const api = useFixture(() => startTestApi());

const open = ({ merchant, session }: TestPageOptions = {}) =>
  openTestPage(api.database, { merchant: { partialMinimumCents: 500, ...merchant }, ...(session && { session }) });

const pageWith = ({ path }: Pick<TestPage, 'path'>, query: Record<string, string>) =>
  getPage(`${api.url}${path}?${new URLSearchParams({ lang: 'en', ...query })}`);

async function chargesOf({ sessionId }: Pick<TestPage, 'sessionId'>) {
  const text = `select status, amount_cents as "amountCents", tip_cents as "tipCents", remaining_cents as "remainingCents"
                  from charges where session_id = $1 order by created_at`;
  return (await api.database.query<object>(text, [sessionId])).rows;
}

async function payPart(page: TestPage, query: Record<string, string>, card: Partial<typeof VISA> = {}) {
  const { attempt = '' } = await pageWith(page, query);
  return submitForm(api.url + page.path, { attempt, ...query, ...VISA, ...card });
}

describe('the page of a merchant that takes parts', () => {
  test('offers all of the amount, which is chosen, or a part', async () => {
    const { html } = await pageWith(await open(), {});
    expect(html).toMatch(/<a href="[^"]*#part" aria-current="true">All of it: \$42\.50<\/a>/);
    expect(html).toContain('at least $5.00');
    // Too short for the digits that name a card.
    expect(html).toMatch(/id="part-amount"[^>]* maxlength="7"/);
    expect(html).toContain('<button type="submit">Pay $42.50</button>');
  });

  test.each(['20', '20.00', '$20', ' 20,00 ', '20,0'])(
    'shows and charges the part that was typed as %s',
    async (part) => {
      const page = await open();
      const { html } = await pageWith(page, { part });
      expect(html).toContain('<input type="hidden" name="part" value="20.00">');
      expect(html).toContain('<strong>$20.00</strong>');
      expect(html).toContain('<span>Left to pay</span><span>$22.50</span>');
      expect(html).toContain('<button type="submit">Pay $20.00</button>');
      const paid = await payPart(page, { part: '20.00' });
      expect(paid.state).toBe('paid');
      expect(paid.html).toMatch(/\$20\.00.*Left to pay.*\$22\.50/s);
      const charge = { status: 'succeeded', amountCents: 2_000, tipCents: 0, remainingCents: 2_250 };
      expect(await chargesOf(page)).toEqual([charge]);
    },
  );

  test.each(['4.99', '42.51', '0', '-5', 'all', '20.005', '1,000', '99999999999999'])(
    'asks again for a part of %s, and a form with it charges nothing',
    async (part) => {
      const page = await open();
      const { html, attempt = '' } = await pageWith(page, { part });
      expect(html).toContain('Enter an amount from $5.00 to $42.50.');
      expect(html).toMatch(/id="part-amount"[^>]* aria-invalid="true" autofocus/);
      expect(html).toContain('<button type="submit">Pay $42.50</button>');
      await submitForm(api.url + page.path, { attempt, part, ...VISA });
      expect(await chargesOf(page)).toEqual([]);
    },
  );

  test('charges all of the amount if it was typed as a part', async () => {
    const page = await open();
    await payPart(page, { part: '42.50' });
    expect(await chargesOf(page)).toMatchObject([{ amountCents: 4_250, remainingCents: 0 }]);
  });

  test('offers tips of the part, and charges both', async () => {
    const page = await open({ merchant: { tipPercentages: [15, 20] } });
    const { html } = await pageWith(page, { part: '20.00', tip: '15' });
    expect(html).toContain('15%: $3.00');
    expect(html).toContain('<button type="submit">Pay $23.00</button>');
    const paid = await payPart(page, { part: '20.00', tip: '15' });
    expect(paid.html).toMatch(/\$23\.00.*Tip included.*\$3\.00.*Left to pay.*\$22\.50/s);
    expect(await chargesOf(page)).toMatchObject([{ amountCents: 2_300, tipCents: 300, remainingCents: 2_250 }]);
  });

  test('keeps the part after a decline', async () => {
    const declined = await payPart(await open(), { part: '20.00' }, { number: '4000000000000002' });
    expect(declined.state).toBe('declined');
    expect(declined.html).toContain('<button type="submit">Pay $20.00</button>');
  });

  test('takes whole yen as a part', async () => {
    const session = { amount: { amountCents: 4_250, currency: 'JPY' } } as const;
    const page = await open({ session });
    expect((await pageWith(page, { part: '2000' })).html).toMatch(/Pay .2,000</);
    expect((await pageWith(page, { part: '2000.5' })).html).toContain('id="part-amount-fault"');
  });
});

test('one partial payment pays for its order', async () => {
  const page = await open();
  await payPart(page, { part: '20.00' });
  const other = await openPageOf(api.database, page.merchant);
  expect(await getPage(api.url + other.path)).toMatchObject({ state: 'already_paid' });
});

test.each<[string, TestPageOptions]>([
  ['the merchant takes none', { merchant: { partialMinimumCents: null } }],
  ['the amount is only held', { session: { capture: 'manual' } }],
  ['the amount is no larger than the smallest part', { merchant: { partialMinimumCents: 4_250 } }],
])('no part is offered or taken if %s', async (_name, options) => {
  const page = await open(options);
  expect((await pageWith(page, {})).html).not.toContain('id="part"');
  await payPart(page, { part: '20.00' });
  expect(await chargesOf(page)).toEqual([]);
});
