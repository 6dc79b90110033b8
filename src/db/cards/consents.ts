/** Callers' consents to saving a card, and cards that still have to be saved. */
import type { Charge } from '../../domain/charge.ts';
import type { AccountId, ChargeId, ConsumerId, InstrumentId, MerchantId } from '../../domain/ids.ts';
import type { CardConsent, CardTerms } from '../../domain/instrument.ts';
import type { Mode } from '../../domain/session.ts';
import { readFirst, type Sql } from '../pool.ts';

/** Call it with the charge whose card is to be saved. */
export async function insertConsent(sql: Sql, charge: Charge, consent: CardConsent): Promise<void> {
  await sql.query(
    `insert into card_consents (account_id, mode, merchant_id, charge_id, channel, call_id, wording_id, language, wording,
                                save_terms, max_amount_cents, currency)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      charge.accountId,
      charge.mode,
      charge.merchantId,
      charge.id,
      consent.channel,
      consent.callId,
      consent.wordingId,
      consent.language,
      consent.wording,
      consent.terms?.saveTerms ?? 'returning',
      consent.terms?.maxAmountCents ?? null,
      charge.amount.currency,
    ],
  );
}

/** What the integrator told the caller. `wording`: null if it did not send its sentence. */
export interface RestConsent extends CardTerms {
  merchantId: MerchantId;
  wording: string | null;
}

/** For a card saved over REST: the integrator asked the caller. */
export async function insertRestConsent(sql: Sql, instrumentId: InstrumentId, consent: RestConsent): Promise<void> {
  const { merchantId, saveTerms, maxAmountCents, wording } = consent;
  await sql.query(
    `insert into card_consents (account_id, mode, merchant_id, channel, consumer_id, instrument_id, status, save_terms,
                                max_amount_cents, wording, currency)
     select account_id, mode, $2, 'rest', consumer_id, id, 'kept', $3, $4, $5,
            (select currency from merchants where merchants.id = $2)
       from instruments where id = $1`,
    [instrumentId, merchantId, saveTerms, maxAmountCents, wording],
  );
}

/** The caller's agreement that a merchant charges a saved card without the caller. */
export interface MerchantMandate {
  /** The highest amount of one charge, in minor units; null: any. 0: the caller agreed to one in another currency. */
  maxAmountCents: number | null;
  /** The processor's ID of the payment with which the caller agreed; null if the card was saved without one. */
  agreedPaymentId: string | null;
}

/**
 * The newest agreement at this merchant; null if there is none. Another merchant's does not count.
 * @param currency of the charge
 */
export function findMandate(
  sql: Sql,
  merchantId: MerchantId,
  instrumentId: InstrumentId,
  currency: string,
): Promise<MerchantMandate | null> {
  return readFirst(
    sql,
    `select case when k.max_amount_cents is not null and k.currency <> $3 then 0 else k.max_amount_cents end
              as "maxAmountCents", c.processor_payment_id as "agreedPaymentId"
       from instruments i
       join card_consents k on k.consumer_id = i.consumer_id and k.instrument_id = i.id
       left join charges c on c.id = k.charge_id
      where i.id = $2 and i.deleted_at is null and k.merchant_id = $1 and k.status = 'kept'
        and k.save_terms = 'merchant_initiated'
      order by k.id desc limit 1`,
    [merchantId, instrumentId, currency],
  );
}

/**
 * Locks the consent of a charge while its card still has to be saved.
 * @returns the number of the caller who agreed (E.164); null if there is no consent, or the card is already saved or
 * refused
 */
export async function lockOpenConsent(sql: Sql, chargeId: ChargeId): Promise<string | null> {
  const caller = await readFirst<{ phone: string }>(
    sql,
    `select c.caller_phone as phone from card_consents k join charges c on c.id = k.charge_id
      where k.charge_id = $1 and k.status = 'agreed' for no key update of k`,
    [chargeId],
  );
  return caller?.phone ?? null;
}

export async function markCardSaved(
  sql: Sql,
  chargeId: ChargeId,
  card: { id: InstrumentId; consumerId: ConsumerId },
): Promise<void> {
  await sql.query(
    `update card_consents set status = 'kept', instrument_id = $2, consumer_id = $3 where charge_id = $1`,
    [chargeId, card.id, card.consumerId],
  );
}

/** The processor refuses to save the card, or could not be reached for too long. */
export async function markCardNotSaved(sql: Sql, chargeId: ChargeId): Promise<void> {
  await sql.query(`update card_consents set status = 'not_kept' where charge_id = $1 and status = 'agreed'`, [
    chargeId,
  ]);
}

/** A succeeded charge whose card still has to be saved. */
export interface CardToSave {
  chargeId: ChargeId;
  accountId: AccountId;
  merchantId: MerchantId;
  mode: Mode;
  processor: string;
  processorPaymentId: string;
  /** Number of attempts, including this one. */
  attempt: number;
}

/**
 * Claims up to `limit` cards to save, for one attempt each, and sets the time of their next attempt.
 * @param delaysMs `delaysMs[n]`: pause after attempt n + 1; the last pause repeats
 */
export async function claimCardsToKeep(sql: Sql, limit: number, delaysMs: readonly number[]): Promise<CardToSave[]> {
  const { rows } = await sql.query<CardToSave>(
    `with due as (
       select k.id from card_consents k join charges c on c.id = k.charge_id
        where k.status = 'agreed' and k.next_attempt_at <= now() and c.status = 'succeeded'
        order by k.next_attempt_at limit $1 for no key update of k skip locked
     )
     update card_consents k
        set attempts = k.attempts + 1,
            next_attempt_at = now() + ($2::integer[])[least(k.attempts + 1, cardinality($2::integer[]))]
                                      * interval '1 millisecond'
       from due, charges c
      where k.id = due.id and c.id = k.charge_id
     returning c.id as "chargeId", c.account_id as "accountId", c.merchant_id as "merchantId", c.mode, c.processor,
               c.processor_payment_id as "processorPaymentId", k.attempts as attempt`,
    [limit, delaysMs],
  );
  return rows;
}
