/** Deleted cards: removed at once here, and by the worker at their processor, until it confirms. */

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { connectMerchant, credentialsSource } from '../../../src/accounts/merchants/processor.ts';
import { startWorker } from '../../../src/app/worker.ts';
import { saveCard } from '../../../src/checkout/cards/cards.ts';
import { forgetDueCards } from '../../../src/checkout/cards/forget.ts';
import { findInstrument } from '../../../src/db/cards/cards.ts';
import { cardsDue, deleteInstrument } from '../../../src/db/cards/removals.ts';
import { findMerchantRecord } from '../../../src/db/merchants/merchant-records.ts';
import { SYSTEM } from '../../../src/domain/audit.ts';
import type { InstrumentId } from '../../../src/domain/ids.ts';
import { parseE164 } from '../../../src/domain/phone-number.ts';
import { createVault } from '../../../src/lib/vault/vault.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import type { CardWallet, ForgetCardRequest } from '../../../src/payments/port/saved-cards.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { eventually } from '../../support/checkouts.ts';
import { createTestDatabase } from '../../support/database.ts';
import { firstDueInMs } from '../../support/due.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant, type TestMerchant } from '../../support/test-merchants.ts';
import { createRecordingLog } from '../payments/test-payments.ts';

const db = useTestDatabase();

test('has nothing due if no deleted card waits', async () => {
  const empty = await createTestDatabase();
  expect(await firstDueInMs(empty.database, cardsDue(true))).toBeNull();
  await empty.close();
});

const vault = createVault([randomBytes(32)]);
const CALLER = parseE164('+15550101234') ?? '';
const forever = new AbortController().signal;

interface Bank {
  processor: Processor;
  requests: ForgetCardRequest[];
  /** The next answers. */
  answer: 'gone' | 'unavailable';
}

/** A processor with credentials. @param account names the account that stores its cards, if it has one */
function openBank(name: string, account?: string): Bank {
  const sandbox = createSandbox(db.database);
  if (sandbox.wallet === null) throw new Error('the sandbox has a wallet');
  const bank: Pick<Bank, 'requests' | 'answer'> = { requests: [], answer: 'gone' };
  const forget: CardWallet['forget'] = async (request) => {
    bank.requests.push(request);
    return { status: bank.answer };
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
    takesOnPage: async () => false,
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
  const consent = { saveTerms: 'returning', maxAmountCents: null, wording: null } as const;
  const request = { caller, token: 'tok_visa', vault: null, isDefault: false, consent };
  return (await saveCard(deps, SYSTEM, testMerchant, await recordOf(testMerchant), request)).id;
}

/** Saves a card of a merchant who is connected to the bank with the key `first`. */
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

test('hides a deleted card at once, and erases its handle when the processor has confirmed', async () => {
  const { bank, deps, testMerchant, id } = await savedCard();
  expect(await deleteInstrument(db.database, id)).toBe(true);
  expect(await deleteInstrument(db.database, id)).toBe(false);
  expect(await findInstrument(db.database, testMerchant.accountId, id)).toBeNull();
  expect(await removalOf(id)).toMatchObject({ status: 'waiting', attempts: 0 });
  await forgetDueCards(deps, forever);
  expect(bank.requests).toMatchObject([{ handle: 'sandbox_visa', mode: 'test' }]);
  expect(await removalOf(id)).toMatchObject({ status: 'gone', attempts: 1, processor_handle: null });
  const { rows } = await db.database.query('select processor_handle from instruments where id = $1', [id]);
  expect(rows).toEqual([{ processor_handle: '' }]);
});

test('asks a processor that is unavailable again until it answers', async () => {
  const { bank, deps, id } = await savedCard();
  await deleteInstrument(db.database, id);
  bank.answer = 'unavailable';
  await forgetDueCards(deps, forever);
  expect(bank.requests).toHaveLength(1);
  const { next_attempt_at: next, requested_at: requested } = await removalOf(id);
  expect(next - requested).toBeGreaterThanOrEqual(5_000);
  expect(deps.log.lines).toContain('deleted card is still at the processor');
  bank.answer = 'gone';
  await dueNow(id);
  await forgetDueCards(deps, forever);
  expect(await removalOf(id)).toMatchObject({ status: 'gone', attempts: 2 });
});

test('removes a card with the credentials of its own processor, even if the merchant has changed to another', async () => {
  const [old, fresh] = [openBank('old_bank'), openBank('new_bank')];
  const { deps, testMerchant, id } = await savedCard(old, fresh);
  await connectTo(deps, testMerchant, fresh, 'second');
  await deleteInstrument(db.database, id);
  await forgetDueCards(deps, forever);
  expect(old.requests.map(keyOf)).toEqual(['first']);
  expect(fresh.requests).toEqual([]);
  expect(await removalOf(id)).toMatchObject({ status: 'gone' });
});

test('does not ask another account of the processor, which would say “gone” of a card that it never had', async () => {
  const { bank, deps, testMerchant, id } = await savedCard(openBank('bank', 'account'));
  await connectTo(deps, testMerchant, bank, 'second');
  await deleteInstrument(db.database, id);
  await forgetDueCards(deps, forever);
  expect(bank.requests).toEqual([]);
  expect(await removalOf(id)).toMatchObject({ status: 'waiting', attempts: 1 });
  await connectTo(deps, testMerchant, bank, 'first');
  await dueNow(id);
  await forgetDueCards(deps, forever);
  expect(await removalOf(id)).toMatchObject({ status: 'gone' });
});

test('gives up a card that cannot be removed, and logs that the operator has to remove it', async () => {
  const { bank, deps, id } = await savedCard();
  await deleteInstrument(db.database, id);
  bank.answer = 'unavailable';
  await db.database.query('update card_removals set attempts = 119 where instrument_id = $1', [id]);
  await forgetDueCards(deps, forever);
  expect(await removalOf(id)).toMatchObject({ status: 'given_up', processor_handle: expect.stringMatching(/./) });
  expect(deps.log.lines).toContain('removal of a deleted card given up: remove the card at the processor yourself');
});

test('removes cards in the worker, woken by the deletion', async () => {
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
