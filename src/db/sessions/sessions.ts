/** Rows of `checkout_sessions`: insert, find for a call, expire. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Account } from '../../domain/account.ts';
import type { AccountId, CheckoutSessionId, ConsumerId, MerchantId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type {
  CheckoutSession,
  LineItem,
  Merchant,
  Metadata,
  Mode,
  SessionStatus,
  Verdict,
} from '../../domain/session.ts';
import { type AccountRow, accountOf } from '../keys/accounts.ts';
import { queryFirst, type Sql } from '../pool.ts';
import { type MerchantRow, merchantOf } from '../merchants/merchants.ts';

export interface SessionRow {
  id: CheckoutSessionId;
  account_id: AccountId;
  mode: Mode;
  merchant_id: MerchantId | null;
  consumer_id: ConsumerId | null;
  status: SessionStatus;
  verdict: Verdict;
  amount_cents: number;
  currency: Currency;
  amount_source: 'order' | 'request';
  caller_phone: string | null;
  order_id: string | null;
  platform_call_id: string | null;
  return_to: string | null;
  success_message: string | null;
  failure_message: string | null;
  line_items: LineItem[];
  metadata: Metadata;
  created_at: Date;
  expires_at: Date;
}

const NAMES = [
  ...['id', 'account_id', 'mode', 'merchant_id', 'consumer_id', 'status', 'verdict', 'amount_cents', 'currency'],
  ...['amount_source', 'caller_phone', 'order_id', 'platform_call_id', 'return_to', 'success_message'],
  ...['failure_message', 'line_items', 'metadata', 'created_at', 'expires_at'],
];

/** SQL: the columns of a {@link SessionRow}. Not `*`, because a prepared statement with `*` fails once a column is added. */
export function sessionColumns(alias: string): string {
  return NAMES.map((name) => `${alias}.${name}`).join(', ');
}

