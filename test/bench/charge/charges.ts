/** Charges of a saved card on a durable PostgreSQL, for the benchmarks that need their rows or durations. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ChargeDeps, chargeSavedCard } from '../../../src/checkout/charge.ts';
import { type Database, openDatabase, type Sql } from '../../../src/db/pool.ts';
import { type CheckoutSessionId, newId } from '../../../src/domain/ids.ts';
import { InFlight } from '../../../src/lib/concurrency/in-flight.ts';
import { createLog } from '../../../src/lib/observability/log.ts';
import { createFingerprint } from '../../../src/lib/vault/fingerprint.ts';
import { createVault, KEY_BYTES } from '../../../src/lib/vault/vault.ts';
import { DEMO_ACCOUNT, seedDemo } from '../../../src/local/standalone/demo-data.ts';
import { startServers } from '../../../src/local/standalone/servers/index.ts';
import { TEST_CALLER_PHONE } from '../../../src/local/standalone/test-data.ts';
import { createOutboxNotify } from '../../../src/notifications/outbox/notify.ts';
import { takePayment } from '../../../src/payments/charges/take-payment.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';

/** Relative to dist/bench/test/bench/charge. */
const MAIN = fileURLToPath(new URL('../../../../main.js', import.meta.url));
export const SCOPE = { accountId: DEMO_ACCOUNT, mode: 'test' as const };
const CARD = 'card_demo_visa';

/** The sandbox's answer without its records, which belong to the processor. */
function promptProcessor(database: Database): Processor {
  return {
    ...createSandbox(database),
    charge: async ({ chargeId }) => ({ status: 'succeeded', processorPaymentId: `bench_${chargeId}` }),
  };
}

export function chargeDeps(database: Database): ChargeDeps {
  const key = Buffer.alloc(KEY_BYTES, 1);
  const log = createLog({ level: 'info', instance: 'bench', destination: { write: () => undefined } });
  const vault = createVault([key]);
  const payments = {
    vault,
    database,
    processors: [promptProcessor(database)],
    inFlight: new InFlight(),
    log,
    onPending: () => undefined,
    fingerprint: createFingerprint(key),
    onEvents: createOutboxNotify(database, log),
  };
  return {
    database,
    now: () => new Date(),
    hasSmsCarrier: false,
    canSendLinks: () => true,
    takesOnPage: async () => true,
    pay: (request) => takePayment(payments, request),
  };
}

export async function openSessions(sql: Sql, count: number): Promise<CheckoutSessionId[]> {
  const ids = Array.from({ length: count }, () => newId('CheckoutSession'));
  await sql.query(
    `insert into checkout_sessions (id, account_id, mode, merchant_id, verdict, amount_cents, currency, amount_source,
                                    caller_phone, expires_at)
     select id, $2, 'test', 'mer_demo_diner', 'required', 4250, 'USD', 'request', $3, now() + interval '1 day'
       from unnest($1::text[]) wanted (id)`,
    [ids, DEMO_ACCOUNT, TEST_CALLER_PHONE],
  );
  return ids;
}

export const charge = (deps: ChargeDeps, sessionId: CheckoutSessionId) =>
  chargeSavedCard(deps, SCOPE, { sessionId, instrumentId: CARD });

/** Runs `measure` on a durable database with the demo's data. */
export async function onDatabase(measure: (database: Database) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'ringkey-bench-'));
  // PostgreSQL does not run as root, and its user must be able to enter the folder.
  await chmod(home, 0o711);
  const servers = await startServers({ home, postgresPort: 0, redisPort: null, durable: true, redisDatabases: 1 });
  try {
    const url = servers.postgres?.url ?? '';
    // The product's own command, because the migrations are beside the product, not beside the bench.
    await promisify(execFile)(process.execPath, [MAIN, 'migrate'], { env: { ...process.env, DATABASE_URL: url } });
    const database = openDatabase({ url, maxConnections: 4, onIdleError: () => undefined });
    try {
      await seedDemo(database);
      await measure(database);
    } finally {
      await database.close();
    }
  } finally {
    await servers.stop();
    await rm(home, { recursive: true, force: true });
  }
}
