import { expect, test } from 'vitest';
import type { Visit } from '../page/visit.ts';
import { findByText } from './find.ts';

/** Counts the requests, and how many are there at the same time. */
function countingVisit() {
  const counts = { all: 0, atOnce: 0, most: 0 };
  const tryAsk = async () => {
    counts.all += 1;
    counts.atOnce += 1;
    counts.most = Math.max(counts.most, counts.atOnce);
    await new Promise((answer) => setImmediate(answer));
    counts.atOnce -= 1;
    return { ok: true, body: {} };
  };
  return { counts, visit: { tryAsk } as unknown as Visit };
}

test('a search runs one query of each list at once, however many filters the text can match', async () => {
  const { counts, visit } = countingVisit();
  await findByText(visit, '4242');
  expect(counts).toEqual({ all: 13, atOnce: 0, most: 3 });
});
