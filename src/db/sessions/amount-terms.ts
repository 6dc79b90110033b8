/** Reads what the payer of a session may change about its amount. */
import type { Scope } from '../../domain/account.ts';
import type { CheckoutSessionId } from '../../domain/ids.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { CheckoutSession } from '../../domain/session.ts';
import { moneyOf } from '../columns.ts';
import { readFirst, type Sql } from '../pool.ts';

export type AmountTerms = Pick<CheckoutSession, 'amount' | 'capture' | 'purpose'> &
  Pick<Merchant, 'tipPercentages' | 'partialMinimumCents'>;

/** @returns null if the scope has no such session, or the session no merchant */
export function findAmountTerms(
  sql: Sql,
  { accountId, mode }: Scope,
  id: CheckoutSessionId,
): Promise<AmountTerms | null> {
  return readFirst(
    sql,
    `select ${moneyOf('s')} as amount, s.capture, s.purpose, m.tip_percentages as "tipPercentages",
            m.partial_minimum_cents as "partialMinimumCents"
       from checkout_sessions s join merchants m on m.id = s.merchant_id
      where s.id = $1 and s.account_id = $2 and s.mode = $3`,
    [id, accountId, mode],
  );
}
