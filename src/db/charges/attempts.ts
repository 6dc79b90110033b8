/** Counts what came to nothing, inside the statement that begins a charge: no round trip of its own. */
import { MAX_DECLINES_A_SESSION, type VelocityRule, type VelocityRules } from '../../payments/velocity.ts';

/** Who pays, with what, from where, as far as it is known; the caller's number is the session's. */
export interface Traces {
  cardFingerprint: Buffer | null;
  originHash: Buffer | null;
}

/** `offset`: whether there are so many rows, and no more are looked at. */
function tried(column: string, value: string, { attempts, seconds }: VelocityRule): string {
  return `
  exists (select from charges c
           where c.account_id = $3 and c.mode = $4 and c.${column} = ${value}
             and c.status <> 'succeeded' and c.created_at > now() - interval '${whole(seconds)} seconds'
          offset ${whole(attempts) - 1})`;
}

/**
 * A number in the text of a statement: of ours, and the same from charge to charge, so that nobody has to send, read and cast
 * it each time. @throws on what is none
 */
export function whole(number: number): number {
  if (!Number.isSafeInteger(number)) throw new Error('a statement with a number that is not whole');
  return number;
}

/**
 * SQL: whether a session of account $3 and mode $4 may not be tried again. @param s the table's alias
 * @param first number of the first of the parameters that {@link attemptValues} gives
 */
export function tooManyAttempts(s: string, first: number, hasOrigin: boolean, rules: VelocityRules): string {
  return `(${[
    `${s}.declines >= ${MAX_DECLINES_A_SESSION}`,
    tried('caller_phone', `${s}.caller_phone`, rules.caller),
    tried('card_fingerprint', `$${first}::bytea`, rules.card),
    ...(hasOrigin ? [tried('origin_hash', `$${first + 1}::bytea`, rules.origin)] : []),
  ].join(' or ')})`;
}

/** The parameters of {@link tooManyAttempts}: the card's mark, and where there is an origin its hash. */
export function attemptValues({ cardFingerprint, originHash }: Traces): (Buffer | null)[] {
  return originHash === null ? [cardFingerprint] : [cardFingerprint, originHash];
}
