import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import type { Processor, ProcessorAnswer } from '../../../src/payments/ports.ts';
import { handleOf, testCard } from '../../../src/payments/sandbox/cards.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { eventsOfSession } from '../../../src/store/events.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { bookOf, counting, keyed, openSession, openShop, openTill, QUICK, type Shop } from './support.ts';

let db: TestDatabase;
let shop: Shop;
beforeAll(async () => {
  db = await createTestDatabase();
  shop = await openShop(db.database);
});
afterAll(() => db.close());

/** A processor that answers as told and counts. */
function puppet(charge: Processor['charge']): Processor & { asked: number } {
  const processor = {
    ...createSandbox(db.database, QUICK),
    asked: 0,
    charge: (...args: Parameters<Processor['charge']>) => {
      processor.asked += 1;
      return charge(...args);
    },
  };
  return processor;
}

const PATIENT = { timeout: 30_000 };
const OK: ProcessorAnswer = { status: 'succeeded', processorPaymentId: 'p_1' };

describe('a payment', () => {
  it('succeeds: charge, events and session in step', async () => {
    const sessionId = await openSession(db.database, shop, { amountCents: 1_234 });
    const result = await openTill(db.database).pay(shop, sessionId, keyed('mastercard'));
    expect(result).toMatchObject({
      type: 'succeeded',
      charge: {
        ...{ sessionId, ...shop, status: 'succeeded', amount: { amountCents: 1_234, currency: 'USD' } },
        ...{ source: 'phone', processor: 'sandbox', processorPaymentId: expect.stringMatching(/^sandbox_/) },
        ...{ brand: 'MASTERCARD', lastFour: '4444', declineCode: null, instrumentId: null },
        settledAt: expect.any(Date),
      },
    });
    expect(await bookOf(db.database, sessionId)).toMatchObject({
      session: 'complete',
      charges: ['succeeded'],
      events: ['checkout.succeeded', 'checkout.completed'],
      ledger: ['succeeded'],
    });
  });

  it('declines: says why, leaves the session open, and another card may pay', async () => {
    const sessionId = await openSession(db.database, shop);
    const till = openTill(db.database);
    const declined = await till.pay(shop, sessionId, keyed('insufficient_funds'));
    expect(declined).toMatchObject({
      ...{ type: 'declined', declineCode: 'insufficient_funds' },
      charge: { status: 'failed', declineCode: 'insufficient_funds', processorCode: 'insufficient_funds' },
    });
    expect(await bookOf(db.database, sessionId)).toMatchObject({ session: 'open', events: ['checkout.failed'] });
    expect(await till.pay(shop, sessionId, keyed('visa'))).toMatchObject({ type: 'succeeded' });
    expect(await bookOf(db.database, sessionId)).toMatchObject({
      session: 'complete',
      charges: ['failed', 'succeeded'],
      events: ['checkout.failed', 'checkout.succeeded', 'checkout.completed'],
    });
  });

  it('states in each event what was true then', async () => {
    const sessionId = await openSession(db.database, shop, { amountCents: 700 });
    const till = openTill(db.database);
    await till.pay(shop, sessionId, keyed('lost_card'));
    await till.pay(shop, sessionId, keyed('visa'));
    const events = await eventsOfSession(db.database, sessionId);
    expect(events.map(({ type, facts }) => [type, facts.outcome, facts.session_status, facts.charge?.status])).toEqual([
      ['checkout.failed', 'failed', 'open', 'failed'],
      ['checkout.succeeded', 'succeeded', 'complete', 'succeeded'],
      ['checkout.completed', 'succeeded', 'complete', 'succeeded'],
    ]);
    expect(events[0]).toMatchObject({
      ...{ accountId: shop.accountId, mode: 'test', sessionId },
      facts: { charge: { amount_cents: 700, decline_code: 'lost_card', processor_code: 'lost_card' } },
    });
    expect(events[1]?.facts.charge?.processor_payment_id).toMatch(/^sandbox_/);
    const sequences = events.map(({ sequence }) => BigInt(sequence));
    expect(sequences).toEqual([...sequences].sort((a, b) => Number(a - b)));
  });

  it('charges a saved card by its handle', async () => {
    const sessionId = await openSession(db.database, shop);
    const instrumentId = newId('Instrument');
    await db.database.query(
      `with consumer as (insert into consumers (id, account_id, mode, phone) values ($1, $2, 'test', $1) returning id)
       insert into instruments (id, account_id, mode, consumer_id, merchant_id, processor, processor_handle, brand,
                                last_four, expiry_month, expiry_year)
       select $3, $2, 'test', id, $4, 'sandbox', 'sandbox_visa', 'VISA', '4242', 4, 2031 from consumer`,
      [newId('Consumer'), shop.accountId, instrumentId, shop.merchantId],
    );
    const result = await openTill(db.database).pay(shop, sessionId, {
      ...{ kind: 'saved', handle: handleOf(testCard('visa')), instrumentId, brand: 'VISA', lastFour: '4242' },
    });
    expect(result).toMatchObject({
      type: 'succeeded',
      charge: { source: 'saved_card', instrumentId, brand: 'VISA', lastFour: '4242' },
    });
  });

  it('costs at most five round trips to the record', async () => {
    const database = counting(db.database);
    for (const card of ['visa', 'do_not_honor', 'breaks_then_succeeds']) {
      const sessionId = await openSession(db.database, shop);
      database.count = 0;
      await openTill(database, { processors: [createSandbox(db.database, QUICK)] }).pay(shop, sessionId, keyed(card));
      expect(database.count).toBe(2);
    }
  });

  it('takes the card over at once, wipes the security code when sent and the rest when answered', async () => {
    const sessionId = await openSession(db.database, shop);
    const seen: number[][] = [];
    let held: { number: { length: number } } | undefined;
    const processor = puppet(async ({ card }) => {
      if (card.kind !== 'keyed') throw new Error('not keyed');
      held = card.card;
      seen.push([card.card.number.length, card.card.expiry.length, card.card.securityCode.length]);
      return OK;
    });
    const card = keyed('visa', { postalCode: '12345' });
    const paying = openTill(db.database, { processors: [processor] }).pay(shop, sessionId, card);
    for (const secret of Object.values(card.card)) expect(secret).toHaveLength(0);
    expect(await paying).toMatchObject({ type: 'succeeded' });
    expect(seen).toEqual([[16, 4, 3]]);
    expect(held?.number).toHaveLength(0);
  });

  it('keeps no digit of the card but the last four, nor shows one in the log', async () => {
    const sessionId = await openSession(db.database, shop);
    const till = openTill(db.database);
    const result = await till.pay(shop, sessionId, keyed('4012888888881881', { securityCode: '7316' }));
    const rows = await db.database.query(
      `select to_jsonb(c)::text as text from charges c where session_id = $1
       union all select to_jsonb(e)::text from events e where session_id = $1`,
      [sessionId],
    );
    const text = JSON.stringify([result, rows.rows, till.log.lines]);
    expect(text).toContain('1881');
    expect(text).not.toMatch(/40128888|88881881|7316/);
  });
});

