/** Callers and their saved cards. A card is a processor's handle, a brand and four digits; the number is never here. */
import type { Scope } from '../domain/account.ts';
import type { ConsumerId, InstrumentId, MerchantId } from '../domain/ids.ts';
import type { SavedCard } from '../domain/instrument.ts';
import type { Sql } from './database.ts';

/** A caller to keep; `phone` is E.164 and one consumer's only, per account and mode. */
export interface NewConsumer {
  id: ConsumerId;
  phone: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
}

/** Keeps a new caller. A number that is known already stays as it is. */
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
  /** Chargeable there and nowhere else, by `processorHandle`. */
  merchantId: MerchantId;
  processor: string;
  processorHandle: string;
}

/** Keeps a saved card. One with this id is left as it is. */
export async function insertInstrument(sql: Sql, scope: Scope, card: NewInstrument): Promise<void> {
  await sql.query(
    `insert into instruments (id, account_id, mode, consumer_id, merchant_id, processor, processor_handle, brand,
                              last_four, expiry_month, expiry_year, is_default)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (id) do nothing`,
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
    ],
  );
}

export interface CardRow {
  id: InstrumentId;
  brand: string;
  last_four: string;
  expiry_month: number;
  expiry_year: number;
  is_default: boolean;
}

const MAX_CARDS = 50;

/**
 * A subquery: the cards of consumer `c` that can be charged at merchant `m`, as a JSON array of {@link CardRow}, newest
 * first. A card saved through a processor that the merchant has left has no handle here; one past its month is none.
 */
export const CHARGEABLE_CARDS = `
  (select coalesce(jsonb_agg(to_jsonb(card) - 'created_at' order by card.created_at desc, card.id), '[]')
     from (select i.id, i.brand, i.last_four, i.expiry_month, i.expiry_year, i.is_default, i.created_at
             from instruments i
            where i.consumer_id = c.id and i.merchant_id = m.id and i.processor = m.processor and i.deleted_at is null
              and make_date(i.expiry_year, i.expiry_month, 1) + interval '1 month' > now()
            order by i.created_at desc limit ${MAX_CARDS}) card)`;

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
