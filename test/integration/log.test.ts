/** The log of a real process: gathered lines reach its reader, the last ones too. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type TestProduct } from '../support/product.ts';

let product: TestProduct;
beforeAll(async () => {
  product = await startProduct({ RINGKEY_ROLES: 'api', RINGKEY_ENGINE: 'external' });
});
afterAll(() => product?.close());

test('a process that is told to stop has written a line for each request it answered', async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, () => fetch(`${product.baseUrl}/v1/nowhere`)));
  const ids = answers.map(({ headers }) => headers.get('x-request-id'));
  await product.stop('SIGTERM');
  // What lies in the pipe is read after the process has gone.
  await expect.poll(() => product.output()).toContain('"msg":"stopped"');
  const lines = product.output().split('\n');
  const answered = lines.filter((line) => line.includes('"msg":"request answered"'));
  expect(ids.filter((id) => answered.filter((line) => line.includes(`"${id}"`)).length !== 1)).toEqual([]);
});