describe('a payment is refused', () => {
  const refused = async (sessionId: Parameters<typeof bookOf>[1], at = shop, processors?: Processor[]) => {
    const asked = puppet(async () => OK);
    const result = await openTill(db.database, { processors: processors ?? [asked] }).pay(at, sessionId, keyed('visa'));
    expect(asked.asked).toBe(0);
    return result.type === 'refused' ? result.reason : result.type;
  };

  it('when the session is past its time, swept or not', async () => {
    const past = await openSession(db.database, shop, { secondsLeft: -1 });
    expect(await refused(past)).toBe('expired');
    await db.database.query(`update checkout_sessions set status = 'expired' where id = $1`, [past]);
    expect(await refused(past)).toBe('expired');
    expect(await bookOf(db.database, past)).toMatchObject({ charges: [], events: [] });
  });

  it('when it is paid, naming the charge', async () => {
    const sessionId = await openSession(db.database, shop);
    const till = openTill(db.database);
    const paid = await till.pay(shop, sessionId, keyed('visa'));
    const again = await till.pay(shop, sessionId, keyed('visa'));
    expect(again).toEqual({ type: 'refused', reason: 'already_paid', charge: paid.charge });
  });

  it('while another charge is pending, even past the session time', async () => {
    const sessionId = await openSession(db.database, shop);
    const till = openTill(db.database);
    const pending = await till.pay(shop, sessionId, keyed('breaks_then_succeeds'));
    const blocked = { type: 'refused', reason: 'in_progress', charge: { id: pending.charge?.id } };
    expect(await till.pay(shop, sessionId, keyed('visa'))).toMatchObject(blocked);
    await db.database.query('update checkout_sessions set expires_at = now() where id = $1', [sessionId]);
    expect(await till.pay(shop, sessionId, keyed('visa'))).toMatchObject(blocked);
  });

  it('when the merchant has no processor that can take the card in this mode', async () => {
    const unconnected = await openShop(db.database, { processor: null });
    const elsewhere = await openShop(db.database, { processor: 'stripe' });
    const live = await openShop(db.database, { mode: 'live' });
    for (const at of [unconnected, elsewhere, live]) {
      expect(await refused(await openSession(db.database, at), at)).toBe('merchant_not_connected');
    }
    const nobody = await openSession(db.database, shop, { merchantId: null });
    expect(await refused(nobody)).toBe('merchant_not_connected');
    const noKeypad = {
      ...createSandbox(db.database),
      can: { keypad: false, savedCards: true, pageTokens: true, wallets: false },
    };
    expect(await refused(await openSession(db.database, shop), shop, [noKeypad])).toBe('merchant_not_connected');
  });

  it('by throwing for a session of another account or mode', async () => {
    const sessionId = await openSession(db.database, shop);
    const stranger = await openShop(db.database);
    const till = openTill(db.database);
    await expect(till.pay(stranger, sessionId, keyed('visa'))).rejects.toThrow('not there');
    await expect(till.pay({ ...shop, mode: 'live' }, sessionId, keyed('visa'))).rejects.toThrow('not there');
    expect(till.inFlight.size).toBe(0);
    expect(await bookOf(db.database, sessionId)).toMatchObject({ charges: [] });
  });
});

