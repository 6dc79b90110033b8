/** Charges and refunds compared with Stripe's records: lost, reported wrongly, or changed in its dashboard. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reconcileNext } from '../../../src/app/daily-reconciliation.ts';
import { findCharge } from '../../../src/db/charges/charges.ts';
import { listConnections } from '../../../src/db/reconciliation.ts';
import type { Charge } from '../../../src/domain/charge.ts';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { NOT_RECEIVED, settleCharge } from '../../../src/payments/charges/settle-charge.ts';
import { secretCredentials } from '../../../src/payments/port/credentials.ts';
import { reconcile } from '../../../src/payments/reconciliation/reconcile.ts';
import type { Finding } from '../../../src/payments/reconciliation/reconciliation.ts';
import { type FakeStripe, startFakeStripe } from '../../support/fake-stripe.ts';
import { BROKEN } from '../../support/fake-stripe-cards.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import { STRIPE_CREDENTIALS, stripeProcessorAt } from '../../support/vendor-processors.ts';
import { createRecordingLog, createTestPayments, keyedCard, readPaymentState } from './test-payments.ts';
import { createTestRefunds, type TestRefunds } from './test-refunds.ts';

const db = useTestDatabase();
const NEVER = new AbortController().signal;
const HOUR_MS = 3_600_000;
const GOOD = '4242424242424242';

let fakeStripe: FakeStripe;
let merchant: TestMerchant;
let refunds: TestRefunds;
beforeEach(async () => {
  fakeStripe = await startFakeStripe();
  merchant = await connectedMerchant();
  const processor = stripeProcessorAt(fakeStripe);
  refunds = createTestRefunds(db.database, merchant, { processor, credentialsFor });
});
afterEach(() => fakeStripe.close());

const credentialsFor = async () => secretCredentials(STRIPE_CREDENTIALS);
const depsOf = () => ({
  database: db.database,
  log: createRecordingLog(),
  processors: [stripeProcessorAt(fakeStripe)],
  credentialsFor,
});

async function connectedMerchant(): Promise<TestMerchant> {
  const made = await createTestMerchant(db.database, { processor: 'stripe' });
  await db.database.query(
    `insert into merchant_processors (merchant_id, account_id, mode, processor, records_since)
     values ($1, $2, $3, 'stripe', now() - interval '90 days')
     on conflict (merchant_id, processor) do update set records_since = excluded.records_since`,
    [made.merchantId, made.accountId, made.mode],
  );
  return made;
}

async function pay(card = GOOD, of = merchant, tipCents = 0): Promise<{ session: CheckoutSessionId; charge: Charge }> {
  const session = await createTestSession(db.database, of, { callerPhone: null });
  await createTestPayments(db.database, depsOf()).pay(of, session, keyedCard(card), tipCents);
  const charge = (await readPaymentState(db.database, session)).rows.at(-1);
  if (charge === undefined) throw new Error('no charge');
  return { session, charge };
}

async function run(fix = false, of = merchant): Promise<Finding[]> {
  const [connection] = await listConnections(db.database, { accountId: null, merchantId: of.merchantId, mode: null });
  if (connection === undefined) throw new Error('not connected');
  const span = { from: new Date(Date.now() - HOUR_MS), until: new Date(Date.now() + HOUR_MS) };
  const outcome = await reconcile(depsOf(), connection, { ...span, fix }, NEVER);
  if (outcome.status !== 'compared') throw new Error(outcome.cause);
  return outcome.findings;
}

/** As after an asynchronous failover: the session exists, but later rows are lost. */
async function lose({ session, charge }: Awaited<ReturnType<typeof pay>>): Promise<void> {
  await db.database.query('delete from events where session_id = $1', [session]);
  await db.database.query('delete from charge_rechecks where charge_id = $1', [charge.id]);
  await db.database.query('delete from charges where id = $1', [charge.id]);
  await db.database.query(`update checkout_sessions set status = 'open' where id = $1`, [session]);
}

const reread = ({ id }: Charge) => findCharge(db.database, id);
const kinds = (findings: readonly Finding[]) => findings.map(({ kind }) => kind);

