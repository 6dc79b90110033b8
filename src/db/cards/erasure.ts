/**
 * Erases a caller: clears name, address and number everywhere. Payments, refunds and consents stay, without the number.
 */
import type { Scope } from '../../domain/account.ts';
import type { ChargeId, CheckoutSessionId, ConsumerId, InstrumentId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import { deleteSignals } from '../charges/attempts.ts';
import { readFirst, type Sql } from '../pool.ts';

/** The account's caller, in either mode, even if erased. */
export function findConsumerById(
  sql: Sql,
  accountId: Scope['accountId'],
  id: ConsumerId,
): Promise<{ id: ConsumerId; mode: Mode } | null> {
  return readFirst(sql, 'select id, mode from consumers where id = $1 and account_id = $2', [id, accountId]);
}

/** What was erased. */
interface Erasure {
  sessions: number;
  texts: number;
  /** Saved cards that still have to be deleted. */
  cards: { id: InstrumentId; brand: string; lastFour: string }[];
}

/**
 * Erases the caller, except for saved cards. Call it in a transaction. Rows are locked in the order of a settlement:
 * charge, session, consent, caller, card.
 * @returns null if the caller is already erased
 */
export async function eraseConsumer(sql: Sql, scope: Scope, id: ConsumerId): Promise<Erasure | null> {
  const values = [scope.accountId, scope.mode];
  const consumer = await readFirst<{ phone: string }>(
    sql,
    'select phone from consumers where id = $3 and account_id = $1 and mode = $2 and phone <> $4',
    [...values, id, placeholderFor(id)],
  );
  if (consumer === null) return null;
  const { phone } = consumer;
  const charges = await sql.query<{ id: ChargeId }>(
    `update charges set ${NO_SIGNALS}
      where session_id in (select id from checkout_sessions where account_id = $1 and mode = $2 and caller_phone = $3)
     returning id`,
    [...values, phone],
  );
  const sessionIds = await clearSessions(sql, scope, phone);
  const later = await clearChargesOf(sql, sessionIds);
  const chargeIds = [...charges.rows.map((charge) => charge.id), ...later];
  await deleteSignals(sql, chargeIds);
  const texts = await clearTexts(sql, scope, phone);
  await sql.query('delete from pay_links where session_id = any($1)', [sessionIds]);
  await clearEvents(sql, sessionIds);
  await deleteScreening(sql, scope, phone, sessionIds);
  await refuseOpenConsents(sql, chargeIds);
  // Another erasure may have waited here, too.
  const erased = await sql.query(
    `update consumers
        set phone = $2, first_name = null, last_name = null, email = null, note = null, note_written_at = null
      where id = $1 and phone = $3`,
    [id, placeholderFor(id), phone],
  );
  if (erased.rowCount === 0) return null;
  const cards = await sql.query<Erasure['cards'][number]>(
    `select id, brand, last_four as "lastFour" from instruments where consumer_id = $1 and deleted_at is null
      order by id for no key update`,
    [id],
  );
  return { sessions: sessionIds.length, texts, cards: cards.rows };
}

/** Replaces the number, which must be unique. No call has this value. */
const placeholderFor = (id: ConsumerId) => `erased:${id}`;

/** The hashes are those of an earlier version; see {@link deleteSignals}. */
const NO_SIGNALS = `caller_phone = null, card_fingerprint = null, origin_hash = null, calling_number_hash = null,
  call_source_hash = null`;

async function clearSessions(sql: Sql, { accountId, mode }: Scope, phone: string): Promise<CheckoutSessionId[]> {
  // Two statements, each with an index of its own.
  const ids: CheckoutSessionId[] = [];
  for (const column of ['caller_phone', 'lent_phone']) {
    const { rows } = await sql.query<{ id: CheckoutSessionId }>(
      `update checkout_sessions set ${column} = null, caller_email = null, payer_name = null
        where account_id = $1 and mode = $2 and ${column} = $3 returning id`,
      [accountId, mode, phone],
    );
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

/** Charges created while the sessions waited to be cleared, and charges of sessions that got the number from a call. */
async function clearChargesOf(sql: Sql, sessionIds: readonly CheckoutSessionId[]): Promise<ChargeId[]> {
  const { rows } = await sql.query<{ id: ChargeId }>(
    `update charges set ${NO_SIGNALS}
      where session_id = any($1)
        and (caller_phone is not null or card_fingerprint is not null or origin_hash is not null
             or calling_number_hash is not null or call_source_hash is not null
             or exists (select from charge_signals s where s.charge_id = charges.id))
      returning id`,
    [sessionIds],
  );
  return rows.map(({ id }) => id);
}

/**
 * Waiting texts are not sent, and uncertain ones are not looked up. The rows stay, so that no receipt is sent again.
 */
async function clearTexts(sql: Sql, { accountId, mode }: Scope, phone: string): Promise<number> {
  const { rowCount } = await sql.query(
    `update texts
        set recipient = '', body = '', sealed_body = null,
            settled_at = case when status in ('waiting', 'sending') then now() else settled_at end,
            error_code = case when status in ('waiting', 'sending') then 'caller_erased' else error_code end,
            status = case status when 'waiting' then 'failed' when 'sending' then 'unknown' else status end
      where account_id = $1 and mode = $2 and recipient = $3`,
    [accountId, mode, phone],
  );
  return rowCount ?? 0;
}

/** Clears events as they are listed and resent. Quotes in JSON text are escaped, so only fields match. */
async function clearEvents(sql: Sql, sessionIds: readonly CheckoutSessionId[]): Promise<void> {
  await sql.query(
    `update events
        set body = regexp_replace(body, '"(caller_phone|caller_first_name)":"(?:[^"\\\\]|\\\\.)*"', '"\\1":null', 'g')
      where session_id = any($1) and body is not null`,
    [sessionIds],
  );
}

/** Deletes lookups and attestations of the number and its calls. */
async function deleteScreening(
  sql: Sql,
  { accountId, mode }: Scope,
  phone: string,
  sessionIds: readonly CheckoutSessionId[],
): Promise<void> {
  await sql.query('delete from number_lookups where account_id = $1 and mode = $2 and phone = $3', [
    accountId,
    mode,
    phone,
  ]);
  await sql.query('delete from session_attestations where session_id = any($1)', [sessionIds]);
}

/** Cards of these charges will not be saved. The consent and its wording stay. */
async function refuseOpenConsents(sql: Sql, chargeIds: readonly ChargeId[]): Promise<void> {
  await sql.query(`update card_consents set status = 'not_kept' where status = 'agreed' and charge_id = any($1)`, [
    chargeIds,
  ]);
}