describe('an unknown outcome', () => {
  it.each(['breaks_then_succeeds', 'breaks_then_declines', 'hangs_taken', 'hangs_not_taken'])(
    'stays pending and says so once: %s',
    async (card) => {
      const sessionId = await openSession(db.database, shop);
      let woken = 0;
      const onPending = () => {
        woken += 1;
      };
      const till = openTill(db.database, { timings: { processorLimitMs: 100 }, onPending });
      expect(await till.pay(shop, sessionId, keyed(card))).toMatchObject({
        type: 'pending',
        charge: { status: 'pending', settledAt: null },
      });
      expect(woken).toBe(1);
      expect(await bookOf(db.database, sessionId)).toMatchObject({
        ...{ session: 'open', charges: ['pending'], events: ['checkout.pending'] },
      });
      const { rows } = await db.database.query(
        `select extract(epoch from resolve_at - now())::float8 as s from charges where session_id = $1`,
        [sessionId],
      );
      expect(rows[0].s).toBeLessThanOrEqual(1);
    },
  );

  it('is what an adapter that throws, or ignores its time limit, leaves behind', async () => {
    const broken = puppet(() => Promise.reject(new Error('bug')));
    const deaf = puppet(() => new Promise(() => undefined));
    for (const processor of [broken, deaf]) {
      const sessionId = await openSession(db.database, shop);
      const till = openTill(db.database, { processors: [processor], timings: { processorLimitMs: 20 } });
      expect(await till.pay(shop, sessionId, keyed('visa'))).toMatchObject({ type: 'pending' });
      expect(processor.asked).toBe(1);
      expect(till.log.lines).toContain('processor adapter broke its contract');
      expect(await bookOf(db.database, sessionId)).toMatchObject({ charges: ['pending'] });
    }
  });
});

