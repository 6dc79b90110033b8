/** Causes of attention items about payments and processors. */
import { newId } from '../../../src/domain/ids.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../../src/local/standalone/demo-data.ts';
import { lateCharge, lateDuplicate } from '../../contract/late-charges.ts';
import { createCharge } from '../../contract/refunds-api.ts';
import type { TestApi } from '../../contract/test-api.ts';
import { paidCharge, unsettledCharge, unsettledRefund } from '../../dashboard/objects.ts';
import { decideDispute, openDispute } from '../disputes.ts';
import { type SeededPayment, seedPayment } from '../seed-payments.ts';
import { type CauseOfKind, SCOPE } from './cause.ts';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** A merchant without other charges. */
async function newMerchant(api: TestApi): Promise<string> {
  const slug = newId('Event').replace('_', '-');
  return String((await api.post('/v1/merchants', { business_name: 'Bakery', slug })).body.merchant_id);
}

async function seed({ database }: TestApi, count: number, payment: Omit<SeededPayment, 'at'>): Promise<void> {
  for (let made = 0; made < count; made += 1) await seedPayment(database, SCOPE, { ...payment, at: minutesAgo(5) });
}

/** Other charges of the merchant, among which the cause is rare. */
const drown = (api: TestApi, merchant: string) => seed(api, 12, { merchant, status: 'succeeded' });

export const PAYMENT_CAUSES: CauseOfKind[] = [
  {
    kind: 'charge_to_settle',
    async start(api) {
      const { charge } = await unsettledCharge(api);
      const end = () => api.post(`/v1/charges/${charge}/settle`, { outcome: 'not_received' });
      return { subject: charge, merchant: DEMO_DINER, shows: charge, end };
    },
  },
  {
    kind: 'refund_to_settle',
    async start(api) {
      const { refund } = await unsettledRefund(api);
      const end = () => api.post(`/v1/refunds/${refund}/settle`, { outcome: 'not_received' });
      return { subject: refund, merchant: DEMO_DINER, shows: refund, end };
    },
  },
  {
    kind: 'hold_change_to_settle',
    async start(api) {
      const { id } = await createCharge(api, 'hold_hangs', 'manual');
      const capture = () => api.post(`/v1/charges/${id}/capture`, {});
      await capture();
      await api.database.query(`update hold_changes set resolve_at = 'infinity' where charge_id = $1`, [id]);
      return { subject: id, merchant: DEMO_DINER, shows: id, end: capture };
    },
  },
  {
    kind: 'late_charge',
    async start(api) {
      const { charge } = await lateCharge(api);
      return { subject: charge, merchant: DEMO_DINER, shows: charge, end: () => api.post('/v1/refunds', { charge }) };
    },
  },
  {
    kind: 'late_charge',
    async start(api) {
      const { charge, other } = await lateDuplicate(api);
      return { subject: charge, merchant: DEMO_DINER, shows: other, end: () => api.post('/v1/refunds', { charge }) };
    },
  },
  {
    kind: 'refund_failed_late',
    async start(api) {
      const { charge } = await paidCharge(api);
      const { body } = await api.post('/v1/refunds', { charge, amount_cents: 300 });
      const refund = String(body.refund_id);
      const failed = (at: string) =>
        api.database.query(
          `update refunds set status = 'failed', failure = 'refused', failed_late_at = $2 where id = $1`,
          [refund, at],
        );
      await failed(minutesAgo(1));
      return { subject: refund, merchant: DEMO_DINER, shows: refund, end: () => failed(minutesAgo(31 * 24 * 60)) };
    },
  },
  {
    kind: 'capture_failed',
    async start(api) {
      const { charge } = await paidCharge(api);
      const failed = (at: string) =>
        api.database.query('update charges set capture_failed_at = $2 where id = $1', [charge, at]);
      await failed(minutesAgo(1));
      return { subject: charge, merchant: DEMO_DINER, shows: charge, end: () => failed(minutesAgo(31 * 24 * 60)) };
    },
  },
  {
    kind: 'debit_returned',
    async start(api) {
      const { charge } = await paidCharge(api);
      await api.database.query(`update charges set status = 'failed', processor_code = 'R01' where id = $1`, [charge]);
      await api.database.query(
        `insert into debit_returns (charge_id, account_id, mode, returned_at) values ($1, $2, 'test', now())`,
        [charge, DEMO_ACCOUNT],
      );
      const end = () => api.database.query('delete from debit_returns where charge_id = $1', [charge]);
      return { subject: charge, merchant: DEMO_DINER, shows: charge, end };
    },
  },
  {
    kind: 'processor_differs',
    async start(api) {
      const { charge } = await paidCharge(api);
      const differ = (reference: string) =>
        api.database.query(
          `insert into processor_differences (charge_id, kind, processor_reference, account_id, mode, amount_cents)
           values ($1, 'refund', $2, $3, 'test', 9900)`,
          [charge, reference, DEMO_ACCOUNT],
        );
      await differ('re_one');
      const end = () => api.database.query('delete from processor_differences where charge_id = $1', [charge]);
      return { subject: charge, merchant: DEMO_DINER, shows: charge, renew: () => differ('re_two'), end };
    },
  },
  {
    kind: 'dispute_to_answer',
    async start(api) {
      const { charge } = await paidCharge(api);
      await openDispute(api.database, charge);
      const { body } = await api.get(`/v1/disputes?charge=${charge}`);
      const subject = (body.disputes as { dispute_id: string }[])[0]?.dispute_id ?? '';
      return { subject, merchant: DEMO_DINER, shows: subject, end: () => decideDispute(api.database, charge) };
    },
  },
];

