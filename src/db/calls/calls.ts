/** The table `calls`: a row is inserted before the call is answered, and updated at milestones and at the end. */
import {
  type CallKeyKind,
  type CallStage,
  countedSteps,
  type DialogFacts,
  type SoundQuality,
  type StoredStep,
} from '../../domain/call.ts';
import type { AccountId, CallId, ChargeId, CheckoutSessionId, MerchantId } from '../../domain/ids.ts';
import type { OutcomeKind, OutcomeReason } from '../../domain/outcome.ts';
import type { Mode } from '../../domain/session.ts';
import { isDuplicate } from '../error-kinds.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';
import { armTextAfterDrop } from './texts-after-drop.ts';

export interface NewCall {
  id: CallId;
  accountId: AccountId;
  mode: Mode;
  /** Null until the caller has chosen one of several sessions; see {@link claimSession}. */
  sessionId: CheckoutSessionId | null;
  /** The session's merchant. If omitted, it is looked up. */
  merchantId?: MerchantId;
  instance: string;
  leaseId: number;
  sipCallId: string;
  sipDialogs: readonly string[];
  sourceAddress: string;
  /** Whether the caller's Allow lists REFER. */
  allowsRefer: boolean;
}

/** A step of the call's timeline. It never contains a digit that the caller keyed. Milliseconds since the INVITE. */
export interface TimelineStep {
  step: string;
  atMs: number;
  /** See {@link StoredStep}, as for the other two. */
  said?: { text: string; language: string; untilMs: number | null };
  answerMs?: number;
  wrongDigits?: number;
}

/** The columns that change during a call. */
export interface CallSnapshot extends SoundQuality {
  sipDialogs: readonly string[];
  /** Our Contact in the caller's dialog; null before the answer. */
  localContact: string | null;
  /** Facts of the answered dialogs, in the order of `sipDialogs`. Stored while the call is live. */
  dialogFacts: readonly DialogFacts[];
  mediaLegId: string | null;
  returnSipCallId: string | null;
  timeline: readonly TimelineStep[];
  outcome: OutcomeKind | null;
  reason: OutcomeReason | null;
  chargeId: ChargeId | null;
  /** The call's progress, as the pay page shows it. */
  stage: CallStage;
  /** Null if no key was received. */
  keyKind: CallKeyKind | null;
  returnMode: 'refer' | 'bridge' | null;
  answeredAt: Date | null;
  endedAt: Date | null;
  /** The call dropped unpaid, and the merchant wants such callers to get the pay link by text. */
  textsLink: boolean;
}

/**
 * `busy`: the session already has a live call. `too_many`: it has had {@link MAX_CALLS_A_SESSION} calls. `full`: the
 * account has reached its limit of live calls.
 */
export type CallInsertion = 'inserted' | 'busy' | 'too_many' | 'full';

/** Counts answered calls. After this many, another one does not help. */
const MAX_CALLS_A_SESSION = 10;

/**
 * Inserts a call that is about to be answered. The caller is waiting, so the commit does not wait for the disk
 * (synchronous_commit off): a crash of PostgreSQL within these milliseconds loses the row of a call, never a charge.
 *
 * The same statement counts the account's live calls over all processes, by a partial index of live rows. Calls
 * inserted within the same milliseconds do not see each other, so the limit can be exceeded by that many.
 * @param maxLive limit of the account, in both modes together
 */
export async function insertCall(sql: Sql, call: NewCall, maxLive: number): Promise<CallInsertion> {
  const { result } = await readOne<{ result: CallInsertion }>(sql, {
    name: 'insert_call',
    text: `with no_disk_wait as (select set_config('synchronous_commit', 'off', true)),
     live as (
       select count(*) >= $11 as "isFull"
         from (select from calls where account_id = $2 and ended_at is null limit $11) of_account),
     earlier as (
       select count(*) >= ${MAX_CALLS_A_SESSION} as "isOften"
         from (select from calls where session_id = $4 and answered_at is not null limit ${MAX_CALLS_A_SESSION}) of_session),
     inserted as (
       insert into calls (id, account_id, mode, session_id, instance, lease_id, sip_call_id, source_address, sip_dialogs,
                          allows_refer, merchant_id)
       select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $12 from no_disk_wait, live, earlier
        where not live."isFull" and not earlier."isOften"
       on conflict (session_id) where ended_at is null do nothing
       returning 1)
     select case when exists (select from inserted) then 'inserted' when earlier."isOften" then 'too_many'
                 when live."isFull" then 'full' else 'busy' end as result
       from live, earlier`,
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
      call.allowsRefer,
      maxLive,
      call.merchantId ?? null,
    ],
  });
  return result;
}

/** A call, and the lease of the process that handles it. */
export type CallHolder = Pick<NewCall, 'id' | 'leaseId'>;

/** Whether the process still owns the call; see {@link closeLostCalls}. */
export async function holdsCall(sql: Sql, { id, leaseId }: CallHolder): Promise<boolean> {
  const text = 'select 1 from calls where id = $1 and lease_id = $2';
  return (await sql.query({ name: 'holds_call', text, values: [id, leaseId] })).rowCount === 1;
}

const UPDATE = `update calls set media_leg_id = $2, return_sip_call_id = $3, timeline = $4, outcome = $5, reason = $6,
       charge_id = $7, return_mode = $8, answered_at = $9, ended_at = coalesce($10, ended_at), sip_dialogs = $11,
       local_contact = $12, stage = $14, key_kind = $15, codec = $16, packets_received = $17, packets_lost = $18,
       jitter_ms = $19, dialog_facts = $20, steps = $21
      where id = $1 and lease_id = $13`;
