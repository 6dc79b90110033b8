/** Limits of texts: counts those of a recipient and of an account, and reads which countries an account can text. */
import type { Scope } from '../../domain/account.ts';
import { CURRENCIES } from '../../domain/money.ts';
import type { TextLimits } from '../../domain/texts.ts';
import { takeAdvisoryLocks } from '../advisory-locks.ts';
import { readOne, type Sql } from '../pool.ts';

export interface TextSender extends Scope {
  /** E.164. */
  recipient: string;
}

/** The texts in the period of one limit. */
interface TextWindow {
  /** Counts up to the limit. */
  count: number;
  /** Seconds until the oldest text leaves the period; null if there are none. */
  freeInSeconds: number | null;
}
export type TextWindows = Record<keyof TextLimits, TextWindow>;

/**
 * Until the transaction ends, no other transaction reads the windows of this recipient or account for a new text, so that
 * concurrent requests cannot exceed the limits.
 */
export function lockTextLimits(sql: Sql, { accountId, mode, recipient }: TextSender): Promise<void> {
  return takeAdvisoryLocks(sql, [`texts to ${mode} ${recipient}`, `texts of ${mode} ${accountId}`]);
}

/** SQL: texts of test mode never leave the service, so only those that a request or a caller asked for count. */
const COUNTS = `(t.mode = 'live' or t.kind in ('pay_link', 'page_code'))`;
const OF_ACCOUNT = `t.account_id = $1 and t.mode = $2 and ${COUNTS}`;
/** In live mode over all accounts. In test mode, accounts must not use up each other's limits. */
const TO_RECIPIENT = `t.recipient = $3 and t.mode = $2 and ($2 = 'live' or t.account_id = $1) and ${COUNTS}`;

/** SQL: a {@link TextWindow}. Reads no more rows than the limit. */
const textWindow = (which: string, span: '1 hour' | '1 day', limit: string) => `(
  select json_build_object('count', count(*), 'freeInSeconds',
           ceil(extract(epoch from min(recent.created_at) + interval '${span}' - statement_timestamp())))
    from (select t.created_at from texts t
           where ${which} and t.created_at > statement_timestamp() - interval '${span}'
           order by t.created_at desc limit ${limit}) recent)`;

/** Call it after {@link lockTextLimits}. */
export function readTextWindows(sql: Sql, sender: TextSender, limits: TextLimits): Promise<TextWindows> {
  const { accountId, mode, recipient } = sender;
  return readOne<TextWindows>(sql, {
    name: 'read_text_windows',
    text: `select ${textWindow(TO_RECIPIENT, '1 hour', '$4::integer')} as "recipientHour",
                  ${textWindow(TO_RECIPIENT, '1 day', '$5::integer')} as "recipientDay",
                  ${textWindow(OF_ACCOUNT, '1 hour', '$6::integer')} as "accountHour",
                  ${textWindow(OF_ACCOUNT, '1 day', '$7::integer')} as "accountDay"`,
    values: [
      accountId,
      mode,
      recipient,
      limits.recipientHour,
      limits.recipientDay,
      limits.accountHour,
      limits.accountDay,
    ],
  });
}

/** A merchant has few numbers, and one of each country is enough. */
const MAX_NUMBERS = 20;

/**
 * SQL: a `TextReach` as JSON. Probes an index once per currency, because an account can have many merchants.
 * @param of SQL of each ID
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
