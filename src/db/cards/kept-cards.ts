/** Keeping the card of a charge in the statement that settles it: caller, card and consent, with the outcome or not at all. */
import type { ChargeId, InstrumentId } from '../../domain/ids.ts';
import { newId } from '../../domain/ids.ts';
import type { Sql } from '../pool.ts';

/** A card that the processor kept, its handle sealed for `instrument:<id>`. */
export interface SealedCard {
  /** A new one, or that of the card that {@link findSameCard} found. */
  id: InstrumentId;
  handle: string;
  fingerprint: string | null;
  brand: string;
  lastFour: string;
  /** 1 … 12. */
  expiryMonth: number;
  /** Four digits. */
  expiryYear: number;
  /** The card had another handle, which is to be forgotten at the processor. */
  replaces: boolean;
}

/** The card of before, when the caller of a charge has this very card already. */
export interface SameCard {
  id: InstrumentId;
  processorHandle: string;
  handleSealed: boolean;
}

/** @param fingerprint the processor's word for the card's number */
export async function findSameCard(sql: Sql, chargeId: ChargeId, fingerprint: string): Promise<SameCard | null> {
  const { rows } = await sql.query<SameCard>({
    name: 'find_same_card',
    text: `select i.id, i.processor_handle as "processorHandle", i.handle_sealed as "handleSealed"
             from charges ch
             join consumers c on c.account_id = ch.account_id and c.mode = ch.mode and c.phone = ch.caller_phone
             left join merchant_processors p on p.merchant_id = ch.merchant_id and p.processor = ch.processor
             join instruments i on i.consumer_id = c.id and i.processor = ch.processor and i.deleted_at is null
                               and i.fingerprint = $2
                               and coalesce(i.processor_account, i.merchant_id)
                                 = coalesce(p.processor_account, ch.merchant_id)
            where ch.id = $1`,
    values: [chargeId, fingerprint],
  });
  return rows[0] ?? null;
}

/**
 * SQL: CTEs that keep the card of the charge in `settled` (a row of `charges`, or none), if its caller agreed. `kept` has
 * the card's id then. Sees the handle of before as it was before.
 * @param first number of the first of the parameters that {@link keepValues} gives
 */
export function keepCard(first: number): string {
  const $ = (place: number) => `$${first + place}`;
  return `agreed as (
    select settled.*, p.processor_account
      from settled
      join card_consents k on k.charge_id = settled.id and k.status = 'agreed'
      left join merchant_processors p on p.merchant_id = settled.merchant_id and p.processor = settled.processor
     where settled.status = 'succeeded' and settled.caller_phone is not null
  ), caller as (
    insert into consumers (id, account_id, mode, phone)
    select ${$(0)}, account_id, mode, caller_phone from agreed
    on conflict (account_id, mode, phone) do update set phone = excluded.phone
    returning id
  ), replaced as (
    insert into card_removals (instrument_id, account_id, mode, merchant_id, processor, processor_account,
                               processor_handle, handle_sealed)
    select i.id, i.account_id, i.mode, i.merchant_id, i.processor, i.processor_account, i.processor_handle, i.handle_sealed
      from instruments i, agreed
     where i.id = ${$(1)} and i.deleted_at is null and ${$(8)}::boolean
  ), kept as (
    insert into instruments as i (id, account_id, mode, consumer_id, merchant_id, processor, processor_account,
                                  processor_handle, handle_sealed, fingerprint, brand, last_four, expiry_month, expiry_year)
    select ${$(1)}, agreed.account_id, agreed.mode, caller.id, agreed.merchant_id, agreed.processor,
           agreed.processor_account, ${$(2)}, true, ${$(3)}, ${$(4)}, ${$(5)}, ${$(6)}, ${$(7)}
      from agreed, caller
    on conflict (id) do update
       set processor_handle = excluded.processor_handle, handle_sealed = true,
           brand = excluded.brand, last_four = excluded.last_four, expiry_month = excluded.expiry_month,
           expiry_year = excluded.expiry_year, created_at = now()
     where i.deleted_at is null
    returning i.id, i.consumer_id
  ), noted as (
    update card_consents k set status = 'kept', instrument_id = kept.id, consumer_id = kept.consumer_id
      from kept, agreed where k.charge_id = agreed.id
  )`;
}

/** The parameters of {@link keepCard}, in their order. */
export function keepValues(card: SealedCard): unknown[] {
  return [
    ...[newId('Consumer'), card.id, card.handle, card.fingerprint, card.brand, card.lastFour],
    ...[card.expiryMonth, card.expiryYear, card.replaces],
  ];
}

/**
 * Keeps the card of a charge that is settled already; nothing happens where it was kept before.
 * @returns whether it was kept now
 */
export async function keepCardLater(sql: Sql, chargeId: ChargeId, card: SealedCard): Promise<boolean> {
  const { rows } = await sql.query({
    name: 'keep_card',
    text: `with settled as (select * from charges where id = $1), ${keepCard(2)} select id from kept`,
    values: [chargeId, ...keepValues(card)],
  });
  return rows.length === 1;
}
