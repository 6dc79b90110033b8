/** Deleted cards: removed here at once, and at their processor by the worker until it confirms. */

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { connectMerchant, credentialsSource } from '../../../src/accounts/merchants/processor.ts';
import { startWorker } from '../../../src/app/worker.ts';
import { saveCard } from '../../../src/checkout/cards/cards.ts';
import { forgetDueCards } from '../../../src/checkout/cards/forget.ts';
import { findInstrument } from '../../../src/db/cards/cards.ts';
import { deleteInstrument, nextCardDueInMs } from '../../../src/db/cards/removals.ts';
import { findMerchantRecord } from '../../../src/db/merchants/merchant-records.ts';
import { SYSTEM } from '../../../src/domain/audit.ts';
import type { InstrumentId } from '../../../src/domain/ids.ts';
import { parseE164 } from '../../../src/domain/phone-number.ts';
import { createVault } from '../../../src/lib/vault/vault.ts';
import type { CardWallet, ForgetCardRequest, Processor } from '../../../src/payments/ports.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { eventually } from '../../support/checkouts.ts';
import { createTestDatabase } from '../../support/database.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant, type TestMerchant } from '../../support/test-merchants.ts';
import { createRecordingLog } from '../payments/test-payments.ts';

const db = useTestDatabase();

test('nothing is due where no card waits: the sweep of cards rests until its next poll', async () => {
  const empty = await createTestDatabase();
  expect(await nextCardDueInMs(empty.database, true)).toBeNull();
  await empty.close();
});

const vault = createVault([randomBytes(32)]);
const CALLER = parseE164('+15550101234') ?? '';
const forever = new AbortController().signal;

interface Bank {
  processor: Processor;
  asked: ForgetCardRequest[];
  /** What it says next. */
  says: 'gone' | 'unavailable';
}

/** A processor with credentials, whose cards are of one account where `account` names it. */
function openBank(name: string, account?: string): Bank {
  const sandbox = createSandbox(db.database);
  if (sandbox.wallet === null) throw new Error('the sandbox has a wallet');
  const bank: Pick<Bank, 'asked' | 'says'> = { asked: [], says: 'gone' };
  const forget: CardWallet['forget'] = async (request) => {
    bank.asked.push(request);
    return { status: bank.says };
  };
  const processor: Processor = {
    ...sandbox,
    name,
    needsCredentials: true,
    wallet: { ...sandbox.wallet, forget },
    checkConnection: async (_mode, { api_key: key }) => ({
      status: 'ok',
      ...(account !== undefined && { account: `${account} of ${key?.reveal(String)}` }),
    }),
  };
  return Object.assign(bank, { processor });
}

function depsOf(...banks: Bank[]) {
  const processors = banks.map(({ processor }) => processor);
  const { database } = db;
  const log = createRecordingLog();
  return {
    database,
    processors,
    vault,
    log,
    now: () => new Date(),
    privateTargets: true,
    canSendLinks: () => false,
    credentialsFor: credentialsSource(database, vault),
  };
}

type Deps = ReturnType<typeof depsOf>;

async function recordOf(testMerchant: TestMerchant) {
  const record = await findMerchantRecord(db.database, testMerchant.accountId, testMerchant.merchantId);
  if (record === null) throw new Error('no merchant');
  return record;
}

async function connectTo(deps: Deps, testMerchant: TestMerchant, bank: Bank, key: string): Promise<void> {
  const { merchant } = await recordOf(testMerchant);
  await connectMerchant(deps, SYSTEM, testMerchant, merchant, {
    processor: bank.processor.name,
    credentials: { api_key: key },
  });
}

async function savedAt(deps: Deps, testMerchant: TestMerchant): Promise<InstrumentId> {
  const caller = { phone: CALLER, firstName: null, lastName: null, email: null };
  const request = { caller, token: 'tok_visa', vault: null, isDefault: false };
  return (await saveCard(deps, SYSTEM, testMerchant, await recordOf(testMerchant), request)).id;
}

/** A card that is saved with the bank, by a merchant who is connected to it with the key `first`. */
async function savedCard(bank = openBank('bank'), ...others: Bank[]) {
  const deps = depsOf(bank, ...others);
  const testMerchant = await createTestMerchant(db.database);
  await connectTo(deps, testMerchant, bank, 'first');
  return { bank, deps, testMerchant, id: await savedAt(deps, testMerchant) };
}

