/** Rows of `session_attestations`: how far the carriers vouch for a session's call. One a session and source. */
import type { CheckoutSessionId } from '../../domain/ids.ts';
import type { AttestationAnswer } from '../../domain/screening.ts';
import type { Sql } from '../pool.ts';

/** SQL: the worse an attestation, the higher. */
const rank = (attestation: string) => `coalesce(array_position('{A,B,C,Failed}'::text[], ${attestation}), 0)`;

/**
 * A session that is gone, or whose caller was erased, gets none. It replaces what the same source said before, unless
 * that was worse: whoever calls once more, unsigned, does not get rid of a bad one.
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