const UPDATE_BROKEN_OFF = `with written as (${UPDATE} returning session_id)
  ${armTextAfterDrop('select session_id from written')}`;

/**
 * Overwrites the row with the call's current state, unless another process has taken the call over (see {@link
 * closeLostCalls}).
 */
export async function updateCall(sql: Sql, { id, leaseId }: CallHolder, call: CallSnapshot): Promise<void> {
  const textsLink = call.textsLink && call.endedAt !== null && call.returnMode === null;
  await sql.query({
    ...(textsLink
      ? { name: 'update_call_broken_off', text: UPDATE_BROKEN_OFF }
      : { name: 'update_call', text: UPDATE }),
    values: [
      id,
      call.mediaLegId,
      call.returnSipCallId,
      timelineJson(call.timeline),
      call.outcome,
      call.reason,
      call.chargeId,
      call.returnMode,
      call.answeredAt,
      call.endedAt,
      call.sipDialogs,
      call.localContact,
      leaseId,
      call.stage,
      call.keyKind,
      call.codec,
      call.packetsReceived,
      call.packetsLost,
      call.jitterMs,
      call.endedAt === null ? storedFacts(call.dialogFacts) : null,
      call.endedAt === null ? null : countedSteps(call.timeline),
    ],
  });
}

/** Records how a lost call was returned to the agent. */
export async function recordReturn(
  sql: Sql,
  id: CallId,
  { returnMode, timeline }: Partial<Pick<CallSnapshot, 'returnMode'>> & Pick<CallSnapshot, 'timeline'>,
): Promise<void> {
  await sql.query('update calls set return_mode = coalesce($2, return_mode), timeline = timeline || $3 where id = $1', [
    id,
    returnMode ?? null,
    timelineJson(timeline),
  ]);
}

/**
 * Removes the user part of our URI, which can contain the transfer token. Tags identify the dialog, and the URI can
 * change (RFC 4916).
 */
function storedFacts(facts: readonly DialogFacts[]): string | null {
  const stored = facts.map((each) => ({ ...each, from: each.from.replace(/^[^<]*<(sips?:)(?:[^@>]*@)?/i, '<$1') }));
  return stored.length === 0 ? null : JSON.stringify(stored);
}

function timelineJson(timeline: readonly TimelineStep[]): string {
  return JSON.stringify(timeline.map(storedStep));
}

const storedStep = ({ step, atMs, said, answerMs, wrongDigits }: TimelineStep): StoredStep => ({
  step,
  at_ms: atMs,
  ...(said !== undefined && { said: { text: said.text, language: said.language, until_ms: said.untilMs } }),
  ...(answerMs !== undefined && { answer_ms: answerMs }),
  ...(wrongDigits !== undefined && { wrong_digits: wrongDigits }),
});

/**
 * `gone`: the call has ended, already has a session, or was taken over by another process. For the others, see
 * CallInsertion.
 */
type SessionClaim = 'claimed' | 'busy' | 'too_many' | 'gone';

/**
 * Claims a session for a call that was answered without one, because the caller had to choose among several payments.
 * Atomic: if two calls claim one session, the unique index of live calls admits one.
 */
export async function claimSession(
  sql: Sql,
  { id, leaseId }: CallHolder,
  sessionId: CheckoutSessionId,
): Promise<SessionClaim> {
  const text = `
    with earlier as (
      select count(*) >= ${MAX_CALLS_A_SESSION} as "isOften"
        from (select from calls where session_id = $3 and answered_at is not null limit ${MAX_CALLS_A_SESSION}) of_session),
    claimed as (
      update calls
         set session_id = $3, merchant_id = (select s.merchant_id from checkout_sessions s where s.id = $3)
        from earlier
       where id = $1 and lease_id = $2 and session_id is null and ended_at is null and not earlier."isOften"
      returning 1)
    select case when exists (select from claimed) then 'claimed' when earlier."isOften" then 'too_many' else 'gone' end as claim
      from earlier`;
  try {
    const { rows } = await sql.query<{ claim: SessionClaim }>(text, [id, leaseId, sessionId]);
    return rows[0]?.claim ?? 'gone';
  } catch (error) {
    if (isDuplicate(error)) return 'busy';
    throw error;
  }
}

/**
 * An account's request to end a call: written here, and read by the phone process that has the call. If that process
 * cannot be reached, the request stays until the call ends.
 * @returns the lease of the process that has the call; null if the call has ended, does not exist, or was already asked
 * to end
 */
export async function markEndRequested(
  sql: Sql,
  accountId: AccountId,
  id: CallId,
): Promise<{ leaseId: number } | null> {
  return readFirst(
    sql,
    `update calls set end_requested_at = now()
      where id = $1 and account_id = $2 and ended_at is null and end_requested_at is null
     returning lease_id as "leaseId"`,
    [id, accountId],
  );
}

/** The live calls of a process that have to end. Reads a partial index of live rows. */
export async function findEndRequests(sql: Sql, leaseId: number): Promise<CallId[]> {
  const { rows } = await sql.query<{ id: CallId }>({
    name: 'find_end_requests',
    text: 'select id from calls where ended_at is null and lease_id = $1 and end_requested_at is not null',
    values: [leaseId],
  });
  return rows.map(({ id }) => id);
}
