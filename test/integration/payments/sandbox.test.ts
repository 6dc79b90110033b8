import { describe, expect, it } from 'vitest';
import { type ChargeId, newId } from '../../../src/domain/ids.ts';
import type { ChargeRequest, LookupRequest, PayableCard } from '../../../src/payments/port/charges.ts';
import { handleOf, TEST_CARDS, testCard } from '../../../src/payments/sandbox/cards.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { processorContract } from '../../contract/processor-contract.ts';
import { createTestDatabase } from '../../support/database.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
import { FAST_SANDBOX, keyedCard } from './test-payments.ts';

const askAbout = (chargeId: ChargeId): LookupRequest => ({
  chargeId,
  mode: 'test',
  createdAt: new Date(),
  credentials: {},
});

const saved = (name: string): PayableCard => ({ kind: 'saved', handle: handleOf(testCard(name)) });

for (const [kind, card] of Object.entries({ keyed: (name: string): PayableCard => keyedCard(name), saved })) {
  processorContract(`sandbox, ${kind} cards`, async () => {
    const { database, close } = await createTestDatabase();
    return {
      processor: createSandbox(database, { ...FAST_SANDBOX, hangMs: 120_000 }),
      credentials: {},
      wrongCredentials: null,
      account: null,
      token: () => 'tok_visa',
      approved: () => card('visa'),
      withoutMoney: () => card('insufficient_funds'),
      takenUnanswered: () => card('hangs_taken'),
      lost: () => card('hangs_not_taken'),
      broken: () => card('breaks_then_succeeds'),
      async letSettle({ chargeId }) {
        await database.query('update sandbox_payments set settles_at = now() where reference = $1', [chargeId]);
      },
      async countPayments({ chargeId }) {
        const { rowCount } = await database.query('select 1 from sandbox_payments where reference = $1', [chargeId]);
        return rowCount ?? 0;
      },
      refundedUnanswered: () => card('refund_hangs'),
      muteRefund: () => undefined,
      heldUnanswered: () => card('hold_hangs'),
      async isHeld(paymentId) {
        const text = `select 1 from sandbox_payments where payment_id = $1 and status = 'authorized'`;
        return (await database.query(text, [paymentId])).rowCount === 1;
      },
      async expireHold(paymentId) {
        const text = 'update sandbox_payments set capture_before = created_at where payment_id = $1';
        await database.query(text, [paymentId]);
      },
      refundElsewhere: null,
      listedSource: null,
      countDomains: null,
      asking: {
        thenApproved: () => card('asks_approved'),
        thenDeclined: () => card('asks_declined'),
        thenRefused: () => card('asks_refused'),
        // Its dialog is a part of our page and does not answer it.
        endDialog: () => undefined,
        knowsDialog: false,
      },
      async countRefunds(paymentId) {
        const { rowCount } = await database.query('select 1 from sandbox_refunds where payment_id = $1', [paymentId]);
        return rowCount ?? 0;
      },
      close,
    };
  });
}

