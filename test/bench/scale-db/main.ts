/**
 * `npm run bench:scale-db`: a database of years. Seeds millions of sessions by SQL into a private PostgreSQL, then
 * reads how many buffers each hot statement reads, and how much WAL a paid call writes. Fails if a statement reads more
 * than it may.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { openDatabase } from '../../../src/db/pool.ts';
import { rollUpDays } from '../../../src/db/statistics/roll-up.ts';
import { startServers } from '../../../src/local/standalone/servers/index.ts';
import { aimResult, table } from '../call/figures.ts';
import { readBy } from './buffers.ts';
import { HOT_STATEMENTS } from './hot-statements.ts';
import { walOfPaidCalls } from './paid-call.ts';
import { seedSessions } from './seed.ts';

const USAGE = `npm run bench:scale-db -- [options]

  --sessions 5000000  each with a charge, a call, an event, a delivery and a text
  --calls 2000        paid calls whose WAL is measured
  --url URL           a database to use instead of a private one; it is kept, and seeded only if it is empty`;

const AIM_WAL_KB = 25;
/** Seen from dist/bench/test/bench/scale-db. */
const MAIN = fileURLToPath(new URL('../../../../main.js', import.meta.url));

const { values: options } = parseArgs({
  options: {
    sessions: { type: 'string', default: '5000000' },
    calls: { type: 'string', default: '2000' },
    url: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

async function measure(url: string): Promise<boolean> {
  // The product's own command: migrations lie beside the product, not beside the bench.
  await promisify(execFile)(process.execPath, [MAIN, 'migrate'], { env: { ...process.env, DATABASE_URL: url } });
  const database = openDatabase({
    url,
    maxConnections: 2,
    onIdleError: () => undefined,
    limits: { statementMs: 120_000, idleInTransactionMs: 120_000 },
  });
  try {
    const isEmpty = (await database.query('select from checkout_sessions limit 1')).rowCount === 0;
    if (isEmpty) await seedSessions(url, Number(options.sessions));
    while ((await rollUpDays(database, new AbortController().signal)).more);
    const rows = [['statement', 'median', 'buffers', 'at most', '']];
    let isMet = true;
    for (const { name, mostBuffers, run } of HOT_STATEMENTS) {
      const { buffers, ms } = await readBy(database, run);
      isMet &&= buffers <= mostBuffers;
      rows.push([name, `${ms.toFixed(2)} ms`, String(buffers), String(mostBuffers), aimResult(buffers, mostBuffers)]);
    }
    const walKb = (await walOfPaidCalls(database, Number(options.calls), Number(options.sessions))) / 1_024;
    console.log(`\n${table(rows)}\n\nWAL of a paid call: ${walKb.toFixed(1)} KB (aim ${AIM_WAL_KB} KB)\n`);
    return isMet;
  } finally {
    await database.close();
  }
}

async function measurePrivately(): Promise<boolean> {
  const home = await mkdtemp(join(tmpdir(), 'ringkey-bench-'));
  // PostgreSQL refuses root: its user has to come in.
  await chmod(home, 0o711);
  const servers = await startServers({ home, postgresPort: 0, redisPort: null, durable: true, redisDatabases: 1 });
  try {
    return await measure(servers.postgres?.url ?? '');
  } finally {
    await servers.stop();
    await rm(home, { recursive: true, force: true });
  }
}

if (options.help) console.log(USAGE);
else process.exitCode = (await (options.url === undefined ? measurePrivately() : measure(options.url))) ? 0 : 1;
