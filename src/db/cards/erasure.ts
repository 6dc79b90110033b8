/**
 * Erases a caller: clears name, address and number wherever they stand. Payments, refunds and consents stay, without
 * the number.
 */
import type { Scope } from '../../domain/account.ts';
import type { ChargeId, CheckoutSessionId, ConsumerId, InstrumentId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import { readFirst, type Sql } from '../pool.ts';

/** The account's caller, in whichever mode; also one that is erased. */
export function findConsumerById(
  sql: Sql,
  accountId: Scope['accountId'],
  id: ConsumerId,
): Promise<{ id: ConsumerId; mode: Mode } | null> {
  return readFirst(sql, 'select id, mode from consumers where id = $1 and account_id = $2', [id, accountId]);
}

/** What was erased. */
export interface Erasure {
  sessions: number;
  texts: number;
  /** Saved cards, still to be deleted. */
  cards: { id: InstrumentId; brand: string; lastFour: string }[];
}

/**
 * Erases the caller but for the saved cards. In a transaction. Rows are locked in the order of a settlement: charge,
 * session, consent, caller, card.
 * @returns null where the caller is erased already
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
    `update charges set ${NO_SIGNALS} where account_id = $1 and mode = $2 and caller_phone = $3 returning id`,
    [...values, phone],
  );
  const sessionIds = await clearSessions(sql, scope, phone);
  const later = await clearChargesOf(sql, sessionIds);
  const texts = await clearTexts(sql, scope, phone);
  await sql.query('delete from pay_links where session_id = any($1)', [sessionIds]);
  await clearEvents(sql, sessionIds);
  await deleteScreening(sql, scope, phone, sessionIds);
  await refuseOpenConsents(sql, [...charges.rows.map((charge) => charge.id), ...later]);
  // Another erasure may have waited here, too.
  const erased = await sql.query(
    `update consumers set phone = $2, first_name = null, last_name = null, email = null where id = $1 and phone = $3`,
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

/** In place of the number, which has to be unique. No call has it. */
const placeholderFor = (id: ConsumerId) => `erased:${id}`;

const NO_SIGNALS = `caller_phone = null, card_fingerprint = null, origin_hash = null, calling_number_hash = null,
  call_source_hash = null`;

async function clearSessions(sql: Sql, { accountId, mode }: Scope, phone: string): Promise<CheckoutSessionId[]> {
  // Two statements, each with an index of its own.
  const ids: CheckoutSessionId[] = [];
  for (const column of ['caller_phone', 'lent_phone']) {
    const { rows } = await sql.query<{ id: CheckoutSessionId }>(
      `update checkout_sessions set ${column} = null where account_id = $1 and mode = $2 and ${column} = $3 returning id`,
      [accountId, mode, phone],
    );
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

/**
 * Charges that began while the sessions waited to be cleared, and those of sessions that a call has lent the number.
 */
async function clearChargesOf(sql: Sql, sessionIds: readonly CheckoutSessionId[]): Promise<ChargeId[]> {
  const { rows } = await sql.query<{ id: ChargeId }>(
    `update charges set ${NO_SIGNALS}
      where session_id = any($1)
        and (caller_phone is not null or card_fingerprint is not null or origin_hash is not null
             or calling_number_hash is not null or call_source_hash is not null)
      returning id`,
    [sessionIds],
  );
  return rows.map(({ id }) => id);
}

/**
 * What waits is not sent, and what is in doubt is not looked up. The row stays: it keeps a receipt from being sent
 * again.
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

/** Events as they are listed, and sent again. Text in a JSON string has its quotes escaped: only fields are found. */
async function clearEvents(sql: Sql, sessionIds: readonly CheckoutSessionId[]): Promise<void> {
  await sql.query(
    `update events
        set body = regexp_replace(body, '"(caller_phone|caller_first_name)":"(?:[^"\\\\]|\\\\.)*"', '"\\1":null', 'g')
      where session_id = any($1) and body is not null`,
    [sessionIds],
  );
}

/** What carriers said of the number and its calls. */
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

/** The card of a charge whose caller agreed is no longer to be saved. That the caller agreed, to which words, stays. */
async function refuseOpenConsents(sql: Sql, chargeIds: readonly ChargeId[]): Promise<void> {
  await sql.query(`update card_consents set status = 'not_kept' where status = 'agreed' and charge_id = any($1)`, [
    chargeIds,
  ]);
}
