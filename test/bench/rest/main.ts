/**
 * `npm run bench:rest`: what create_checkout and retrieve cost, beside a floor that does one INSERT or one SELECT and
 * nothing else, on the same PostgreSQL, under the same load, in turns. Shows figures and how they stand to the aims;
 * asserts nothing.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { DEMO_ACCOUNT } from '../../../src/standalone/demo-data.ts';
import { newKey } from '../../../src/domain/key.ts';
import { type Database, openDatabase } from '../../../src/db/pool.ts';
import { insertKey } from '../../../src/db/keys/keys.ts';
import { spreadOf } from '../call/figures.ts';
import { cpuMs, familyOf, listenerOn, residentKb } from '../call/machine.ts';
import type { LoadOrder, LoadReport } from './load.ts';
import { type BenchOptions, readBenchOptions } from './options.ts';
import { type Cpu, type Figures, type Kind, type Resident, show } from './report.ts';
import { get, post } from './requests.ts';
import { type App, type Stage, setStage, startFloor, startProduct } from './stage.ts';

/** Each key may ask 100 times a second: enough keys that none is ever refused. */
const KEYS = 400;
/** Sessions, and rows of the floor, that are read in turns. */
const READ = 1_000;
const WARM_UP = 3_000;
const FIRST_LOOK = 10_000;
/** In so long V8 may have collected in a process that has nothing to do; it does not always. */
const REST_MS = 15_000;
const LOAD_LIMIT_MS = 3 * 60 * 60_000;

class Bench {
  readonly #stage: Stage;
  readonly #options: BenchOptions;
  readonly #database: Database;
  readonly #requests: Record<Kind, string[]> = { insert: [], create: [], select: [], retrieve: [] };

  constructor(stage: Stage, options: BenchOptions) {
    this.#stage = stage;
    this.#options = options;
    this.#database = openDatabase({ url: stage.databaseUrl, maxConnections: 2, onIdleError: console.error });
  }

  async run(): Promise<void> {
    const product = await startProduct(this.#stage, this.#options.profileFolder);
    const floor = await startFloor(this.#stage);
    await this.#prepare(floor, product);
    const apps: Record<Kind, App> = { insert: floor, create: product, select: floor, retrieve: product };
    const figures: Figures = { full: [], half: [], memory: null };
    for (const kind of KINDS) await this.#load(apps[kind], kind, { answers: WARM_UP });
    for (let round = 1; round <= this.#options.rounds; round += 1) {
      for (const kind of KINDS) {
        const before = this.#cpu(apps[kind]);
        const report = await this.#measure(apps[kind], kind, round);
        figures.full.push({ kind, report, cpu: costOf(before, this.#cpu(apps[kind]), report.answers) });
      }
    }
    for (let round = 1; round <= this.#options.rounds; round += 1) {
      for (const kind of ['insert', 'create'] as const) {
        const rate = fullSpeed(figures, kind) / 2;
        // While the other had its turn, this one stood still: how it comes to its feet is not what is asked.
        await this.#load(apps[kind], kind, { seconds: 1 }, rate);
        figures.half.push({ kind, report: await this.#measure(apps[kind], kind, round, rate) });
      }
    }
    if (this.#options.memoryRequests > 0) figures.memory = await this.#memory();
    show(figures);
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  async #prepare(floor: App, product: App): Promise<void> {
    const keys = Array.from({ length: KEYS }, () => newKey('test'));
    for (const key of keys) await insertKey(this.#database, { accountId: DEMO_ACCOUNT, mode: 'test', key });
    const keyAt = (at: number) => keys[at % KEYS] ?? '';
    this.#requests.create = keys.map((key) => post('/v1/create_checkout', key));
    this.#requests.insert = [post('/orders', null)];
    for (const kind of ['create', 'insert'] as const) {
      const app = kind === 'create' ? product : floor;
      const { failure } = await this.#load(app, kind, { answers: READ });
      if (failure !== null) throw new Error(`${kind} failed:\n${failure}`);
    }
    const ids = async (table: string) => {
      const { rows } = await this.#database.query<{ id: string }>(`select id from ${table} limit ${READ}`);
      return rows.map(({ id }) => id);
    };
    this.#requests.retrieve = (await ids('checkout_sessions')).map((id, at) =>
      get(`/v1/checkout_sessions/${id}`, keyAt(at)),
    );
    this.#requests.select = (await ids('bench_floor')).map((id) => get(`/orders/${id}`, null));
  }

  #cpu({ child }: App): Cpu {
    const { postgres, redis } = this.#stage.servers;
    const of = (port: number | undefined) => cpuMs(familyOf(listenerOn(port ?? 0) ?? 0));
    return { app: cpuMs([child.pid]), postgres: of(postgres?.port), redis: of(redis?.port) };
  }

  #measure(app: App, kind: Kind, round: number, rate: number | null = null): Promise<LoadReport> {
    const { seconds, rounds } = this.#options;
    const pace = rate === null ? 'at full speed' : `at ${rate.toFixed(0)} a second`;
    console.error(`${kind}, ${pace}: round ${round} of ${rounds} …`);
    return this.#load(app, kind, { seconds }, rate);
  }

  #load({ port }: App, kind: Kind, until: LoadOrder['until'], rate: number | null = null): Promise<LoadReport> {
    const { connections } = this.#options;
    const order: LoadOrder = { port, connections, requests: this.#requests[kind], until, rate };
    return this.#stage.generator.ask<LoadReport>(order, LOAD_LIMIT_MS);
  }

  /** Also at rest: how much of it is only not collected yet may show there. */
  async #resident({ child }: App, requests: number): Promise<Resident> {
    const underLoadKb = residentKb(child.pid);
    await delay(REST_MS);
    return { requests, underLoadKb, atRestKb: residentKb(child.pid) };
  }

  /** Of a fresh process; half of the requests create, half retrieve. */
  async #memory(): Promise<Figures['memory']> {
    const { memoryRequests } = this.#options;
    const product = await startProduct(this.#stage, null);
    const half = async (answers: number) => {
      console.error(`memory: ${answers} requests …`);
      for (let done = 0; done < answers; done += FIRST_LOOK) {
        for (const kind of ['create', 'retrieve'] as const) {
          await this.#load(product, kind, { answers: Math.min(FIRST_LOOK, answers - done) / 2 });
        }
      }
      return this.#resident(product, answers);
    };
    const first = await half(FIRST_LOOK);
    const last = await half(memoryRequests - FIRST_LOOK);
    await product.child.stop();
    return { first, last: { ...last, requests: memoryRequests } };
  }
}

function costOf(before: Cpu, after: Cpu, requests: number): Cpu {
  const one = (what: keyof Cpu) => (after[what] - before[what]) / requests;
  return { app: one('app'), postgres: one('postgres'), redis: one('redis') };
}

const KINDS: readonly Kind[] = ['insert', 'create', 'select', 'retrieve'];

/** The middle of the rounds: a lucky one would set a pace that the machine cannot keep. */
function fullSpeed({ full }: Figures, kind: Kind): number {
  const speeds = full.filter((one) => one.kind === kind).map(({ report }) => report.answers / report.seconds);
  return spreadOf(speeds).median;
}

const options = readBenchOptions(process.argv.slice(2));
if (options !== null) {
  const stage = await setStage();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void stage.close().then(() => process.exit(1)));
  }
  const bench = new Bench(stage, options);
  try {
    await bench.run();
  } finally {
    await bench.close();
    await stage.close();
  }
}
