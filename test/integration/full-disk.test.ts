/** A PostgreSQL whose disk is full: it answers and reads, and takes no new rows. */
import { chmod, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PrivateServers, startServers } from '../../src/local/standalone/servers/index.ts';
import { startProduct, type TestProduct } from '../support/product.ts';

let home: string;
let servers: PrivateServers;
let product: TestProduct;
let admin: pg.Pool;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'ringkey-full-disk-'));
  await chmod(home, 0o711);
  servers = await startServers({ home, postgresPort: 0, redisPort: null, durable: false, redisDatabases: 1 });
  const url = servers.postgres?.url ?? '';
  product = await startProduct({ RINGKEY_ROLES: 'api', RINGKEY_SYNTHESIZER: 'none', DATABASE_URL: url });
  admin = new pg.Pool({ connectionString: url, max: 1 });
  // The server, which stops at the end, may end its connection first.
  admin.on('error', () => undefined);
});
afterAll(async () => {
  await product?.close();
  await admin?.end();
  await servers?.stop();
  await rm(home, { recursive: true, force: true });
});

/** Of tables that have no page yet: their first row needs one from the disk. */
async function emptyFiles(): Promise<string[]> {
  // Gives back the pages of rows that were rolled back.
  await admin.query('vacuum');
  const { rows } = await admin.query<{ path: string }>(
    `select current_setting('data_directory') || '/' || pg_relation_filepath(oid) as path from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) = 0`,
  );
  return rows.map(({ path }) => path);
}

/** Running connections have the files open. */
async function reconnect(): Promise<void> {
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
}

async function ready() {
  const response = await fetch(`${product.baseUrl}/readyz`);
  const { checks } = (await response.json()) as { checks: Record<string, string> };
  return { status: response.status, postgres: checks.postgres };
}

test('readyz is 503 while the database has no room for a row, and 200 when it has again', async () => {
  expect(await ready()).toEqual({ status: 200, postgres: 'ok' });
  const files = await emptyFiles();
  for (const file of files) {
    await rename(file, `${file}.away`);
    // Reads as empty, and has no room: every write ends with ENOSPC (full(4)).
    await symlink('/dev/full', file);
  }
  await reconnect();
  await expect.poll(ready).toEqual({ status: 503, postgres: 'failed' });
  await expect.poll(product.output).toContain('No space left on device');
  for (const file of files) await rename(`${file}.away`, file);
  await reconnect();
  await expect.poll(ready).toEqual({ status: 200, postgres: 'ok' });
});
