/** Cards that are verified and saved without a payment: the row and the card at the processor always agree. */
import { describe, expect, it } from 'vitest';
import { eraseConsumer, findConsumerById } from '../../../src/db/cards/erasure.ts';
import { newId } from '../../../src/domain/ids.ts';
import { openHandle } from '../../../src/lib/vault/vault.ts';
import { resolveDueCharges } from '../../../src/payments/charges/resolve-charges.ts';
import { settleCharge } from '../../../src/payments/charges/settle-charge.ts';
import { unknown } from '../../../src/payments/port/answers.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { handleOf, testCard } from '../../../src/payments/sandbox/cards.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import {
  createTestMerchant,
  createTestSession,
  insertSavedCard,
  type TestMerchant,
} from '../../support/test-merchants.ts';
import {
  CALLER,
  createCardSavingPayments,
  listCardRemovals,
  listConsents,
  listSavedCards,
  neverAborted,
  payWithConsent,
  VAULT,
} from './card-saving.ts';
import { agePendingCharges, FAST_SANDBOX, keyedCard, readPaymentState } from './test-payments.ts';

const db = useTestDatabase();

const SAVE_ONLY = { amountCents: 0, purpose: 'save_card' } as const;
const HANDLE = handleOf(testCard('visa'));

/** A merchant and a session that only saves a card. @param change of the sandbox's functions */
async function start(change: (sandbox: Processor) => Partial<Processor> = () => ({}), options: object = {}) {
  const merchant = await createTestMerchant(db.database);
  const session = await createTestSession(db.database, merchant, { ...SAVE_ONLY, ...options });
  const sandbox = createSandbox(db.database, FAST_SANDBOX);
  const payments = createCardSavingPayments(db.database, { processors: [{ ...sandbox, ...change(sandbox) }] });
  const verify = (card = 'visa') => payWithConsent(payments, merchant, session, keyedCard(card));
  return { merchant, session, payments, verify };
}

const state = (session: Parameters<typeof readPaymentState>[1]) => readPaymentState(db.database, session);

async function idOfCaller({ accountId, mode }: TestMerchant) {
  const text = 'select id from consumers where account_id = $1 and mode = $2 and phone = $3';
  return (await db.database.query(text, [accountId, mode, CALLER])).rows[0]?.id;
}

describe('a session that only saves a card', () => {
  it('verifies the card, takes nothing, and saves it with the outcome', async () => {
    const { merchant, session, verify } = await start();
    expect(await verify()).toMatchObject({
      type: 'succeeded',
      cardSaved: true,
      charge: { amount: { amountCents: 0 } },
    });
    expect(await state(session)).toMatchObject({
      session: 'complete',
      charges: ['succeeded'],
      events: ['checkout.succeeded', 'checkout.completed'],
    });
    expect(await listSavedCards(db.database, merchant)).toMatchObject([{ brand: 'VISA', lastFour: '4242' }]);
    expect(await verify()).toMatchObject({ type: 'refused', reason: 'already_paid' });
  });

  it('sends the processor a verification with the amount 0', async () => {
    const sent: unknown[] = [];
    const { verify } = await start((sandbox) => ({
      charge: (request, signal) => {
        sent.push({ isVerification: request.isVerification, keepsCard: request.keepsCard, amount: request.amount });
        return sandbox.charge(request, signal);
      },
    }));
    await verify();
    const amount = { amountCents: 0, currency: 'USD' };
    expect(sent).toEqual([{ isVerification: true, keepsCard: true, amount }]);
  });

  it('leaves nothing behind after a decline, and accepts another card', async () => {
    const { merchant, session, verify } = await start();
    expect(await verify('insufficient_funds')).toMatchObject({ type: 'declined', declineCode: 'insufficient_funds' });
    expect(await listSavedCards(db.database, merchant)).toEqual([]);
    expect(await listConsents(db.database, merchant)).toMatchObject([{ status: 'not_kept' }]);
    expect(await verify()).toMatchObject({ type: 'succeeded' });
    expect(await state(session)).toMatchObject({ charges: ['failed', 'succeeded'] });
  });

  it('limits declined cards like payments', async () => {
    const { verify } = await start();
    for (let tries = 0; tries < 5; tries += 1) await verify('insufficient_funds');
    expect(await verify()).toMatchObject({ type: 'refused', reason: 'too_many_declines' });
  });

  it('verifies one of two cards that come at once', async () => {
    const { session, verify } = await start();
    const results = await Promise.all([verify(), verify()]);
    expect(results.map(({ type }) => type).sort()).toEqual(['refused', 'succeeded']);
    expect((await state(session)).charges).toEqual(['succeeded']);
  });

  it('refuses a caller who has not agreed or has no number, and a saved card', async () => {
    const { merchant, session, payments } = await start();
    const refused = { type: 'refused', reason: 'not_agreed' };
    expect(await payments.pay(merchant, session, keyedCard('visa'))).toMatchObject(refused);
    const instrumentId = await insertSavedCard(db.database, merchant);
    const saved = { kind: 'saved', instrumentId, at: new Date() } as const;
    expect(await payWithConsent(payments, merchant, session, saved)).toMatchObject(refused);
    const unknownCaller = await start(undefined, { callerPhone: null });
    expect(await unknownCaller.verify()).toMatchObject(refused);
    expect((await state(session)).charges).toEqual([]);
  });

  it('refuses a processor that cannot verify cards', async () => {
    const { verify } = await start(({ can: { verifiesCards: _, ...can } }) => ({ can }));
    expect(await verify()).toMatchObject({ type: 'refused', reason: 'merchant_not_connected' });
  });

  it('never takes a payment without an amount', async () => {
    const { merchant, payments } = await start();
    const session = await createTestSession(db.database, merchant, { amountCents: 0 });
    const result = await payWithConsent(payments, merchant, session, keyedCard('visa'));
    expect(result).toMatchObject({ type: 'refused', reason: 'nothing_to_pay' });
  });
});

