/** The logo of a merchant: upload, what is refused, where it is served, removal, and the audit trail. */
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { getPage, openTestPage } from '../page/pages.ts';
import { useFixture } from '../support/fixtures.ts';
import { bearer, expectError, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { startMerchantsApi } from './merchants-api.ts';

const fixture = useFixture(async () => {
  const merchants = await startMerchantsApi();
  return { ...merchants, close: () => merchants.api.close() };
});

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 32"><title>Shop</title><rect width="64" height="32" fill="#24569b"/></svg>';
const SVG_TYPE = { 'content-type': 'image/svg+xml' };
const PNG_TYPE = { 'content-type': 'image/png' };
const NAME = /\/pay\/logos\/[0-9a-f]{64}\.(?:svg|png)$/;

async function newMerchant(): Promise<{ id: string; path: string }> {
  const { merchant_id } = await fixture.create();
  return { id: merchant_id, path: `/v1/merchants/${merchant_id}/logo` };
}

const put = (path: string, file: string | Uint8Array, headers: Record<string, string>) =>
  fixture.api.send('PUT', path, file, headers);

/** The file that an answer's `url` names. The host of pay links is another. */
const fetchLogo = (answer: { body: Record<string, unknown> }) => {
  const { url } = answer.body.logo as { url: string };
  expect(url).toMatch(NAME);
  return fetch(fixture.api.url + new URL(url).pathname);
};

test('is uploaded, replaced, served and removed', async () => {
  const { id, path } = await newMerchant();
  const none = { merchant_id: id, logo: null };
  expect((await fixture.api.get(path)).body).toEqual(none);
  const green = SVG.replace('#24569b', '#0b6b53');
  const first = await put(path, green, { 'content-type': 'image/svg+xml; charset=utf-8' });
  expect(first.body).toMatchObject({
    merchant_id: id,
    logo: { content_type: 'image/svg+xml', width: 512, height: 256 },
  });
  expect((await fixture.api.get(path)).body).toEqual(first.body);
  const served = await fetchLogo(first);
  expect(await served.text()).not.toContain('title');
  const second = await put(path, tinyPng(), PNG_TYPE);
  expect(second.body).toMatchObject({ logo: { content_type: 'image/png', width: 1, height: 1 } });
  expect((await fetchLogo(first)).status).toBe(404);
  expect((await fetchLogo(second)).status).toBe(200);
  expect((await fixture.api.send('DELETE', path)).body).toEqual(none);
  expect((await fixture.api.send('DELETE', path)).body).toEqual(none);
  expect((await fetchLogo(second)).status).toBe(404);
});

test('is served so that nothing in it can run, and browsers keep it', async () => {
  const { path } = await newMerchant();
  const { headers } = await fetchLogo(await put(path, SVG, SVG_TYPE));
  expect(headers.get('content-type')).toBe('image/svg+xml');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; sandbox");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test('is on the pay page as an image, and its policy allows nothing more for it', async () => {
  const { path, merchant } = await openTestPage(fixture.api.database);
  const before = await getPage(fixture.api.url + path);
  expect(before.html).not.toContain('<img');
  await fixture.api.database.query(
    `insert into merchant_logos (merchant_id, type, hash, width, height, size_bytes, bytes)
     values ($1, 'image/svg+xml', $2, 512, 256, 1, '\\x20')`,
    [merchant.id, 'a'.repeat(64)],
  );
  const after = await getPage(fixture.api.url + path);
  expect(after.html).toContain(
    `<img class="logo" src="/pay/logos/${'a'.repeat(64)}.svg" alt="" width="512" height="256">`,
  );
  const policyOf = ({ headers }: typeof after) =>
    headers.get('content-security-policy')?.replace(/'nonce-[^']+'/g, 'nonce');
  expect(policyOf(after)).toBe(policyOf(before));
});

test('refuses wrong types, sizes and files, and keeps the logo that was there', async () => {
  const { path } = await newMerchant();
  const kept = await put(path, SVG, SVG_TYPE);
  const json = { 'content-type': 'application/json' };
  for (const [file, headers, message] of [
    [SVG, json, 'Content-Type'],
    [SVG, { 'content-type': 'text/html' }, 'Content-Type'],
    [SVG, { 'content-type': 'image/svg+xml,text/html' }, 'Content-Type'],
    [SVG, PNG_TYPE, 'not a PNG'],
    [tinyPng(), SVG_TYPE, 'UTF-8'],
    ['', SVG_TYPE, 'empty'],
    ['<script/>', SVG_TYPE, 'not an SVG'],
    [SVG.replace('<title>', '<script>alert(1)</script><title>'), SVG_TYPE, 'script'],
    [SVG.padEnd(50 * 1024 + 1), SVG_TYPE, '50 KiB'],
    [SVG.padEnd(80_000), SVG_TYPE, '50 KiB'],
  ] as const) {
    const answer = await put(path, file, headers);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_value' } } });
    expect(answer.text).toContain(message);
  }
  expect((await fixture.api.get(path)).body).toEqual(kept.body);
});

test('has the limit of 50 KiB, and other operations keep theirs', async () => {
  const { id, path } = await newMerchant();
  expect((await put(path, SVG.padEnd(50 * 1024), SVG_TYPE)).status).toBe(200);
  expectError(await fixture.api.send('PATCH', `/v1/merchants/${id}`, SVG, SVG_TYPE), 'invalid_value', 'Content-Type');
});

test('belongs to its merchant: not found by other accounts, refused in the other mode', async () => {
  const { path } = await newMerchant();
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const [file, type] = method === 'PUT' ? [SVG, SVG_TYPE] : [undefined, {}];
    const send = (to: string, headers = {}) => fixture.api.send(method, to, file, { ...type, ...headers });
    const notFound = { status: 404, body: { error: { code: 'merchant_not_found' } } };
    expect(await send(path, bearer(OTHER_KEY)), method).toMatchObject(notFound);
    expect(await send('/v1/merchants/mer_unknown/logo'), method).toMatchObject(notFound);
    expectError(await send(path, bearer(LIVE_KEY)), 'invalid_key');
  }
});

