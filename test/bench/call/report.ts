/** Prints the figures: the product beside the bare app, and whether each target is met. */
import type { AtOnceResult } from './at-once.ts';
import type { CallFacts } from './call-reader.ts';
import type { CallResult } from './caller.ts';
import { aimResult, inKb, inMs, type Spread, spreadOf, table } from './figures.ts';
import type { LoadReport } from './load.ts';
import type { MemoryAnswer } from './memory-probe.ts';

/** The processes that do the work of a call. */
export type Part = 'app' | 'signalling' | 'media' | 'postgres' | 'redis';

export function partsOf(of: (part: Part) => number): Record<Part, number> {
  return {
    app: of('app'),
    signalling: of('signalling'),
    media: of('media'),
    postgres: of('postgres'),
    redis: of('redis'),
  };
}

export const engineMs = ({ signalling, media }: Record<Part, number>) => signalling + media;

/** The result of one load on one app. */
export interface Measured {
  calls: (CallResult & { recorded: CallFacts | null })[];
  /** Per call. */
  cpuMs: Record<Part, number>;
  generator: Pick<LoadReport, 'cpuShare' | 'heldUpMs'>;
  /** Calls with wrong digits in the bare app; null for the product, whose database has them. */
  wrongDigits: number | null;
}

export interface AtOnce {
  app: string;
  calls: number;
  /** Maximum number of calls at the same time. */
  up: number;
  sipp: AtOnceResult;
  /** Calls that lost digits. */
  lost: number;
  idle: MemoryAnswer;
  /** Memory with all calls up. */
  busy: MemoryAnswer;
  /** Percent of one processor, over the whole load. */
  busyShare: { app: number; engine: number };
  listeners: LoadReport;
}

interface Figures {
  engine: string;
  rate: number;
  product: readonly Measured[];
  bare: readonly Measured[];
  slow: Measured | null;
  atOnce: readonly AtOnce[];
  /** Milliseconds from Pay on the page to the line's first sound. */
  pagePaid: readonly number[];
}

/** Maximum number of failed calls to print. */
const MOST_STORIES = 10;

/** Targets: ratios to the bare app, milliseconds, bytes. */
const AIMS = {
  cpuRatio: 2,
  answerRatio: 1.25,
  firstSoundMs: 60,
  processorCalledMs: 15,
  nextSoundMs: 60,
  pagePaidMs: 300,
  liveCallBytes: 150 * 1024,
};

export function show(figures: Figures): void {
  console.log(`\nEngine: ${figures.engine}; ${figures.rate} new calls per second; median / 95th percentile\n`);
  console.log(table(sideBySide(figures)));
  if (figures.atOnce.length > 0) console.log(`\n${table(atOnceRows(figures.atOnce))}`);
  for (const { app, sipp } of figures.atOnce) if (sipp.errors) console.log(`\nSIPp, ${app}:\n${sipp.errors}`);
  console.log(`\n${table(aimRows(figures))}\n`);
  for (const { status, outcome, recorded } of callsOf(figures.product).filter(isWrong).slice(0, MOST_STORIES)) {
    console.log(`  failed: ${status}, outcome ${outcome}: ${recorded?.steps.join(', ') ?? 'not in the database'}`);
  }
}

const callsOf = (loads: readonly Measured[]) => loads.flatMap(({ calls }) => calls);
const answerTimes = (loads: readonly Measured[]) => spreadOf(callsOf(loads).map(({ answerMs }) => answerMs));
const firstSounds = (loads: readonly Measured[]) => spreadOf(callsOf(loads).map(({ firstSoundMs }) => firstSoundMs));

function meanCpu(loads: readonly Measured[], of: Part): number {
  const calls = callsOf(loads).length;
  return loads.reduce((sum, load) => sum + load.cpuMs[of] * load.calls.length, 0) / calls;
}

function lostDigits(loads: readonly Measured[]): string {
  const calls = callsOf(loads);
  const wrong = loads.reduce((sum, load) => sum + (load.wrongDigits ?? load.calls.filter(isWrong).length), 0);
  return `${wrong} of ${calls.length} calls`;
}

const isWrong = ({ recorded }: { recorded: CallFacts | null }) => !recorded?.paid || recorded.askedAgain;

/** From the release of the last key to the processor's first statement. */
function processorCalled(loads: readonly Measured[]): Spread {
  return spreadOf(
    callsOf(loads).map(({ lastDigitAt, recorded }) =>
      lastDigitAt === null || !recorded?.processorCalledAt ? null : recorded.processorCalledAt - lastDigitAt,
    ),
  );
}

/** The engine's time for a digit and a request, with nothing between them. */
function referred(loads: readonly Measured[]): Spread {
  const since = ({ referAt, lastDigitAt }: CallResult) => (referAt && lastDigitAt ? referAt - lastDigitAt : null);
  return spreadOf(callsOf(loads).map(since));
}

/** If the line was silent when the processor answered: the time to the first sound, or to the REFER. */
function nextSound(load: Measured | null): Spread {
  return spreadOf((load?.calls ?? []).map(silenceAfterAnswer));
}

function silenceAfterAnswer({ sounds, referAt, recorded }: Measured['calls'][number]): number | null {
  const at = recorded?.processorAnswersAt ?? null;
  if (at === null || sounds.some(({ from, to }) => from <= at && at <= to)) return null;
  const next = sounds.find(({ from }) => from > at)?.from ?? referAt;
  return next === null ? null : next - at;
}

