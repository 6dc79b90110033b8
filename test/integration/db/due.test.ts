/** When work is due, as the worker asks: where none waits it must hear so, or it would look again at once, for ever. */
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
])('where there is no %s, none is due', async (_, nextDueInMs) => {
  expect(await nextDueInMs(db.database)).toBeNull();
});
