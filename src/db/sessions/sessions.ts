/** The table `checkout_sessions`: inserts sessions, finds them for calls, expires them. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Account, Scope } from '../../domain/account.ts';
import type { CaptureMode } from '../../domain/hold.ts';
import type { CheckoutSessionId } from '../../domain/ids.ts';
import type { SavedCard } from '../../domain/instrument.ts';
import type { SessionLanguages } from '../../domain/language.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { CheckoutSession } from '../../domain/session.ts';
import type { TextRecipient } from '../../domain/texts.ts';
import { allowedCards, SCREENED_CARDS, type ScreenedCards } from '../cards/chargeable.ts';
import { isLiveCharge } from '../charges/charge-facts.ts';
import { columnsOf, jsonOf, moneyOf } from '../columns.ts';
import { ACCOUNT } from '../keys/accounts.ts';
import { PROCESSOR_CREDENTIALS } from '../merchants/merchant-processors.ts';
import { MERCHANT } from '../merchants/merchants.ts';
import { readFirst, type Sql } from '../pool.ts';
import { textReach } from '../texts/text-limits.ts';
import { STATE_BEFORE_CALL, type StateBeforeCall } from './session-state.ts';

/** SQL: a {@link CheckoutSession} from a row of `checkout_sessions`. */
export const SESSION = columnsOf<CheckoutSession>()(
  'checkout_sessions',
  [
    'id accountId mode merchantId consumerId status verdict purpose amountSource capture callerPhone orderId platformCallId returnTo',
    'successMessage failureMessage lineItems metadata saving payerName language chosenLanguage createdAt expiresAt',
  ],
  { amount: moneyOf('checkout_sessions') },
);

/** SQL: the session has expired. The database's clock decides, because the clocks of processes can differ. */
export const IS_OVER = 'checkout_sessions.expires_at <= now()';

/** SQL: the number for texts about the session: its caller's, otherwise the one borrowed from a call. */
export const TEXTS_TO = 'coalesce(checkout_sessions.caller_phone, checkout_sessions.lent_phone)';

/** SQL: the numbers that can be texted about the session. */
export const TEXT_REACH = textReach({
  accountId: 'checkout_sessions.account_id',
  mode: 'checkout_sessions.mode',
  merchantId: 'checkout_sessions.merchant_id',
});

/** SQL: a {@link TextRecipient} without the mode, from a row of `checkout_sessions`. */
export const TEXT_RECIPIENT = `${TEXTS_TO} as "textsTo",
  exists (select from text_opt_outs o where o.phone = ${TEXTS_TO}) as "hasOptedOut",
  ${TEXT_REACH} as "textReach"`;

/** The recipient of texts about a session; null if the scope has no such session. */
export function findTextRecipient(
  sql: Sql,
  { accountId, mode }: Scope,
  id: CheckoutSessionId,
): Promise<TextRecipient | null> {
  return readFirst(
    sql,
    `select mode, ${TEXT_RECIPIENT} from checkout_sessions where id = $1 and account_id = $2 and mode = $3`,
    [id, accountId, mode],
  );
}

/**
 * Lends the session a call's number for its texts; a later call's number replaces it. A merchant's number is not used,
 * because some platforms transfer with the business's number as the caller's.
 * @param phone E.164, from a trusted trunk
 * @returns the new recipient; null if the session already has a number, or the number is a merchant's
 */
export function assignNumber(sql: Sql, id: CheckoutSessionId, phone: string): Promise<TextRecipient | null> {
  return readFirst(
    sql,
    `update checkout_sessions set lent_phone = $2
      where id = $1 and caller_phone is null and not exists (select from merchant_numbers n where n.number = $2)
      returning mode, ${TEXT_RECIPIENT}`,
    [id, phone],
  );
}

/** A session to insert. */
export interface NewSession
  extends Omit<
    CheckoutSession,
    'status' | 'purpose' | 'capture' | 'saving' | 'payerName' | keyof SessionLanguages | 'createdAt' | 'expiresAt'
  > {
  /** By default, the standard question. */
  saving?: CheckoutSession['saving'];
  /** By default, the session can be paid by card only. */
  payerName?: string | null;
  /** `payment` by default. */
  purpose?: CheckoutSession['purpose'];
  /** `automatic` by default. */
  capture?: CaptureMode;
  /** BCP 47; by default the merchant's. */
  language?: string | null;
  /** Its lifetime from now on, by the database's clock. */
  ttlSeconds: number;
  /** The secret in `transfer_to`; null if no transfer is wanted. Only its hash is stored. */
  transferToken: string | null;
  /** Where the receipt goes. */
  callerEmail?: string | null;
  /** HMAC of the transfer code; by default there is none. */
  transferCodeHash?: Buffer | null;
  /** Another session can pay for the same order; false by default. */
  allowRepeat?: boolean;
  /** A merchant's charge without a caller. */
  initiator?: 'merchant';
}

