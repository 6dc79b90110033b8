/** Reads which numbers an account may text, from its settings and its merchants. */
import { CURRENCIES } from '../../domain/money.ts';

/** A merchant has few; one of each country is enough. */
const MAX_NUMBERS = 20;

/**
 * SQL: a {@link TextReach} as JSON. One index probe a currency: an account may have many merchants. @param of SQL of
 * each
 */
export const textReach = ({ accountId, mode, merchantId }: Record<'accountId' | 'mode' | 'merchantId', string>) => `
  json_build_object(
    'countries', (select a.text_countries from accounts a where a.id = ${accountId}),
    'currencies', array(
      select c.currency from unnest('{${CURRENCIES.join(',')}}'::text[]) as c (currency)
       where exists (select from merchants m
                      where m.account_id = ${accountId} and m.mode = ${mode} and m.currency = c.currency)),
    'merchantNumbers', array(
      select n.number from merchant_numbers n where n.merchant_id = ${merchantId} limit ${MAX_NUMBERS}))`;