async function removalOf(id: InstrumentId) {
  const { rows } = await db.database.query('select * from card_removals where instrument_id = $1', [id]);
  expect(rows).toHaveLength(1);
  return rows[0];
}

const dueNow = (id: InstrumentId) =>
  db.database.query('update card_removals set next_attempt_at = now() where instrument_id = $1', [id]);

const keyOf = ({ credentials }: ForgetCardRequest) => credentials.api_key?.reveal(String);

test('a deleted card is invisible at once, and its handle is nowhere when the processor has said that it is gone', async () => {
  const { bank, deps, testMerchant, id } = await savedCard();
  expect(await deleteInstrument(db.database, id)).toBe(true);
  expect(await deleteInstrument(db.database, id)).toBe(false);
  expect(await findInstrument(db.database, testMerchant.accountId, id)).toBeNull();
  expect(await removalOf(id)).toMatchObject({ status: 'waiting', attempts: 0 });
  await forgetDueCards(deps, forever);
  expect(bank.asked).toMatchObject([{ handle: 'sandbox_visa', mode: 'test' }]);
  expect(await removalOf(id)).toMatchObject({ status: 'gone', attempts: 1, processor_handle: null });
  const { rows } = await db.database.query('select processor_handle from instruments where id = $1', [id]);
  expect(rows).toEqual([{ processor_handle: '' }]);
});

test('a processor that cannot be asked is asked again until it has answered', async () => {
  const { bank, deps, id } = await savedCard();
  await deleteInstrument(db.database, id);
  bank.says = 'unavailable';
  await forgetDueCards(deps, forever);
  expect(bank.asked).toHaveLength(1);
  const { next_attempt_at: next, requested_at: requested } = await removalOf(id);
  expect(next - requested).toBeGreaterThanOrEqual(5_000);
  expect(deps.log.lines).toContain('deleted card is still at the processor');
  bank.says = 'gone';
  await dueNow(id);
  await forgetDueCards(deps, forever);
  expect(await removalOf(id)).toMatchObject({ status: 'gone', attempts: 2 });
});

test('a card is forgotten with the credentials of the processor that has it, whichever the merchant is at now', async () => {
  const [old, fresh] = [openBank('old_bank'), openBank('new_bank')];
  const { deps, testMerchant, id } = await savedCard(old, fresh);
  await connectTo(deps, testMerchant, fresh, 'second');
  await deleteInstrument(db.database, id);
  await forgetDueCards(deps, forever);
  expect(old.asked.map(keyOf)).toEqual(['first']);
  expect(fresh.asked).toEqual([]);
  expect(await removalOf(id)).toMatchObject({ status: 'gone' });
});

test('another account of the processor is not asked: it would say gone of a card that it never had', async () => {
  const { bank, deps, testMerchant, id } = await savedCard(openBank('bank', 'account'));
  await connectTo(deps, testMerchant, bank, 'second');
  await deleteInstrument(db.database, id);
  await forgetDueCards(deps, forever);
  expect(bank.asked).toEqual([]);
  expect(await removalOf(id)).toMatchObject({ status: 'waiting', attempts: 1 });
  await connectTo(deps, testMerchant, bank, 'first');
  await dueNow(id);
  await forgetDueCards(deps, forever);
  expect(await removalOf(id)).toMatchObject({ status: 'gone' });
});

test('a card that nobody can remove is a person’s in the end', async () => {
  const { bank, deps, id } = await savedCard();
  await deleteInstrument(db.database, id);
  bank.says = 'unavailable';
  await db.database.query('update card_removals set attempts = 119 where instrument_id = $1', [id]);
  await forgetDueCards(deps, forever);
  expect(await removalOf(id)).toMatchObject({ status: 'given_up', processor_handle: expect.stringMatching(/./) });
  expect(deps.log.lines).toContain('removal of a deleted card given up: remove the card at the processor yourself');
});

test('the worker sees to it, woken by the deletion', async () => {
  const { deps, id } = await savedCard();
  const worker = startWorker({ ...deps, pollMs: 600_000 });
  try {
    await deleteInstrument(db.database, id);
    worker.wake();
    await eventually(120_000, async () => expect(await removalOf(id)).toMatchObject({ status: 'gone' }));
  } finally {
    await worker.close();
  }
});
