/** Stores what velocity rules count by, and counts earlier attempts. */
import type { Scope } from '../../domain/account.ts';
import type { ChargeId, MerchantId } from '../../domain/ids.ts';
import { readOne, type Sql } from '../pool.ts';

/** The signals by which attempts are counted. An unknown signal is null and counts nothing. Hashes are keyed. */
export interface VelocitySignals {
  /** E.164. */
  callerPhone: string | null;
  cardFingerprint: Buffer | null;
  /** Hash of the IP address of a payer on the pay page. */
  originHash: Buffer | null;
  /** Hash of the number that a call came from, if the session has none. */
  callingNumberHash: Buffer | null;
  /** Hash of the trunk or address that a call came from. */
  callSourceHash: Buffer | null;
}

/** Attempts with one signal: those that a bank declined, and all that are pending or settled. */
export interface Share {
  declines: number;
  all: number;
}

export interface AttemptCounts {
  /** Attempts that are pending or were declined. */
  caller: number;
  card: number;
  origin: number;
  /** Distinct other cards, whatever their outcome. */
  callerCards: number;
  originCards: number;
  callingNumber: Share;
  callSource: Share;
  /** Counts keyed cards and page tokens. */
  merchant: Share;
}

/** How many seconds each signal counts. */
export type Seconds = Readonly<Record<keyof AttemptCounts, number>>;

/** The attempt that is being judged. */
export interface Counted {
  scope: Scope;
  merchantId: MerchantId | null;
  signals: VelocitySignals;
  seconds: Seconds;
}

/** SQL: a payment refused because of the merchant is no attempt, and has no decline code. */
const IS_UNPAID = `c.status <> 'succeeded' and (c.status = 'pending' or (c.status = 'failed' and c.decline_code is not null))`;

/** SQL: how long the signal counts. `$3`: {@link Seconds} as JSON. */
const window = (signal: keyof AttemptCounts) => `($3::jsonb ->> '${signal}')::integer * interval '1 second'`;

/**
 * SQL: excludes the partitions of the next days. A transaction that began later, but took its turn earlier, has a later
 * `created_at` than this one's `now()`.
 */
const SOON = `now() + interval '1 minute'`;

/** A session can be paid for at most this long after it was created (`ttl_seconds`). */
const LONGEST_TTL = `interval '1 day'`;

/** SQL: the recent charges `c` of the caller's sessions. */
const ofCaller = (signal: keyof AttemptCounts, join = '') => `
  from checkout_sessions session join charges c on c.session_id = session.id ${join}
 where session.account_id = $1 and session.mode = $2 and session.caller_phone = $4
   and session.created_at > now() - ${window(signal)} - ${LONGEST_TTL} and c.created_at > now() - ${window(signal)}`;

/** SQL: the recent charges `c` whose signals `s` have this hash. */
const ofHash = (signal: keyof AttemptCounts, column: string, hash: string) => `
  from charge_signals s join charges c on c.id = s.charge_id
 where s.account_id = $1 and s.mode = $2 and s.${column} = ${hash}
   and s.created_at > now() - ${window(signal)} and s.created_at < ${SOON}`;

const WITH_SIGNALS = 'join charge_signals s on s.charge_id = c.id and s.created_at = c.created_at';
const OTHER_CARD = 's.card_fingerprint is distinct from $5';

/**
 * SQL: a {@link Share} as JSON. The table has a few rows a minute, however many attempts there are; the oldest minute
 * counts as a whole.
 */
const share = (signal: keyof AttemptCounts, name: string, value: string) => `
  (select json_build_object('declines', coalesce(sum(declines), 0), 'all', coalesce(sum(attempts), 0))
     from attempt_counts
    where account_id = $1 and mode = $2 and signal = '${name}' and value = ${value}
      and minute > now() - ${window(signal)} - interval '1 minute' and minute < ${SOON}) as "${signal}"`;

const COUNT = `select
  (select count(*)::integer ${ofCaller('caller')} and ${IS_UNPAID}) as caller,
  (select count(distinct s.card_fingerprint)::integer ${ofCaller('callerCards', WITH_SIGNALS)} and ${OTHER_CARD})
    as "callerCards",
  (select count(*)::integer ${ofHash('card', 'card_fingerprint', '$5')} and ${IS_UNPAID}) as card,
  (select count(*)::integer ${ofHash('origin', 'origin_hash', '$6')} and ${IS_UNPAID}) as origin,
  (select count(distinct s.card_fingerprint)::integer ${ofHash('originCards', 'origin_hash', '$6')} and ${OTHER_CARD})
    as "originCards",
  ${share('callingNumber', 'calling_number', "encode($7, 'hex')")},
  ${share('callSource', 'call_source', "encode($8, 'hex')")},
  ${share('merchant', 'merchant', '$9')}`;

/** Counts attempts within each signal's seconds. */
export function countAttempts(sql: Sql, { scope, merchantId, signals, seconds }: Counted): Promise<AttemptCounts> {
  const { callerPhone, cardFingerprint, originHash, callingNumberHash, callSourceHash } = signals;
  return readOne(sql, {
    name: 'count_attempts',
    text: COUNT,
    values: [
      scope.accountId,
      scope.mode,
      JSON.stringify(seconds),
      callerPhone,
      cardFingerprint,
      originHash,
      callingNumberHash,
      callSourceHash,
      merchantId,
    ],
  });
}

/**
 * Stores the hashes of a charge that was inserted in the same transaction; they have the same `created_at`. The caller
 * is in the session. A trigger of `charges` counts the attempt.
 */
export async function insertSignals(
  sql: Sql,
  id: ChargeId,
  { accountId, mode }: Scope,
  { cardFingerprint, originHash, callingNumberHash, callSourceHash }: VelocitySignals,
): Promise<void> {
  const hashes = [cardFingerprint, originHash, callingNumberHash, callSourceHash];
  if (hashes.every((hash) => hash === null)) return;
  await sql.query({
    name: 'insert_signals',
    text: `insert into charge_signals (charge_id, account_id, mode, card_fingerprint, origin_hash, calling_number_hash,
                                       call_source_hash)
           values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [id, accountId, mode, ...hashes],
  });
}

/** Deletes the hashes of charges. */
export async function deleteSignals(sql: Sql, ids: readonly ChargeId[]): Promise<void> {
  await sql.query('delete from charge_signals where charge_id = any($1)', [ids]);
}
