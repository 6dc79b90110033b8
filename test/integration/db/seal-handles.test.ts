/** Handles of before they were sealed are sealed at a start, and can be opened then as before. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedDemo } from '../../../src/standalone/demo-data.ts';
import { type InstrumentId, newId } from '../../../src/domain/ids.ts';
import { sealHandles } from '../../../src/db/cards/cards.ts';
import { deleteInstrument } from '../../../src/db/cards/removals.ts';
import { openHandle, sealHandle } from '../../../src/vault/handles.ts';
import { createVault } from '../../../src/vault/vault.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await seedDemo(db.database);
});
afterAll(() => db.close());

const vault = createVault([randomBytes(32)]);
const seal = (id: InstrumentId, handle: string) => sealHandle(vault, id, handle);

async function insertPlain(handle: string): Promise<InstrumentId> {
  const id = newId('Instrument');
  await db.database.query(
    `insert into instruments (id, account_id, mode, consumer_id, merchant_id, processor, processor_handle, brand, last_four,
                              expiry_month, expiry_year)
     values ($1, 'acct_demo', 'test', 'con_demo_caller', 'mer_demo_books', 'sandbox', $2, 'VISA', '4242', 12, 2049)`,
    [id, handle],
  );
  return id;
}

async function atRest(id: InstrumentId) {
  const { rows } = await db.database.query<{ processorHandle: string; handleSealed: boolean }>(
    'select processor_handle as "processorHandle", handle_sealed as "handleSealed" from instruments where id = $1',
    [id],
  );
  if (rows[0] === undefined) throw new Error('no such card');
  return { id, ...rows[0] };
}

test('a batch at a time, each once, and deleted cards are left alone', async () => {
  await sealHandles(db.database, 100, seal);
  const cards = [await insertPlain('cus_1/pm_1'), await insertPlain('cus_2/pm_2')];
  const deleted = await insertPlain('cus_3/pm_3');
  await deleteInstrument(db.database, deleted);
  expect(await sealHandles(db.database, 1, seal)).toBe(1);
  expect(await sealHandles(db.database, 100, seal)).toBe(1);
  expect(await sealHandles(db.database, 100, seal)).toBe(0);
  const found = await Promise.all(cards.map(atRest));
  expect(found.map(({ handleSealed }) => handleSealed)).toEqual([true, true]);
  expect(JSON.stringify(found)).not.toMatch(/cus_|pm_/);
  expect(found.map((card) => openHandle(vault, card))).toEqual(['cus_1/pm_1', 'cus_2/pm_2']);
  expect(await atRest(deleted)).toMatchObject({ processorHandle: '', handleSealed: false });
});

test('a sealed handle opens for its own card only, and not without the keys', async () => {
  const id = await insertPlain('cus_4/pm_4');
  await sealHandles(db.database, 10, seal);
  const card = await atRest(id);
  expect(openHandle(vault, { ...card, id: newId('Instrument') })).toBeNull();
  expect(openHandle(createVault([randomBytes(32)]), card)).toBeNull();
  expect(openHandle(null, card)).toBeNull();
});
