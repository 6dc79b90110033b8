/** What the page of a list shows above its rows while its totals are still being read. */
import { Fragment, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { deferred } from '../../../lib/concurrency/deferred.ts';
import { totalsInTime } from './totals.tsx';

const LONG_MS = 60_000;
const NEVER = new Promise<never>(() => undefined);
const shown = async (...of: Parameters<typeof totalsInTime>) =>
  renderToString(h(Fragment, null, await totalsInTime(...of)));

test('shows totals that are read in time, also after the rows', async () => {
  const totals = deferred<string>();
  const shownTotals = shown(totals.promise, Promise.resolve(), LONG_MS);
  totals.resolve('2 refunds');
  expect(await shownTotals).toBe('2 refunds');
});

test('shows totals that take too long if the rows take longer', async () => {
  const totals = deferred<string>();
  const shownTotals = shown(totals.promise, NEVER, 0);
  setTimeout(() => totals.resolve('2 refunds'), 5);
  expect(await shownTotals).toBe('2 refunds');
});

test('suggests a shorter period if the totals take too long', async () => {
  expect(await shown(NEVER, Promise.resolve(), 0)).toContain('Choose a shorter period to see totals.');
});

test('rejects if the rows cannot be read', async () => {
  await expect(totalsInTime(NEVER, Promise.reject(new Error('no rows')), LONG_MS)).rejects.toThrow('no rows');
});
