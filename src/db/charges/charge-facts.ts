/** SQL: what a charge's resource shows, and which charge of a session is its live one. */
import type { ChargeFacts } from '../../contract/resources.ts';
import { columnsOf } from '../columns.ts';

/** SQL: the resource's facts, from a row of `charges`. */
export const CHARGE_FACTS = columnsOf<ChargeFacts>()(
  'charges',
  ['id status amountCents processorPaymentId declineCode processorCode source wallet wasLate duplicateOf'],
  {},
);

/**
 * SQL: the charge counts for its session, as one at most does (the unique index `one_live_charge_of_session`). A late
 * charge that names another in `duplicate_of` does not. @param row alias of a row of `charges`
 */
export const isLiveCharge = (row: string) =>
  `${row}.status in ('pending', 'succeeded') and ${row}.duplicate_of is null`;

/** Days in which a late charge is for a person to look at. */
const ATTENTION_DAYS = 30;

/**
 * SQL: a late charge of the last {@link ATTENTION_DAYS} days, of which money is still with the merchant. A row of
 * `charges`.
 */
export const NEEDS_ATTENTION = `(charges.was_late and charges.refunded_cents < charges.amount_cents
  and charges.settled_at > now() - interval '${ATTENTION_DAYS} days')`;
