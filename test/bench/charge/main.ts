/**
 * `npm run bench:charge [-- --charges 2000]`: our own part of a charge of a saved card, one after the other, on a
 * durable PostgreSQL: all rules and writes; not HTTP, and not the processor, which answers at once here. Shows how the
 * median stands to the aim; asserts nothing.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { type ChargeDeps, chargeSavedCard } from '../../../src/checkout/charge.ts';
import { type Database, openDatabase, type Sql } from '../../../src/db/pool.ts';
import { newId } from '../../../src/domain/ids.ts';
import { InFlight } from '../../../src/lib/concurrency/in-flight.ts';
import { createLog } from '../../../src/lib/observability/log.ts';
import { createFingerprint } from '../../../src/lib/vault/fingerprint.ts';
import { createVault, KEY_BYTES } from '../../../src/lib/vault/vault.ts';
import { DEMO_ACCOUNT, DEMO_CALLER_PHONE, seedDemo } from '../../../src/local/standalone/demo-data.ts';
import { startServers } from '../../../src/local/standalone/servers/index.ts';
import { createOutboxNotify } from '../../../src/notifications/outbox/notify.ts';
import type { Processor } from '../../../src/payments/ports.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { takePayment } from '../../../src/payments/take-payment.ts';
import { aimResult, inMs, spreadOf, table } from '../call/figures.ts';

const AIM_MS = 5;
/** Seen from dist/bench/test/bench/charge. */
const MAIN = fileURLToPath(new URL('../../../../main.js', import.meta.url));
const WARM_UP = 200;
const SCOPE = { accountId: DEMO_ACCOUNT, mode: 'test' as const };
const CARD = 'card_demo_visa';

/** The sandbox's answer without its books: those are the processor's. */
function promptProcessor(database: Database): Processor {
  return {
    ...createSandbox(database),
    charge: async ({ chargeId }) => ({ status: 'succeeded', processorPaymentId: `bench_${chargeId}` }),
  };
}

function chargeDeps(database: Database, processor: Processor): ChargeDeps {
  const key = Buffer.alloc(KEY_BYTES, 1);
  const log = createLog({ level: 'info', instance: 'bench', destination: { write: () => undefined } });
  const vault = createVault([key]);
  const payments = {
    vault,
    database,
    processors: [processor],
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
    pay: (request) => takePayment(payments, request),
  };
}

async function openSessions(sql: Sql, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('CheckoutSession'));
  await sql.query(
    `insert into checkout_sessions (id, account_id, mode, merchant_id, verdict, amount_cents, currency, amount_source,
                                    caller_phone, expires_at)
     select id, $2, 'test', 'mer_demo_diner', 'required', 4250, 'USD', 'request', $3, now() + interval '1 day'
       from unnest($1::text[]) wanted (id)`,
    [ids, DEMO_ACCOUNT, DEMO_CALLER_PHONE],
  );
  return ids;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

async function measure(databaseUrl: string, charges: number): Promise<void> {
  // The product's own command: migrations lie beside the product, not beside the bench.
  await promisify(execFile)(process.execPath, [MAIN, 'migrate'], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  const database = openDatabase({ url: databaseUrl, maxConnections: 4, onIdleError: () => undefined });
  try {
    await seedDemo(database);
    const deps = chargeDeps(database, promptProcessor(database));
    const times: number[] = [];
    for (const sessionId of await openSessions(database, WARM_UP + charges)) {
      times.push(await timed(() => chargeSavedCard(deps, SCOPE, { sessionId, instrumentId: CARD })));
    }
    show(spreadOf(times.slice(WARM_UP)), charges);
  } finally {
    await database.close();
  }
}

function show(ours: ReturnType<typeof spreadOf>, charges: number): void {
  console.log(`\n${charges} charges one after the other; median / 95th percentile: ${inMs(ours)}\n`);
  const rows = [
    ['aim', 'measured', '', ''],
    ['our share of a charge, median', `${ours.median.toFixed(2)} ms`, `≤ ${AIM_MS} ms`, aimResult(ours.median, AIM_MS)],
  ];
  console.log(`${table(rows)}\n`);
}

const { values } = parseArgs({ options: { charges: { type: 'string', default: '2000' } } });
const charges = Number(values.charges);
if (!Number.isInteger(charges) || charges < 1) throw new Error(`--charges ${values.charges}: not possible`);
const home = await mkdtemp(join(tmpdir(), 'ringkey-bench-'));
// PostgreSQL refuses root: its user has to come in.
await chmod(home, 0o711);
const servers = await startServers({ home, postgresPort: 0, redisPort: null, durable: true, redisDatabases: 1 });
try {
  await measure(servers.postgres?.url ?? '', charges);
} finally {
  await servers.stop();
  await rm(home, { recursive: true, force: true });
}
