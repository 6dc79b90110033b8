/** What payers authorized before their bank accounts were debited. One row a charge, kept with it. */
import type { DebitAuthorization } from '../../domain/bank-account.ts';
import type { Charge } from '../../domain/charge.ts';
import type { Sql } from '../pool.ts';

/** Call it in the transaction that creates the charge. */
export async function insertDebitAuthorization(
  sql: Sql,
  { id, accountId }: Pick<Charge, 'id' | 'accountId'>,
  { callId, language, wording }: DebitAuthorization,
): Promise<void> {
  await sql.query(
    `insert into debit_authorizations (charge_id, account_id, call_id, language, wording) values ($1, $2, $3, $4, $5)`,
    [id, accountId, callId, language, wording],
  );
}