describe('a verification whose answer was lost', () => {
  it('saves the card when the processor is asked again', async () => {
    const { merchant, session, payments, verify } = await start((sandbox) => ({
      charge: async (request, signal) => {
        await sandbox.charge(request, signal);
        return unknown('lost');
      },
    }));
    expect(await verify()).toMatchObject({ type: 'pending' });
    expect(await listSavedCards(db.database, merchant)).toEqual([]);
    expect(await verify()).toMatchObject({ type: 'refused', reason: 'in_progress' });
    await agePendingCharges(db.database, session, 1);
    await resolveDueCharges(payments, neverAborted);
    expect(await state(session)).toMatchObject({ session: 'complete', charges: ['succeeded'] });
    expect(await listSavedCards(db.database, merchant)).toMatchObject([{ lastFour: '4242' }]);
  });

  it('stays pending in a process that cannot store the card, and is settled by one that can', async () => {
    const { merchant, session, payments, verify } = await start((sandbox) => ({
      charge: async (request, signal) => {
        await sandbox.charge(request, signal);
        return unknown('lost');
      },
    }));
    await verify();
    await agePendingCharges(db.database, session, 1);
    await resolveDueCharges({ ...payments, vault: null }, neverAborted);
    expect((await state(session)).charges).toEqual(['pending']);
    await agePendingCharges(db.database, session, 1);
    await resolveDueCharges(payments, neverAborted);
    expect((await state(session)).charges).toEqual(['succeeded']);
    expect(await listSavedCards(db.database, merchant)).toHaveLength(1);
  });

  it('stays pending if the processor verified the card and did not save it', async () => {
    const { session, payments, verify } = await start(() => ({
      charge: async () => ({ status: 'succeeded', processorPaymentId: 'p_no_card' }),
      lookUp: async () => ({ status: 'succeeded', processorPaymentId: 'p_no_card' }),
    }));
    expect(await verify()).toMatchObject({ type: 'pending' });
    await agePendingCharges(db.database, session, 1);
    await resolveDueCharges(payments, neverAborted);
    expect(await state(session)).toMatchObject({ session: 'open', charges: ['pending'] });
  });

  it('fails if the processor never received it', async () => {
    const { merchant, session, payments, verify } = await start(() => ({ charge: async () => unknown('lost') }));
    await verify();
    await agePendingCharges(db.database, session, 3_600);
    await resolveDueCharges(payments, neverAborted);
    expect(await state(session)).toMatchObject({ session: 'open', charges: ['failed'] });
    expect(await listConsents(db.database, merchant)).toMatchObject([{ status: 'not_kept' }]);
  });

  it('has a card removed that turns up after the caller was told that it is not saved', async () => {
    const { merchant, session, payments, verify } = await start();
    await verify('insufficient_funds');
    const [failed] = (await state(session)).rows;
    if (failed === undefined) throw new Error('no charge');
    const savedCard = {
      handle: HANDLE,
      fingerprint: 'visa',
      brand: 'VISA',
      lastFour: '4242',
      expiryMonth: 4,
      expiryYear: 2031,
    };
    const success = { status: 'succeeded', processorPaymentId: 'late_1', savedCard } as const;
    for (let times = 0; times < 2; times += 1) await settleCharge(payments, failed, success);
    expect(await state(session)).toMatchObject({ session: 'open', charges: ['failed'] });
    expect(await listSavedCards(db.database, merchant)).toEqual([]);
    const removals = await listCardRemovals(db.database, merchant);
    expect(removals).toMatchObject([{ status: 'waiting' }]);
    const { instrument_id: id, processor_handle: processorHandle } = removals[0];
    expect(openHandle(VAULT, { id, processorHandle, handleSealed: true })).toBe(HANDLE);
  });

  it('removes the card of a caller who was erased in the meantime', async () => {
    const { merchant, session, payments, verify } = await start((sandbox) => ({
      charge: async (request, signal) => {
        await sandbox.charge(request, signal);
        return unknown('lost');
      },
    }));
    const { accountId, mode } = merchant;
    const text = 'insert into consumers (id, account_id, mode, phone) values ($1, $2, $3, $4)';
    await db.database.query(text, [newId('Consumer'), accountId, mode, CALLER]);
    await verify();
    const consumer = await findConsumerById(db.database, accountId, await idOfCaller(merchant));
    if (consumer === null) throw new Error('no caller');
    await db.database.transaction((sql) => eraseConsumer(sql, { accountId, mode }, consumer.id));
    await agePendingCharges(db.database, session, 1);
    await resolveDueCharges(payments, neverAborted);
    expect((await state(session)).charges).toEqual(['succeeded']);
    expect(await listSavedCards(db.database, merchant)).toEqual([]);
    expect(await listCardRemovals(db.database, merchant)).toMatchObject([{ status: 'waiting' }]);
  });
});
