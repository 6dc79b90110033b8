/** The figures as they are shown: floor and product side by side, and each aim with its verdict. */
import { inKb, spreadOf, table } from '../call/figures.ts';
import type { LoadReport } from './load.ts';

/** `insert` and `select` are the floor's, `create` and `retrieve` the product's. */
export type Kind = 'insert' | 'create' | 'select' | 'retrieve';

/** Milliseconds. */
export interface Cpu {
  app: number;
  postgres: number;
  redis: number;
}

export interface Measured {
  kind: Kind;
  report: LoadReport;
  /** A request. */
  cpu?: Cpu;
}

export interface Figures {
  /** As fast as it goes. */
  full: Measured[];
  /** At half of each one's own maximum. */
  half: Measured[];
  memory: { first: Resident; last: Resident } | null;
}

/** Resident memory after so many requests: at their end, and a while after it. */
export interface Resident {
  requests: number;
  underLoadKb: number;
  atRestKb: number;
}

/** Of issue 3. */
const AIMS = { create: 0.5, retrieve: 0.6, p99: 4, memory: 1.2 };

export function show(figures: Figures): void {
  const { full, half, memory } = figures;
  console.log(
    '\nMedians over the rounds, the aims of the ratios round by round. Latencies in ms, median / 99th percentile\n',
  );
  console.log(table([['', 'floor: INSERT', 'create_checkout', 'floor: SELECT', 'retrieve'], ...rows(full)]));
  console.log('\nAt half of its own maximum\n');
  console.log(table([['', 'floor: INSERT', 'create_checkout'], ...rows(half)]));
  if (memory !== null) console.log(`\nResident\n\n${table([['', 'under load', 'at rest'], ...residents(memory)])}`);
  console.log(`\n${table(verdicts(figures))}\n`);
}

const residents = ({ first, last }: NonNullable<Figures['memory']>) =>
  [first, last].map(({ requests, underLoadKb, atRestKb }) => [
    `after ${requests} requests`,
    inKb(underLoadKb * 1024),
    inKb(atRestKb * 1024),
  ]);

const KINDS: readonly Kind[] = ['insert', 'create', 'select', 'retrieve'];

function rows(all: readonly Measured[]): string[][] {
  const kinds = KINDS.filter((kind) => all.some((one) => one.kind === kind));
  const row = (name: string, of: (kind: Kind) => string) => [name, ...kinds.map(of)];
  const failed = (kind: Kind) => reports(all, kind).reduce((sum, report) => sum + report.failed, 0);
  return [
    row('requests a second', (kind) => perSecond(all, kind).toFixed(0)),
    row('latency', (kind) => `${latency(all, kind, 'p50').toFixed(1)} / ${latency(all, kind, 'p99').toFixed(1)}`),
    ...cpuRows(all, kinds),
    row('not answered with 200', (kind) => String(failed(kind))),
    row(
      'load generator, of a processor',
      (kind) => `${(100 * median(reports(all, kind).map(({ cpuShare }) => cpuShare))).toFixed(0)} %`,
    ),
  ];
}

function cpuRows(all: readonly Measured[], kinds: readonly Kind[]): string[][] {
  if (all.every(({ cpu }) => cpu === undefined)) return [];
  const of = (kind: Kind, part: keyof Cpu) =>
    median(all.flatMap((one) => (one.kind === kind && one.cpu !== undefined ? [one.cpu[part]] : [])));
  const names: [keyof Cpu, string][] = [
    ['app', 'CPU a request: app'],
    ['postgres', 'CPU a request: PostgreSQL'],
    ['redis', 'CPU a request: Redis'],
  ];
  return [
    ...names.map(([part, name]) => [name, ...kinds.map((kind) => `${of(kind, part).toFixed(3)} ms`)]),
    ['requests a second of CPU, app', ...kinds.map((kind) => (1_000 / of(kind, 'app')).toFixed(0))],
    ['requests a second of CPU, all three', ...kinds.map((kind) => perCpuSecond(all, kind).toFixed(0))],
  ];
}

const reports = (all: readonly Measured[], kind: Kind) =>
  all.filter((one) => one.kind === kind).map(({ report }) => report);
const median = (values: readonly number[]) => spreadOf(values).median;
const perSecond = (all: readonly Measured[], kind: Kind) => median(reports(all, kind).map(speedOf));
/** What the machine would do if it had nothing else to do, and nothing to wait for. */
const perCpuSecond = (all: readonly Measured[], kind: Kind) =>
  median(
    all.flatMap(({ kind: which, cpu }) =>
      which === kind && cpu !== undefined ? [1_000 / (cpu.app + cpu.postgres + cpu.redis)] : [],
    ),
  );
/** Round by round, for what else the machine does changes from one to the next. */
function ratio(all: readonly Measured[], ours: Kind, floor: Kind, of: (report: LoadReport) => number): number {
  const [mine, theirs] = [reports(all, ours), reports(all, floor)];
  return median(mine.flatMap((report, round) => (theirs[round] === undefined ? [] : [of(report) / of(theirs[round])])));
}
const speedOf = ({ answers, failed, seconds }: LoadReport) => (answers - failed) / seconds;
const latency = (all: readonly Measured[], kind: Kind, which: 'p50' | 'p99') =>
  median(reports(all, kind).map(({ latencyMs }) => latencyMs[which]));

function verdicts({ full, half, memory }: Figures): string[][] {
  const create = ratio(full, 'create', 'insert', speedOf);
  const retrieve = ratio(full, 'retrieve', 'select', speedOf);
  const p99 = ratio(half, 'create', 'insert', ({ latencyMs }) => latencyMs.p99);
  const ofCpu = (ours: Kind, floor: Kind) => `${(perCpuSecond(full, ours) / perCpuSecond(full, floor)).toFixed(2)} ×`;
  const met = (isMet: boolean) => (isMet ? 'met' : 'MISSED');
  const result = [
    ['aim', 'measured', '', ''],
    [
      'create_checkout, to the INSERT floor',
      `${create.toFixed(2)} ×`,
      `≥ ${AIMS.create} ×`,
      met(create >= AIMS.create),
    ],
    [
      'retrieve, to the SELECT floor',
      `${retrieve.toFixed(2)} ×`,
      `≥ ${AIMS.retrieve} ×`,
      met(retrieve >= AIMS.retrieve),
    ],
    ['the same, a second of CPU: create_checkout', ofCpu('create', 'insert'), '', ''],
    ['the same, a second of CPU: retrieve', ofCpu('retrieve', 'select'), '', ''],
    ['p99 at half of the maximum, to the floor', `${p99.toFixed(2)} ×`, `< ${AIMS.p99} ×`, met(p99 < AIMS.p99)],
  ];
  if (memory === null) return result;
  const growth = (of: 'atRestKb' | 'underLoadKb') => memory.last[of] / memory.first[of];
  const used = growth('underLoadKb');
  return [
    ...result,
    ['resident memory, late to early', `${used.toFixed(2)} ×`, `≤ ${AIMS.memory} ×`, met(used <= AIMS.memory)],
    ['the same, at rest', `${growth('atRestKb').toFixed(2)} ×`, '', ''],
  ];
}
