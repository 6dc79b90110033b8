/** Rows of `consumers` (callers) and `instruments` (saved cards: handle, brand, last four; never the number). */
import type { Scope } from '../../domain/account.ts';
import type { ConsumerId, InstrumentId, MerchantId } from '../../domain/ids.ts';
import type { SavedCard } from '../../domain/instrument.ts';
import type { Sql } from '../pool.ts';

/** A caller to insert. `phone` is E.164, and unique in its account and mode. */
export interface NewConsumer {
  id: ConsumerId;
  phone: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
}

/** Inserts a caller. One with this number is left as it is. */
export async function insertConsumer(sql: Sql, scope: Scope, consumer: NewConsumer): Promise<void> {
  await sql.query(
    `insert into consumers (id, account_id, mode, phone, first_name, last_name, email)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict do nothing`,
    [consumer.id, scope.accountId, scope.mode, consumer.phone, consumer.firstName, consumer.lastName, consumer.email],
  );
}

export interface NewInstrument extends SavedCard {
  consumerId: ConsumerId;
  merchantId: MerchantId;
  processor: string;
  processorHandle: string;
  /** The processor's fingerprint of the card's number; null where it has none. */
  fingerprint: string | null;
}

/** Inserts a card with an unencrypted handle, for the demo. One with this id is left as it is. */
export async function insertInstrument(sql: Sql, scope: Scope, card: NewInstrument): Promise<void> {
  await sql.query(
    `insert into instruments (id, account_id, mode, consumer_id, merchant_id, processor, processor_handle, brand,
                              last_four, expiry_month, expiry_year, is_default, fingerprint)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict do nothing`,
    [
      card.id,
      scope.accountId,
      scope.mode,
      card.consumerId,
      card.merchantId,
      card.processor,
      card.processorHandle,
      card.brand,
      card.lastFour,
      card.expiryMonth,
      card.expiryYear,
      card.isDefault,
      card.fingerprint,
    ],
  );
}

/** The columns of `instruments` that are shown; the handle is not one. */
export interface CardRow {
  id: InstrumentId;
  brand: string;
  last_four: string;
  expiry_month: number;
  expiry_year: number;
  is_default: boolean;
}

/** A row of `instruments` in the domain's words. */
export function cardOf(row: CardRow): SavedCard {
  return {
    id: row.id,
    brand: row.brand,
    lastFour: row.last_four,
    expiryMonth: row.expiry_month,
    expiryYear: row.expiry_year,
    isDefault: row.is_default,
  };
}
