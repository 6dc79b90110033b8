/** Reads calls for REST and the command line: lists, and one call with its timeline. */
import type { Scope } from '../../domain/account.ts';
import type { CallWithTimeline, ListedCall } from '../../domain/call.ts';
import type { AccountId, CallId, ChargeId, CheckoutSessionId, MerchantId } from '../../domain/ids.ts';
import type { OutcomeKind, OutcomeReason } from '../../domain/outcome.ts';
import type { FunnelStep } from '../../domain/statistics.ts';
import { type Conditions, inScope, type ListedTable, readListedPage, type TimeRange } from '../conditions.ts';
import type { Page, PageRequest } from '../pages.ts';
import { readFirst, type Sql } from '../pool.ts';
import { requireSessionsOf } from '../sessions/sessions-of-callers.ts';
import { hasReached } from './reached-steps.ts';

/** Null matches everything. */
export interface CallFilter extends TimeRange {
  merchantId: MerchantId | null;
  status: 'live' | 'ended' | null;
  outcome: OutcomeKind | null;
  orderId: string | null;
  /** Numbers in E.164. */
  callers: readonly string[] | null;
  platformCallId: string | null;
  lastFour: string | null;
  sessionId: CheckoutSessionId | null;
  /** Only calls that the funnel of the statistics counts at this step. */
  reached: FunnelStep | null;
}

const CALLS: ListedTable = { name: 'calls', time: 'started_at', byMerchant: 'bound' };

const CALL = `calls.id, calls.account_id as "accountId", calls.mode, calls.session_id as "sessionId",
  s.merchant_id as "merchantId", m.business_name as "businessName", s.amount_cents as "amountCents", s.currency,
  c.status as "chargeStatus", c.amount_cents as "chargeAmountCents", s.order_id as "orderId", s.platform_call_id as "platformCallId",
  s.caller_phone as "callerPhone", calls.sip_call_id as "sipCallId", calls.return_sip_call_id as "returnSipCallId",
  calls.outcome, calls.reason, calls.charge_id as "chargeId", calls.stage, calls.return_mode as "returnMode",
  calls.key_kind as "keyKind", calls.codec, calls.packets_received as "packetsReceived",
  calls.packets_lost as "packetsLost", calls.jitter_ms as "jitterMs", calls.started_at as "startedAt",
  calls.answered_at as "answeredAt", calls.ended_at as "endedAt",
  calls.end_requested_at as "endRequestedAt"`;
/** SQL: what {@link callConditions} are about. */
export const CALLS_WITH_SESSION = 'from calls left join checkout_sessions s on s.id = calls.session_id';
const FROM = `${CALLS_WITH_SESSION}
  left join merchants m on m.id = s.merchant_id left join charges c on c.id = calls.charge_id`;

/** Newest first. @returns null if `startingAfter` is no call of the scope */
export async function listCalls(
  sql: Sql,
  scope: Scope,
  filter: CallFilter,
  page: PageRequest,
): Promise<Page<ListedCall> | null> {
  const select = `select ${CALL} ${FROM}`;
  const conditions = await callConditions(sql, scope, filter);
  return readListedPage(sql, CALLS, scope, { select, conditions, page });
}

export async function callConditions(sql: Sql, scope: Scope, filter: CallFilter): Promise<Conditions> {
  const conditions = inScope(CALLS, scope, filter)
    .add('calls.merchant_id = $?', filter.merchantId)
    .add('calls.outcome = $?', filter.outcome)
    .add('calls.session_id = $?', filter.sessionId)
    .add('s.order_id = $?', filter.orderId)
    .add('s.caller_phone = any($?)', filter.callers)
    .add('s.platform_call_id = $?', filter.platformCallId)
    .add(
      `exists (select from charges paid where paid.session_id = calls.session_id
                 and paid.account_id = calls.account_id and paid.mode = calls.mode and paid.last_four = $?)`,
      filter.lastFour,
    );
  if (filter.callers !== null) await requireSessionsOf(sql, conditions, 'calls', scope, filter.callers);
  // The indexes of sessions begin with the scope.
  if ((filter.orderId ?? filter.callers ?? filter.platformCallId) !== null)
    conditions.add('s.account_id = $?', scope.accountId).add('s.mode = $?', scope.mode);
  if (filter.status === 'live') conditions.require('calls.ended_at is null');
  if (filter.status === 'ended') conditions.require('calls.ended_at is not null');
  if (filter.reached !== null) conditions.require(hasReached(filter.reached));
  return conditions;
}

/** In either mode. Null if the account has no such call. */
export function findCall(sql: Sql, accountId: AccountId, id: CallId): Promise<CallWithTimeline | null> {
  return readFirst(sql, `select ${CALL}, calls.timeline ${FROM} where calls.id = $1 and calls.account_id = $2`, [
    id,
    accountId,
  ]);
}

/** Any account's call, for an operator. Null if there is none. */
export function findAnyCall(sql: Sql, id: CallId): Promise<CallWithTimeline | null> {
  return readFirst(sql, `select ${CALL}, calls.timeline ${FROM} where calls.id = $1`, [id]);
}

/** How a call ended. */
export interface EndedCall {
  id: CallId;
  endedAt: Date;
  outcome: OutcomeKind;
  reason: OutcomeReason | null;
  chargeId: ChargeId | null;
}

/** @returns the session's last answered call; null if there was none, or it is live */
export function findEndedCall(sql: Sql, sessionId: CheckoutSessionId): Promise<EndedCall | null> {
  return readFirst(
    sql,
    `select * from (
       select id, ended_at as "endedAt", outcome, reason, charge_id as "chargeId" from calls
        where session_id = $1 and answered_at is not null order by started_at desc limit 1) last_call
      where "endedAt" is not null and outcome is not null`,
    [sessionId],
  );
}
