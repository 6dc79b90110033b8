/** The rows of phone calls: one a call, inserted before the answer and updated at its milestones and its end. */
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
  leaseId: number;
  sipCallId: string;
  sipDialogs: readonly string[];
  sourceAddress: string;
}

/** A step of the call's timeline. Never a digit. */
export interface TimelineStep {
  step: string;
  /** Milliseconds since the INVITE. */
  atMs: number;
}

/** The columns of a call that change. */
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
 * Inserts a call that is about to be answered. The caller is waiting, so the commit does not wait for the disk
 * (synchronous_commit off): a crash of PostgreSQL in these milliseconds loses the row of a call, never a charge.
 * @returns false when the session has a live call already (unique index one_live_call_a_session)
 */
export async function insertCall(sql: Sql, call: NewCall): Promise<boolean> {
  const { rowCount } = await sql.query({
    name: 'insert_call',
    text: `with no_disk_wait as (select set_config('synchronous_commit', 'off', true))
     insert into calls (id, account_id, mode, session_id, instance, lease_id, sip_call_id, source_address, sip_dialogs)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9 from no_disk_wait
     on conflict (session_id) where ended_at is null do nothing`,
    values: [
      call.id,
      call.accountId,
      call.mode,
      call.sessionId,
      call.instance,
      call.leaseId,
      call.sipCallId,
      call.sourceAddress,
      call.sipDialogs,
    ],
  });
  return rowCount === 1;
}

/** Overwrites the row with the call as it stands, also one that was closed as `lost`: the process that holds the call is right. */
export async function updateCall(sql: Sql, id: CallId, call: CallSnapshot): Promise<void> {
  await sql.query({
    name: 'update_call',
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
