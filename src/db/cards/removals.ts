/** Deletes saved cards, and queues their removal at the processor. */
import type { AccountId, InstrumentId, MerchantId } from '../../domain/ids.ts';
import type { HandleAtRest } from '../../domain/instrument.ts';
import type { Mode } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';

/**
 * Deletes a card and queues its removal at the processor. Call it in a transaction.
 * @returns false if it was already gone
 */
export async function deleteInstrument(sql: Sql, id: InstrumentId): Promise<boolean> {
  const { rowCount } = await sql.query(
    'select from instruments where id = $1 and deleted_at is null for no key update',
    [id],
  );
  if (rowCount === 0) return false;
  await queueRemoval(sql, id);
  await sql.query(
    `update instruments set deleted_at = now(), is_default = false, processor_handle = '', handle_sealed = false
      where id = $1`,
    [id],
  );
  return true;
}

/** Queues the removal of a card's handle, before the card is deleted or gets a new handle. Call it in a transaction. */
export async function queueRemoval(sql: Sql, id: InstrumentId): Promise<void> {
  await sql.query(
    `insert into card_removals (instrument_id, account_id, mode, merchant_id, processor, processor_account,
                                processor_handle, handle_sealed)
     select id, account_id, mode, merchant_id, processor, processor_account, processor_handle, handle_sealed
       from instruments where id = $1`,
    [id],
  );
}

/** A card of the processor that was never stored, with its sealed handle. */
interface UnkeptCard extends Pick<HandleAtRest, 'id' | 'processorHandle'> {
  accountId: AccountId;
  merchantId: MerchantId;
  mode: Mode;
  processor: string;
}

/** Queues the removal of a card that was saved at the processor only. Once: a repeat changes nothing. */
export async function queueUnkeptRemoval(sql: Sql, card: UnkeptCard): Promise<void> {
  const { id, accountId, mode, merchantId, processor, processorHandle } = card;
  await sql.query(
    `insert into card_removals (instrument_id, account_id, mode, merchant_id, processor, processor_account,
                                processor_handle, handle_sealed)
     select $1, $2, $3, $4, $5,
            (select processor_account from merchant_processors p where p.merchant_id = $4 and p.processor = $5), $6, true
      where not exists (select from card_removals where instrument_id = $1)`,
    [id, accountId, mode, merchantId, processor, processorHandle],
  );
}

export interface DueRemoval extends HandleAtRest {
  /** A 64-bit integer as text. */
  removalId: string;
  accountId: AccountId;
  merchantId: MerchantId;
  mode: Mode;
  processor: string;
  /** The merchant is now connected to another account of the processor, where this card is unknown. */
  isElsewhere: boolean;
  /** Number of attempts, including this one. */
  attempt: number;
}

/**
 * Claims up to `limit` removals for one attempt each, and sets the time of their next attempt.
 * @param delaysMs `delaysMs[n]`: pause after attempt n + 1; the last pause repeats
 */
export async function claimRemovals(sql: Sql, limit: number, delaysMs: readonly number[]): Promise<DueRemoval[]> {
  const { rows } = await sql.query<DueRemoval>({
    name: 'claim_removals',
    text: `
      update card_removals r
         set attempts = r.attempts + 1,
             next_attempt_at = now() + ($2::integer[])[least(r.attempts + 1, cardinality($2::integer[]))]
                                       * interval '1 millisecond'
       where r.id in (select id from card_removals where status = 'waiting' and next_attempt_at <= now()
                       order by next_attempt_at limit $1 for no key update skip locked)
      returning r.id::text as "removalId", r.instrument_id as id, r.processor_handle as "processorHandle",
                r.handle_sealed as "handleSealed", r.account_id as "accountId", r.merchant_id as "merchantId", r.mode,
                r.processor, r.attempts as attempt,
                exists (select from merchant_processors p
                         where p.merchant_id = r.merchant_id and p.processor = r.processor
                           and p.processor_account <> r.processor_account) as "isElsewhere"`,
    values: [limit, delaysMs],
  });
  return rows;
}

const REMOVALS_DUE = `select min(next_attempt_at) from card_removals where status = 'waiting'`;

/** SQL: when cards are to be removed or saved. @param keeps whether this process can save cards, which needs a vault */
export const cardsDue = (keeps: boolean) =>
  keeps
    ? `${REMOVALS_DUE}
       union all
       select min(k.next_attempt_at) from card_consents k join charges c on c.id = k.charge_id
        where k.status = 'agreed' and c.status = 'succeeded'`
    : REMOVALS_DUE;

/** `gone`: the stored handle is cleared. `given_up`: only a person can remove the card now. */
export async function settleRemoval(sql: Sql, removalId: string, status: 'gone' | 'given_up'): Promise<void> {
  await sql.query(
    `update card_removals
        set status = $2, settled_at = now(), processor_handle = case when $2 = 'gone' then null else processor_handle end
      where id = $1 and status = 'waiting'`,
    [removalId, status],
  );
}
