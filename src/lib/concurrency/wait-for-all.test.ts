import { expect, it } from 'vitest';
import { deferred } from './deferred.ts';
import { waitForAll } from './wait-for-all.ts';

it('returns all results in order', async () => {
  expect(await waitForAll([Promise.resolve(1), Promise.resolve('two')])).toEqual([1, 'two']);
});

it('fails only after the others have ended', async () => {
  const other = deferred<void>();
  const ended: string[] = [];
  const all = waitForAll([
    Promise.reject(new Error('broken')),
    other.promise.then(() => {
      ended.push('other');
    }),
  ]).catch((error: Error) => ended.push(error.message));
  await Promise.resolve();
  other.resolve();
  await all;
  expect(ended).toEqual(['other', 'broken']);
});
