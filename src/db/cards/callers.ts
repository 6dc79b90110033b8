/** Callers with what is known of them: saved cards, consents, and a note. */
import type { Scope } from '../../domain/account.ts';
import type { CallerProfile } from '../../domain/caller.ts';
import { type ConsumerId, newId } from '../../domain/ids.ts';
import { isLimited } from '../merchant-limit/limit.ts';
import { readOne, type Sql } from '../pool.ts';
import { hasCalledOwnMerchant } from '../sessions/sessions-of-callers.ts';

/** Cards and consents of one caller; few have more. */
const MOST = 50;

/** SQL: rows of `query` as a JSON array, newest first as it orders them. */
const listOf = (query: string) =>
  `coalesce((select json_agg(row_to_json(item)) from (${query} limit ${MOST}) item), '[]')`;

const SAVED_CARDS = listOf(`
  select i.id, i.brand, i.last_four as "lastFour", i.expiry_month as "expiryMonth", i.expiry_year as "expiryYear",
         i.is_default as "isDefault", i.merchant_id as "merchantId", m.business_name as "businessName"
    from instruments i join merchants m on m.id = i.merchant_id
   where i.consumer_id = c.id and i.deleted_at is null
   order by i.created_at desc, i.id desc`);

const CONSENTS = listOf(`
  select k.merchant_id as "merchantId", k.channel, k.language, k.wording, k.status, k.instrument_id as "cardId",
         k.agreed_at as "agreedAt"
    from card_consents k where k.consumer_id = c.id
   order by k.agreed_at desc, k.id desc`);

const HAS_CALLED = `exists (
  select from checkout_sessions s where s.account_id = $1 and s.mode = $2 and s.caller_phone = asked.phone)`;

/** @param phones E.164. @returns one profile for each, in this order, also for unknown ones */
export async function readCallerProfiles(
  sql: Sql,
  { accountId, mode }: Scope,
  phones: readonly string[],
): Promise<CallerProfile[]> {
  const hasCalled = isLimited(sql) ? hasCalledOwnMerchant('asked.phone') : HAS_CALLED;
  const { rows } = await sql.query<CallerProfile>(
    `select asked.phone, c.id, c.first_name as "firstName", c.last_name as "lastName", c.email, c.note,
            c.note_written_at as "noteWrittenAt", (c.id is not null or ${hasCalled}) as "isKnown", ${SAVED_CARDS} as cards, ${CONSENTS} as consents
       from unnest($3::text[]) with ordinality asked (phone, place)
       left join consumers c on c.account_id = $1 and c.mode = $2 and c.phone = asked.phone
      order by asked.place`,
    [accountId, mode, phones],
  );
  return rows;
}

/** The caller of the number, who is inserted if unknown. */
export async function ensureCaller(sql: Sql, { accountId, mode }: Scope, phone: string): Promise<ConsumerId> {
  const { id } = await readOne<{ id: ConsumerId }>(
    sql,
    `insert into consumers (id, account_id, mode, phone) values ($1, $2, $3, $4)
     on conflict (account_id, mode, phone) do update set phone = excluded.phone
     returning id`,
    [newId('Consumer'), accountId, mode, phone],
  );
  return id;
}

export async function writeCallerNote(sql: Sql, id: ConsumerId, note: string | null): Promise<void> {
  await sql.query(
    `update consumers set note = $2, note_written_at = case when $2::text is null then null else now() end where id = $1`,
    [id, note],
  );
}
