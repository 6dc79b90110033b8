/** Consents to keep a card, written with the charge, and the cards that are still to be kept because of one. */

import type { CardConsent } from '../../domain/consent.ts';
import type { AccountId, ChargeId, InstrumentId, MerchantId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';

/**
 * SQL: the consent to the charge in the CTE `begun`; without a caller there is nobody to keep the card for.
 * @param first number of the first of the parameters that {@link consentValues} gives
 */
export function consented(first: number): string {
  const values = [0, 1, 2, 3, 4].map((place) => `$${first + place}`).join(', ');
  return `consented as (
    insert into card_consents (account_id, mode, merchant_id, charge_id, channel, call_id, wording_id, language, wording)
    select account_id, mode, merchant_id, id, ${values} from begun where caller_phone is not null
  )`;
}

/** The five parameters of {@link consented}, in their order. */
export function consentValues({ channel, callId, wordingId, language, wording }: CardConsent): unknown[] {
  return [channel, callId, wordingId, language, wording];
}

/** A charge that succeeded, whose card is to be kept and is not yet. */
export interface CardToKeep {
  chargeId: ChargeId;
  accountId: AccountId;
  merchantId: MerchantId;
  mode: Mode;
  processor: string;
  processorPaymentId: string;
  /** E.164. */
  callerPhone: string;
  /** Times tried, this one included. */
  attempt: number;
}

/**
 * Claims up to `limit` cards to keep for one attempt each and sets the time of their next; those of charges that failed
 * are done with. @param delaysMs `delaysMs[n]`: pause after attempt n + 1, the last one again and again
 */
export async function claimCardsToKeep(sql: Sql, limit: number, delaysMs: readonly number[]): Promise<CardToKeep[]> {
  const { rows } = await sql.query<CardToKeep>({
    name: 'claim_cards_to_keep',
    text: `
      with due as (
        select k.id, c.status
          from card_consents k join charges c on c.id = k.charge_id
         where k.status = 'agreed' and k.next_attempt_at <= now() and c.status in ('succeeded', 'failed')
         order by k.next_attempt_at limit $1 for update of k skip locked
      ), failed as (
        update card_consents k set status = 'not_kept' from due where due.id = k.id and due.status = 'failed'
      )
      update card_consents k
         set attempts = k.attempts + 1,
             next_attempt_at = now() + ($2::integer[])[least(k.attempts + 1, cardinality($2::integer[]))]
                                       * interval '1 millisecond'
        from due join card_consents d on d.id = due.id join charges c on c.id = d.charge_id
       where due.id = k.id and due.status = 'succeeded'
      returning c.id as "chargeId", c.account_id as "accountId", c.merchant_id as "merchantId", c.mode, c.processor,
                c.processor_payment_id as "processorPaymentId", c.caller_phone as "callerPhone", k.attempts as attempt`,
    values: [limit, delaysMs],
  });
  return rows;
}

/** The processor will not keep the card, or nobody could ask it for too long. */
export async function cardNotKept(sql: Sql, chargeId: ChargeId): Promise<void> {
  await sql.query(`update card_consents set status = 'not_kept' where charge_id = $1 and status = 'agreed'`, [
    chargeId,
  ]);
}

/** The card of an integrator who saved it over REST, and asked the caller himself. */
export async function insertRestConsent(sql: Sql, instrumentId: InstrumentId): Promise<void> {
  await sql.query(
    `insert into card_consents (account_id, mode, merchant_id, channel, consumer_id, instrument_id, status)
     select account_id, mode, merchant_id, 'rest', consumer_id, id, 'kept' from instruments where id = $1`,
    [instrumentId],
  );
}
