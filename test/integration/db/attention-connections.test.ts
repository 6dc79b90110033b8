/** The limit of connections to PostgreSQL is that of the server, the database or the role, whichever is lowest. */
import { expect, test } from 'vitest';
import { limitFinder } from '../../../src/db/attention/limits.ts';
import { ACCOUNT_LIMITS } from '../../../src/domain/account-limits.ts';
import { useTestDatabase } from '../../support/fixtures.ts';

const db = useTestDatabase();

test('connections are near the limit of the role', async () => {
  const found = await db.database.transaction(async (sql) => {
    await sql.query('create role with_one_connection connection limit 1 in role pg_read_all_data');
    await sql.query('set local session authorization with_one_connection');
    const items = await limitFinder(ACCOUNT_LIMITS).find(sql, null);
    await sql.query('reset session authorization');
    await sql.query('drop role with_one_connection');
    return items;
  });
  expect(found).toMatchObject([{ subject: 'database_connections', facts: { of: 1 } }]);
});
