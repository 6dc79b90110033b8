/** The scripts as they were built: `npm test` builds them first. */

import fastify from 'fastify';
import { expect, test } from 'vitest';
import type { Processor } from '../../payments/port/processor.ts';
import { compress } from '../shared/static-assets.ts';
import { ASSOCIATION_PATH, associationRoute, loadPageScripts, scriptsOf } from './assets.ts';

const processor = (module: string) =>
  ({ modes: ['test'], page: () => ({ module, scripts: [], sources: {} }) }) as unknown as Processor;
const MODULES = ['stripe', 'square', 'authorizenet', 'braintree', 'worldpay', 'adyen'];
const SCRIPTS = loadPageScripts(MODULES.map(processor));

test('the page loads the module of its processor before its own script', () => {
  expect(scriptsOf(SCRIPTS, 'square').map(({ name }) => name)).toEqual(['square', 'page']);
  expect(scriptsOf(SCRIPTS, null).map(({ name }) => name)).toEqual(['page']);
});

test('the scripts of a pay page are smaller than 10 KB', async () => {
  for (const module of MODULES) {
    const bodies = await Promise.all(scriptsOf(SCRIPTS, module).map(({ bytes }) => compress(bytes, 'gzip')));
    // With the HTML 30 KB at most.
    expect(bodies.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(10_000);
  }
});

test('loading a script that was not built says how to build it', () => {
  expect(() => loadPageScripts([processor('nobody')])).toThrow('npm run build');
});

test('the file is served as it is, and without one there is none', async () => {
  const [withFile, without] = [fastify(), fastify()];
  associationRoute(withFile, Buffer.from('7B227073'));
  associationRoute(without, null);
  const answer = await withFile.inject(ASSOCIATION_PATH);
  expect([answer.statusCode, answer.body]).toEqual([200, '7B227073']);
  expect((await without.inject(ASSOCIATION_PATH)).statusCode).toBe(404);
});
