/** Saves a card after a charge with consent, or over REST. Always in a transaction. */
import type { Scope } from '../../domain/account.ts';
import type { ConsumerId, InstrumentId } from '../../domain/ids.ts';
import { newId } from '../../domain/ids.ts';
import type { HandleAtRest } from '../../domain/instrument.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';
import { insertInstrument, type NewConsumer, type NewInstrument } from './consumers.ts';
import { queueRemoval } from './removals.ts';

export type CallerDetails = Omit<NewConsumer, 'id'>;

/** A card that a processor has saved for a caller. */
export interface CardToSave extends Omit<NewInstrument, 'consumerId' | 'processorHandle' | 'handleSealed'> {
  /** The ID to use if the caller does not have this card yet. */
  id: InstrumentId;
  /** Encrypts the handle for the card with this ID. */
  sealHandle(id: InstrumentId): string;
  /** Whether a stored handle is this one. */
  isHandle(stored: HandleAtRest): boolean;
}

/**
 * Saves the card, and inserts or completes the caller. If the caller already has the card, it keeps its ID, gets the
 * new expiry and handle, and counts as the newest.
 */
export async function saveCard(
  sql: Sql,
  scope: Scope,
  caller: CallerDetails,
  card: CardToSave,
): Promise<{ id: InstrumentId; consumerId: ConsumerId }> {
  // Locks the caller's row, so that cards of the same caller are saved one after the other.
  const consumerId = await saveCaller(sql, scope, caller);
  if (card.isDefault) {
    await sql.query(
      'update instruments set is_default = false where consumer_id = $1 and merchant_id = $2 and is_default',
      [consumerId, card.merchantId],
    );
  }
  const before = await findSameCard(sql, consumerId, card);
  if (before === null) {
    const handle = { processorHandle: card.sealHandle(card.id), handleSealed: true };
    await insertInstrument(sql, scope, { ...card, ...handle, consumerId });
  } else await updateCard(sql, before, card);
  return { id: before?.id ?? card.id, consumerId };
}

async function saveCaller(sql: Sql, scope: Scope, caller: CallerDetails): Promise<ConsumerId> {
  const { id } = await readOne<{ id: ConsumerId }>(
    sql,
    `insert into consumers as c (id, account_id, mode, phone, first_name, last_name, email)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (account_id, mode, phone) do update
        set first_name = coalesce(excluded.first_name, c.first_name),
            last_name = coalesce(excluded.last_name, c.last_name), email = coalesce(excluded.email, c.email)
     returning id`,
    [newId('Consumer'), scope.accountId, scope.mode, caller.phone, caller.firstName, caller.lastName, caller.email],
  );
  return id;
}

/** The caller's card with the same number, locked so that it is not deleted meanwhile. */
function findSameCard(sql: Sql, consumerId: ConsumerId, card: CardToSave): Promise<HandleAtRest | null> {
  return readFirst(
    sql,
    `select i.id, i.processor_handle as "processorHandle", i.handle_sealed as "handleSealed"
       from instruments i
       left join merchant_processors p on p.merchant_id = $2 and p.processor = $3
      where i.consumer_id = $1 and i.processor = $3 and i.fingerprint = $4 and i.deleted_at is null
        and coalesce(i.processor_account, i.merchant_id) = coalesce(p.processor_account, $2)
        for no key update of i`,
    [consumerId, card.merchantId, card.processor, card.fingerprint],
  );
}

async function updateCard(sql: Sql, before: HandleAtRest, card: CardToSave): Promise<void> {
  if (!card.isHandle(before)) await queueRemoval(sql, before.id);
  await sql.query(
    `update instruments
        set processor_handle = $2, handle_sealed = true, brand = $3, last_four = $4, expiry_month = $5, expiry_year = $6,
            is_default = is_default or $7, created_at = now()
      where id = $1`,
    [
      before.id,
      card.sealHandle(before.id),
      card.brand,
      card.lastFour,
      card.expiryMonth,
      card.expiryYear,
      card.isDefault,
    ],
  );
}
