/** Counts the texts of a recipient and of an account for their limits. The rows of `texts` are the record. */
import type { Scope } from '../../domain/account.ts';
import type { TextLimits } from '../../domain/text-limits.ts';
import { readOne, type Sql } from '../pool.ts';
import { takeTurns } from '../turns.ts';

export interface TextTurn extends Scope {
  /** E.164. */
  recipient: string;
}

/** The texts of one limit's time. */
interface TextWindow {
  /** The limit at most. */
  count: number;
  /** Seconds until the oldest of them counts no more; null: there are none. */
  freeInSeconds: number | null;
}
export type TextWindows = Record<keyof TextLimits, TextWindow>;

/**
 * Until the transaction ends, no other one reads the windows of this recipient or account for a new text: of many at
 * once, no more pass than the limits allow.
 */
export function lockTextTurns(sql: Sql, { accountId, mode, recipient }: TextTurn): Promise<void> {
  return takeTurns(sql, [`texts to ${mode} ${recipient}`, `texts of ${mode} ${accountId}`]);
}

/** SQL: no text of test mode leaves the service, so only those that a request or a caller asked for count there. */
const COUNTS = `(t.mode = 'live' or t.kind in ('pay_link', 'page_code'))`;
const OF_ACCOUNT = `t.account_id = $1 and t.mode = $2 and ${COUNTS}`;
/** In live mode over all accounts; in test mode accounts must not use up each other's turns. */
const TO_RECIPIENT = `t.recipient = $3 and t.mode = $2 and ($2 = 'live' or t.account_id = $1) and ${COUNTS}`;

/** SQL: a {@link TextWindow}. Reads no more rows than the limit. */
const textWindow = (which: string, span: '1 hour' | '1 day', limit: string) => `(
  select json_build_object('count', count(*), 'freeInSeconds',
           ceil(extract(epoch from min(recent.created_at) + interval '${span}' - statement_timestamp())))
    from (select t.created_at from texts t
           where ${which} and t.created_at > statement_timestamp() - interval '${span}'
           order by t.created_at desc limit ${limit}) recent)`;

/** Behind {@link lockTextTurns}. */
export function readTextWindows(sql: Sql, turn: TextTurn, limits: TextLimits): Promise<TextWindows> {
  const { accountId, mode, recipient } = turn;
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