describe('races', () => {
  it('let one of 20 payments of a session through, whatever door they come by', async () => {
    const sessionId = await openSession(db.database, shop);
    const tills = Array.from({ length: 20 }, () => openTill(db.database));
    const results = await Promise.all(tills.map((till) => till.pay(shop, sessionId, keyed('visa'))));
    const types = results.map((result) => (result.type === 'refused' ? result.reason : result.type));
    expect(types.filter((type) => type === 'succeeded')).toHaveLength(1);
    expect(types.filter((type) => type === 'already_paid' || type === 'in_progress')).toHaveLength(19);
    expect(await bookOf(db.database, sessionId)).toMatchObject({
      ...{ session: 'complete', charges: ['succeeded'], ledger: ['succeeded'] },
      events: ['checkout.succeeded', 'checkout.completed'],
    });
  });

  it('never leave two live charges when declines and approvals mix', async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => openSession(db.database, shop)));
    const cards = ['do_not_honor', 'visa', 'slow', 'lost_card', 'mastercard', 'insufficient_funds'];
    const till = openTill(db.database);
    await Promise.all(sessions.flatMap((id) => cards.map((card) => till.pay(shop, id, keyed(card)))));
    for (const id of sessions) {
      const book = await bookOf(db.database, id);
      expect(book.charges.filter((status) => status !== 'failed').length).toBeLessThanOrEqual(1);
      expect(book.ledger.filter((status) => status === 'succeeded').length).toBeLessThanOrEqual(1);
      expect(book.events.filter((type) => type === 'checkout.failed')).toHaveLength(
        book.charges.filter((status) => status === 'failed').length,
      );
    }
  });
});

