/** The table `merchant_processors`: the current and former processors of merchants, with credentials. */
import type { MerchantId } from '../../domain/ids.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { readFirst, type Sql } from '../pool.ts';

/** SQL: encrypted credentials of the current processor of a row of `merchants`; null if none are stored. */
export const PROCESSOR_CREDENTIALS = `(select p.credentials from merchant_processors p
  where p.merchant_id = merchants.id and p.processor = merchants.processor)`;

/**
 * Connects the merchant to a processor. The former processor's credentials stay, because its charges may still be
 * looked up or refunded.
 */
export async function connectProcessor(
  sql: Sql,
  merchant: Merchant,
  connection: {
    processor: string;
    /** Encrypted; null if the processor needs none. */
    credentials: string | null;
    /** The processor's ID of the account that keeps the cards; null if they belong to the merchant itself. */
    account: string | null;
    /** The processor's ID of the account or location whose records it lists; null if unknown. */
    recordsOf: string | null;
  },
): Promise<void> {
  const { processor, credentials, account, recordsOf } = connection;
  await sql.query(
    `with connected as (
       insert into merchant_processors as before (merchant_id, account_id, mode, processor, credentials, processor_account,
                                                  records_of)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (merchant_id, processor) do update
          set credentials = excluded.credentials, processor_account = excluded.processor_account, connected_at = now(),
              records_of = excluded.records_of,
              records_since = case when before.records_of = excluded.records_of then before.records_since else now() end,
              records_change = case when before.records_of = excluded.records_of then before.records_change
                                    when before.records_of <> excluded.records_of then 'another_account'
                                    else 'unknown_account' end
     )
     update merchants set processor = $4 where id = $1`,
    [merchant.id, merchant.accountId, merchant.mode, processor, credentials, account, recordsOf],
  );
}

/**
 * Whether the merchant was connected to that processor, possibly to another account of it, after a charge or refund was
 * created.
 */
export async function isConnectedSince(
  sql: Sql,
  charge: { merchantId: MerchantId; processor: string; createdAt: Date },
): Promise<boolean> {
  const row = await readFirst<{ since: boolean }>(sql, {
    name: 'is_connected_since',
    text: 'select connected_at >= $3 as since from merchant_processors where merchant_id = $1 and processor = $2',
    values: [charge.merchantId, charge.processor, charge.createdAt],
  });
  return row?.since === true;
}

/** Encrypted credentials of a current or former processor of the merchant; null if none are stored. */
export async function findCredentials(sql: Sql, merchantId: MerchantId, processor: string): Promise<string | null> {
  const row = await readFirst<{ credentials: string | null }>(sql, {
    name: 'find_credentials',
    text: 'select credentials from merchant_processors where merchant_id = $1 and processor = $2',
    values: [merchantId, processor],
  });
  return row?.credentials ?? null;
}

/** The names of all current and former processors of merchants. */
export async function listConnectedProcessors(sql: Sql): Promise<string[]> {
  const { rows } = await sql.query<{ processor: string }>('select distinct processor from merchant_processors');
  return rows.map(({ processor }) => processor);
}
