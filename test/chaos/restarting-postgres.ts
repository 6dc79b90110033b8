/** Runs the product on a separate PostgreSQL, which a test can restart. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/db/pool.ts';
import { choosePlace } from '../../src/local/standalone/servers/place.ts';
import { startPostgres } from '../../src/local/standalone/servers/postgres.ts';
import { PATIENT_LIMITS } from '../support/database.ts';
import { freePort, startProduct, type TestProduct } from '../support/product.ts';

export interface RestartingPostgres {
  product: TestProduct;
  database: Database;
  /** SIGINT: a fast shutdown that closes connections. SIGQUIT: stops at once, with recovery at the next start. */
  restart(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  close(): Promise<void>;
}

export async function startOnRestartingPostgres(): Promise<RestartingPostgres> {
  const home = await mkdtemp(join(tmpdir(), 'ringkey-chaos-'));
  // PostgreSQL does not run as root, and its user must be able to enter this folder.
  await chmod(home, 0o711);
  const place = choosePlace(home);
  // A port that stays reserved while the server is down.
  let postgres = await startPostgres({ place, port: await freePort(), durable: true });
  const database = openDatabase({
    url: postgres.url,
    maxConnections: 4,
    limits: PATIENT_LIMITS,
    onIdleError: () => undefined,
  });
  const product = await startProduct({
    RINGKEY_ROLES: 'api,worker',
    RINGKEY_SYNTHESIZER: 'none',
    RINGKEY_LOG_LEVEL: 'error',
    DATABASE_URL: postgres.url,
  });
  return {
    product,
    database,
    async restart(signal) {
      const { port } = postgres;
      process.kill(Number(await readFile(join(postgres.directory, 'pid'), 'utf8')), signal);
      await postgres.exited;
      postgres = await startPostgres({ place, port, durable: true });
    },
    async close() {
      await product.close();
      await database.close();
      await postgres.stop();
      for (const folder of [home, place.directory]) await rm(folder, { recursive: true, force: true });
    },
  };
}