const INSERT = `
  insert into checkout_sessions (id, account_id, mode, merchant_id, consumer_id, verdict, amount_cents, currency,
    amount_source, caller_phone, caller_email, order_id, platform_call_id, return_to, success_message, failure_message, line_items,
    metadata, transfer_token_hash, transfer_code_hash, allow_repeat, language, initiator, capture, saving,
    payer_name, purpose, expires_at)
  select id, "accountId", mode, "merchantId", "consumerId", verdict, "amountCents", currency,
    "amountSource", "callerPhone", "callerEmail", "orderId", "platformCallId", "returnTo", "successMessage", "failureMessage", "lineItems",
    metadata::json, "transferTokenHash", "transferCodeHash", coalesce("allowRepeat", false), language, initiator,
    coalesce(capture, 'automatic'), saving, "payerName", coalesce(purpose, 'payment'),
    now() + "ttlSeconds" * interval '1 second'
    from json_to_recordset($1) as session (id text, "accountId" text, mode mode, "merchantId" text, "consumerId" text,
      verdict verdict, "amountCents" integer, currency text, "amountSource" text, "callerPhone" text, "callerEmail" text, "orderId" text,
      "platformCallId" text, "returnTo" text, "successMessage" text, "failureMessage" text, "lineItems" jsonb,
      metadata text, "transferTokenHash" bytea, "transferCodeHash" bytea, "allowRepeat" boolean, language text,
      initiator text, capture text, saving jsonb, "payerName" text, purpose text, "ttlSeconds" integer)
  returning id, expires_at as "expiresAt"`;

/** @returns its expiry time */
export async function insertSession(sql: Sql, session: NewSession): Promise<Date> {
  const [expiresAt] = await insertSessions(sql, [session]);
  if (expiresAt === undefined) throw new Error('a session was not inserted');
  return expiresAt;
}

/** @returns the expiry times, in order */
export async function insertSessions(sql: Sql, sessions: readonly NewSession[]): Promise<Date[]> {
  const rows = sessions.map(({ amount, metadata, transferToken, transferCodeHash = null, ...session }) => ({
    ...session,
    ...amount,
    // As text: json_to_recordset refuses an escaped zero byte anywhere in its JSON.
    metadata: JSON.stringify(metadata),
    transferTokenHash: transferToken === null ? null : byteaOf(hashTransferToken(transferToken)),
    transferCodeHash: transferCodeHash === null ? null : byteaOf(transferCodeHash),
  }));
  const inserted = await sql.query<{ id: CheckoutSessionId; expiresAt: Date }>({
    name: 'insert_sessions',
    text: INSERT,
    values: [JSON.stringify(rows)],
  });
  const expiries = new Map(inserted.rows.map(({ id, expiresAt }) => [id, expiresAt]));
  return sessions.flatMap(({ id }) => expiries.get(id) ?? []);
}

const byteaOf = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;

function hashTransferToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** A session with everything that a call needs. */
export interface SessionForCall extends Omit<TextRecipient, 'mode'> {
  session: CheckoutSession;
  /** The session has expired, by the database's clock. */
  isOver: boolean;
  merchant: Merchant;
  /** Encrypted credentials of the merchant's processor; null if none are stored. */
  credentials: string | null;
  account: Account;
  sessionState: StateBeforeCall;
  /** The caller's cards that can be charged at the merchant, newest first. None if screening says step_up. */
  savedCards: readonly SavedCard[];
  /** HMAC of the unused transfer code. Null if there is none. */
  transferCodeHash: Buffer | null;
  /** When it was read, by `performance.now()`: later changes are not in it. */
  readAtMs: number;
}

