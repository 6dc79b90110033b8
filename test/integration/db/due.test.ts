/** When the worker's work is due. Without any, the answer must be null, or the worker would query in a loop. */
import { expect, test } from 'vitest';
import { nextTextDueInMs } from '../../../src/db/calls/texts-after-drop.ts';
import { nextCardDueInMs } from '../../../src/db/cards/removals.ts';
import { nextPendingDueInMs } from '../../../src/db/due.ts';
import type { Sql } from '../../../src/db/pool.ts';
import { useTestDatabase } from '../../support/fixtures.ts';

const db = useTestDatabase();

test.each<[string, (sql: Sql) => Promise<number | null>]>([
  ['charge', (sql) => nextPendingDueInMs(sql, 'charges')],
  ['refund', (sql) => nextPendingDueInMs(sql, 'refunds')],
  ['card', (sql) => nextCardDueInMs(sql, true)],
  ['text after a drop', nextTextDueInMs],
])('has nothing due without a %s', async (_, nextDueInMs) => {
  expect(await nextDueInMs(db.database)).toBeNull();
});
