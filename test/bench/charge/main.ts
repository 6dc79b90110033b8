/**
 * `npm run bench:charge [-- --charges 2000]`: our own part of a charge of a saved card (all rules and writes; not HTTP,
 * not the processor, which answers at once here) beside a bare transaction of two writes, on the same durable PostgreSQL.
 * They take turns, one and one; each round of them gives one ratio of medians, and the median of those is the figure, so
 * that what else the machine does meanwhile meets both. Shows figures and how they stand to the aims; asserts nothing.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import pg from 'pg';
import { type ChargeDeps, chargeSavedCard } from '../../../src/checkout/charge.ts';
import { DEMO_ACCOUNT, DEMO_CALLER_PHONE, seedDemo } from '../../../src/standalone/demo-data.ts';
import { startServers } from '../../../src/standalone/servers/index.ts';
import { newId } from '../../../src/domain/ids.ts';
import { createLog } from '../../../src/observability/log.ts';
import { createOutboxNotify } from '../../../src/outbox/notify.ts';
import { InFlight } from '../../../src/concurrency/in-flight.ts';
import type { Processor } from '../../../src/payments/ports.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { takePayment } from '../../../src/payments/take-payment.ts';
import { type Database, openDatabase, type Sql } from '../../../src/db/pool.ts';
import { createFingerprint } from '../../../src/vault/fingerprint.ts';
import { createVault, KEY_BYTES } from '../../../src/vault/vault.ts';
import { inMs, spreadOf, table, verdict } from '../call/figures.ts';

/** Of issue 4. */
const AIMS = { roundTrips: 5, ratio: 3 };
/** Seen from dist/bench/test/bench/charge. */
const MAIN = fileURLToPath(new URL('../../../../main.js', import.meta.url));
const WARM_UP = 200;
const PAIRS_A_ROUND = 25;
const SCOPE = { accountId: DEMO_ACCOUNT, mode: 'test' as const };
const CARD = 'card_demo_visa';

interface Counted extends Sql {
  count: number;
  /** When nothing is under way any more: the ring for the relay goes out after the answer, and is not the floor's. */
  idle(): Promise<void>;
  spent: Map<string, number[]>;
}

/** One statement through the pool is one round trip. */
function counting(database: Database): Counted {
  const underWay = new Set<Promise<unknown>>();
  function spentOn(name: string): number[] {
    const times = counted.spent.get(name) ?? [];
    counted.spent.set(name, times);
    return times;
  }
  const counted: Counted = {
    count: 0,
    spent: new Map(),
    query: ((query: { name: string }) => {
      counted.count += 1;
      const from = performance.now();
      const asked = database.query(query as never) as unknown as Promise<unknown>;
      underWay.add(asked);
      // Beside the one who waits for the answer, not before him: the floor's statements are not counted, either.
      const ended = () => {
        underWay.delete(asked);
        spentOn(query.name).push(performance.now() - from);
      };
      asked.then(ended, ended);
      return asked;
    }) as unknown as Sql['query'],
    async idle() {
      await setImmediate();
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
  return counted;
}

/** The sandbox's answer without its books: those are the processor's. */
function promptProcessor(database: Database): Processor {
  return {
    ...createSandbox(database),
    charge: async ({ chargeId }) => ({ status: 'succeeded', processorPaymentId: `bench_${chargeId}` }),
  };
}

function chargeDeps(sql: Sql, processor: Processor): ChargeDeps {
  const key = Buffer.alloc(KEY_BYTES, 1);
  const log = createLog({ level: 'info', instance: 'bench', destination: { write: () => undefined } });
  const vault = createVault([key]);
  const payments = {
    ...{ vault, sql, processors: [processor], inFlight: new InFlight(), log, onPending: () => undefined },
    fingerprint: createFingerprint(key),
    onEvents: createOutboxNotify(sql, log),
  };
  return {
    ...{ database: sql, processors: [processor], vault, now: () => new Date() },
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

/** The least that could be called a charge: a row, its change, both or neither. */
async function bareTransaction(pool: pg.Pool, id: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query({
      name: 'floor_insert',
      text: 'insert into bench_charges values ($1, $2)',
      values: [id, 'new'],
    });
    await client.query({
      name: 'floor_update',
      text: 'update bench_charges set status = $2 where id = $1',
      values: [id, 'paid'],
    });
    await client.query('commit');
  } finally {
    client.release();
  }
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
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  // At the end the server may break off what the pool has not quite closed.
  pool.on('error', () => undefined);
  try {
    await seedDemo(database);
    await database.query('create table bench_charges (id text primary key, status text not null)');
    const sql = counting(database);
    const deps = chargeDeps(sql, promptProcessor(database));
    const pairs: Pair[] = [];
    for (const [at, sessionId] of (await openSessions(database, WARM_UP + charges)).entries()) {
      if (at === WARM_UP) {
        sql.count = 0;
        sql.spent.clear();
      }
      const ours = await timed(() => chargeSavedCard(deps, SCOPE, { sessionId, instrumentId: CARD }));
      await sql.idle();
      const bare = await timed(() => bareTransaction(pool, sessionId));
      if (at >= WARM_UP) pairs.push({ ours, bare });
    }
    show(pairs, sql.count / charges, sql.spent);
  } finally {
    await Promise.all([database.close(), pool.end()]);
  }
}

interface Pair {
  ours: number;
  bare: number;
}

/** Of each round, in order. */
function ratiosOf(pairs: readonly Pair[]): number[] {
  const rounds = Math.ceil(pairs.length / PAIRS_A_ROUND);
  return Array.from({ length: rounds }, (_, at) => {
    const round = pairs.slice(at * PAIRS_A_ROUND, (at + 1) * PAIRS_A_ROUND);
    return spreadOf(round.map(({ ours }) => ours)).median / spreadOf(round.map(({ bare }) => bare)).median;
  });
}

function show(pairs: readonly Pair[], roundTrips: number, spent: Counted['spent']): void {
  const ours = spreadOf(pairs.map((pair) => pair.ours));
  const bare = spreadOf(pairs.map((pair) => pair.bare));
  const ratio = spreadOf(ratiosOf(pairs)).median;
  console.log(`\n${pairs.length} charges one after the other; median / 95th percentile\n`);
  console.log(
    table([
      ['', 'Ringkey', 'bare transaction of two writes'],
      ['time', inMs(ours), inMs(bare)],
      ['round trips to PostgreSQL', roundTrips.toFixed(1), '4.0'],
      ...[...spent].map(([name, times]) => [`  ${name}`, inMs(spreadOf(times)), '']),
    ]),
  );
  const rows = [
    ['aim', 'measured', '', ''],
    ['round trips a charge', roundTrips.toFixed(1), `≤ ${AIMS.roundTrips}`, verdict(roundTrips, AIMS.roundTrips)],
    ['median, to the bare transaction', `${ratio.toFixed(2)} ×`, `< ${AIMS.ratio} ×`, verdict(ratio, AIMS.ratio)],
  ];
  console.log(`\n${table(rows)}\n`);
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
