/**
 * The screening facts of a session's caller: saves carriers' attestations, and has the SQL for statements that read
 * sessions. domain/screening.ts decides.
 */
import type { CheckoutSessionId } from '../../domain/ids.ts';
import type { AttestationAnswer, StoredAttestation, StoredLookup } from '../../domain/screening.ts';
import { columnsOf, jsonOf } from '../columns.ts';
import type { Sql } from '../pool.ts';

/** SQL: a worse attestation has a higher rank. */
const rank = (attestation: string) => `coalesce(array_position('{A,B,C,Failed}'::text[], ${attestation}), 0)`;

/**
 * Saves an attestation in `session_attestations`, which has one row per session and source, unless the
 * session is gone or its caller was erased. It replaces the source's earlier attestation unless that was worse: a
 * second, unsigned call does not remove a bad one.
 */
export async function saveAttestation(
  sql: Sql,
  sessionId: CheckoutSessionId,
  source: string,
  answer: AttestationAnswer,
): Promise<void> {
  await sql.query({
    name: 'save_attestation',
    text: `
      insert into session_attestations (session_id, source, attestation, note, attested_at)
      select id, $2, $3, $4, now() from checkout_sessions where id = $1 and caller_phone is not null
      on conflict (session_id, source) do update
         set attestation = excluded.attestation, note = excluded.note, attested_at = excluded.attested_at
       where ${rank('excluded.attestation')} >= ${rank('session_attestations.attestation')}`,
    values: [sessionId, source, answer.attestation, answer.attestation === null ? answer.note : null],
  });
}

/** SQL: milliseconds as of `Date.now()`, because JSON has no dates. */
const epochMs = (column: string) => `(extract(epoch from ${column}) * 1000)::double precision`;

const LOOKUP = columnsOf<StoredLookup>()(
  'number_lookups',
  ['adapter isAnswered portCheck lineType carrier notes failure'],
  { checkedAtMs: epochMs('number_lookups.checked_at') },
);

const ATTESTATION = columnsOf<StoredAttestation>()('session_attestations', ['source attestation note'], {
  attestedAtMs: epochMs('session_attestations.attested_at'),
});

/** A session lasts a day at most, and can start with a lookup from the day before. */
export const SCREENING_RETENTION = "interval '2 days'";

/** SQL: a `KeptLookup` as JSON, or null. @param number SQL of account, mode and phone number */
export function storedLookup(number: { accountId: string; mode: string; phone: string }): string {
  return jsonOf(`
    select ${LOOKUP} from number_lookups
     where number_lookups.account_id = ${number.accountId} and number_lookups.mode = ${number.mode}
       and number_lookups.phone = ${number.phone} and number_lookups.checked_at > now() - ${SCREENING_RETENTION}`);
}

/** SQL: the `ScreenFacts` of a row of `sessions` as JSON. */
export function screenFacts(sessions = 'checkout_sessions'): string {
  const number = { accountId: `${sessions}.account_id`, mode: `${sessions}.mode`, phone: `${sessions}.caller_phone` };
  return `json_build_object('lookup', ${storedLookup(number)}, 'attestations', array_to_json(array(
    select row_to_json(item) from (
      select ${ATTESTATION} from session_attestations
       where session_attestations.session_id = ${sessions}.id
         and session_attestations.attested_at > now() - ${SCREENING_RETENTION}
       order by session_attestations.attested_at, session_attestations.source) item)))`;
}
