/** The health check with a PostgreSQL whose disk is full: it still answers queries, but accepts no new rows. */
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
  // At the end, the server may close its connection before the pool does.
  admin.on('error', () => undefined);
});
afterAll(async () => {
  await product?.close();
  await admin?.end();
  await servers?.stop();
  await rm(home, { recursive: true, force: true });
});

/** The files of tables without pages. Their first row needs a page from the disk. */
async function emptyFiles(): Promise<string[]> {
  // Frees the pages of rows that were rolled back.
  await admin.query('vacuum');
  const { rows } = await admin.query<{ path: string }>(
    `select current_setting('data_directory') || '/' || pg_relation_filepath(oid) as path from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) = 0`,
  );
  return rows.map(({ path }) => path);
}

/** Closes all other connections, which have the files open. */
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

test('returns 503 from /readyz while the database’s disk is full, and 200 when it has space again', async () => {
  expect(await ready()).toEqual({ status: 200, postgres: 'ok' });
  const files = await emptyFiles();
  for (const file of files) {
    await rename(file, `${file}.away`);
    // Reads as an empty file, and fails every write with ENOSPC (full(4)).
    await symlink('/dev/full', file);
  }
  await reconnect();
  await expect.poll(ready).toEqual({ status: 503, postgres: 'failed' });
  await expect.poll(product.output).toContain('No space left on device');
  for (const file of files) await rename(`${file}.away`, file);
  await reconnect();
  await expect.poll(ready).toEqual({ status: 200, postgres: 'ok' });
});
