/** Phone calls in the record: one row a call, opened before the answer, written again at its milestones and at its end. */
import type { AccountId, CallId, ChargeId, CheckoutSessionId } from '../../domain/ids.ts';
import type { FailureReason, OutcomeKind } from '../../domain/outcome.ts';
import type { Mode } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';

export interface NewCall {
  id: CallId;
  accountId: AccountId;
  mode: Mode;
  sessionId: CheckoutSessionId;
  instance: string;
  lifeId: number;
  sipCallId: string;
  sipDialogs: readonly string[];
  sourceAddress: string;
}

/** A step the call has reached. Never a digit. */
export interface TimelineStep {
  step: string;
  /** Since the INVITE. */
  atMs: number;
}

/** All of a call that changes. */
export interface CallSnapshot {
  sipDialogs: readonly string[];
  mediaLegId: string | null;
  returnSipCallId: string | null;
  timeline: readonly TimelineStep[];
  outcome: OutcomeKind | null;
  reason: FailureReason | null;
  chargeId: ChargeId | null;
  returnMode: 'refer' | 'bridge' | null;
  answeredAt: Date | null;
  endedAt: Date | null;
}

/**
 * A caller waits for this one: its commit does not wait for the disk, but goes there with the next, which says that the
 * call was answered. What a crash of PostgreSQL undoes in these milliseconds is a call's row, never a charge.
 * @returns false when the session has a live call already (one_live_call_a_session)
 */
export async function openCall(sql: Sql, call: NewCall): Promise<boolean> {
  const { rowCount } = await sql.query({
    name: 'open_call',
    text: `with unhurried as (select set_config('synchronous_commit', 'off', true))
     insert into calls (id, account_id, mode, session_id, instance, life_id, sip_call_id, source_address, sip_dialogs)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9 from unhurried
     on conflict (session_id) where ended_at is null do nothing`,
    values: [
      call.id,
      call.accountId,
      call.mode,
      call.sessionId,
      call.instance,
      call.lifeId,
      call.sipCallId,
      call.sourceAddress,
      call.sipDialogs,
    ],
  });
  return rowCount === 1;
}

/** Writes the call as it stands, over whatever the row says, `lost` included: who holds the call knows best. */
export async function saveCall(sql: Sql, id: CallId, call: CallSnapshot): Promise<void> {
  await sql.query({
    name: 'save_call',
    text: `update calls set media_leg_id = $2, return_sip_call_id = $3, timeline = $4, outcome = $5, reason = $6,
       charge_id = $7, return_mode = $8, answered_at = $9, ended_at = coalesce($10, ended_at), sip_dialogs = $11
      where id = $1`,
    values: [
      id,
      call.mediaLegId,
      call.returnSipCallId,
      JSON.stringify(call.timeline.map(({ step, atMs }) => ({ step, at_ms: atMs }))),
      call.outcome,
      call.reason,
      call.chargeId,
      call.returnMode,
      call.answeredAt,
      call.endedAt,
      call.sipDialogs,
    ],
  });
}
