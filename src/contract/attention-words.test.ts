import { expect, test } from 'vitest';
import { LIMIT_NAMES } from '../domain/account-limits.ts';
import { ATTENTION_KINDS } from '../domain/attention.ts';
import { newId } from '../domain/ids.ts';
import { LANGUAGE_TAGS } from '../languages/index.ts';
import { attentionWords } from './attention-words.ts';

test.each([
  ['authorizenet', 'Authorize.net is slow at Bakery'],
  ['checkoutcom', 'Checkout.com is slow at Bakery'],
  ['worldpay', 'Worldpay is slow at Bakery'],
  ['adyen', 'Adyen is slow at Bakery'],
  ['payconnector', 'The pay connector is slow at Bakery'],
  ['stripe', 'Stripe is slow at Bakery'],
])('shows the name of the processor %s in an attention item', (processor, title) => {
  const item = { subject: 'mer_bakery:x', merchantId: null, businessName: 'Bakery', facts: { processor, seconds: 9 } };
  expect(attentionWords({ kind: 'processor_slow', ...item }).title).toBe(title);
});

test.each(ATTENTION_KINDS)('has words for %s in each language, also without facts', (kind) => {
  const item = { kind, subject: 'x', merchantId: newId('Merchant'), businessName: 'Bakery', facts: {} };
  const texts = LANGUAGE_TAGS.map((tag) => attentionWords(item, { language: tag }));
  for (const text of texts) expect(Object.values(text).join(' ')).not.toMatch(/\b(?:undefined|null|NaN|Invalid)\b/);
  for (const part of ['title', 'detail', 'advice'] as const) {
    expect(new Set(texts.map((text) => text[part])).size).toBe(LANGUAGE_TAGS.length);
  }
  expect(new Set(texts.map(({ path }) => path)).size).toBe(1);
});

test('shows amounts, days and shares as the language of an item writes them', () => {
  const amount = { amountCents: 123_450, currency: 'EUR' } as const;
  const facts = { amount, name: 'chargeback', endsAt: '2026-12-03T10:00:00Z', rate: 0.425, usualRate: 0.9, of: 40 };
  const item = { subject: 'x', merchantId: null, businessName: 'Bakery', facts };
  const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');
  const titles = LANGUAGE_TAGS.map((tag) =>
    plain(attentionWords({ kind: 'dispute_to_answer', ...item }, { language: tag }).title),
  );
  expect(titles[0]).toBe('Answer the dispute of €1,234.50 at Bakery by 3 Dec 2026');
  expect(titles[1]).toMatch(/^Anfechtung über 1\.234,50 € bei Bakery bis 3\. Dez\.? 2026 beantworten$/);
  const low = attentionWords({ kind: 'success_rate_low', ...item }, { language: 'de' }).title;
  expect(plain(low)).toBe('58 % der Abbuchungen bei Bakery schlagen fehl, üblich sind 10 %');
});

test('writes counts as the language of an item does', () => {
  const item = { subject: 'x', merchantId: null, businessName: null, facts: { count: 1_234, of: 12_345 } };
  const details = LANGUAGE_TAGS.map((language) =>
    attentionWords({ kind: 'emails_undelivered', ...item }, { language }).detail.replaceAll('\u202f', ' '),
  );
  expect(details.map((detail) => /\d\d[ .,]345/.exec(detail)?.[0])).toEqual(['12,345', '12.345', '12.345', '12 345']);
});

test.each(LIMIT_NAMES)('has words for the limit %s in each language', (subject) => {
  const item = {
    kind: 'limit_near',
    subject,
    merchantId: null,
    businessName: null,
    facts: { count: 85, of: 100 },
  } as const;
  const texts = LANGUAGE_TAGS.map((language) => attentionWords(item, { language }));
  for (const part of ['title', 'detail', 'advice'] as const)
    expect(new Set(texts.map((text) => text[part])).size).toBe(LANGUAGE_TAGS.length);
});

