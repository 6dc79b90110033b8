/**
 * `npm run bench:rest`: measures requests per second of create_checkout and retrieve, beside a floor that does only one
 * INSERT or one SELECT, on the same PostgreSQL, under the same load, in turns. Prints figures, asserts nothing.
 */
import { parseArgs } from 'node:util';
import { insertKey } from '../../../src/db/keys/keys.ts';
import { openDatabase } from '../../../src/db/pool.ts';
import { newKey } from '../../../src/domain/key.ts';
import { DEMO_ACCOUNT } from '../../../src/local/standalone/demo-data.ts';
import { spreadOf, table } from '../call/figures.ts';
import { cpuMs, familyOf } from '../call/machine.ts';
import { serverPids } from '../call/stage.ts';
import type { LoadOrder, LoadReport } from './load.ts';
import { type App, type Stage, setStage, startFloor, startProduct } from './stage.ts';

const USAGE = `npm run bench:rest -- [options]

  --seconds 3         of each measurement
  --rounds 7          turns that the floor and the product take
  --connections 64    requests under way at once
  --profile DIR       write the product's CPU profile there`;

/** Minimum share of the floor's requests per second. */
const AIMS = { create: 0.25, retrieve: 0.5, screened: 0.9 };
/** Enough keys that no request is refused, because a key may send 100 requests per second. */
const KEYS = 400;
/** Number of sessions, and of rows of the floor, that are read in turns. */
const READ = 1_000;
/** More callers than in one measurement, because a number that was looked up is not looked up again. */
const CALLERS = 20_000;
const WARM_UP = 3_000;
const LOAD_LIMIT_MS = 60 * 60_000;

/**
 * `insert` and `select` are the floor's, `create` and `retrieve` the product's. `unscreened` is create_checkout for new
 * callers; `screened` is the same with a product that looks up each of their numbers.
 */
const KINDS = ['insert', 'create', 'select', 'retrieve', 'unscreened', 'screened'] as const;
type Kind = (typeof KINDS)[number];
/** `cpuMs`: CPU time of app, PostgreSQL and Redis, which a busy machine changes less than the requests per second. */
type Measured = LoadReport & { cpuMs: number };
type Reports = Record<Kind, Measured[]>;

const CHECKOUT = {
  merchant_id: 'mer_demo_diner',
  caller_phone: '+15550101234',
  amount_cents: 4250,
  platform_call_id: 'bench-call',
  return_to: 'sip:agent@agents.example.com',
  metadata: { table: '12', party: 'four' },
};

const authorization = (key: string | null) => (key === null ? [] : [`Authorization: Bearer ${key}`]);