export const PROCESSOR_CAUSES: CauseOfKind[] = [
  {
    kind: 'processor_refusing',
    async start(api) {
      const merchant = await newMerchant(api);
      await seed(api, 4, { merchant, status: 'failed' });
      return { subject: `${merchant}:sandbox`, merchant, shows: 'Bakery', end: () => drown(api, merchant) };
    },
  },
  {
    kind: 'processor_slow',
    async start(api) {
      const merchant = await newMerchant(api);
      await seed(api, 5, { merchant, status: 'succeeded', cents: 1_777 });
      const slow = `update charges set settled_at = created_at + interval '9 seconds' where merchant_id = $1`;
      await api.database.query(slow, [merchant]);
      return { subject: `${merchant}:sandbox`, merchant, shows: '$17.77', end: () => drown(api, merchant) };
    },
  },
  {
    kind: 'success_rate_low',
    async start(api) {
      const merchant = await newMerchant(api);
      await api.database.query(
        `insert into charge_days (account_id, mode, day, merchant_id, currency, succeeded, failed, pending, amount_cents)
         values ($1, 'test', (now() at time zone 'UTC')::date - 2, $2, 'USD', 95, 5, 0, 0)`,
        [DEMO_ACCOUNT, merchant],
      );
      await seed(api, 10, { merchant, status: 'failed', code: 'do_not_honor', cents: 1_888 });
      const old = `update charges set created_at = created_at - interval '25 hours' where merchant_id = $1`;
      return { subject: merchant, merchant, shows: '$18.88', end: () => api.database.query(old, [merchant]) };
    },
  },
  {
    kind: 'success_rate_low_for_days',
    async start(api) {
      const merchant = await newMerchant(api);
      const yesterday = `(now() at time zone 'UTC')::date - 1`;
      const day = (ago: number, failed: number) =>
        api.database.query(
          `insert into charge_days (account_id, mode, day, merchant_id, currency, succeeded, failed, pending, amount_cents)
           values ($1, 'test', (now() at time zone 'UTC')::date - $3::integer, $2, 'USD', 20 - $4::integer, $4::integer, 0, 0)`,
          [DEMO_ACCOUNT, merchant, ago, failed],
        );
      for (let ago = 8; ago <= 35; ago += 1) await day(ago, 1);
      await day(1, 15);
      await seed(api, 15, { merchant, status: 'failed', code: 'do_not_honor', cents: 1_999 });
      const old = `update charges set created_at = (${yesterday})::timestamp at time zone 'UTC' + interval '9 hours' where merchant_id = $1`;
      await api.database.query(old, [merchant]);
      const rolledUp = `insert into statistics_days (account_id, mode, day) values ($1, 'test', ${yesterday}) on conflict do nothing`;
      await api.database.query(rolledUp, [DEMO_ACCOUNT]);
      const compareAgain = () => api.database.query('delete from rate_comparisons');
      await compareAgain();
      const end = async () => {
        await api.database.query('update charge_days set succeeded = 100, failed = 0 where merchant_id = $1', [
          merchant,
        ]);
        await compareAgain();
      };
      return { subject: merchant, merchant, shows: '$19.99', end };
    },
  },
];
