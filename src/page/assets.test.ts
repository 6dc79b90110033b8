/** The scripts as they were built: `npm test` builds them first. */
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import type { Processor } from '../payments/ports.ts';
import { loadPageScripts, pageScriptRoutes, scriptsOf } from './assets.ts';

const processor = (module: string) =>
  ({ modes: ['test'], page: () => ({ module, scripts: [], sources: {} }) }) as unknown as Processor;
const SCRIPTS = loadPageScripts([processor('stripe'), processor('square')]);

test('the page loads the module of its processor before its own script', () => {
  expect(scriptsOf(SCRIPTS, 'square').map(({ name }) => name)).toEqual(['square', 'page']);
  expect(scriptsOf(SCRIPTS, null).map(({ name }) => name)).toEqual(['page']);
});

test('a page’s scripts are small', () => {
  for (const module of ['stripe', 'square']) {
    const bytes = scriptsOf(SCRIPTS, module).reduce((sum, { bodies }) => sum + bodies.gzip.length, 0);
    // With the HTML 30 KB at most.
    expect(bytes).toBeLessThan(10_000);
  }
});

test('each is served for good under the hash of its content, compressed as the browser takes it', async () => {
  const app = fastify();
  pageScriptRoutes(app, SCRIPTS);
  for (const { path, integrity, bodies } of SCRIPTS.values()) {
    expect(path).toContain(createHash('sha256').update(bodies.identity).digest('hex').slice(0, 16));
    expect(integrity).toBe(`sha384-${createHash('sha384').update(bodies.identity).digest('base64')}`);
    const ask = async (accepted: string) => app.inject({ url: path, headers: { 'accept-encoding': accepted } });
    const [br, gzip, plain] = [await ask('gzip, br'), await ask('gzip'), await ask('')];
    expect(brotliDecompressSync(br.rawPayload)).toEqual(bodies.identity);
    expect(gunzipSync(gzip.rawPayload)).toEqual(bodies.identity);
    expect(plain.rawPayload).toEqual(bodies.identity);
    expect(br.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      vary: 'accept-encoding',
    });
  }
});

test('a script that was not built is told', () => {
  expect(() => loadPageScripts([processor('nobody')])).toThrow('npm run build');
});