function sideBySide({ product, bare, slow }: Figures): string[][] {
  const cpu = (loads: readonly Measured[], of: Part) => `${meanCpu(loads, of).toFixed(1)} ms`;
  const bill = (loads: readonly Measured[]) =>
    `${Object.values(partsOf((part) => meanCpu(loads, part)))
      .reduce((sum, ms) => sum + ms, 0)
      .toFixed(1)} ms`;
  const generatorLoad = (loads: readonly Measured[]) => {
    const most = (of: keyof Measured['generator']) => Math.max(...loads.map(({ generator }) => generator[of]));
    return `${(100 * most('cpuShare')).toFixed(0)} % / ${most('heldUpMs').toFixed(1)} ms`;
  };
  return [
    ['', 'Ringkey', 'bare app'],
    ['calls', String(callsOf(product).length), String(callsOf(bare).length)],
    ['answer time (INVITE → 200)', inMs(answerTimes(product)), inMs(answerTimes(bare))],
    ['ACK → first sound', inMs(firstSounds(product)), inMs(firstSounds(bare))],
    ['last digit → processor called (bare app: → REFER)', inMs(processorCalled(product)), inMs(referred(bare))],
    [`processor's answer → next sound (${nextSound(slow).count} slow calls)`, inMs(nextSound(slow)), '-'],
    ['digits lost', lostDigits(product), lostDigits(bare)],
    ['CPU per call: app', cpu(product, 'app'), cpu(bare, 'app')],
    ['CPU per call: FreeSWITCH, or the built-in engine', cpu(product, 'media'), cpu(bare, 'media')],
    ['CPU per call: drachtio', cpu(product, 'signalling'), cpu(bare, 'signalling')],
    ['CPU per call: PostgreSQL', cpu(product, 'postgres'), '-'],
    ['CPU per call: Redis', cpu(product, 'redis'), '-'],
    ['CPU per call: all', bill(product), bill(bare)],
    ['load generator: CPU / held up, 99th', generatorLoad(product), generatorLoad(bare)],
  ];
}

function atOnceRows(runs: readonly AtOnce[]): string[][] {
  const row = (name: string, of: (run: AtOnce) => string) => [name, ...runs.map(of)];
  const jitter = ({ listeners }: AtOnce, of: 'median' | 'p99') =>
    `${Math.max(...listeners.results.map(({ jitterMs }) => jitterMs[of])).toFixed(1)} ms`;
  return [
    row(`${runs[0]?.calls} calls at once, by SIPp`, ({ app }) => app),
    row('up at the same time', ({ up }) => String(up)),
    row('completed', ({ sipp, calls }) => `${sipp.succeeded} of ${calls}`),
    row('with lost digits', ({ lost }) => String(lost)),
    row('memory per live call, live objects', (run) => inKb(liveCallBytes(run))),
    row('memory per live call, resident', ({ idle, busy, calls }) =>
      inKb((busy.residentBytes - idle.residentBytes) / calls),
    ),
    row('resident, idle → all up', ({ idle, busy }) => `${inKb(idle.residentBytes)} → ${inKb(busy.residentBytes)}`),
    row('app, percent of a processor', ({ busyShare }) => `${busyShare.app.toFixed(0)} %`),
    row('engine, percent of a processor', ({ busyShare }) => `${busyShare.engine.toFixed(0)} %`),
    row('packets off 20 ms, median / 99th', (run) => `${jitter(run, 'median')} / ${jitter(run, 'p99')}`),
    row('load generator held up, 99th', ({ listeners }) => `${listeners.heldUpMs.toFixed(1)} ms`),
    row('packets lost', ({ listeners }) =>
      String(listeners.results.reduce((sum, { packetsLost }) => sum + packetsLost, 0)),
    ),
  ];
}

const liveCallBytes = ({ idle, busy, calls }: AtOnce) => (busy.liveBytes - idle.liveBytes) / calls;

function aimRows({ product, bare, slow, pagePaid, atOnce }: Figures): string[][] {
  const cpuRatio = meanCpu(product, 'app') / meanCpu(bare, 'app');
  const answerRatio = answerTimes(product).median / answerTimes(bare).median;
  const times = (ratio: number, aim: number) => [`${ratio.toFixed(2)} ×`, `≤ ${aim} ×`, aimResult(ratio, aim)];
  const ms = ({ median }: Spread, aim: number) => [`${median.toFixed(1)} ms`, `≤ ${aim} ms`, aimResult(median, aim)];
  const rows = [
    ['aim', 'measured', '', ''],
    ['app CPU per call / bare app', ...times(cpuRatio, AIMS.cpuRatio)],
    ['answer time, median / bare app', ...times(answerRatio, AIMS.answerRatio)],
    ['dead air: ACK → first sound', ...ms(firstSounds(product), AIMS.firstSoundMs)],
    ['dead air: last digit → processor called', ...ms(processorCalled(product), AIMS.processorCalledMs)],
    // The lower bound of every app. FreeSWITCH reads RTP at its next tick of 20 ms, and the thread of its event socket,
    // which sleeps in poll(2), checks for events every 20 ms: 20 ms on average before an app receives a digit, and the
    // time of a REFER.
    ['  engine’s part (bare app: last digit → REFER)', `${referred(bare).median.toFixed(1)} ms`, '', ''],
    ['  product’s part', `${(processorCalled(product).median - referred(bare).median).toFixed(1)} ms`, '', ''],
    ["dead air: processor's answer → next sound", ...ms(nextSound(slow), AIMS.nextSoundMs)],
    ['Pay on the page → first sound of the line', ...ms(spreadOf(pagePaid), AIMS.pagePaidMs)],
  ];
  const [run] = atOnce;
  if (!run) return rows;
  const bytes = liveCallBytes(run);
  return [
    ...rows,
    [`${run.calls} at once: calls with lost digits`, String(run.lost), '0', aimResult(run.lost, 0)],
    ['memory per live call', inKb(bytes), `≤ ${inKb(AIMS.liveCallBytes)}`, aimResult(bytes, AIMS.liveCallBytes)],
  ];
}