describe('sandbox', () => {
  const db = useTestDatabase();

  const charge = (card: PayableCard, overrides: Partial<ChargeRequest> = {}) =>
    createSandbox(db.database, FAST_SANDBOX).charge(
      {
        chargeId: newId('Charge'),
        sessionId: newId('CheckoutSession'),
        accountId: newId('Account'),
        mode: 'test',
        amount: { amountCents: 100, currency: 'USD' },
        card,
        channel: 'phone',
        orderId: null,
        keepsCard: false,
        credentials: {},
        ...overrides,
      },
      requestTimeout(),
    );

  const plain = TEST_CARDS.filter(({ behaviour }) => behaviour.kind === 'approves' || behaviour.kind === 'declines');
  it.each(plain)('$name: $about', async ({ name, behaviour }) => {
    const expected =
      behaviour.kind === 'declines'
        ? { status: 'declined', declineCode: behaviour.code, processorCode: behaviour.code }
        : { status: 'succeeded' };
    expect(await charge(keyedCard(name))).toMatchObject(expected);
    expect(await charge(saved(name))).toMatchObject(expected);
  });

  it.each([
    ['checks_security_code', { securityCode: '124' }, { securityCode: '123' }, 'incorrect_cvc'],
    ['checks_postal_code', { postalCode: '12346' }, { postalCode: '12345' }, 'incorrect_zip'],
    ['checks_postal_code', { postalCode: '' }, { postalCode: null }, 'incorrect_zip'],
    ['checks_expiry', { expiry: '1131' }, { expiry: '1231' }, 'incorrect_expiry'],
  ])('%s: doubts %o, takes %o', async (name, wrong, right, declineCode) => {
    expect(await charge(keyedCard(name, wrong))).toMatchObject({ status: 'declined', declineCode });
    expect(await charge(keyedCard(name, right))).toMatchObject({ status: 'succeeded' });
    expect(await charge(saved(name))).toMatchObject({ status: 'succeeded' });
  });

  it('rejects cards and handles that are not documented', async () => {
    const declined = { status: 'declined', declineCode: 'card_not_supported' };
    expect(await charge(keyedCard('4012888888881881'))).toMatchObject(declined);
    expect(await charge({ kind: 'saved', handle: 'sandbox_nobody' })).toMatchObject(declined);
  });

  it('approves the slow card after a delay', async () => {
    expect(await charge(keyedCard('slow'))).toMatchObject({ status: 'succeeded' });
  });

  it('still works on a slow card after its caller has given up', async () => {
    const chargeId = newId('Charge');
    const sandbox = createSandbox(db.database, { ...FAST_SANDBOX, slowMs: 60_000 });
    const waiting = new AbortController();
    const answer = sandbox.charge(
      {
        chargeId,
        sessionId: newId('CheckoutSession'),
        accountId: newId('Account'),
        mode: 'test',
        orderId: null,
        channel: 'phone',
        keepsCard: false,
        credentials: {},
        amount: { amountCents: 100, currency: 'USD' },
        card: keyedCard('slow'),
      },
      waiting.signal,
    );
    await expect.poll(() => sandbox.lookUp(askAbout(chargeId), waiting.signal)).toMatchObject({ status: 'unknown' });
    waiting.abort();
    expect(await answer).toEqual({ status: 'unknown', cause: 'timeout' });
    await db.database.query('update sandbox_payments set settles_at = now() where reference = $1', [chargeId]);
    expect(await sandbox.lookUp(askAbout(chargeId), requestTimeout())).toMatchObject({
      status: 'succeeded',
    });
  });

  it('declines after its server error', async () => {
    const chargeId = newId('Charge');
    expect(await charge(keyedCard('breaks_then_declines'), { chargeId })).toEqual({
      status: 'unknown',
      cause: 'http_500',
    });
    await expect
      .poll(() => createSandbox(db.database).lookUp(askAbout(chargeId), requestTimeout()))
      .toMatchObject({ status: 'declined', declineCode: 'do_not_honor' });
  });

  it('stores brand and last four of a card, and nothing else', async () => {
    const chargeId = newId('Charge');
    await charge(keyedCard('amex', { securityCode: '8731', postalCode: '90210', expiry: '0937' }), { chargeId });
    const { rows } = await db.database.query('select * from sandbox_payments where reference = $1', [chargeId]);
    expect(rows[0]).toMatchObject({ brand: 'AMERICAN_EXPRESS', last_four: '0005', status: 'succeeded' });
    const { payment_id: _, reference: __, account_id: ___, created_at: ____, settles_at: _____, ...rest } = rows[0];
    expect(JSON.stringify(rest)).not.toMatch(/37828|8731|90210|0937/);
  });

  it('answers unknown if its database is unavailable', async () => {
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const sandbox = createSandbox({ query: () => Promise.reject(away) } as never);
    const chargeId = newId('Charge');
    const request: ChargeRequest = {
      chargeId,
      sessionId: newId('CheckoutSession'),
      accountId: newId('Account'),
      mode: 'test',
      orderId: null,
      channel: 'phone',
      keepsCard: false,
      credentials: {},
      amount: { amountCents: 100, currency: 'USD' },
      card: keyedCard('visa'),
    };
    const unknown = { status: 'unknown', cause: 'unreachable: ECONNREFUSED' };
    expect(await sandbox.charge(request, requestTimeout())).toEqual(unknown);
    expect(await sandbox.lookUp(askAbout(chargeId), requestTimeout())).toEqual(unknown);
  });
});
