/** SQL that says which saved cards can be charged at a merchant, and when: one rule for every list and every charge. */

/** A card `i` is kept where merchant `m` (processor `p` of `merchant_processors`, if it is connected) can charge it. */
export function isKeptAt(i: string, m: string, p: string): string {
  return `(${i}.processor = ${m}.processor
    and (${i}.processor_account = ${p}.processor_account
         or (${i}.processor_account is null and ${i}.merchant_id = ${m}.id)))`;
}

/**
 * A card whose month has not begun is good wherever the merchant is: most are, and the exact answer costs as much as all
 * the rest.
 * @param at SQL: the moment, a timestamptz
 */
export function isUnexpired(i: string, m: string, at: string): string {
  return `(make_date(${i}.expiry_year, ${i}.expiry_month, 1) > ${at} + interval '1 day'
           or not is_card_expired(${i}.expiry_month, ${i}.expiry_year, ${at}, ${m}.time_zone))`;
}

const MAX_CARDS = 50;

/**
 * A subquery: the cards of consumer `c` that can be charged at merchant `m`, as a JSON array of `CardRow`, newest first.
 * A card saved through a processor, or an account of it, that the merchant has left has no handle here.
 * @param at SQL: the moment at which none may have expired
 */
export function chargeableCards(at: string): string {
  return `
  array_to_json(array(select card
     from (select i.id, i.brand, i.last_four, i.expiry_month, i.expiry_year, i.is_default
             from instruments i
             left join merchant_processors own on own.merchant_id = m.id and own.processor = m.processor
            where i.consumer_id = c.id and i.deleted_at is null and ${isKeptAt('i', 'm', 'own')}
              and ${isUnexpired('i', 'm', at)}
            order by i.created_at desc, i.id desc limit ${MAX_CARDS}) card))`;
}
