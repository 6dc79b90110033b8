/** A saved card is judged by the statement that begins its charge: what is not the caller's, or not good here, begins none. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InstrumentId, newId } from '../../../src/domain/ids.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { createVault, KEY_BYTES } from '../../../src/vault/vault.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  readPaymentState,
  countStatements,
  createTestSession,
  createTestMerchant,
  createTestPayments,
  FAST_SANDBOX,
  type TestMerchant,
  insertSavedCard,
} from './test-payments.ts';

const vault = createVault([randomBytes(KEY_BYTES)]);
const strangers = createVault([randomBytes(KEY_BYTES)]);

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

const saved = (instrumentId: InstrumentId, at = '2031-04-15T12:00:00Z') =>
  ({ kind: 'saved', instrumentId, at: new Date(at) }) as const;

async function shopWithCard() {
  const merchant = await createTestMerchant(db.database);
  return {
    merchant,
    card: await insertSavedCard(db.database, merchant, vault),
    sessionId: await createTestSession(db.database, merchant),
  };
}

describe('a charge of a saved card', () => {
  it('opens its handle, and takes two round trips', async () => {
    const { merchant, card, sessionId } = await shopWithCard();
    const database = countStatements(db.database);
    const payments = createTestPayments(database, { vault, processors: [createSandbox(db.database, FAST_SANDBOX)] });
    const result = await payments.pay(merchant, sessionId, saved(card));
    expect(result).toMatchObject({
      ...{ type: 'succeeded', order: { orderId: 'order_1', platformCallId: null } },
      charge: { source: 'saved_card', instrumentId: card, brand: 'VISA', lastFour: '4242' },
    });
    expect(database.count).toBe(2);
  });

  const set = (table: string, what: string) => (merchant: TestMerchant) =>
    db.database.query(`update ${table} set ${what} where account_id = $1`, [merchant.accountId]);

  it.each<[string, (merchant: TestMerchant) => Promise<unknown>]>([
    ['of another caller', set('consumers', `phone = '+15550109999'`)],
    ['of a caller in the other mode', set('consumers', `mode = 'live'`)],
    ['for a session without a caller', set('checkout_sessions', 'caller_phone = null')],
    ['for a session where nothing is to be paid', set('checkout_sessions', `verdict = 'none'`)],
    ['deleted', set('instruments', 'deleted_at = now()')],
    ['expired', set('instruments', 'expiry_month = 3')],
    ['in another processor’s wallet', set('instruments', `processor = 'another'`)],
    ['of an account of the processor’s that the merchant has not', set('instruments', `processor_account = 'theirs'`)],
    [
      'at another merchant',
      async (merchant) => {
        const other = await createTestMerchant(db.database);
        await db.database.query('update instruments set merchant_id = $2 where account_id = $1', [
          ...[merchant.accountId, other.merchantId],
        ]);
      },
    ],
    [
      'whose handle none of our keys opens',
      (merchant) =>
        db.database.query('update instruments set processor_handle = $2 where account_id = $1', [
          ...[merchant.accountId, strangers.seal('sandbox_visa', 'any')],
        ]),
    ],
    [
      'of a merchant whose credentials none of our keys opens',
      (merchant) =>
        db.database.query(
          `insert into merchant_processors (merchant_id, account_id, mode, processor, credentials)
           values ($2, $1, 'test', 'sandbox', $3)`,
          [merchant.accountId, merchant.merchantId, strangers.seal('{}', 'any')],
        ),
    ],
  ])('is not begun with one %s', async (_what, breakIt) => {
    const { merchant, card, sessionId } = await shopWithCard();
    await breakIt(merchant);
    const result = await createTestPayments(db.database, { vault }).pay(merchant, sessionId, saved(card));
    expect(result).toEqual({ type: 'refused', reason: 'card_not_chargeable', charge: null });
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({ charges: [], ledger: [] });
  });

  it('is not begun with a card that is none, or without a vault', async () => {
    const { merchant, card, sessionId } = await shopWithCard();
    const refused = { type: 'refused', reason: 'card_not_chargeable', charge: null };
    expect(
      await createTestPayments(db.database, { vault }).pay(merchant, sessionId, saved(newId('Instrument'))),
    ).toEqual(refused);
    expect(await createTestPayments(db.database).pay(merchant, sessionId, saved(card))).toEqual(refused);
  });

  it('fails, and sends nothing, where the handle is not what our key sealed', async () => {
    const { merchant, card, sessionId } = await shopWithCard();
    await db.database.query('update instruments set processor_handle = $2 where id = $1', [
      ...[card, vault.seal('sandbox_visa', 'instrument:another')],
    ]);
    const result = await createTestPayments(db.database, { vault }).pay(merchant, sessionId, saved(card));
    expect(result).toMatchObject({ type: 'declined', charge: { processorCode: 'credentials_rejected' } });
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({ ledger: [] });
  });
});
