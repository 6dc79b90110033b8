/** Counts of earlier attempts that did not succeed, for the velocity rules. */
import type { Scope } from '../../domain/account.ts';
import type { Sql } from '../pool.ts';

/** What attempts are counted by; null where it is not known, and then nothing counts. */
export interface VelocitySignals {
  /** E.164. */
  callerPhone: string | null;
  cardFingerprint: Buffer | null;
  originHash: Buffer | null;
}

/** One number a signal: of attempts, or of the seconds in which they count. */
export interface AttemptCounts {
  caller: number;
  card: number;
  origin: number;
}

const COUNT = `
  select (select count(*)::integer from charges
           where account_id = $1 and mode = $2 and caller_phone = $3
             and status <> 'succeeded' and created_at > now() - $4::integer * interval '1 second') as caller,
         (select count(*)::integer from charges
           where account_id = $1 and mode = $2 and card_fingerprint = $5
             and status <> 'succeeded' and created_at > now() - $6::integer * interval '1 second') as card,
         (select count(*)::integer from charges
           where account_id = $1 and mode = $2 and origin_hash = $7
             and status <> 'succeeded' and created_at > now() - $8::integer * interval '1 second') as origin`;

/** The account's attempts that are pending or failed, of the last seconds that `seconds` says. */
export async function countAttempts(
  sql: Sql,
  { accountId, mode }: Scope,
  { callerPhone, cardFingerprint, originHash }: VelocitySignals,
  seconds: AttemptCounts,
): Promise<AttemptCounts> {
  const { rows } = await sql.query<AttemptCounts>({
    name: 'count_attempts',
    text: COUNT,
    values: [
      ...[accountId, mode, callerPhone, seconds.caller],
      ...[cardFingerprint, seconds.card, originHash, seconds.origin],
    ],
  });
  return rows[0] ?? { caller: 0, card: 0, origin: 0 };
}