function post(path: string, key: string | null, changes: object = {}): string {
  const body = JSON.stringify({ ...CHECKOUT, ...changes });
  const lines = [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Content-Type: application/json', ...authorization(key)];
  return `${[...lines, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`;
}

function get(path: string, key: string | null): string {
  return `${[`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...authorization(key)].join('\r\n')}\r\n\r\n`;
}

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '7' },
    connections: { type: 'string', default: '64' },
    profile: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
async function runOnStage(): Promise<void> {
  const stage = await setStage();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void stage.close().then(() => process.exit(1)));
  }
  try {
    showReports(await measure(stage));
  } finally {
    await stage.close();
  }
}

async function measure(stage: Stage): Promise<Reports> {
  const product = await startProduct(stage, { profileFolder: options.profile ?? null });
  const floor = await startFloor(stage);
  const screening = await startProduct(stage, { screens: true });
  const apps: Record<Kind, App> = {
    insert: floor,
    select: floor,
    create: product,
    retrieve: product,
    unscreened: product,
    screened: screening,
  };
  const connections = Number(options.connections);
  const load = (kind: Kind, requests: readonly string[], until: LoadOrder['until']) =>
    stage.generator.ask<LoadReport>({ port: apps[kind].port, connections, requests, until }, LOAD_LIMIT_MS);
  const requests = await prepareRequests(stage, load);
  for (const kind of KINDS) await load(kind, requests[kind], { answers: WARM_UP });
  const reports: Reports = { insert: [], create: [], select: [], retrieve: [], unscreened: [], screened: [] };
  for (let round = 1; round <= Number(options.rounds); round += 1) {
    for (const kind of KINDS) {
      if (kind === 'screened') await forgetLookups(stage);
      console.error(`${kind}: round ${round} of ${options.rounds} …`);
      const pids = [...familyOf(apps[kind].child.pid), ...serverPids(stage)];
      const before = cpuMs(pids);
      const report = await load(kind, requests[kind], { seconds: Number(options.seconds) });
      reports[kind].push({ ...report, cpuMs: cpuMs(pids) - before });
    }
  }
  return reports;
}

async function forgetLookups({ databaseUrl }: Stage): Promise<void> {
  const database = openDatabase({ url: databaseUrl, maxConnections: 1, onIdleError: console.error });
  await database.query('truncate number_lookups');
  await database.close();
}

/** Creates keys, and the sessions and rows to read. */
async function prepareRequests(
  stage: Stage,
  load: (kind: Kind, requests: readonly string[], until: LoadOrder['until']) => Promise<LoadReport>,
): Promise<Record<Kind, string[]>> {
  const database = openDatabase({ url: stage.databaseUrl, maxConnections: 2, onIdleError: console.error });
  const keys = Array.from({ length: KEYS }, () => newKey('test'));
  for (const key of keys) await insertKey(database, { accountId: DEMO_ACCOUNT, mode: 'test', key });
  const create = keys.map((key) => post('/v1/create_checkout', key));
  const insert = [post('/orders', null)];
  for (const [kind, requests] of Object.entries({ create, insert })) {
    const { failure } = await load(kind as Kind, requests, { answers: READ });
    if (failure !== null) throw new Error(`${kind} failed:\n${failure}`);
  }
  const idsIn = async (name: string) =>
    (await database.query<{ id: string }>(`select id from ${name} limit ${READ}`)).rows.map(({ id }) => id);
  const keyAt = (at: number) => keys[at % KEYS] ?? '';
  const retrieve = (await idsIn('checkout_sessions')).map((id, at) => get(`/v1/checkout_sessions/${id}`, keyAt(at)));
  const select = (await idsIn('bench_floor')).map((id) => get(`/orders/${id}`, null));
  await database.close();
  const strangers = Array.from({ length: CALLERS }, (_, at) =>
    post('/v1/create_checkout', keyAt(at), { caller_phone: `+1555${String(2_000_000 + at)}` }),
  );
  return { insert, create, select, retrieve, unscreened: strangers, screened: strangers };
}

const medianOf = (values: readonly number[]) => spreadOf(values).median;
const speedOf = ({ answers, failed, seconds }: LoadReport) => (answers - failed) / seconds;

function showReports(reports: Reports): void {
  const row = (name: string, of: (all: Measured[]) => string) => [name, ...KINDS.map((kind) => of(reports[kind]))];
  const latency = (all: LoadReport[], which: 'p50' | 'p99') =>
    medianOf(all.map(({ latencyMs }) => latencyMs[which])).toFixed(1);
  const figures = [
    ['', 'floor: INSERT', 'create_checkout', 'floor: SELECT', 'retrieve', 'new callers', 'the same, screened'],
    row('requests per second', (all) => medianOf(all.map(speedOf)).toFixed(0)),
    row('latency in ms, median / p99', (all) => `${latency(all, 'p50')} / ${latency(all, 'p99')}`),
    row('CPU in ms per request', (all) => medianOf(all.map((report) => report.cpuMs / report.answers)).toFixed(2)),
    row('answers other than 200', (all) => String(all.reduce((sum, { failed }) => sum + failed, 0))),
  ];
  // Round by round, because other work on the machine changes between rounds.
  const aim = (name: string, ours: Kind, floor: Kind, least: number) => {
    const shares = reports[ours].map((report, round) => {
      const base = reports[floor][round];
      return base === undefined ? null : speedOf(report) / speedOf(base);
    });
    const { median } = spreadOf(shares);
    return [name, `${median.toFixed(2)} ×`, `≥ ${least} ×`, median >= least ? 'met' : 'MISSED'];
  };
  const aims = [
    ['aim', 'measured', '', ''],
    aim('create_checkout / INSERT floor', 'create', 'insert', AIMS.create),
    aim('retrieve / SELECT floor', 'retrieve', 'select', AIMS.retrieve),
    aim('create_checkout screened / unscreened', 'screened', 'unscreened', AIMS.screened),
  ];
  console.log(`\nMedians over the rounds\n\n${table(figures)}\n\n${table(aims)}\n`);
}

if (options.help) console.log(USAGE);
else await runOnStage();
