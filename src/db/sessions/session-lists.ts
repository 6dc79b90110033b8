/** Reads lists of checkout sessions, each with its charge. */
import type { ListedSession } from '../../contract/listed-sessions.ts';
import type { Scope } from '../../domain/account.ts';
import type { MerchantId } from '../../domain/ids.ts';
import type { CheckoutSession, SessionStatus } from '../../domain/session.ts';
import { CHARGE_FACTS, isLiveCharge } from '../charges/charge-facts.ts';
import { jsonOf } from '../columns.ts';
import { type Conditions, inScope, type ListedTable, readListedPage, type TimeRange } from '../conditions.ts';
import type { Page, PageRequest } from '../pages.ts';
import type { Sql } from '../pool.ts';
import { callerLanguage } from './languages.ts';
import { IS_OVER, SESSION } from './sessions.ts';

/** Null matches everything. */
export interface SessionFilter extends TimeRange {
  merchantId: MerchantId | null;
  status: SessionStatus | null;
  orderId: string | null;
  /** Numbers in E.164. */
  callers: readonly string[] | null;
  platformCallId: string | null;
  lastFour: string | null;
}

const SESSIONS: ListedTable = { name: 'checkout_sessions', time: 'created_at', byMerchant: 'bound' };

const SELECT = `
  select ${SESSION}, ${IS_OVER} as "isOver", m.business_name as "businessName", ${callerLanguage('m')} as "spokenLanguage",
         ${jsonOf(`
           select ${CHARGE_FACTS} from charges where session_id = checkout_sessions.id
            order by (${isLiveCharge('charges')}) desc, created_at desc limit 1`)} as charge
    from checkout_sessions left join merchants m on m.id = checkout_sessions.merchant_id`;

type Row = CheckoutSession & Omit<ListedSession, 'session'>;

/** Newest first. @returns null if `startingAfter` is no session of the scope */
export async function listSessions(
  sql: Sql,
  scope: Scope,
  filter: SessionFilter,
  page: PageRequest,
): Promise<Page<ListedSession> | null> {
  const conditions = sessionConditions(scope, filter);
  const found = await readListedPage<Row>(sql, SESSIONS, scope, { select: SELECT, conditions, page });
  if (found === null) return null;
  return { items: found.items.map(listedSessionOf), hasMore: found.hasMore };
}

function listedSessionOf({ isOver, businessName, spokenLanguage, charge, ...session }: Row): ListedSession {
  return { session, isOver, businessName, spokenLanguage, charge };
}

/** Until the sweep marks it, an expired session is neither `open` nor found as `expired`. */
export const STILL_OPEN = `(checkout_sessions.expires_at > now() or exists (
  select from charges c where c.session_id = checkout_sessions.id and c.status = 'pending'))`;

export function sessionConditions(scope: Scope, filter: SessionFilter): Conditions {
  const conditions = inScope(SESSIONS, scope, filter)
    .add('checkout_sessions.merchant_id = $?', filter.merchantId)
    .add('checkout_sessions.status = $?', filter.status)
    .add('checkout_sessions.order_id = $?', filter.orderId)
    .add('checkout_sessions.caller_phone = any($?)', filter.callers)
    .add('checkout_sessions.platform_call_id = $?', filter.platformCallId)
    .add(
      `exists (select from charges c where c.session_id = checkout_sessions.id
                 and c.account_id = checkout_sessions.account_id and c.mode = checkout_sessions.mode and c.last_four = $?)`,
      filter.lastFour,
    );
  return filter.status === 'open' ? conditions.require(STILL_OPEN) : conditions;
}
