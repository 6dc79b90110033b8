/**
 * The session of a charge, locked while the charge is created or settled. Locks are taken in the order session, charge.
 */
import type { Scope } from '../../domain/account.ts';
import type { AccountId, CheckoutSessionId } from '../../domain/ids.ts';
import type { Money } from '../../domain/money.ts';
import type { ScreenFacts } from '../../domain/screening.ts';
import type { CheckoutSession, Mode } from '../../domain/session.ts';
import { columnsOf, moneyOf } from '../columns.ts';
import { readFirst, type Sql } from '../pool.ts';
import { screenFacts } from '../screening/screen-facts.ts';
import { IS_OVER } from '../sessions/sessions.ts';

/** The facts of a session that a charge needs. */
export interface ChargedSession
  extends Pick<
    CheckoutSession,
    'id' | 'status' | 'verdict' | 'purpose' | 'capture' | 'merchantId' | 'callerPhone' | 'orderId' | 'platformCallId'
  > {
  amount: Money;
  /** The session has expired, by the database's clock. */
  isOver: boolean;
  /** The merchant's processor; null if not connected. */
  processor: string | null;
  /** Another session can pay for the same order. */
  allowRepeat: boolean;
  /** The merchant's sealed credentials at that processor; null if it needs none. */
  credentials: string | null;
  /** Screening facts of the caller. */
  screening: ScreenFacts;
}

const CHARGED_SESSION = columnsOf<ChargedSession>()(
  'checkout_sessions',
  ['id status verdict purpose capture merchantId callerPhone orderId platformCallId allowRepeat'],
  {
    amount: moneyOf('checkout_sessions'),
    isOver: IS_OVER,
    processor: 'm.processor',
    credentials: 'p.credentials',
    screening: screenFacts(),
  },
);

/**
 * Locks the session until the transaction ends, so that concurrent charges see each other.
 * @returns null if the scope has no such session
 */
export function lockChargedSession(sql: Sql, scope: Scope, id: CheckoutSessionId): Promise<ChargedSession | null> {
  return readFirst(sql, {
    name: 'lock_charged_session',
    text: `select ${CHARGED_SESSION}
       from checkout_sessions
       left join merchants m on m.id = checkout_sessions.merchant_id
       left join merchant_processors p on p.merchant_id = m.id and p.processor = m.processor
      where checkout_sessions.id = $1 and checkout_sessions.account_id = $2 and checkout_sessions.mode = $3
        for no key update of checkout_sessions`,
    values: [id, scope.accountId, scope.mode],
  });
}

/** Locks the session of a charge that is about to settle. */
export async function lockSession(sql: Sql, id: CheckoutSessionId): Promise<void> {
  const text = 'select from checkout_sessions where id = $1 for no key update';
  await sql.query({ name: 'lock_session', text, values: [id] });
}

export async function completeSession(sql: Sql, id: CheckoutSessionId): Promise<void> {
  const text = `update checkout_sessions set status = 'complete' where id = $1`;
  await sql.query({ name: 'complete_session', text, values: [id] });
}

/** The mode of the account's session; null if it has no such session. */
export async function findSessionMode(sql: Sql, accountId: AccountId, id: CheckoutSessionId): Promise<Mode | null> {
  const statement = 'select mode from checkout_sessions where id = $1 and account_id = $2';
  return (await readFirst<{ mode: Mode }>(sql, statement, [id, accountId]))?.mode ?? null;
}
