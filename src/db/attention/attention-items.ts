/** The table `attention_items` with an account's marks: what was found, and lists of it. */
import type { Scope } from '../../domain/account.ts';
import type {
  AttentionItem,
  AttentionItemId,
  AttentionKind,
  AttentionStatus,
  FoundAttention,
} from '../../domain/attention.ts';
import { newId } from '../../domain/ids.ts';
import { columnsOf } from '../columns.ts';
import { type Page, type PageRequest, readPage } from '../pages.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';
import { isKnownKind } from './known-kinds.ts';

const ITEM = columnsOf<AttentionItem>()(
  'attention_items',
  ['id kind accountId mode subject merchantId facts openedAt closedAt'],
  {
    businessName: '(select m.business_name from merchants m where m.id = attention_items.merchant_id)',
    doneAt: 'mark.done_at',
    quietUntil: 'mark.quiet_until',
  },
);

/** `$1`, `$2`: the scope. Items of the service as a whole are in every scope. */
const FROM = `attention_items
  left join attention_marks mark on mark.item_id = attention_items.id and mark.account_id = $1`;
const IS_VISIBLE = `((attention_items.account_id = $1 and attention_items.mode = $2) or attention_items.account_id is null)
  and ${isKnownKind('attention_items.kind')}`;
const IS_SET_ASIDE = `(coalesce(mark.done_at >= attention_items.newest_at, false) or coalesce(mark.quiet_until > now(), false))`;

const CONDITIONS: Readonly<Record<AttentionStatus, string>> = {
  open: `attention_items.closed_at is null and not ${IS_SET_ASIDE}`,
  set_aside: `attention_items.closed_at is null and ${IS_SET_ASIDE}`,
  closed: 'attention_items.closed_at is not null',
};

/** Newest first: IDs begin with their time. @returns null if `startingAfter` is no item of the scope */
export function listAttentionItems(
  sql: Sql,
  { accountId, mode }: Scope,
  status: AttentionStatus,
  page: PageRequest,
): Promise<Page<AttentionItem> | null> {
  return readPage<string, AttentionItem>(page, {
    placeOf: async (id) => (await findAttentionItem(sql, { accountId, mode }, id as AttentionItemId))?.id ?? null,
    rowsBehind: (id, limit) =>
      sql.query<AttentionItem>(
        `select ${ITEM} from ${FROM}
          where ${IS_VISIBLE} and ${CONDITIONS[status]} and ($3::text is null or attention_items.id < $3)
          order by attention_items.id desc limit $4`,
        [accountId, mode, id, limit],
      ),
  });
}

export function findAttentionItem(
  sql: Sql,
  { accountId, mode }: Scope,
  id: AttentionItemId,
): Promise<AttentionItem | null> {
  return readFirst(sql, `select ${ITEM} from ${FROM} where ${IS_VISIBLE} and attention_items.id = $3`, [
    accountId,
    mode,
    id,
  ]);
}

/** @param most counts no further */
export async function countOpenAttention(sql: Sql, { accountId, mode }: Scope, most: number): Promise<number> {
  const { count } = await readOne<{ count: number }>(sql, {
    name: 'count_open_attention',
    text: `select count(*)::integer as count
             from (select from ${FROM} where ${IS_VISIBLE} and ${CONDITIONS.open} limit $3) open_items`,
    values: [accountId, mode, most],
  });
  return count;
}

/** Null removes the account's mark. */
export async function writeAttentionMark(
  sql: Sql,
  { accountId }: Scope,
  id: AttentionItemId,
  mark: 'done' | { quietUntil: Date } | null,
): Promise<void> {
  if (mark === null) {
    await sql.query('delete from attention_marks where item_id = $1 and account_id = $2', [id, accountId]);
    return;
  }
  await sql.query(
    `insert into attention_marks (item_id, account_id, done_at, quiet_until)
     values ($1, $2, case when $3::timestamptz is null then now() end, $3)
     on conflict (item_id, account_id) do update set done_at = excluded.done_at, quiet_until = excluded.quiet_until`,
    [id, accountId, mark === 'done' ? null : mark.quietUntil],
  );
}

/** Closed items stay visible for this long. */
const KEPT_CLOSED = "interval '90 days'";

/** SQL: the item of `found` and of `attention_items` is the same. */
const IS_SAME = `found.kind = attention_items.kind and found.account_id is not distinct from attention_items.account_id
  and found.mode is not distinct from attention_items.mode and found.subject = attention_items.subject`;

/** Facts that move with the time of each search. Alone, they are no reason to write an item again. */
const PERIOD_FACTS = ['from', 'until'];

/**
 * Opens an item for each new cause, and closes those whose cause is gone.
 * @param scope where causes were searched: items outside of it stay as they are. Null: everywhere
 * @param searched kinds whose causes were searched: items of other kinds stay as they are
 */
export async function writeFoundAttention(
  sql: Sql,
  scope: Scope | null,
  { searched, found }: { searched: readonly AttentionKind[]; found: readonly FoundAttention[] },
): Promise<void> {
  const rows = found.map((each) => ({
    id: newId('AttentionItem'),
    kind: each.kind,
    account_id: each.accountId,
    mode: each.mode,
    subject: each.subject,
    merchant_id: each.merchantId,
    facts: each.facts,
    newest_at: each.newestAt,
  }));
  await sql.query(
    `with found as (
       select * from jsonb_to_recordset($1) as f (id text, kind text, account_id text, mode mode, subject text,
                                                  merchant_id text, facts jsonb, newest_at timestamptz)
     ), closed as (
       update attention_items set closed_at = now()
        where closed_at is null and kind = any($4) and ($2::text is null or account_id is null or (account_id = $2 and mode = $3))
          and not exists (select from found where ${IS_SAME})
     )
     insert into attention_items (id, kind, account_id, mode, subject, merchant_id, facts, newest_at)
     select id, kind, account_id, mode, subject, merchant_id, facts, coalesce(newest_at, now()) from found
     on conflict (kind, account_id, mode, subject) where closed_at is null do update
       set facts = excluded.facts,
           newest_at = coalesce((select f.newest_at from found f where f.id = excluded.id), attention_items.newest_at)
       where attention_items.facts - $5::text[] is distinct from excluded.facts - $5::text[]
          or attention_items.newest_at is distinct from
             coalesce((select f.newest_at from found f where f.id = excluded.id), attention_items.newest_at)`,
    [JSON.stringify(rows), scope?.accountId ?? null, scope?.mode ?? null, searched, PERIOD_FACTS],
  );
  await sql.query(`delete from attention_items where closed_at < now() - ${KEPT_CLOSED}`);
}
