/** Tips on the pay page: the total shown is the total charged, also without JavaScript. */
import { describe, expect, test } from 'vitest';
import { startTestApi } from '../contract/test-api.ts';
import { useFixture } from '../support/fixtures.ts';
import { getPage, openTestPage, postForm, submitForm, type TestPage, VISA } from './pages.ts';

const api = useFixture(() => startTestApi());

const TIPS = [15, 18, 20];
const open = (tipPercentages = TIPS) => openTestPage(api.database, { merchant: { tipPercentages } });

async function chargesOf({ sessionId }: Pick<TestPage, 'sessionId'>) {
  const text = `select status, amount_cents as "amountCents", tip_cents as "tipCents" from charges where session_id = $1
                 order by created_at`;
  return (await api.database.query<object>(text, [sessionId])).rows;
}

/** Opens the page with this tip, and pays. */
async function payWithTip({ path }: TestPage, tip: string, card: Partial<typeof VISA> = {}) {
  const page = await getPage(`${api.url}${path}?lang=en&tip=${tip}`);
  return submitForm(api.url + path, { attempt: page.attempt ?? '', tip, ...VISA, ...card });
}

describe('the page of a merchant with tips', () => {
  test('offers each tip with its amount, and none is chosen in advance', async () => {
    const { html } = await getPage(`${api.url}${(await open()).path}?lang=en`);
    expect(html).toMatch(/<li><a href="[^"]*lang=en#tips" aria-current="true">No tip<\/a><\/li>/);
    for (const [percent, amount] of [
      [15, '$6.38'],
      [18, '$7.65'],
      [20, '$8.50'],
    ])
      expect(html).toMatch(new RegExp(`tip=${percent}#tips">${percent}%: \\${amount}</a>`));
    expect(html).toContain('<button type="submit">Pay $42.50</button>');
    expect(html).not.toContain('name="tip"');
  });

  test.each([
    ['de', /20\s%: 8,50\s€/, /51,00\s€ zahlen/],
    ['es', /20\s%: 8,50\s€/, /Pagar 51,00\s€/],
    ['fr', /20\s%\s: 8,50\s€/, /Payer 51,00\s€/],
  ])('names the tip and the total in the language of the page (%s)', async (language, tip, button) => {
    const merchant = { tipPercentages: TIPS };
    const session = { amount: { amountCents: 4_250, currency: 'EUR' } } as const;
    const { path } = await openTestPage(api.database, { merchant, session });
    const { html } = await getPage(`${api.url}${path}?lang=${language}&tip=20`);
    expect(html).toMatch(tip);
    expect(html).toMatch(button);
  });

  test('shows the total of the chosen tip, charges this total, and names both on the receipt', async () => {
    const page = await open();
    const chosen = await getPage(`${api.url}${page.path}?lang=en&tip=18`);
    expect(chosen.html).toContain('<input type="hidden" name="tip" value="18">');
    expect(chosen.html).toContain('<p class="total"><span>Total</span><strong>$50.15</strong></p>');
    expect(chosen.html).toContain('<button type="submit">Pay $50.15</button>');
    const paid = await payWithTip(page, '18');
    expect(paid.state).toBe('paid');
    expect(paid.html).toMatch(/\$50\.15.*Tip included.*\$7\.65/s);
    expect(await chargesOf(page)).toEqual([{ status: 'succeeded', amountCents: 5_015, tipCents: 765 }]);
  });

  test('keeps the tip in the links to other languages', async () => {
    const { path } = await open();
    const { html } = await getPage(`${api.url}${path}?lang=en&tip=18`);
    expect(html).toContain('href="?lang=es&amp;tip=18"');
    const spanish = await getPage(`${api.url}${path}?lang=es&tip=18`);
    expect(spanish.html).toContain('<input type="hidden" name="tip" value="18">');
    expect((await getPage(`${api.url}${path}?lang=en`)).html).toContain('href="?lang=es"');
  });

  test('keeps the tip after a decline', async () => {
    const page = await open();
    const declined = await payWithTip(page, '20', { number: '4000000000000002' });
    expect(declined.state).toBe('declined');
    expect(declined.html).toContain('<button type="submit">Pay $51.00</button>');
    expect(declined.html).toContain('<input type="hidden" name="tip" value="20">');
  });

  test('charges nothing if the merchant no longer offers the tip that the payer saw', async () => {
    const page = await open();
    const { attempt = '' } = await getPage(`${api.url}${page.path}?tip=18`);
    await api.database.query(`update merchants set tip_percentages = '{10}' where id = $1`, [page.merchant.id]);
    const next = await submitForm(api.url + page.path, { attempt, tip: '18', ...VISA });
    expect(next.html).toContain('nothing was charged');
    expect(next.html).toContain('<button type="submit">Pay $42.50</button>');
    expect(await chargesOf(page)).toEqual([]);
  });

  test.each(['19', '-18', '18.0', '1e1', '"><script>', '18,18'])('charges no tip of a forged form: %s', async (tip) => {
    const page = await open();
    const { attempt = '', html } = await getPage(`${api.url}${page.path}?tip=${encodeURIComponent(tip)}`);
    expect(html).toContain('<button type="submit">Pay $42.50</button>');
    expect(html).not.toContain('<script>');
    await postForm(api.url + page.path, { attempt, tip, ...VISA });
    expect(await chargesOf(page)).toEqual([]);
  });
});

test('a merchant without tips offers none, and takes none', async () => {
  const page = await open([]);
  const { html } = await getPage(api.url + page.path);
  expect(html).not.toMatch(/id="tips"|name="tip"/);
  await payWithTip(page, '18');
  expect(await chargesOf(page)).toEqual([]);
});

test('a page that waits for the payment shows its amount with the tip', async () => {
  const waiting = await payWithTip(await open(), '18', { number: '4000000000003220' });
  expect(waiting.state).toBe('action');
  expect(waiting.html).toContain('<dd>$50.15</dd>');
});
