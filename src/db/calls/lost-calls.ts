/** Lost calls: their process has died. Closing them lets their sessions be called and paid again. */
import type { CallStage, DialogFacts } from '../../domain/call.ts';
import type { CallId, ChargeId, CheckoutSessionId, MerchantId } from '../../domain/ids.ts';
import type { OutcomeKind, OutcomeReason } from '../../domain/outcome.ts';
import { isLiveCharge } from '../charges/charge-facts.ts';
import { readOne, type Sql } from '../pool.ts';
import { LEASE_IS_OVER, type ProcessLease } from './process-leases.ts';
import { armTextAfterDrop } from './texts-after-drop.ts';

/** Callers are first returned to the agent, if possible. */
const TEXT_LOST_AFTER_SECONDS = 60;
/** Of the calls being closed, those whose callers should get the link by text. */
const BROKEN_OFF = `
  select c.session_id from closed
    join calls c on c.id = closed.id
    join checkout_sessions s on s.id = c.session_id
    join merchants m on m.id = s.merchant_id
   where m.text_after_drop and c.answered_at is not null and closed.outcome = 'failed' and closed.reason = 'error'`;

/** SQL: the leases of live calls. From one lease to the next by their index, because there can be thousands of calls. */
const LIVE_LEASES = `
  with recursive live (lease_id) as (
    (select lease_id from calls where ended_at is null order by lease_id limit 1)
    union all
    select (select lease_id from calls where ended_at is null and lease_id > live.lease_id order by lease_id limit 1)
      from live where lease_id is not null)
  select lease_id from live where lease_id is not null`;
const LEASE_OF_SESSION = 'select lease_id from calls where ended_at is null and session_id = $3';

/** SQL: the outcome of a call with this live charge. A hold counts as paid. */
const CHARGE_OUTCOME = `case when charges.status = 'authorized' then 'succeeded' else charges.status::text end`;

/** A call whose process has died. */
export interface LostCall {
  id: CallId;
  /** Null if the caller had not chosen a session yet. */
  sessionId: CheckoutSessionId | null;
  merchantId: MerchantId | null;
  sipCallId: string;
  returnSipCallId: string | null;
  /** The last stage written; null for calls of an earlier version. */
  stage: CallStage | null;
  /** The caller's, then the agent's. They can still be up. */
  sipDialogs: string[];
  localContact: string | null;
  /** Known facts, in the order of `sipDialogs`. */
  dialogFacts: DialogFacts[];
  allowsRefer: boolean;
  wasAnswered: boolean;
  /** Derived from the session's charges, because the agent must get the true outcome. */
  outcome: OutcomeKind;
  reason: OutcomeReason | null;
  chargeId: ChargeId | null;
  /** Milliseconds since the INVITE. */
  atMs: number;
}

/**
 * Closes the open calls of dead processes and takes them over: if such a process comes back, it no longer writes to
 * their rows. An earlier process of the same instance counts as dead right after our start. An active process with the
 * same name (two containers with one host name) is recognized by its heartbeat.
 * @param sessionId limits the search to this session's call
 */
export async function closeLostCalls(
  sql: Sql,
  lease: Pick<ProcessLease, 'id' | 'instance'>,
  sessionId: CheckoutSessionId | null = null,
): Promise<LostCall[]> {
  const leases = await findLostLeases(sql, lease, sessionId);
  if (leases.length === 0) return [];
  const { rows } = await sql.query<LostCall>(
    `with lost as (
       select calls.id, stage = 'by_link' as is_by_link, charges.id as charge_id, ${CHARGE_OUTCOME} as charge_status,
              dialog_facts from calls
         left join charges on charges.session_id = calls.session_id and ${isLiveCharge('charges')}
        where ended_at is null and lease_id = any($2)
        for update of calls),
     closed as (update calls set ended_at = now(), lease_id = $1, dialog_facts = null,
            outcome = coalesce(charge_status, outcome, case when is_by_link then 'agent' else 'failed' end),
            reason = case when charge_status is not null then null
                          when outcome is not null then reason
                          when is_by_link then 'link_sent' else 'error' end,
            charge_id = coalesce(lost.charge_id, calls.charge_id)
       from lost where calls.id = lost.id
     returning calls.id, session_id as "sessionId", merchant_id as "merchantId", sip_call_id as "sipCallId",
               return_sip_call_id as "returnSipCallId", stage, sip_dialogs as "sipDialogs", local_contact as "localContact",
               allows_refer as "allowsRefer", answered_at is not null as "wasAnswered",
               coalesce(lost.dialog_facts, '[]') as "dialogFacts", outcome, reason, calls.charge_id as "chargeId",
               floor(extract(epoch from now() - started_at) * 1000)::integer as "atMs"),
     broken_off as (${armTextAfterDrop(BROKEN_OFF, TEXT_LOST_AFTER_SECONDS)})
     select * from closed`,
    [lease.id, leases],
  );
  return rows;
}

/** The dead processes that have live calls. Every process looks every second, and mostly there are none. */
async function findLostLeases(
  sql: Sql,
  { id, instance }: Pick<ProcessLease, 'id' | 'instance'>,
  sessionId: CheckoutSessionId | null,
): Promise<number[]> {
  const { rows } = await sql.query<{ leaseId: number }>({
    name: sessionId === null ? 'find_lost_leases' : 'find_lost_lease',
    text: `select c.lease_id as "leaseId" from (${sessionId === null ? LIVE_LEASES : LEASE_OF_SESSION}) c
             left join process_leases l on l.id = c.lease_id
            where c.lease_id <> $1 and ${LEASE_IS_OVER}`,
    values: [id, instance, ...(sessionId === null ? [] : [sessionId])],
  });
  return rows.map(({ leaseId }) => leaseId);
}

/** Updates the outcome of a lost call from its session's charges. */
export function judgeLostCall(sql: Sql, id: CallId): Promise<Pick<LostCall, 'outcome' | 'reason' | 'chargeId'>> {
  return readOne(
    sql,
    `update calls set outcome = coalesce(live.status, case when outcome = 'pending' then 'failed' else outcome end),
            reason = case when live.status is not null then null when outcome = 'pending' then 'error' else reason end,
            charge_id = coalesce(live.id, charge_id)
       from (values (1)) one left join lateral (
         select charges.id, ${CHARGE_OUTCOME} as status from charges join calls of_call on of_call.session_id = charges.session_id
          where of_call.id = $1 and ${isLiveCharge('charges')}) live on true
      where calls.id = $1
     returning outcome, reason, charge_id as "chargeId"`,
    [id],
  );
}
