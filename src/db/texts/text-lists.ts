/** Reads lists of texts to callers. */
import type { Scope } from '../../domain/account.ts';
import type { ChargeId, CheckoutSessionId } from '../../domain/ids.ts';
import type { ListedText, TextState } from '../../domain/texts.ts';
import { type Conditions, inScope, type ListedTable, readListedPage, type TimeRange } from '../conditions.ts';
import type { Page, PageRequest } from '../pages.ts';
import type { Sql } from '../pool.ts';

/** Null matches everything. */
export interface TextFilter extends TimeRange {
  sessionId: CheckoutSessionId | null;
  chargeId: ChargeId | null;
  /** Numbers in E.164. */
  recipients: readonly string[] | null;
  state: TextState | null;
  /** Only those that are known to have not arrived. */
  undelivered: boolean;
}

/** SQL: as in the index `undelivered_texts`. */
export const IS_UNDELIVERED = `(status = 'failed' or delivery = 'undelivered')`;

/** SQL: as in the index `texts_by_state`. */
export const TEXT_STATE = 'coalesce(texts.delivery, texts.status)';

const TEXTS: ListedTable = { name: 'texts', time: 'created_at', byMerchant: 'newest' };

const SELECT = `
  select id, session_id as "sessionId", charge_id as "chargeId", kind, recipient,
         case when sealed_body is null then body end as body, segments, status, attempts, carrier,
         error_code as "errorCode", delivery, delivery_code as "deliveryCode", created_at as "createdAt",
         settled_at as "settledAt", delivery_at as "deliveryAt"
    from texts`;

/** Newest first. @returns null if `startingAfter` is no text of the scope */
export function listTexts(
  sql: Sql,
  scope: Scope,
  filter: TextFilter,
  page: PageRequest,
): Promise<Page<ListedText> | null> {
  const conditions = textConditions(scope, filter);
  return readListedPage(sql, TEXTS, scope, { select: SELECT, conditions, page });
}

export function textConditions(scope: Scope, filter: TextFilter): Conditions {
  const conditions = inScope(TEXTS, scope, filter)
    .add('texts.session_id = $?', filter.sessionId)
    .add('texts.charge_id = $?', filter.chargeId)
    .add('texts.recipient = any($?)', filter.recipients)
    .add(`${TEXT_STATE} = $?`, filter.state);
  if (filter.undelivered) conditions.require(IS_UNDELIVERED);
  return conditions;
}
