/** Paid calls after which a text is promised, and those after which none can be sent. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NewSession } from '../../../src/db/sessions/sessions.ts';
import { chargesForTexts, optOut } from '../../../src/db/texts/texts.ts';
import type { ChargeId, CheckoutSessionId } from '../../../src/domain/ids.ts';
import { PhoneHarness } from './phone-harness.ts';

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start({ settings: { trunks: ['127.0.0.0/8'] } });
});
afterAll(() => harness.close());

let paid: CheckoutSessionId;

/** Pays on a call. @returns whether a text was promised */
async function promised(overrides: Partial<NewSession>, from = 'anonymous'): Promise<boolean | undefined> {
  const { caller, id } = await harness.answered(overrides, { headers: { From: `<sip:${from}@trunk>` } });
  paid = id;
  await harness.keyCard(caller);
  await caller.ended();
  expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
  return harness.textPromises.at(-1);
}

it('a text is promised only to a number that accepts texts', async () => {
  expect(await promised({ callerPhone: '+15550103001', orderId: null })).toBe(true);
  await optOut(harness.db.database, '+15550103001', 'STOP');
  expect(await promised({ callerPhone: '+15550103001', orderId: null })).toBe(false);
  expect(await promised({ callerPhone: null, orderId: null })).toBe(false);
});

it('a session without a number gets the trunk’s calling number, for texts alone', async () => {
  expect(await promised({ callerPhone: null, orderId: null }, '+15550103002')).toBe(true);
  const { rows } = await harness.db.database.query<{ id: ChargeId; caller_phone: string | null }>(
    'select c.id, s.caller_phone from charges c join checkout_sessions s on s.id = c.session_id where s.id = $1',
    [paid],
  );
  expect(rows).toMatchObject([{ caller_phone: null }]);
  const texts = await chargesForTexts(
    harness.db.database,
    rows.map(({ id }) => id),
  );
  expect(texts).toMatchObject([{ recipient: '+15550103002' }]);
  await optOut(harness.db.database, '+15550103002', 'STOP');
  expect(await promised({ callerPhone: null, orderId: null }, '+15550103002')).toBe(false);
});
