/** Payments that need attention: to settle, paid late, returned by the bank, refused by the processor, slow, or fewer than usual. */
import { NEEDS_ATTENTION } from '../charges/charge-facts.ts';
import { moneyOf } from '../columns.ts';
import { needsSettling } from '../due.ts';
import { type AttentionFinder, finder, inPeriod, isInScope, periodFacts, SCOPES } from './finder.ts';
import { SUCCESS_RATE_FINDER } from './success-rate.ts';
import { SUCCESS_RATE_DAYS_FINDER } from './success-rate-days.ts';

const toSettle = (table: 'charges' | 'refunds') => `
  select account_id as "accountId", mode, id as subject, merchant_id as "merchantId",
         json_build_object('amount', ${moneyOf(table)}) as facts, created_at as "newestAt"
    from ${table} where ${needsSettling(table)} and ${isInScope(table)}`;

/** The item's subject is the charge, whose page captures and voids. */
const HOLD_CHANGES = `
  select account_id as "accountId", mode, charge_id as subject, merchant_id as "merchantId",
         json_build_object('amount', ${moneyOf('hold_changes')}, 'name', kind) as facts, created_at as "newestAt"
    from hold_changes where ${needsSettling('hold_changes')} and ${isInScope('hold_changes')}`;

const LATE = `
  select account_id as "accountId", mode, id as subject, merchant_id as "merchantId",
         json_build_object('amount', ${moneyOf('charges')}, 'duplicateOf', duplicate_of) as facts, settled_at as "newestAt"
    from charges where ${NEEDS_ATTENTION} and ${isInScope('charges')}`;

const FAILED_DAYS = 30;

/** A refund or capture that succeeded, and that the processor reported as failed later. @param at the column of its time */
const failedLater = (table: 'charges' | 'refunds', at: string) => `
  select account_id as "accountId", mode, id as subject, merchant_id as "merchantId",
         json_build_object('amount', ${moneyOf(table)}, 'processor', processor) as facts, ${at} as "newestAt"
    from ${table} where ${at} > now() - interval '${FAILED_DAYS} days' and ${isInScope(table)}`;

/** Days in which a returned bank debit is shown. */
const RETURNED_DAYS = 30;

const RETURNED = `
  select debit_returns.account_id as "accountId", debit_returns.mode, charges.id as subject,
         charges.merchant_id as "merchantId",
         json_build_object('amount', ${moneyOf('charges')}, 'returnCode', charges.processor_code,
                           'refundedCents', charges.refunded_cents) as facts, debit_returns.returned_at as "newestAt"
    from debit_returns join charges on charges.id = debit_returns.charge_id and charges.status = 'failed'
   where debit_returns.returned_at > now() - interval '${RETURNED_DAYS} days' and ${isInScope('debit_returns')}`;

/** One item a charge. Its newest difference is told. */
const DIFFERENCES = `
  select distinct on (d.charge_id) d.account_id as "accountId", d.mode, d.charge_id as subject,
         c.merchant_id as "merchantId",
         json_build_object('name', d.kind, 'processor', c.processor, 'refundedCents', c.refunded_cents, 'amount',
           case when d.amount_cents is not null
             then json_build_object('amountCents', d.amount_cents, 'currency', c.currency) end) as facts,
         d.found_at as "newestAt"
    from processor_differences d join charges c on c.id = d.charge_id
   where d.found_at > now() - interval '${FAILED_DAYS} days' and ${isInScope('d')}
   order by d.charge_id, d.found_at desc, d.kind`;

/** Closed when it is answered or decided, or when it is too late. */
const DISPUTES = `
  select account_id as "accountId", mode, id as subject, merchant_id as "merchantId",
         json_build_object('amount', ${moneyOf('disputes')}, 'name', kind, 'processor', processor,
           'endsAt', to_char(evidence_due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) as facts,
         created_at as "newestAt"
    from disputes
   where status = 'needs_response' and (evidence_due_at is null or evidence_due_at > now()) and ${isInScope('disputes')}`;

/** Charges of this period are looked at, by merchant and processor. */
const RECENT = "interval '30 minutes'";
/** A charge without an outcome for this long has no answer of the processor. */
const UNANSWERED = "interval '2 minutes'";
const FEWEST_REFUSED = 3;
const FEWEST_TIMED = 5;
const SLOW_SECONDS = 8;

/**
 * SQL: groups of recent charges by merchant and processor. Decline codes come from the card's bank, so they
 * are no fault. The item's opening counts as its newest cause: if each charge did, an item that is done would be shown again
 * at the next charge.
 */
const recentCharges = (columns: string, having: string) => `
  select scope.account_id as "accountId", scope.mode, recent.merchant_id || ':' || recent.processor as subject,
         recent.merchant_id as "merchantId", ${columns} as facts, null::timestamptz as "newestAt"
    from ${SCOPES}
    cross join lateral (
      select merchant_id, processor, status, decline_code, source, created_at, settled_at, debited_at from charges
       where account_id = scope.account_id and mode = scope.mode and ${inPeriod('created_at', RECENT)}) recent
   group by scope.account_id, scope.mode, recent.merchant_id, recent.processor
  having ${having}`;

const REFUSED = `count(*) filter (where (status = 'failed' and decline_code is null)
  or (status = 'pending' and debited_at is null and created_at < now() - ${UNANSWERED}))`;
/** On the pay page, the payer's bank can ask for something first. */
const TIMED = `filter (where source <> 'page' and status <> 'pending')`;
const MEDIAN_SECONDS = `percentile_cont(0.5) within group (order by extract(epoch from settled_at - created_at)) ${TIMED}`;

const REFUSING = recentCharges(
  `json_build_object('processor', recent.processor, 'count', ${REFUSED}, 'of', count(*), ${periodFacts(RECENT)})`,
  `${REFUSED} >= ${FEWEST_REFUSED} and ${REFUSED} * 2 >= count(*)`,
);
const SLOW = recentCharges(
  `json_build_object('processor', recent.processor, 'seconds', round((${MEDIAN_SECONDS})::numeric, 1), ${periodFacts(RECENT)})`,
  `count(*) ${TIMED} >= ${FEWEST_TIMED} and ${MEDIAN_SECONDS} >= ${SLOW_SECONDS}`,
);

export const PAYMENT_FINDERS: readonly AttentionFinder[] = [
  finder('charge_to_settle', toSettle('charges')),
  finder('refund_to_settle', toSettle('refunds')),
  finder('hold_change_to_settle', HOLD_CHANGES),
  finder('late_charge', LATE),
  finder('refund_failed_late', failedLater('refunds', 'failed_late_at')),
  finder('capture_failed', failedLater('charges', 'capture_failed_at')),
  finder('debit_returned', RETURNED),
  finder('processor_differs', DIFFERENCES),
  finder('dispute_to_answer', DISPUTES),
  finder('processor_refusing', REFUSING),
  finder('processor_slow', SLOW),
  SUCCESS_RATE_FINDER,
  SUCCESS_RATE_DAYS_FINDER,
];