describe('charges', () => {
  test('that agree are not reported', async () => {
    await pay();
    const { charge } = await pay();
    await refunds.refund(charge.id, 100);
    expect(await run()).toEqual([]);
  });

  test('six that a failover has lost are all found and restored from their sessions', async () => {
    const lost = [];
    for (let each = 0; each < 6; each += 1) lost.push(await pay());
    for (const one of lost) await lose(one);
    const found = await run();
    expect(kinds(found)).toEqual(Array.from({ length: 6 }, () => 'missing_here'));
    expect(new Set(found.map(({ chargeId }) => chargeId))).toEqual(new Set(lost.map(({ charge }) => charge.id)));
    expect(found.every(({ fixed, thereCents }) => !fixed && thereCents === 4_250)).toBe(true);
    expect((await run(true)).every(({ fixed }) => fixed)).toBe(true);
    for (const { session, charge } of lost) {
      const { processorPaymentId, source } = charge;
      expect(await reread(charge)).toMatchObject({
        status: 'succeeded',
        wasLate: true,
        processorPaymentId,
        source,
        merchantId: merchant.merchantId,
      });
      const state = await readPaymentState(db.database, session);
      expect(state).toMatchObject({ session: 'complete', events: ['checkout.succeeded', 'checkout.completed'] });
    }
    expect(await run()).toEqual([]);
    const [first] = lost;
    if (first === undefined) throw new Error('none was lost');
    expect(await refunds.refund(first.charge.id)).toMatchObject({ refund: { status: 'succeeded' } });
  });

  test('with a tip that a failover has lost are restored with the tip', async () => {
    const lost = await pay(GOOD, merchant, 765);
    await lose(lost);
    expect(await run(true)).toMatchObject([{ kind: 'missing_here', fixed: true, thereCents: 5_015 }]);
    const amount = { amountCents: 5_015, currency: 'USD' };
    expect(await reread(lost.charge)).toMatchObject({ status: 'succeeded', amount, tipCents: 765 });
    expect(await run()).toEqual([]);
  });

  test('with a tip are reported, but not restored, if the merchant takes parts: it can be a part with a larger tip', async () => {
    const lost = await pay(GOOD, merchant, 765);
    await lose(lost);
    const setMinimum = 'update merchants set partial_minimum_cents = $2 where id = $1';
    await db.database.query(setMinimum, [merchant.merchantId, 500]);
    expect(await run(true)).toMatchObject([{ kind: 'missing_here', fixed: false, thereCents: 5_015 }]);
    await db.database.query(setMinimum, [merchant.merchantId, null]);
    expect(await run(true)).toMatchObject([{ kind: 'missing_here', fixed: true }]);
  });

  test('lost together with their session are reported, but not restored', async () => {
    const lost = await pay();
    await lose(lost);
    await db.database.query('delete from checkout_sessions where id = $1', [lost.session]);
    expect(await run(true)).toMatchObject([{ kind: 'missing_here', fixed: false, chargeId: lost.charge.id }]);
    expect(await reread(lost.charge)).toBeNull();
  });

  test('whose session has another amount are not restored', async () => {
    const lost = await pay();
    await lose(lost);
    await db.database.query('update checkout_sessions set amount_cents = 1 where id = $1', [lost.session]);
    expect(await run(true)).toMatchObject([{ kind: 'missing_here', fixed: false }]);
  });

  test('that were taken but have failed become late successes', async () => {
    const { session, charge } = await pay(BROKEN);
    await settleCharge(depsOf(), charge, NOT_RECEIVED);
    expect(await run()).toMatchObject([{ kind: 'failed_here', chargeId: charge.id, hereCents: 4_250, fixed: false }]);
    expect(await run(true)).toMatchObject([{ kind: 'failed_here', fixed: true }]);
    expect(await reread(charge)).toMatchObject({ status: 'succeeded', wasLate: true });
    expect((await readPaymentState(db.database, session)).session).toBe('complete');
    expect(await run()).toEqual([]);
  });

  test('that were taken but are pending succeed', async () => {
    const { charge } = await pay(BROKEN);
    expect(await run(true)).toMatchObject([{ kind: 'pending_here', fixed: true }]);
    expect(await reread(charge)).toMatchObject({ status: 'succeeded', wasLate: false });
  });

  test('that are missing, failed or of another amount at Stripe are reported and not changed', async () => {
    const [gone, canceled, other] = [await pay(), await pay(), await pay()];
    const intentOf = ({ charge }: Awaited<ReturnType<typeof pay>>) => {
      const intent = fakeStripe.intents.get(charge.processorPaymentId ?? '');
      if (intent === undefined) throw new Error('no intent');
      return intent;
    };
    fakeStripe.intents.delete(intentOf(gone).id);
    intentOf(canceled).status = 'canceled';
    intentOf(other).amount_received = 100;
    const found = await run(true);
    expect(new Map(found.map(({ chargeId, kind }) => [chargeId, kind]))).toEqual(
      new Map([
        [gone.charge.id, 'missing_there'],
        [canceled.charge.id, 'failed_there'],
        [other.charge.id, 'amount_differs'],
      ]),
    );
    for (const { charge } of [gone, canceled, other]) expect((await reread(charge))?.status).toBe('succeeded');
  });

  test('with a second payment at Stripe are reported', async () => {
    const { charge } = await pay();
    const intent = fakeStripe.intents.get(charge.processorPaymentId ?? '');
    if (intent === undefined) throw new Error('no intent');
    fakeStripe.intents.set('pi_second', { ...intent, id: 'pi_second' });
    expect(await run(true)).toMatchObject([{ kind: 'second_payment', processorPaymentId: 'pi_second', fixed: false }]);
  });

  test('of another merchant are not settled by this merchant’s account at the processor', async () => {
    const victim = await connectedMerchant();
    const { charge } = await pay(BROKEN, victim);
    await settleCharge(depsOf(), charge, NOT_RECEIVED);
    expect(await run(true)).toEqual([]);
    expect((await reread(charge))?.status).toBe('failed');
    expect(kinds(await run(true, victim))).toEqual(['failed_here']);
  });
});

