import { expect, test } from 'vitest';
import { STATEMENT_SIZES, sizeFor, together } from './batching.ts';

test('what is asked in one turn goes together, each with its own answer; what comes later goes later', async () => {
  const asked: number[][] = [];
  const double = together(
    async (all: readonly number[]) => {
      asked.push([...all]);
      return all.map((one) => one * 2);
    },
    { most: 3 },
  );
  expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10]);
  expect(await double(6)).toBe(12);
  expect(asked).toEqual([[1, 2, 3], [4, 5], [6]]);
});

test('what fails fails for those that went together, and for no other', async () => {
  const ask = together(
    async (all: readonly number[]) => {
      if (all.includes(2)) throw new Error('no two');
      return all;
    },
    { most: 2 },
  );
  const results = await Promise.allSettled([1, 2, 3, 4].map(ask));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
});

test('where that is allowed, each is asked for alone after a failure, once', async () => {
  const asked: number[][] = [];
  const ask = together(
    async (all: readonly number[]) => {
      asked.push([...all]);
      if (all.includes(2)) throw new Error('no two');
      return all;
    },
    { most: 3, mayAskAgain: (error) => error instanceof Error && error.message === 'no two' },
  );
  const results = await Promise.allSettled([1, 2, 3].map(ask));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(asked).toEqual([[1, 2, 3], [1], [2], [3]]);
});

test('a list is filled up to the next size', () => {
  expect([1, 2, 3, 5, 8, 9].map(sizeFor)).toEqual([1, 2, 4, 8, 8, 16]);
  expect(sizeFor(Math.max(...STATEMENT_SIZES) + 1)).toBeNaN();
});