test('says of missing media servers that calls use the others only if there are others', () => {
  const missing = (count: number, of: number) =>
    attentionWords({
      kind: 'media_server_missing',
      subject: 'media',
      merchantId: null,
      businessName: null,
      facts: { count, of },
    }).detail;
  expect(missing(1, 2)).toBe('There should be 2. Calls use the others. If none is left, calls are refused.');
  expect(missing(1, 1)).toBe('There should be 1. Without any, calls are refused.');
});

const LOW_RATE = {
  kind: 'success_rate_low',
  subject: 'x',
  merchantId: newId('Merchant'),
  businessName: 'Bakery',
  facts: {
    rate: 0.8399,
    usualRate: 0.926,
    hours: 6,
    count: 1_542,
    of: 9_631,
    from: '2026-11-27T03:00:12Z',
    until: '2026-11-27T09:00:12Z',
    reasons: [
      { code: 'insufficient_funds', count: 1_202 },
      { code: null, count: 340 },
    ],
  },
} satisfies Parameters<typeof attentionWords>[0];

test('says what fails, what is usual, why and when, in the time zone of the reader', () => {
  const { title, detail, path } = attentionWords(LOW_RATE, { timeZone: 'Asia/Tokyo' });
  expect(title).toBe('16% of charges at Bakery fail, usually 7.4%');
  expect(detail.replaceAll(/[\u2009\u202f]/g, ' ')).toBe(
    '27 Nov 2026, 12:00–18:00 (GMT+9): 1,542 of 9,631 charges failed. Most frequent reasons: Insufficient funds (1,202), ' +
      'Other than the card (340). In the seven days before today, 7.4% failed.',
  );
  const period = '2026-11-27T03:00:12Z/2026-11-27T09:00:12Z';
  expect(path).toBe(`/charges?since=${period}&counted_as=failed&merchant_id=${LOW_RATE.merchantId}`);
});

test.each([
  [24, 'a day'],
  [72, '3 days'],
  [168, '7 days'],
])('says that charges failed in %i hours, and what was usual in the four weeks before', (hours, days) => {
  const [from, until] = ['2026-11-24T00:00:00Z', '2026-11-27T00:00:00Z'];
  const facts = { ...LOW_RATE.facts, hours, from, until, usualUntil: '2026-11-20T00:00:00Z', count: 29, of: 180 };
  const item = { ...LOW_RATE, kind: 'success_rate_low_for_days', facts } as const;
  const { title, detail, path } = attentionWords(item, { timeZone: 'America/New_York' });
  expect(title).toBe(`16% of charges at Bakery failed in ${days}, usually 7.4%`);
  expect(detail).toContain('(GMT-5): 29 of 180 charges failed. Most frequent reasons: ');
  expect(detail).toMatch(/ In the four weeks before 20 Nov 2026 \(UTC\), 7\.4% failed\.$/);
  expect(path).toBe(`/charges?since=${from}/${until}&counted_as=failed&merchant_id=${LOW_RATE.merchantId}`);
});

test.each(['processor_refusing', 'processor_slow', 'texts_undelivered', 'emails_undelivered'] as const)(
  'says of %s in each language which period was counted, because the item can be read much later',
  (kind) => {
    const { from, until } = LOW_RATE.facts;
    const facts = { count: 3, of: 40, seconds: 9, processor: 'stripe', from, until };
    for (const language of LANGUAGE_TAGS) {
      const { detail } = attentionWords({ ...LOW_RATE, kind, facts }, { language, timeZone: 'Asia/Tokyo' });
      expect(detail).toMatch(/^27\D+2026\D+12:00\D+18:00.*\(\w+\+9\)\s?: [39] /);
      expect(detail).not.toMatch(/24|30/);
    }
  },
);

test('knows no period and no reasons of an item that an earlier version has opened', () => {
  const { rate, usualRate, hours, of } = LOW_RATE.facts;
  const { detail, path } = attentionWords({ ...LOW_RATE, facts: { rate, usualRate, hours, of } });
  expect(detail).toBe('1,542 of 9,631 charges failed. In the seven days before today, 7.4% failed.');
  expect(path).toContain('?since=6h&');
});
