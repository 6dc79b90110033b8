/** When the worker's work is due. Without any, the answer must be null, or the worker would query in a loop. */
import { expect, test } from 'vitest';
import { TEXTS_AFTER_DROP_DUE } from '../../../src/db/calls/texts-after-drop.ts';
import { cardsDue } from '../../../src/db/cards/removals.ts';
import { RECHECKS_DUE } from '../../../src/db/charges/rechecks.ts';
import { dueInMs, pendingDue } from '../../../src/db/due.ts';
import { SESSIONS_DUE } from '../../../src/db/sessions/sessions.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession } from '../../support/test-merchants.ts';

const db = useTestDatabase();
const TIMES = {
  charges: pendingDue('charges'),
  rechecks: RECHECKS_DUE,
  refunds: pendingDue('refunds'),
  cards: cardsDue(true),
  texts: TEXTS_AFTER_DROP_DUE,
  sessions: SESSIONS_DUE,
};

test('is null for each kind without work, and the time of the first for others', async () => {
  const nothing = { charges: null, rechecks: null, refunds: null, cards: null, texts: null, sessions: null };
  expect(await dueInMs(db.database, TIMES)).toEqual(nothing);
  await createTestSession(db.database, await createTestMerchant(db.database), { secondsLeft: -1 });
  expect(await dueInMs(db.database, TIMES)).toEqual({ ...nothing, sessions: 0 });
});
