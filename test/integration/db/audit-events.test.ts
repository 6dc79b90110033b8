/** The table of audit events: rows can only be added, and are deleted after a year. */
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { insertAuditEvent, listAuditEvents } from '../../../src/db/audit/audit-events.ts';
import { insertAccount } from '../../../src/db/keys/accounts.ts';
import { createPruner } from '../../../src/db/prune.ts';
import { SYSTEM } from '../../../src/domain/audit.ts';
import { newId } from '../../../src/domain/ids.ts';
import { useTestDatabase } from '../../support/fixtures.ts';

const db = useTestDatabase();
const log = pino({ level: 'silent' });
const account = newId('Account');
const other = newId('Account');
const TRIGGERS = ['audit_events_kept', 'audit_events_not_emptied'];

const write = (objectId: string, mode: 'test' | 'live' | null = 'test', accountId = account) =>
  insertAuditEvent(db.database, SYSTEM, { accountId, mode, action: 'key.created', objectId });

async function list(
  more: { objectId?: string; startingAfter?: string; limit?: number; after?: Date; before?: Date } = {},
) {
  const page = { limit: more.limit ?? 10, startingAfter: more.startingAfter ?? null };
  const { objectId = null, after = null, before = null } = more;
  const filter = { objectId, action: null, after, before };
  const found = await listAuditEvents(db.database, { accountId: account, mode: 'test' }, filter, page);
  return found?.items.map(({ objectId }) => objectId) ?? null;
}

/** Runs a statement with the triggers disabled, which only the owner of the table can do. */
async function withoutTriggers(statement: string): Promise<void> {
  const { database } = db;
  for (const name of TRIGGERS) await database.query(`alter table audit_events disable trigger ${name}`);
  await database.query(statement);
  for (const name of TRIGGERS) await database.query(`alter table audit_events enable trigger ${name}`);
}

async function accounts(): Promise<void> {
  for (const id of [account, other]) await insertAccount(db.database, { id, name: 'Of a test' });
}

afterEach(() => withoutTriggers('delete from audit_events'));

test('lists the entries of the mode and of the whole account, in pages', async () => {
  await accounts();
  await write('one');
  await write('live', 'live');
  await write('whole', null);
  await write('other', 'test', other);
  await write('two');
  expect(await list()).toEqual(['two', 'whole', 'one']);
  expect(await list({ limit: 1 })).toEqual(['two']);
  expect(await list({ objectId: 'whole' })).toEqual(['whole']);
  const { rows } = await db.database.query<{ id: string; object_id: string }>('select id, object_id from audit_events');
  const idOf = (name: string) => rows.find(({ object_id }) => object_id === name)?.id ?? '';
  expect(await list({ startingAfter: idOf('two') })).toEqual(['whole', 'one']);
  expect(await list({ startingAfter: idOf('other') })).toBeNull();
  expect(await list({ startingAfter: idOf('live') })).toBeNull();
});

test('lists the entries of a time range, whatever is around it', async () => {
  await accounts();
  const names = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
  for (const name of names) {
    await write(name);
    await write('other', 'test', other);
  }
  const at = (day: number) => new Date(`2026-11-0${day}T12:00:00.000Z`);
  for (const [place, name] of names.entries())
    await withoutTriggers(
      `update audit_events set created_at = '${at(place + 1).toISOString()}' where object_id = '${name}'`,
    );
  expect(await list({ after: at(2), before: at(5) })).toEqual(['fourth', 'third', 'second']);
  expect(await list({ after: at(5) })).toEqual(['sixth', 'fifth']);
  expect(await list({ before: at(2) })).toEqual(['first']);
  expect(await list({ before: at(1) })).toEqual([]);
  expect(await list({ after: at(7) })).toEqual([]);
  expect(await list({ after: at(2), before: at(5), limit: 1 })).toEqual(['fourth']);
});

test('finds nothing in a time range if there are no entries at all', async () => {
  await accounts();
  expect(await list({ after: new Date(0), before: new Date() })).toEqual([]);
});

test.each([
  `update audit_events set changes = '{"forged": true}'`,
  'delete from audit_events',
  'truncate audit_events',
  'truncate accounts cascade',
])('refuses the statement: %s', async (statement) => {
  await accounts();
  await write('kept');
  await expect(db.database.query(statement)).rejects.toThrow('audit events are only added');
  expect(await list()).toEqual(['kept']);
});

test('refuses to delete young entries even with the setting of the pruner', async () => {
  await accounts();
  await write('kept');
  const work = db.database.transaction(async (sql) => {
    await sql.query(`set local ringkey.pruning = 'on'`);
    await sql.query('delete from audit_events');
  });
  await expect(work).rejects.toThrow('audit events are only added');
  expect(await list()).toEqual(['kept']);
});

test('prunes an entry after a year, and not before', async () => {
  await accounts();
  for (const name of ['old', 'young', 'new']) await write(name);
  await withoutTriggers(
    `update audit_events set created_at = now() - case object_id when 'old' then interval '366 days'
                                                                 when 'young' then interval '364 days' end
      where object_id in ('old', 'young')`,
  );
  const prune = async () => (await createPruner(db.database, log).run(new AbortController().signal)).pruned;
  expect((await prune()).auditEvents).toBe(1);
  expect(await list()).toEqual(['new', 'young']);
  expect((await prune()).auditEvents).toBe(0);
  // The pruner's setting applied to its own statement only.
  await expect(db.database.query('delete from audit_events')).rejects.toThrow('audit events are only added');
});
