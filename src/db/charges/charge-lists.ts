/** Reads charges for REST: lists, and one charge with its order. */
import type { Scope } from '../../domain/account.ts';
import type { ChargeStatus, DeclineCode, ListedCharge } from '../../domain/charge.ts';
import type { AccountId, ChargeId, CheckoutSessionId, MerchantId } from '../../domain/ids.ts';
import type { CountedAs } from '../../domain/statistics.ts';
import { type Conditions, inScope, type ListedTable, readListedPage, type TimeRange } from '../conditions.ts';
import { needsSettling } from '../due.ts';
import type { Page, PageRequest } from '../pages.ts';
import { CHARGE_PAYOUT } from '../payouts/payouts.ts';
import { readFirst, type Sql } from '../pool.ts';
import { callerLanguage } from '../sessions/languages.ts';
import { requireSessionsOf } from '../sessions/sessions-of-callers.ts';
import { IS_APPROVED, IS_PAYMENT, NEEDS_ATTENTION, REFUND_PENDING_CENTS } from './charge-facts.ts';
import { CHARGE } from './charges.ts';

/** Null matches everything. */
export interface ChargeFilter extends TimeRange {
  merchantId: MerchantId | null;
  status: ChargeStatus | null;
  orderId: string | null;
  /** Numbers in E.164. */
  callers: readonly string[] | null;
  platformCallId: string | null;
  lastFour: string | null;
  sessionId: CheckoutSessionId | null;
  /** Only those that the resolver has given up on. */
  needsSettling: boolean;
  /** Only late charges that a person should look at. */
  needsAttention: boolean;
  countedAs: CountedAs | null;
  /** `none`: the card was not the reason. */
  declineCode: DeclineCode | 'none' | null;
}

/** SQL: the charges that each of the statistics' counts includes. */
const COUNTED: Readonly<Record<CountedAs, string>> = {
  succeeded: `charges.${IS_APPROVED}`,
  failed: `charges.status = 'failed'`,
  completed: `charges.status <> 'pending'`,
  pending: `charges.status = 'pending'`,
};

const CHARGES: ListedTable = { name: 'charges', time: 'created_at', byMerchant: 'bound' };

/**
 * SQL: each charge has a merchant. For users who are limited to merchants, PostgreSQL takes the rows of an inner join for
 * few, and sorts all charges of a period.
 */
const SELECT = `
  select ${CHARGE}, m.business_name as "businessName", checkout_sessions.order_id as "orderId", checkout_sessions.platform_call_id as "platformCallId",
         coalesce(checkout_sessions.initiator, 'caller') as initiator,
         charges.attention_acknowledged_at as "attentionAcknowledgedAt",
         checkout_sessions.caller_phone as "callerPhone", ${callerLanguage('m')} as language, charges.refunded_cents as "refundedCents",
         ${REFUND_PENDING_CENTS} as "refundPendingCents",
         ${needsSettling('charges')} as "needsSettling", ${NEEDS_ATTENTION} as "needsAttention",
         ${CHARGE_PAYOUT} as payout
    from charges
    join checkout_sessions on checkout_sessions.id = charges.session_id
    left join merchants m on m.id = charges.merchant_id`;

/** Newest first. @returns null if `startingAfter` is no charge of the scope */
export async function listCharges(
  sql: Sql,
  scope: Scope,
  filter: ChargeFilter,
  page: PageRequest,
): Promise<Page<ListedCharge> | null> {
  const conditions = await chargeConditions(sql, scope, filter);
  return readListedPage(sql, CHARGES, scope, { select: SELECT, conditions, page });
}

/** Whether {@link chargeConditions} are also about `checkout_sessions`. */
export const readsSessions = ({ orderId, platformCallId, callers }: ChargeFilter): boolean =>
  (orderId ?? platformCallId ?? callers) !== null;

export async function chargeConditions(sql: Sql, scope: Scope, filter: ChargeFilter): Promise<Conditions> {
  const conditions = inScope(CHARGES, scope, filter);
  // The indexes of sessions begin with the scope.
  if (readsSessions(filter)) {
    conditions.add('checkout_sessions.account_id = $?', scope.accountId).add('checkout_sessions.mode = $?', scope.mode);
  }
  if (filter.callers !== null) await requireSessionsOf(sql, conditions, 'charges', scope, filter.callers);
  if (filter.needsSettling) conditions.require(needsSettling('charges'));
  if (filter.needsAttention) conditions.require(NEEDS_ATTENTION);
  if (filter.countedAs !== null) conditions.require(`${COUNTED[filter.countedAs]} and ${IS_PAYMENT}`);
  // With the status, the planner can use the index of the failed ones.
  if (filter.declineCode !== null) conditions.require(`charges.status = 'failed'`);
  if (filter.declineCode === 'none') conditions.require('charges.decline_code is null');
  else conditions.add('charges.decline_code = $?', filter.declineCode);
  return conditions
    .add('charges.merchant_id = $?', filter.merchantId)
    .add('charges.status = $?', filter.status)
    .add('charges.session_id = $?', filter.sessionId)
    .add('checkout_sessions.caller_phone = any($?)', filter.callers)
    .add('charges.last_four = $?', filter.lastFour)
    .add('checkout_sessions.order_id = $?', filter.orderId)
    .add('checkout_sessions.platform_call_id = $?', filter.platformCallId);
}

/** In either mode. Null if the account has no such charge. */
export function findListedCharge(sql: Sql, accountId: AccountId, id: ChargeId): Promise<ListedCharge | null> {
  return readFirst(sql, `${SELECT} where charges.id = $1 and charges.account_id = $2`, [id, accountId]);
}
