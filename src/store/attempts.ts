/** Counts what came to nothing, inside the statement that begins a charge: no round trip of its own. */
import type { VelocityRules } from '../payments/velocity.ts';
import { MAX_DECLINES_A_SESSION } from '../payments/velocity.ts';

/** Who pays, with what, from where, as far as it is known; the caller's number is the session's. */
export interface Traces {
  cardFingerprint: Buffer | null;
  originHash: Buffer | null;
}

/** `offset`: whether there are so many rows, and no more are looked at. */
function tried(column: string, value: string, attempts: number): string {
  return `
  exists (select from charges c
           where c.account_id = $3 and c.mode = $4 and c.${column} = ${value}
             and c.status <> 'succeeded'
             and c.created_at > now() - $${attempts + 1}::integer * interval '1 second'
          offset $${attempts}::integer - 1)`;
}

/**
 * SQL: whether a session of account $3 and mode $4 may not be tried again. @param s the table's alias
 * @param first number of the first of the parameters that {@link attemptValues} gives: the card's mark, two times two
 *   limits, and where there is an origin its hash and its two
 */
export function tooManyAttempts(s: string, first: number, hasOrigin: boolean): string {
  return `(${[
    `${s}.declines >= ${MAX_DECLINES_A_SESSION}`,
    tried('caller_phone', `${s}.caller_phone`, first + 1),
    tried('card_fingerprint', `$${first}::bytea`, first + 3),
    ...(hasOrigin ? [tried('origin_hash', `$${first + 5}::bytea`, first + 6)] : []),
  ].join(' or ')})`;
}

/** The eight parameters of {@link tooManyAttempts}, in their order. */
export function attemptValues({ cardFingerprint, originHash }: Traces, rules: VelocityRules): unknown[] {
  const { caller, card, origin } = rules;
  const values: unknown[] = [cardFingerprint, caller.attempts, caller.seconds, card.attempts, card.seconds];
  if (originHash !== null) values.push(originHash, origin.attempts, origin.seconds);
  return values;
}
