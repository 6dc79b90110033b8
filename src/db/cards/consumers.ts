/** Rows of `consumers` (callers) and `instruments` (saved cards: handle, brand, last four; never the number). */
import type { Scope } from '../../domain/account.ts';
import type { ConsumerId, MerchantId } from '../../domain/ids.ts';
import type { Consumer, HandleAtRest, SavedCard } from '../../domain/instrument.ts';
import { columnsOf } from '../columns.ts';
import type { Sql } from '../pool.ts';

/** A caller to insert. */
export interface NewConsumer extends Consumer {
  /** E.164, and unique in its account and mode. */
  phone: string;
}

/** Inserts a caller. An existing caller with this number stays unchanged. */
export async function insertConsumer(sql: Sql, scope: Scope, consumer: NewConsumer): Promise<void> {
  await sql.query(
    `insert into consumers (id, account_id, mode, phone, first_name, last_name, email)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict do nothing`,
    [consumer.id, scope.accountId, scope.mode, consumer.phone, consumer.firstName, consumer.lastName, consumer.email],
  );
}

export interface NewInstrument extends SavedCard, HandleAtRest {
  consumerId: ConsumerId;
  merchantId: MerchantId;
  processor: string;
  /** The processor's fingerprint of the card number; null if it has none. */
  fingerprint: string | null;
}

/** @param onConflict SQL for a card that already exists. If omitted, that is an error */
export async function insertInstrument(sql: Sql, scope: Scope, card: NewInstrument, onConflict = ''): Promise<void> {
  await sql.query(
    `insert into instruments (id, account_id, mode, consumer_id, merchant_id, processor, processor_account,
                              processor_handle, handle_sealed, fingerprint, brand, last_four, expiry_month, expiry_year,
                              is_default)
     values ($1, $2, $3, $4, $5, $6,
             (select processor_account from merchant_processors where merchant_id = $5 and processor = $6),
             $7, $8, $9, $10, $11, $12, $13, $14) ${onConflict}`,
    [
      card.id,
      scope.accountId,
      scope.mode,
      card.consumerId,
      card.merchantId,
      card.processor,
      card.processorHandle,
      card.handleSealed,
      card.fingerprint,
      card.brand,
      card.lastFour,
      card.expiryMonth,
      card.expiryYear,
      card.isDefault,
    ],
  );
}

/** SQL: a {@link SavedCard} from a row of `instruments`. */
export const CARD = columnsOf<SavedCard>()('instruments', ['id brand lastFour expiryMonth expiryYear isDefault'], {});
