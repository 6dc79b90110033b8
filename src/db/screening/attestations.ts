/** The table `session_attestations`: carriers' attestation of a session's call, one row per session and source. */
import type { CheckoutSessionId } from '../../domain/ids.ts';
import type { AttestationAnswer } from '../../domain/screening.ts';
import type { Sql } from '../pool.ts';

/** SQL: a worse attestation has a higher rank. */
const rank = (attestation: string) => `coalesce(array_position('{A,B,C,Failed}'::text[], ${attestation}), 0)`;

/**
 * Saves an attestation, unless the session is gone or its caller was erased. It replaces the source's earlier
 * attestation unless that was worse: a second, unsigned call does not remove a bad one.
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
