import fastify from 'fastify';
import { expect, test } from 'vitest';
import { ASSOCIATION_PATH, associationRoute } from './association.ts';

test('the file is served as it is, and without one there is none', async () => {
  const [withFile, without] = [fastify(), fastify()];
  associationRoute(withFile, Buffer.from('7B227073'));
  associationRoute(without, null);
  const answer = await withFile.inject(ASSOCIATION_PATH);
  expect([answer.statusCode, answer.body]).toEqual([200, '7B227073']);
  expect((await without.inject(ASSOCIATION_PATH)).statusCode).toBe(404);
});