export function sessionOf(row: SessionRow): CheckoutSession {
  return {
    id: row.id,
    accountId: row.account_id,
    mode: row.mode,
    merchantId: row.merchant_id,
    consumerId: row.consumer_id,
    status: row.status,
    verdict: row.verdict,
    amount: { amountCents: row.amount_cents, currency: row.currency },
    amountSource: row.amount_source,
    callerPhone: row.caller_phone,
    orderId: row.order_id,
    platformCallId: row.platform_call_id,
    returnTo: row.return_to,
    successMessage: row.success_message,
    failureMessage: row.failure_message,
    lineItems: row.line_items,
    metadata: row.metadata,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/** A session to open. */
export interface NewSession extends Omit<CheckoutSession, 'status' | 'createdAt'> {
  /** The secret in `transfer_to`; null when no transfer is wanted. Only its hash is stored. */
  transferToken: string | null;
}

const INSERT = `
  insert into checkout_sessions (id, account_id, mode, merchant_id, verdict, amount_cents, currency, amount_source,
    caller_phone, order_id, platform_call_id, return_to, success_message, failure_message, line_items,
    transfer_token_hash, expires_at, consumer_id, metadata)
  select id, account_id, mode, merchant_id, verdict, amount_cents, currency, amount_source,
    caller_phone, order_id, platform_call_id, return_to, success_message, failure_message, line_items,
    transfer_token_hash, expires_at, consumer_id, metadata::json
    from json_to_recordset($1) as session (id text, account_id text, mode mode, merchant_id text, verdict verdict,
      amount_cents integer, currency text, amount_source text, caller_phone text, order_id text, platform_call_id text,
      return_to text, success_message text, failure_message text, line_items jsonb, transfer_token_hash bytea,
      expires_at timestamptz, consumer_id text, metadata text)`;

export async function insertSession(sql: Sql, session: NewSession): Promise<void> {
  await insertSessions(sql, [session]);
}

export async function insertSessions(sql: Sql, sessions: readonly NewSession[]): Promise<void> {
  await sql.query({ name: 'insert_sessions', text: INSERT, values: [JSON.stringify(sessions.map(insertedRow))] });
}

function insertedRow(session: NewSession) {
  return {
    id: session.id,
    account_id: session.accountId,
    mode: session.mode,
    merchant_id: session.merchantId,
    verdict: session.verdict,
    amount_cents: session.amount.amountCents,
    currency: session.amount.currency,
    amount_source: session.amountSource,
    caller_phone: session.callerPhone,
    order_id: session.orderId,
    platform_call_id: session.platformCallId,
    return_to: session.returnTo,
    success_message: session.successMessage,
    failure_message: session.failureMessage,
    line_items: session.lineItems,
    // As text: json_to_recordset refuses an escaped zero byte anywhere in its JSON.
    metadata: JSON.stringify(session.metadata),
    transfer_token_hash:
      session.transferToken === null ? null : `\\x${hashTransferToken(session.transferToken).toString('hex')}`,
    expires_at: session.expiresAt,
    consumer_id: session.consumerId,
  };
}

function hashTransferToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** A session with what a call needs. */
export interface SessionForCall {
  session: CheckoutSession;
  merchant: Merchant;
  account: Account;
}

type SessionForCallRow = SessionRow & {
  merchant: MerchantRow;
  account: AccountRow;
  transfer_token_hash: Buffer | null;
};

const SELECT_FOR_CALL = `
  select ${sessionColumns('s')}, s.transfer_token_hash, to_jsonb(m) as merchant, to_jsonb(a) as account
    from checkout_sessions s
    join merchants m on m.id = s.merchant_id
    join accounts a on a.id = s.account_id`;

function sessionForCallOf(row: SessionForCallRow): SessionForCall {
  return { session: sessionOf(row), merchant: merchantOf(row.merchant), account: accountOf(row.account) };
}

/**
 * The session that `transfer_to` names, if the token is right. Complete and expired ones are found, too: such a call is
 * answered with 410. A session past `expiresAt` is `open` until the sweep has expired it.
 */
export async function findSessionForTransfer(
  sql: Sql,
  id: CheckoutSessionId,
  token: string,
): Promise<SessionForCall | null> {
  const { rows } = await sql.query<SessionForCallRow>({
    name: 'find_session_for_transfer',
    text: `${SELECT_FOR_CALL} where s.id = $1`,
    values: [id],
  });
  const row = rows[0];
  if (row === undefined || row.transfer_token_hash === null) return null;
  return timingSafeEqual(row.transfer_token_hash, hashTransferToken(token)) ? sessionForCallOf(row) : null;
}

/**
 * The session of a call without a token: the caller's newest that is open, unexpired and to be paid on a call, first of the
 * merchant whose number was dialled.
 * @param call E.164 numbers of a trusted trunk
 */
export async function findSessionForCaller(
  sql: Sql,
  call: { callingNumber: string; calledNumber: string | null },
): Promise<SessionForCall | null> {
  return queryFirst(
    sql,
    sessionForCallOf,
    `${SELECT_FOR_CALL}
      where s.caller_phone = $1 and s.status = 'open' and s.verdict = 'required' and s.expires_at > now()
      order by exists (select 1 from merchant_numbers n where n.merchant_id = s.merchant_id and n.number = $2) desc,
               s.created_at desc
      limit 1`,
    [call.callingNumber, call.calledNumber],
  );
}

/**
 * Expires up to `limit` open sessions whose time is over, oldest first. One with a pending charge is left: it may still be
 * paid. In a transaction: the second statement sees a charge that was begun while the first waited for the lock.
 */
export async function expireDueSessions(sql: Sql, limit: number): Promise<CheckoutSession[]> {
  const due = await sql.query<{ id: string }>(
    `select id from checkout_sessions
      where status = 'open' and expires_at <= now()
        and not exists (select 1 from charges c where c.session_id = checkout_sessions.id and c.status = 'pending')
      order by expires_at limit $1 for update skip locked`,
    [limit],
  );
  if (due.rows.length === 0) return [];
  const { rows } = await sql.query<SessionRow>(
    `update checkout_sessions s set status = 'expired'
      where s.id = any($1)
        and not exists (select 1 from charges c where c.session_id = s.id and c.status in ('pending', 'succeeded'))
      returning ${sessionColumns('s')}`,
    [due.rows.map((row) => row.id)],
  );
  return rows.map(sessionOf);
}