export type SessionForCallRow = CheckoutSession &
  Omit<SessionForCall, 'session' | 'sessionState' | 'savedCards' | 'transferCodeHash' | 'readAtMs'> &
  StateBeforeCall & { transferTokenHash: Buffer | null; transferCodeHash: Buffer | null; saved: ScreenedCards | null };

/** SQL: rows that {@link sessionForCallOf} turns into a {@link SessionForCall}. */
export const SELECT_FOR_CALL = `
  select ${SESSION}, ${IS_OVER} as "isOver", ${TEXT_RECIPIENT}, transfer_token_hash as "transferTokenHash",
         transfer_code_hash as "transferCodeHash",
         ${jsonOf(`select ${MERCHANT}`)} as merchant, ${jsonOf(`select ${ACCOUNT}`)} as account,
         ${PROCESSOR_CREDENTIALS} as credentials,
         ${STATE_BEFORE_CALL}, ${SCREENED_CARDS} as saved
    from checkout_sessions
    join merchants on merchants.id = checkout_sessions.merchant_id
    join accounts on accounts.id = checkout_sessions.account_id`;

/**
 * The session named in `transfer_to`, if the token matches. Includes complete and expired sessions, whose calls get
 * 410. An expired session stays `open` until the sweep marks it.
 */
export async function findSessionForTransfer(
  sql: Sql,
  id: CheckoutSessionId,
  token: string,
): Promise<SessionForCall | null> {
  const readAtMs = performance.now();
  const row = await readFirst<SessionForCallRow>(sql, {
    name: 'find_session_for_transfer',
    text: `${SELECT_FOR_CALL} where checkout_sessions.id = $1`,
    values: [id],
  });
  if (row === null || row.transferTokenHash === null) return null;
  return timingSafeEqual(row.transferTokenHash, hashTransferToken(token)) ? sessionForCallOf(row, readAtMs) : null;
}

/** The session of an ongoing call, whatever its state. */
export async function findSessionOfCall(sql: Sql, id: CheckoutSessionId): Promise<SessionForCall | null> {
  const readAtMs = performance.now();
  const row = await readFirst<SessionForCallRow>(sql, `${SELECT_FOR_CALL} where checkout_sessions.id = $1`, [id]);
  return row === null ? null : sessionForCallOf(row, readAtMs);
}

/** @param found row of {@link SELECT_FOR_CALL} @param readAtMs before its statement, by `performance.now()` */
export function sessionForCallOf(found: SessionForCallRow, readAtMs: number): SessionForCall {
  const {
    merchant,
    credentials,
    account,
    isOver,
    textsTo,
    hasOptedOut,
    textReach: reach,
    transferTokenHash: _,
    transferCodeHash,
    saved,
    ...row
  } = found;
  const { live, failed, pageOpenedAt, callStage, orderCharge, declines, hadCall, linkTexted, ...session } = row;
  const sessionState = {
    status: session.status,
    live,
    failed,
    pageOpenedAt,
    callStage,
    orderCharge,
    declines,
    hadCall,
    linkTexted,
  };
  const recipient = { textsTo, hasOptedOut, textReach: reach };
  const savedCards = allowedCards(saved);
  const facts = { session, isOver, ...recipient, merchant, account, sessionState };
  return Object.assign(facts, { credentials, savedCards, transferCodeHash, readAtMs });
}

/** SQL: when the next session expires. */
export const SESSIONS_DUE = `select min(expires_at) from checkout_sessions where status = 'open'`;

/**
 * Expires up to `limit` open sessions whose time is over, oldest first, except those with a pending charge, which can
 * still be paid. Call it in a transaction: the second statement sees charges created while the first waited for the
 * lock.
 */
export async function expireDueSessions(sql: Sql, limit: number): Promise<CheckoutSession[]> {
  const due = await sql.query<{ id: string }>(
    `select id from checkout_sessions
      where status = 'open' and expires_at <= now()
        and not exists (select 1 from charges c where c.session_id = checkout_sessions.id and c.status = 'pending')
      order by expires_at limit $1 for no key update skip locked`,
    [limit],
  );
  if (due.rows.length === 0) return [];
  const { rows } = await sql.query<CheckoutSession>(
    `update checkout_sessions set status = 'expired'
      where id = any($1)
        and not exists (select from charges c
                         where c.session_id = checkout_sessions.id and ${isLiveCharge('c')})
      returning ${SESSION}`,
    [due.rows.map(({ id }) => id)],
  );
  return rows;
}