describe('a payment whose asker has gone', () => {
  it('ends and is recorded, and a shutdown waits for it', async () => {
    const sessionId = await openSession(db.database, shop);
    let answer: (answer: ProcessorAnswer) => void = () => undefined;
    const processor = puppet(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const till = openTill(db.database, { processors: [processor] });
    void till.pay(shop, sessionId, keyed('visa'));
    await expect.poll(() => processor.asked, PATIENT).toBe(1);
    expect(till.inFlight.size).toBe(1);
    expect(await till.inFlight.idle(10)).toBe(false);
    const drained = till.inFlight.idle(10_000);
    answer(OK);
    expect(await drained).toBe(true);
    expect(await bookOf(db.database, sessionId)).toMatchObject({ session: 'complete', charges: ['succeeded'] });
  });
});

describe('the record fails', () => {
  it('before the pending row: unavailable, and nothing is sent', async () => {
    const processor = puppet(async () => OK);
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    let tries = 0;
    const sql = {
      query: () => {
        tries += 1;
        return Promise.reject(refused);
      },
    };
    const till = openTill(sql as never, { processors: [processor], timings: { beginLimitMs: 1_500 } });
    expect(await till.pay(shop, newId('CheckoutSession'), keyed('visa'))).toEqual({
      ...{ type: 'refused', reason: 'unavailable', charge: null },
    });
    expect(tries).toBeGreaterThan(1);
    expect(processor.asked).toBe(0);
  });

  it('with a bug of ours: throws, and nothing is sent', async () => {
    const processor = puppet(async () => OK);
    const sql = { query: () => Promise.reject(Object.assign(new Error('no such column'), { code: '42703' })) };
    const till = openTill(sql as never, { processors: [processor] });
    await expect(till.pay(shop, newId('CheckoutSession'), keyed('visa'))).rejects.toThrow('no such column');
    expect(processor.asked).toBe(0);
  });

  it('with its answers lost on the way: every step is repeated without a second effect', async () => {
    const sessionId = await openSession(db.database, shop);
    const processor = puppet(async () => OK);
    let calls = 0;
    const lossy = {
      async query(...args: [string, unknown[]]) {
        calls += 1;
        const result = await db.database.query(...args);
        if (calls === 1 || calls === 4) throw new Error('Connection terminated unexpectedly');
        return result;
      },
    };
    const till = openTill(lossy as never, { processors: [processor] });
    expect(await till.pay(shop, sessionId, keyed('visa'))).toMatchObject({ type: 'succeeded' });
    expect(processor.asked).toBe(1);
    // Begin, begin again, the charge it finds; settle, settle again, the charge it finds.
    expect(calls).toBe(6);
    expect(await bookOf(db.database, sessionId)).toMatchObject({
      ...{ session: 'complete', charges: ['succeeded'], events: ['checkout.succeeded', 'checkout.completed'] },
    });
  });

  it('after the answer, for good: pending, to be settled later', async () => {
    const sessionId = await openSession(db.database, shop);
    let gone = false;
    const processor = puppet(async (...args) => {
      const answer = await createSandbox(db.database).charge(...args);
      gone = true;
      return answer;
    });
    const sql = {
      query: (...args: [string, unknown[]]) =>
        gone ? Promise.reject(new Error('Connection terminated')) : db.database.query(...args),
    };
    let woken = 0;
    const till = openTill(sql as never, {
      ...{ processors: [processor], timings: { recordLimitMs: 200 } },
      onPending: () => {
        woken += 1;
      },
    });
    expect(await till.pay(shop, sessionId, keyed('visa'))).toMatchObject({ type: 'pending' });
    expect(processor.asked).toBe(1);
    expect(woken).toBe(1);
    expect(till.log.lines).toContain('charge outcome not recorded, left to the resolver');
    expect(await bookOf(db.database, sessionId)).toMatchObject({ charges: ['pending'], ledger: ['succeeded'] });
  });

  it('so slowly that the send window has passed: nothing is sent', async () => {
    const sessionId = await openSession(db.database, shop);
    const processor = puppet(async () => OK);
    const till = openTill(db.database, { processors: [processor], timings: { sendWindowMs: -1 } });
    expect(await till.pay(shop, sessionId, keyed('visa'))).toMatchObject({
      ...{ type: 'declined', declineCode: 'processing_error' },
    });
    expect(processor.asked).toBe(0);
    expect(await bookOf(db.database, sessionId)).toMatchObject({ session: 'open', charges: ['failed'], ledger: [] });
  });

  it('by a killed connection while a step is under way: the step is done again', async () => {
    const sessionId = await openSession(db.database, shop);
    const admin = new pg.Client({ connectionString: db.url });
    await admin.connect();
    await admin.query('begin');
    let killed: Promise<void> | undefined;
    const processor = puppet(async () => {
      // Makes the settlement wait for this lock; then the server kills it there.
      await admin.query('select 1 from checkout_sessions where id = $1 for update', [sessionId]);
      killed = killWaiting(admin);
      return OK;
    });
    const till = openTill(db.database, { processors: [processor] });
    try {
      expect(await till.pay(shop, sessionId, keyed('visa'))).toMatchObject({ type: 'succeeded' });
      await killed;
    } finally {
      await admin.end();
    }
    expect(processor.asked).toBe(1);
    expect(await bookOf(db.database, sessionId)).toMatchObject({
      ...{ session: 'complete', charges: ['succeeded'], events: ['checkout.succeeded', 'checkout.completed'] },
    });
  });
});

/** Terminates the backend that waits for `holder`'s lock, then lets the lock go. */
async function killWaiting(holder: pg.Client): Promise<void> {
  const kill = `select pg_terminate_backend(pid) from pg_stat_activity
                 where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await db.database.query(kill)).rowCount, PATIENT).toBe(1);
  await holder.query('commit');
}
