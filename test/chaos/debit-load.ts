/**
 * A load of bank debits beside the charges: a phone process, which is not killed, takes the keyed accounts, and the app settles
 * the debits and finds those that the bank returns. No operation of REST makes a debit.
 */
import type { Database, Sql } from '../../src/db/pool.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { createTestPayments, keyedAccount } from '../integration/payments/test-payments.ts';
import { eventually } from '../support/checkouts.ts';
import type { Random } from '../support/random.ts';
import { createTestSession, type TestMerchant } from '../support/test-merchants.ts';

const MERCHANT: TestMerchant = { accountId: DEMO_ACCOUNT, merchantId: DEMO_DINER, mode: 'test' };
/** The account whose debits the bank returns after they were paid. */
const RETURNED = 'bank_returns_later';
const ACCOUNTS = [
  'bank_settles',
  'bank_settles_at_once',
  'bank_insufficient_funds',
  'bank_closed',
  'bank_unknown',
  RETURNED,
];

/** SQL: the debits `c` that the bank returns, with their payments `p`. */
const RETURNING = `charges c join sandbox_payments p on p.reference = c.id and p.card_name = '${RETURNED}'`;

/** Resolves when all of them were sent. Those that the bank returns wait for {@link settleReturning}. */
export async function debitAccounts(database: Database, count: number, random: Random): Promise<void> {
  const { pay } = createTestPayments(database);
  const accounts = Array.from({ length: count }, (_, at) => ACCOUNTS[at % ACCOUNTS.length] ?? RETURNED);
  const phones = accounts.map(() => `+1555030${String(random.below(10_000)).padStart(4, '0')}`);
  await Promise.all(
    accounts.map(async (account, at) => {
      const sessionId = await createTestSession(database, MERCHANT, { callerPhone: phones[at] ?? null });
      await pay(MERCHANT, sessionId, keyedAccount(account));
    }),
  );
  await database.query(
    `update sandbox_payments set settles_at = now() + interval '1 day'
      where reference in (select c.id from ${RETURNING} where c.status = 'pending')`,
  );
}

/**
 * Settles the debits that the bank returns, and returns those that were paid. The sandbox returns one ten seconds after it was
 * settled: one that is looked up later fails without having been paid.
 */
export async function settleReturning(sql: Sql): Promise<void> {
  await sql.query(
    `with settled as (
       update sandbox_payments set settles_at = now()
        where reference in (select c.id from ${RETURNING} where c.status = 'pending') returning reference)
     update charges set resolve_at = now() from settled where id = settled.reference`,
  );
  await sql.query(
    `with returned as (
       update sandbox_payments set settles_at = now() - interval '1 minute'
        where reference in (select c.id from ${RETURNING} where c.status = 'succeeded') returning reference)
     update debit_returns set check_at = now() from returned where charge_id = returned.reference and check_at is not null`,
  );
}

/** Repeats that until the app has found all of them returned. @returns how many were paid before */
export async function letBankReturn(sql: Sql, limitMs: number): Promise<number> {
  await eventually(limitMs, async () => {
    await settleReturning(sql);
    const { rows } = await sql.query(`select c.id from ${RETURNING} where c.status <> 'failed' limit 1`);
    if (rows.length > 0) throw new Error('a returned debit is not failed');
  });
  const { rowCount } = await sql.query(`select from ${RETURNING} where c.returned_at is not null`);
  return rowCount ?? 0;
}

/** The outcomes of all debits, for the log. */
export async function describeDebits(sql: Sql): Promise<string> {
  const { rows } = await sql.query<{ text: string }>(
    `select string_agg(what || ' ' || n, ', ' order by what) as text from (
       select p.card_name || ' ' || c.status || case when c.returned_at is null then '' else ' (returned)' end as what, count(*) as n
         from charges c join sandbox_payments p on p.reference = c.id
        where c.payment_method = 'us_bank_account' group by 1) counted`,
  );
  return rows[0]?.text ?? 'none';
}
