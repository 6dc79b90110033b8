/** Pay links: one per session, the same for every request, found by either code. */
import { randomBytes } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { type PayLinkUrls, payLinkOf } from '../../../src/checkout/pay-link.ts';
import { findPayLink, markOpened } from '../../../src/db/pay-links/pay-links.ts';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { randomToken } from '../../../src/domain/ids.ts';
import { createVault } from '../../../src/lib/vault/vault.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestSession } from '../../support/test-merchants.ts';

const BASE = 'https://pay.example.com';
const db = useTestDatabase();
const merchant = useTestMerchant(db);
const vault = createVault([randomBytes(32)]);

let sessionId: CheckoutSessionId;
beforeEach(async () => {
  sessionId = await createTestSession(db.database, merchant);
});

const linkOf = (id = sessionId, of = vault): Promise<PayLinkUrls> =>
  payLinkOf({ database: db.database, vault: of, linkBase: () => BASE }, { id, ...scope() });
const scope = () => ({ accountId: merchant.accountId, mode: merchant.mode });
const codesIn = ({ shortUrl, payUrl }: PayLinkUrls) => [shortUrl, payUrl].map((url) => url.split('/').at(-1) ?? '');

test('finds a link by its short and its long code', async () => {
  const link = await linkOf();
  expect(link.shortUrl).toMatch(/^https:\/\/pay\.example\.com\/p\/[a-z2-9]{12}$/);
  expect(link.payUrl).toMatch(/^https:\/\/pay\.example\.com\/pay\/[a-z2-9]{26}$/);
  for (const code of codesIn(link)) expect(await findPayLink(db.database, code)).toEqual({ sessionId, scope: scope() });
});

test('returns the same link to every request, also at the same time, and another one for another session', async () => {
  const links = await Promise.all(Array.from({ length: 20 }, () => linkOf()));
  expect(new Set(links.map(({ shortUrl, payUrl }) => `${shortUrl} ${payUrl}`)).size).toBe(1);
  expect(await linkOf()).toEqual(links[0]);
  expect(codesIn(await linkOf(await createTestSession(db.database, merchant)))).not.toEqual(codesIn(await linkOf()));
});

test('finds nothing for a wrong code, whatever it contains', async () => {
  const [short = '', long = ''] = codesIn(await linkOf());
  const wrong = [randomToken(12), randomToken(26), short.toUpperCase(), long.slice(0, 12), long.slice(1), `${short} `];
  for (const code of [...wrong, '', "' or true --", '%', 'é'.repeat(12), 'a'.repeat(10_000), '\u0000'.repeat(12)]) {
    expect(await findPayLink(db.database, code)).toBeNull();
  }
});

test('stores no codes in the clear', async () => {
  const codes = codesIn(await linkOf());
  const { rows } = await db.database.query('select pay_links::text as row from pay_links');
  for (const { row } of rows) for (const code of codes) expect(row).not.toContain(code);
});

test('does not replace a link whose encryption key is missing', async () => {
  const link = await linkOf();
  await expect(linkOf(sessionId, createVault([randomBytes(32)]))).rejects.toMatchObject({ code: 'not_configured' });
  expect(await linkOf()).toEqual(link);
});

test('marks a link as opened for the first time only once', async () => {
  await linkOf();
  const marks = await Promise.all(Array.from({ length: 5 }, () => markOpened(db.database, sessionId)));
  expect(marks.filter(Boolean)).toHaveLength(1);
  expect(await markOpened(db.database, await createTestSession(db.database, merchant))).toBe(false);
});

test('deletes a link with its session', async () => {
  const [short = ''] = codesIn(await linkOf());
  await db.database.query('delete from checkout_sessions where id = $1', [sessionId]);
  expect(await findPayLink(db.database, short)).toBeNull();
});
