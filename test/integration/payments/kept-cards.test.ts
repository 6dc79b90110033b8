/** Keeping the card of a charge whose caller agreed: with the outcome, later, or not at all; and never at its cost. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CardConsent } from '../../../src/domain/consent.ts';
import { keepDueCards } from '../../../src/payments/keep-card.ts';
import { resolveDueCharges } from '../../../src/payments/resolve.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { takePayment } from '../../../src/payments/take-payment.ts';
import { openHandle } from '../../../src/vault/handles.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  AGREED,
  CALLER,
  cardsOf,
  consentsOf,
  forever,
  leaveNoneToKeep,
  openKeepingTill,
  payAgreed,
  removalsOf,
  sandboxWith,
  VAULT,
} from './card-saving.ts';
import { age, bookOf, counting, keyed, openSession, openShop, openTill, QUICK, requestOf } from './test-payments.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());
afterEach(() => leaveNoneToKeep(db.database));

describe('a card whose caller agreed', () => {
  it('is kept with the charge, for a caller nobody knew, and can be charged', async () => {
    const till = openKeepingTill(db.database);
    const shop = await openShop(db.database);
    const result = await payAgreed(till, shop, await openSession(db.database, shop), keyed('visa', { expiry: '0431' }));
    expect(result).toMatchObject({ type: 'succeeded', cardKept: true });
    const [card, ...others] = await cardsOf(db.database, shop);
    expect(others).toEqual([]);
    expect(card).toMatchObject({ brand: 'VISA', lastFour: '4242', expiryMonth: 4, expiryYear: 2031, isDefault: false });
    if (card === undefined || result.type !== 'succeeded') throw new Error('no card');

    const { rows: callers } = await db.database.query('select * from consumers where account_id = $1', [
      shop.accountId,
    ]);
    expect(callers).toMatchObject([{ phone: CALLER, first_name: null, last_name: null, email: null }]);
    expect(await consentsOf(db.database, shop)).toMatchObject([
      {
        ...{ charge_id: result.charge.id, channel: 'phone', wording_id: 'keep_card.1', language: 'en-US' },
        ...{ wording: AGREED.wording, status: 'kept', instrument_id: card.id, consumer_id: callers[0]?.id },
      },
    ]);
    const { rows } = await db.database.query('select * from instruments where id = $1', [card.id]);
    expect(rows[0].processor_handle).not.toContain('sandbox_visa');
    const { processor_handle: processorHandle, handle_sealed: handleSealed } = rows[0];
    const handle = openHandle(VAULT, { id: card.id, processorHandle, handleSealed });
    expect(handle).toBe('sandbox_visa');

    const saved = { kind: 'saved', instrumentId: card.id, at: new Date() } as const;
    expect(await till.pay(shop, await openSession(db.database, shop), saved)).toMatchObject({
      ...{ type: 'succeeded', charge: { instrumentId: card.id, brand: 'VISA', lastFour: '4242' } },
    });
  });

  it('leaves no digit of it but brand, last four and expiry', async () => {
    const shop = await openShop(db.database);
    const card = keyed('mastercard', { securityCode: '731', postalCode: '90817' });
    await payAgreed(openKeepingTill(db.database), shop, await openSession(db.database, shop), card);
    const tables = ['instruments', 'card_consents', 'card_removals', 'charges', 'events', 'sandbox_payments'];
    for (const table of tables) {
      const { rows } = await db.database.query(
        `select to_jsonb(t)::text as row from ${table} t where account_id = $1`,
        [shop.accountId],
      );
      // Ids, sealed texts and times are none of the card's.
      const strange = /"\w*(id|handle|reference|fingerprint|hash|_at)": ?"[^"]*"/g;
      const text = rows.map(({ row }) => row.replaceAll(strange, '')).join();
      expect(text, table).not.toMatch(/55555|\b731\b|90817/);
    }
  });

  it('is not kept when nobody agreed, without a vault, or without a caller', async () => {
    const shop = await openShop(db.database);
    const first = await openSession(db.database, shop);
    expect(await openKeepingTill(db.database).pay(shop, first, keyed('visa'))).toMatchObject({
      type: 'succeeded',
      cardKept: false,
    });
    const bare = openTill(db.database);
    expect(await payAgreed(bare, shop, await openSession(db.database, shop), keyed('visa'))).toMatchObject({
      cardKept: false,
    });
    const nobodys = await openSession(db.database, shop, { callerPhone: null });
    expect(await payAgreed(openKeepingTill(db.database), shop, nobodys, keyed('visa'))).toMatchObject({
      cardKept: false,
    });
    expect(await cardsOf(db.database, shop)).toEqual([]);
    expect(await consentsOf(db.database, shop)).toEqual([]);
  });

  it('is not kept when the charge is declined, now or ever', async () => {
    const till = openKeepingTill(db.database);
    const shop = await openShop(db.database);
    const sessionId = await openSession(db.database, shop);
    expect(await payAgreed(till, shop, sessionId, keyed('do_not_honor'))).toMatchObject({ type: 'declined' });
    expect(await consentsOf(db.database, shop)).toMatchObject([{ status: 'agreed' }]);
    await keepDueCards(till, forever);
    expect(await consentsOf(db.database, shop)).toMatchObject([{ status: 'not_kept', instrument_id: null }]);
    // The next card of the call was not agreed to.
    await till.pay(shop, sessionId, keyed('visa'));
    await keepDueCards(till, forever);
    expect(await cardsOf(db.database, shop)).toEqual([]);
  });

  it('is kept when the resolver settles the charge', async () => {
    const till = openKeepingTill(db.database, { timings: { processorLimitMs: 100 } });
    const shop = await openShop(db.database);
    const sessionId = await openSession(db.database, shop);
    expect(await payAgreed(till, shop, sessionId, keyed('hangs_taken', { expiry: '1130' }))).toMatchObject({
      type: 'pending',
    });
    expect(await cardsOf(db.database, shop)).toEqual([]);
    // Nobody keeps the card of a charge of which nobody knows.
    await keepDueCards(till, forever);
    expect(await consentsOf(db.database, shop)).toMatchObject([{ status: 'agreed', attempts: 0 }]);
    await age(db.database, sessionId, 5);
    await resolveDueCharges(till, forever);
    expect((await bookOf(db.database, sessionId)).charges).toEqual(['succeeded']);
    expect(await cardsOf(db.database, shop)).toMatchObject([{ lastFour: '6702', expiryMonth: 11, expiryYear: 2030 }]);
  });

  it('is told by the counts', async () => {
    const told: string[] = [];
    const till = openKeepingTill(db.database, { onCard: (result) => told.push(result) });
    const shop = await openShop(db.database);
    await payAgreed(till, shop, await openSession(db.database, shop), keyed('visa'));
    expect(told).toEqual(['kept']);
  });
});

describe('the same card again', () => {
  it('is the same one, with its new expiry, and the newest', async () => {
    const till = openKeepingTill(db.database);
    const shop = await openShop(db.database);
    await payAgreed(till, shop, await openSession(db.database, shop), keyed('visa', { expiry: '0431' }));
    const [before] = await cardsOf(db.database, shop);
    await payAgreed(till, shop, await openSession(db.database, shop), keyed('amex'));
    expect(await cardsOf(db.database, shop)).toMatchObject([{ lastFour: '0005' }, { lastFour: '4242' }]);
    await payAgreed(till, shop, await openSession(db.database, shop), keyed('visa', { expiry: '0835' }));
    expect(await cardsOf(db.database, shop)).toMatchObject([
      { id: before?.id, lastFour: '4242', expiryMonth: 8, expiryYear: 2035 },
      { lastFour: '0005' },
    ]);
    expect(await removalsOf(db.database, shop)).toEqual([]);
    expect((await consentsOf(db.database, shop)).map((row) => row.instrument_id)).toEqual([
      before?.id,
      expect.stringMatching(/^card_/),
      before?.id,
    ]);
  });

  it('leaves the handle that it had to be forgotten', async () => {
    let number = 0;
    const processor = sandboxWith(db.database, {
      answer(answer) {
        if (answer.status !== 'succeeded' || answer.kept === undefined) return answer;
        number += 1;
        return { ...answer, kept: { ...answer.kept, handle: `handle-${number}` } };
      },
    });
    const till = openKeepingTill(db.database, { processors: [processor] });
    const shop = await openShop(db.database);
    for (let time = 0; time < 2; time += 1) {
      await payAgreed(till, shop, await openSession(db.database, shop), keyed('visa'));
    }
    const [card] = await cardsOf(db.database, shop);
    const [removal, ...others] = await removalsOf(db.database, shop);
    expect(others).toEqual([]);
    if (card === undefined) throw new Error('no card');
    const { processor_handle: processorHandle, handle_sealed: handleSealed } = removal;
    expect(openHandle(VAULT, { id: card.id, processorHandle, handleSealed })).toBe('handle-1');
  });

  it('of two calls at once is one, and both are paid', async () => {
    const till = openKeepingTill(db.database);
    const shop = await openShop(db.database);
    const sessions = [];
    for (let number = 0; number < 6; number += 1) sessions.push(await openSession(db.database, shop));
    const results = await Promise.all(sessions.map((sessionId) => payAgreed(till, shop, sessionId, keyed('visa'))));
    expect(results.map(({ type }) => type)).toEqual(sessions.map(() => 'succeeded'));
    await keepDueCards(till, forever);
    expect(await cardsOf(db.database, shop)).toHaveLength(1);
    expect((await consentsOf(db.database, shop)).map(({ status }) => status)).toEqual(sessions.map(() => 'kept'));
  });

  it('of another caller, or at another merchant, is another one', async () => {
    const till = openKeepingTill(db.database);
    const [shop, other] = [await openShop(db.database), await openShop(db.database)];
    await payAgreed(till, shop, await openSession(db.database, shop), keyed('visa'));
    await payAgreed(till, shop, await openSession(db.database, shop, { callerPhone: '+15550101299' }), keyed('visa'));
    await payAgreed(till, other, await openSession(db.database, other), keyed('visa'));
    const ids = [
      ...(await cardsOf(db.database, shop)),
      ...(await cardsOf(db.database, shop, '+15550101299')),
      ...(await cardsOf(db.database, other)),
    ];
    expect(new Set(ids.map(({ id }) => id)).size).toBe(3);
  });
});

describe('the record', () => {
  it('costs a charge without consent nothing, and one with it one look', async () => {
    const counted = counting(db.database);
    // The sandbox's own books are its own.
    const till = openTill(counted, { vault: VAULT, processors: [createSandbox(db.database, QUICK)] });
    const shop = await openShop(db.database);
    const trips = async (consent: CardConsent | null) => {
      const sessionId = await openSession(db.database, shop);
      const before = counted.count;
      await takePayment(till, { ...requestOf(shop, sessionId, keyed('visa')), consent });
      return counted.count - before;
    };
    expect(await trips(null)).toBe(2);
    expect(await trips(AGREED)).toBe(3);
  });

  it('that does not take the card takes the outcome all the same', async () => {
    const processor = sandboxWith(db.database, {
      // No smallint: the row cannot be written.
      answer: (answer) =>
        answer.status === 'succeeded' && answer.kept !== undefined
          ? { ...answer, kept: { ...answer.kept, expiryMonth: 70_000 } }
          : answer,
    });
    const till = openKeepingTill(db.database, { processors: [processor] });
    const shop = await openShop(db.database);
    const sessionId = await openSession(db.database, shop);
    expect(await payAgreed(till, shop, sessionId, keyed('visa'))).toMatchObject({ type: 'succeeded', cardKept: false });
    expect((await bookOf(db.database, sessionId)).events).toEqual(['checkout.succeeded', 'checkout.completed']);
    // The processor has it all the same, and says so when it is asked again.
    await keepDueCards(till, forever);
    expect(await cardsOf(db.database, shop)).toMatchObject([{ lastFour: '4242' }]);
  });

  it('has brand and last four of a card that only the processor knew', async () => {
    const shop = await openShop(db.database);
    const sessionId = await openSession(db.database, shop);
    await openKeepingTill(db.database).pay(shop, sessionId, { kind: 'token', token: 'tok_amex' });
    expect((await bookOf(db.database, sessionId)).rows).toMatchObject([
      { brand: 'AMERICAN_EXPRESS', lastFour: '0005' },
    ]);
  });
});
