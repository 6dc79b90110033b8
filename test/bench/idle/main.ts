/**
 * `npm run bench:idle`: measures what one process with all roles costs while nothing happens. Prints figures and
 * targets; asserts nothing.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { aimResult, table } from '../call/figures.ts';
import { cpuMs } from '../call/machine.ts';
import { partsOf } from '../call/report.ts';
import { pidsByPart, type Stage, setStage, startProduct } from '../call/stage.ts';

const AIMS = { appPercent: 0.3, transactionsPerSecond: 2 };

const { values } = parseArgs({
  options: {
    /** Until the sentences are rendered and the first sweeps are over. */
    settle: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '60' },
    profile: { type: 'string' },
  },
});

/** What the servers have done so far. */
class Counters {
  readonly #database: pg.Client;
  readonly #redis: Redis;

  constructor({ databaseUrl, servers }: Stage) {
    this.#database = new pg.Client(databaseUrl);
    this.#redis = new Redis(servers.redis?.url ?? '');
  }

  async open(): Promise<void> {
    await this.#database.connect();
  }

  async read(): Promise<{ transactions: number; commands: number }> {
    const statement =
      'select xact_commit::float as transactions from pg_stat_database where datname = current_database()';
    const { rows } = await this.#database.query<{ transactions: number }>(statement);
    const [, commands] = /total_commands_processed:(\d+)/.exec(await this.#redis.info('stats')) ?? [];
    return { transactions: rows[0]?.transactions ?? 0, commands: Number(commands) };
  }

  async close(): Promise<void> {
    this.#redis.disconnect();
    await this.#database.end();
  }
}

async function measure(stage: Stage): Promise<void> {
  const app = await startProduct(stage, values.profile ?? null);
  const counters = new Counters(stage);
  await counters.open();
  await delay(Number(values.settle) * 1_000);
  const pids = { app: [app.child.pid], ...pidsByPart(stage) };
  const read = async () => ({ cpu: partsOf((part) => cpuMs(pids[part])), ...(await counters.read()) });
  const [before, startedAt] = [await read(), performance.now()];
  await delay(Number(values.seconds) * 1_000);
  const [after, seconds] = [await read(), (performance.now() - startedAt) / 1_000];
  await counters.close();
  const share = partsOf((part) => (after.cpu[part] - before.cpu[part]) / 10 / seconds);
  const transactions = (after.transactions - before.transactions) / seconds;
  const percent = (value: number) => `${value.toFixed(2)} % of a core`;
  const { appPercent, transactionsPerSecond } = AIMS;
  console.log(
    table([
      ['idle, one process with all roles', 'measured', 'aim', ''],
      ['app', percent(share.app), `≤ ${appPercent} %`, aimResult(share.app, appPercent)],
      ['PostgreSQL', percent(share.postgres), '', ''],
      ['Redis', percent(share.redis), '', ''],
      [
        'transactions per second',
        transactions.toFixed(2),
        `≤ ${transactionsPerSecond}`,
        aimResult(transactions, transactionsPerSecond),
      ],
      ['Redis commands per second', ((after.commands - before.commands) / seconds).toFixed(2), '', ''],
    ]),
  );
}

const stage = await setStage();
try {
  await measure(stage);
} finally {
  for (const app of stage.apps) await app.stop();
  await stage.close();
}
