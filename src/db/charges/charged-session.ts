/** The session of a charge: locked while the charge begins or settles. Locks are taken in the order session, charge. */
import type { Scope } from '../../domain/account.ts';
import type { AccountId, CheckoutSessionId } from '../../domain/ids.ts';
import type { Currency, Money } from '../../domain/money.ts';
import type { CheckoutSession, Mode } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';

/** What a charge needs to know of its session. */
export interface ChargedSession
  extends Pick<
    CheckoutSession,
    'id' | 'status' | 'verdict' | 'merchantId' | 'callerPhone' | 'orderId' | 'platformCallId'
  > {
  amount: Money;
  /** Its time is over, by the clock of the database. */
  isOver: boolean;
  /** The merchant's; null: not connected. */
  processor: string | null;
  /** The merchant's at that processor, sealed; null where it needs none. */
  credentials: string | null;
}

type Row = Omit<ChargedSession, 'amount'> & { amountCents: number; currency: Currency };

/**
 * Locks the session until the transaction ends: of several charges at once, each sees what the ones before it left.
 * @returns null when the scope has no such session
 */
export async function lockChargedSession(
  sql: Sql,
  scope: Scope,
  id: CheckoutSessionId,
): Promise<ChargedSession | null> {
  const { rows } = await sql.query<Row>({
    name: 'lock_charged_session',
    text: `select s.id, s.status, s.verdict, s.merchant_id as "merchantId", s.caller_phone as "callerPhone",
            s.order_id as "orderId", s.platform_call_id as "platformCallId", s.amount_cents as "amountCents", s.currency,
            s.expires_at <= now() as "isOver", m.processor, p.credentials
       from checkout_sessions s
       left join merchants m on m.id = s.merchant_id
       left join merchant_processors p on p.merchant_id = m.id and p.processor = m.processor
      where s.id = $1 and s.account_id = $2 and s.mode = $3
        for no key update of s`,
    values: [id, scope.accountId, scope.mode],
  });
  if (rows[0] === undefined) return null;
  const { amountCents, currency, ...session } = rows[0];
  return { ...session, amount: { amountCents, currency } };
}

/** Locks the session of a charge that is about to settle. */
export async function lockSession(sql: Sql, id: CheckoutSessionId): Promise<void> {
  await sql.query('select from checkout_sessions where id = $1 for no key update', [id]);
}

export async function completeSession(sql: Sql, id: CheckoutSessionId): Promise<void> {
  await sql.query(`update checkout_sessions set status = 'complete' where id = $1`, [id]);
}

/** In which mode the account's session is; null when it has none of that id. */
export async function findSessionMode(sql: Sql, accountId: AccountId, id: CheckoutSessionId): Promise<Mode | null> {
  const { rows } = await sql.query<{ mode: Mode }>(
    'select mode from checkout_sessions where id = $1 and account_id = $2',
    [id, accountId],
  );
  return rows[0]?.mode ?? null;
}