describe('refunds', () => {
  test('that were made, or failed, in the processor’s dashboard are reported, and recorded if differences are to be fixed', async () => {
    const [one, other] = [await pay(), await pay()];
    fakeStripe.refundInDashboard(one.charge.processorPaymentId ?? '', 250);
    await refunds.refund(other.charge.id, 100);
    const made = fakeStripe.refunds.at(-1);
    if (made === undefined) throw new Error('no refund');
    made.status = 'failed';
    const findings = (fixed: boolean) => [
      { kind: 'refund_failed_there', chargeId: other.charge.id, hereCents: 100, fixed },
      { kind: 'refund_missing_here', chargeId: one.charge.id, refundId: null, thereCents: 250, fixed },
    ];
    expect(await run()).toMatchObject(findings(false));
    expect(await run(true)).toMatchObject(findings(true));
    expect(await run(true)).toEqual([]);
    const { rows } = await db.database.query(
      'select origin, status::text, amount_cents from refunds where charge_id = any ($1) order by amount_cents',
      [[one.charge.id, other.charge.id]],
    );
    expect(rows).toEqual([
      { origin: 'ringkey', status: 'failed', amount_cents: 100 },
      { origin: 'processor', status: 'succeeded', amount_cents: 250 },
    ]);
  });

  test('that are pending here but ended there are settled, and one that is missing there is reported', async () => {
    const [one, other] = [await pay(), await pay()];
    await refunds.refund(one.charge.id, 100);
    await refunds.refund(other.charge.id, 100);
    await db.database.query(
      `update refunds set status = 'pending', settled_at = null, resolve_at = 'infinity' where charge_id = $1`,
      [one.charge.id],
    );
    // Older than the ends of the list, which may be incomplete.
    await db.database.query(`update refunds set created_at = created_at - interval '2 hours' where charge_id = $1`, [
      other.charge.id,
    ]);
    fakeStripe.refunds.splice(
      fakeStripe.refunds.findIndex(({ payment_intent: of }) => of === other.charge.processorPaymentId),
      1,
    );
    const found = await run(true);
    expect(found).toMatchObject([
      { kind: 'refund_pending_here', chargeId: one.charge.id, fixed: true },
      { kind: 'refund_missing_there', chargeId: other.charge.id, fixed: false },
    ]);
    const { rows } = await db.database.query('select status from refunds where charge_id = $1', [one.charge.id]);
    expect(rows).toEqual([{ status: 'succeeded' }]);
  });
});

describe('the daily reconciliation', () => {
  const due = () =>
    db.database.query(
      `update merchant_processors set reconcile_at = case when merchant_id = $1 then now() else 'infinity' end`,
      [merchant.merchantId],
    );

  test('runs in one of several workers, and reports its findings', async () => {
    const { charge } = await pay();
    await db.database.query(`update charges set created_at = created_at - interval '1 hour' where id = $1`, [
      charge.id,
    ]);
    const intent = fakeStripe.intents.get(charge.processorPaymentId ?? '');
    if (intent === undefined) throw new Error('no intent');
    intent.created -= 3_600;
    intent.amount_received = 100;
    await due();
    const workers = [depsOf(), depsOf(), depsOf()];
    const done = await Promise.all(workers.map((deps) => reconcileNext(deps, 'report', NEVER)));
    expect(done.filter(Boolean)).toHaveLength(1);
    const lines = workers.flatMap(({ log }) => log.lines);
    expect(lines).toEqual([
      'payments differ from the processor: run ringkey reconcile',
      'payments reconciled with the processor',
    ]);
    const { rows } = await db.database.query<{ until: Date; due: boolean }>(
      `select reconciled_until as until, reconcile_at > now() + interval '23 hours' as due from merchant_processors
        where merchant_id = $1`,
      [merchant.merchantId],
    );
    expect(rows[0]?.due).toBe(true);
    expect(rows[0]?.until).toBeInstanceOf(Date);
  });

  test('does not count the period as compared if it cannot read the list', async () => {
    await due();
    await fakeStripe.close();
    const deps = depsOf();
    expect(await reconcileNext(deps, 'fix', NEVER)).toBe(true);
    expect(deps.log.lines.at(-1)).toBe('payments could not be reconciled with the processor');
    const { rows } = await db.database.query(
      'select reconciled_until from merchant_processors where merchant_id = $1',
      [merchant.merchantId],
    );
    expect(rows).toEqual([{ reconciled_until: null }]);
    fakeStripe = await startFakeStripe();
  });
});
