/** Charges of saved cards. A card of another caller, or one that cannot be charged here, creates no charge. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type InstrumentId, newId } from '../../../src/domain/ids.ts';
import { createVault, KEY_BYTES, type Vault } from '../../../src/lib/vault/vault.ts';
import type { SavedCardRefusal } from '../../../src/payments/rules/rules.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import {
  createTestMerchant,
  createTestSession,
  insertSavedCard,
  type TestMerchant,
} from '../../support/test-merchants.ts';
import { createTestPayments, readPaymentState } from './test-payments.ts';

const vault = createVault([randomBytes(KEY_BYTES)]);
const strangers = createVault([randomBytes(KEY_BYTES)]);

const db = useTestDatabase();

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
  it('decrypts its handle', async () => {
    const { merchant, card, sessionId } = await shopWithCard();
    const payments = createTestPayments(db.database, { vault });
    const result = await payments.pay(merchant, sessionId, saved(card));
    expect(result).toMatchObject({
      type: 'succeeded',
      order: { orderId: 'order_1', platformCallId: null },
      charge: { source: 'saved_card', instrumentId: card, brand: 'VISA', lastFour: '4242' },
    });
  });

  const set = (table: string, what: string) => (merchant: TestMerchant) =>
    db.database.query(`update ${table} set ${what} where account_id = $1`, [merchant.accountId]);

  it.each<[string, SavedCardRefusal, (merchant: TestMerchant) => Promise<unknown>]>([
    ['of another caller', 'card_of_other_caller', set('consumers', `phone = '+15550109999'`)],
    ['of a caller in the other mode', 'card_of_other_caller', set('consumers', `mode = 'live'`)],
    ['for a session without a caller', 'caller_unknown', set('checkout_sessions', 'caller_phone = null')],
    ['for a session where nothing is to be paid', 'nothing_to_pay', set('checkout_sessions', `verdict = 'none'`)],
    ['deleted', 'card_unknown', set('instruments', 'deleted_at = now()')],
    ['expired', 'card_not_chargeable', set('instruments', 'expiry_month = 3')],
    ['in another processor’s wallet', 'card_of_other_processor', set('instruments', `processor = 'another'`)],
    [
      'of an account of the processor’s that the merchant has not',
      'card_not_chargeable',
      set('instruments', `processor_account = 'theirs'`),
    ],
    [
      'at another merchant',
      'card_not_chargeable',
      async (merchant) => {
        const other = await createTestMerchant(db.database);
        await db.database.query('update instruments set merchant_id = $2 where account_id = $1', [
          merchant.accountId,
          other.merchantId,
        ]);
      },
    ],
    [
      'whose handle none of our keys opens',
      'handle_unreadable',
      (merchant) =>
        db.database.query('update instruments set processor_handle = $2 where account_id = $1', [
          merchant.accountId,
          strangers.seal('sandbox_visa', 'any'),
        ]),
    ],
    [
      'of a merchant whose credentials none of our keys opens',
      'credentials_unreadable',
      (merchant) =>
        db.database.query(
          `insert into merchant_processors (merchant_id, account_id, mode, processor, credentials)
           values ($2, $1, 'test', 'sandbox', $3)`,
          [merchant.accountId, merchant.merchantId, strangers.seal('{}', 'any')],
        ),
    ],
  ])('is not begun with one %s', async (_what, reason, breakIt) => {
    const { merchant, card, sessionId } = await shopWithCard();
    await breakIt(merchant);
    const result = await createTestPayments(db.database, { vault }).pay(merchant, sessionId, saved(card));
    expect(result).toMatchObject({ type: 'refused', reason, charge: null });
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({ charges: [], ledger: [] });
  });

  it('is not created with an unknown card or without a vault', async () => {
    const { merchant, card, sessionId } = await shopWithCard();
    const payWith = async (given: InstrumentId | null, vaultGiven: Vault | undefined) => {
      const payments = createTestPayments(db.database, vaultGiven === undefined ? {} : { vault: vaultGiven });
      return payments.pay(merchant, sessionId, {
        kind: 'saved',
        instrumentId: given,
        at: new Date('2031-04-15T12:00:00Z'),
      });
    };
    expect(await payWith(newId('Instrument'), vault)).toMatchObject({ type: 'refused', reason: 'card_unknown' });
    expect(await payWith(null, vault)).toMatchObject({ type: 'refused', reason: 'card_unknown' });
    expect(await payWith(card, undefined)).toMatchObject({ type: 'refused', reason: 'handle_unreadable' });
  });

  it('fails without sending anything if our key did not encrypt the handle', async () => {
    const { merchant, card, sessionId } = await shopWithCard();
    await db.database.query('update instruments set processor_handle = $2 where id = $1', [
      card,
      vault.seal('sandbox_visa', 'instrument:another'),
    ]);
    const result = await createTestPayments(db.database, { vault }).pay(merchant, sessionId, saved(card));
    expect(result).toMatchObject({
      type: 'merchant_fault',
      charge: { processorCode: 'credentials_rejected', declineCode: null },
    });
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({ ledger: [] });
  });
});