test('is in the audit trail without its bytes, and is deleted with its merchant', async () => {
  const { id, path } = await newMerchant();
  await put(path, SVG, SVG_TYPE);
  await fixture.api.send('DELETE', path);
  const { body } = await fixture.api.get(`/v1/audit_events?object=${id}`);
  const events = body.audit_events as { action: string; object_id: string; changes: unknown }[];
  const ofLogo = events.filter(({ action }) => action.startsWith('merchant.logo'));
  const logo = {
    content_type: 'image/svg+xml',
    sha256: expect.any(String),
    width: 512,
    height: 256,
    size_bytes: expect.any(Number),
  };
  expect(ofLogo).toMatchObject([
    { action: 'merchant.logo_removed', changes: { from: logo } },
    { action: 'merchant.logo_set', changes: { from: null, to: logo } },
  ]);
  expect(JSON.stringify(ofLogo)).not.toContain('<svg');
  await put(path, SVG, SVG_TYPE);
  const { rows } = await fixture.api.database.query<{ rule: string }>(
    `select confdeltype as rule from pg_constraint where conrelid = 'merchant_logos'::regclass and contype = 'f'`,
  );
  expect(rows).toEqual([{ rule: 'c' }]);
});

test.each([
  'x.svg',
  `${'a'.repeat(64)}.html`,
  `${'A'.repeat(64)}.svg`,
  `${'a'.repeat(64)}.svg.html`,
  `..%2f${'a'.repeat(64)}.svg`,
  `${'a'.repeat(63)}%00.svg`,
])('serves nothing at the address %s', async (name) => {
  expect((await fetch(`${fixture.api.url}/pay/logos/${name}`)).status).toBe(404);
});

/** One gray pixel. */
function tinyPng(): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    // The checksum is computed again, not read.
    return Buffer.concat([length, Buffer.from(type), content, Buffer.alloc(4)]);
  };
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])),
    chunk('IDAT', deflateSync(Buffer.from([0, 128]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
