import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { assetRoutes, hashedAsset, readBuilt, readFromPackage, staticAsset } from './static-assets.ts';

const BYTES = Buffer.from('console.log("a script");\n'.repeat(40));

function serve(...assets: Parameters<typeof assetRoutes>[1][]) {
  const app = fastify();
  for (const each of assets) assetRoutes(app, each);
  return (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
}

test('an asset is compressed as the browser accepts it', async () => {
  const asset = hashedAsset('/pay/assets', 'page.js', BYTES);
  const get = serve([asset]);
  const [br, gzip, plain] = await Promise.all(
    ['gzip, br', 'gzip', ''].map((accepted) => get(asset.path, { 'accept-encoding': accepted })),
  );
  expect(brotliDecompressSync(br?.rawPayload ?? '')).toEqual(BYTES);
  expect(gunzipSync(gzip?.rawPayload ?? '')).toEqual(BYTES);
  expect(plain?.rawPayload).toEqual(BYTES);
  expect(br?.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'accept-encoding',
  });
});

test('the path and the integrity value of a hashed asset come from its content', () => {
  const { path, integrity } = hashedAsset('/pay/assets', 'page.js', BYTES);
  expect(path).toBe(`/pay/assets/${createHash('sha256').update(BYTES).digest('hex').slice(0, 16)}/page.js`);
  expect(integrity).toBe(`sha384-${createHash('sha384').update(BYTES).digest('base64')}`);
});

test('browsers keep a hashed asset for a year and ask again for a plain one', async () => {
  const [hashed, plain] = [hashedAsset('/a', 'one.css', BYTES), staticAsset('/a', 'two.css', BYTES)];
  const get = serve([hashed, plain]);
  expect((await get(hashed.path)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const first = await get(plain.path);
  expect(first.headers).toMatchObject({
    'cache-control': 'public, max-age=3600',
    'content-type': 'text/css; charset=utf-8',
  });
  expect((await get(plain.path, { 'if-none-match': String(first.headers.etag) })).statusCode).toBe(304);
});

test('files come from the build and from npm packages', () => {
  expect(readBuilt('main.js').length).toBeGreaterThan(0);
  expect(readFromPackage('htmx.org/dist/htmx.min.js').toString()).toContain('htmx');
  expect(() => readBuilt('missing.js')).toThrow('missing.js is missing: run npm run build.');
});
