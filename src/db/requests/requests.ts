/** The table `request_log`: written in batches after the answers, listed newest first. */
import type { Scope } from '../../domain/account.ts';
import type { AccountId, KeyId } from '../../domain/ids.ts';
import type { LoggedRequest } from '../../domain/logged-request.ts';
import { columnsOf } from '../columns.ts';
import { inScope, type ListedTable, readListedPage, type TimeRange } from '../conditions.ts';
import type { Page, PageRequest } from '../pages.ts';
import { readFirst, type Sql } from '../pool.ts';

const INSERT = `
  with no_disk_wait as (select set_config('synchronous_commit', 'off', true))
  insert into request_log (id, account_id, mode, method, route, path, status, code, param, duration_ms, key_id, source,
                        request_body, answer_body, created_at)
  select r.* from no_disk_wait,
         unnest($1::text[], $2::text[], $3::mode[], $4::text[], $5::text[], $6::text[], $7::smallint[], $8::text[], $9::text[],
                $10::integer[], $11::text[], $12::text[], $13::text[], $14::text[], $15::timestamptz[]) r
  on conflict do nothing`;

/** One statement, whose commit does not wait for the disk. */
export async function insertRequests(sql: Sql, requests: readonly LoggedRequest[]): Promise<void> {
  const column = <K extends keyof LoggedRequest>(name: K) => requests.map((request) => request[name]);
  await sql.query({
    name: 'insert_requests',
    text: INSERT,
    values: [
      column('id'),
      column('accountId'),
      column('mode'),
      column('method'),
      column('route'),
      column('path'),
      column('status'),
      column('code'),
      column('param'),
      column('durationMs'),
      column('keyId'),
      column('source'),
      column('requestBody'),
      column('answerBody'),
      column('createdAt'),
    ],
  });
}

/** With the name of its key; null if the key has no name, or there was no key. */
interface ListedRequest extends LoggedRequest {
  keyName: string | null;
}

/** Null matches everything. */
interface RequestFilter extends TimeRange {
  status: number | null;
  code: string | null;
  route: string | null;
  keyId: KeyId | null;
}

const REQUESTS: ListedTable = { name: 'request_log', time: 'created_at' };

const REQUEST = columnsOf<ListedRequest>()(
  'request_log',
  ['id accountId mode method route path status code param durationMs keyId source requestBody answerBody createdAt'],
  { keyName: 'keys.name' },
);
const SELECT = `select ${REQUEST} from request_log left join keys on keys.id = request_log.key_id`;

/** Newest first. @returns null if `startingAfter` is no request of the scope */
export function listRequests(
  sql: Sql,
  scope: Scope,
  filter: RequestFilter,
  page: PageRequest,
): Promise<Page<ListedRequest> | null> {
  const conditions = inScope(REQUESTS, scope, filter)
    .add('request_log.route = $?', filter.route)
    .add('request_log.key_id = $?', filter.keyId)
    .add('request_log.code = $?', filter.code)
    .add('request_log.status = $?', filter.status);
  // Without it the planner cannot see that the partial index has all of them.
  if (filter.status !== null && filter.status !== 200) conditions.require('request_log.status <> 200');
  return readListedPage(sql, REQUESTS, scope, { select: SELECT, conditions, page });
}

/** In either mode. Null if the account has no such request. */
export function findRequest(sql: Sql, accountId: AccountId, id: string): Promise<ListedRequest | null> {
  return readFirst(sql, `${SELECT} where request_log.id = $1 and request_log.account_id = $2`, [id, accountId]);
}
