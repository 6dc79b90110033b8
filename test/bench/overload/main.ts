/**
 * `npm run bench:overload`: measures payment calls at twice the load that one core can handle. Answered calls should
 * end as their callers expect; the others should get 503 with `Retry-After`. Says which side lost a call, the engine or
 * the app. Prints figures; asserts nothing.
 */
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { createCheckout } from '../../../src/local/scripted-caller/rest-client.ts';
import { testCard } from '../../../src/payments/sandbox/cards.ts';
import { type CallFacts, CallReader } from '../call/call-reader.ts';
import type { CallResult } from '../call/caller.ts';
import { counted, spreadOf, table } from '../call/figures.ts';
import type { LoadOrder, LoadReport } from '../call/load.ts';
import { cpuMs } from '../call/machine.ts';
import { type App, enginePids, type Stage, serverPids, setStage, startProduct } from '../call/stage.ts';
import { lossOf, SIDES, type Side } from './lost-calls.ts';
import { type OverloadOptions, readOverloadOptions } from './options.ts';

const FIELDS = [testCard('visa').number, '1230', '123'];
const LOAD_LIMIT_MS = 60 * 60_000;
/** Calls per second, slow enough not to affect each other. */
const CALIBRATION_RATE = 2;
const WARM_UP_CALLS = 20;
const CHECKOUTS_AT_ONCE = 8;
/** Below the service's limit of 100 requests per second and key. */
const CHECKOUTS_PER_SECOND = 80;
const AIM = 0.99;

interface Load {
  calls: readonly (CallResult & { recorded: CallFacts | null })[];
  seconds: number;
  /** CPU time in ms. */
  cpu: { app: number; engine: number; servers: number };
  generator: Omit<LoadReport, 'results'>;
}

class OverloadBench {
  readonly #stage: Stage;
  readonly #app: App;
  readonly #calls: CallReader;

  constructor(stage: Stage, app: App, calls: CallReader) {
    this.#stage = stage;
    this.#app = app;
    this.#calls = calls;
  }

  async run(options: OverloadOptions): Promise<void> {
    const isPinned = this.#pinToOneCore();
    console.error(`warming up: ${WARM_UP_CALLS} calls …`);
    await this.#load(WARM_UP_CALLS, CALIBRATION_RATE);
    console.error(`measuring the capacity of one core: ${options.calibration} calls …`);
    const calm = await this.#load(options.calibration, CALIBRATION_RATE);
    const { app, engine, servers } = calm.cpu;
    const capacity = (1_000 * options.calibration) / (app + engine + servers);
    const rate = options.rate > 0 ? options.rate : capacity * options.times;
    const calls = Math.ceil(rate * options.seconds);
    console.error(`${calls} calls, ${rate.toFixed(1)} per second …`);
    const busy = await this.#load(calls, rate);
    show({ capacity, rate, calm, busy, isPinned, engine: this.#stage.engine.name });
  }

  /**
   * Pins the product to the first core, and the callers to the others. Daemons that are already running are not
   * changed. @returns false if `taskset` is missing
   */
  #pinToOneCore(): boolean {
    const { engine } = this.#stage;
    const ownEngine = engine.isOurs ? enginePids(this.#stage) : [];
    const pids = [this.#app.child.pid, ...ownEngine, ...serverPids(this.#stage)];
    const others = `1-${availableParallelism() - 1}`;
    try {
      for (const pid of pids) execFileSync('taskset', ['-a', '-p', '-c', '0', String(pid)], { stdio: 'ignore' });
      if (availableParallelism() > 1) {
        const generator = String(this.#stage.generator.pid);
        execFileSync('taskset', ['-a', '-p', '-c', others, generator], { stdio: 'ignore' });
      }
      return true;
    } catch {
      return false;
    }
  }

  async #load(count: number, rate: number): Promise<Load> {
    const sessions = await this.#sessions(count);
    const [before, startedAt] = [this.#cpu(), performance.now()];
    const order: LoadOrder = { calls: [...sessions.keys()].map((target) => ({ target, fields: FIELDS })), rate };
    const { results, ...generator } = await this.#stage.generator.ask<LoadReport>(order, LOAD_LIMIT_MS);
    const [after, seconds] = [this.#cpu(), (performance.now() - startedAt) / 1_000];
    const recorded = await this.#calls.callsOf([...sessions.values()]);
    const calls = results.map((result) => ({
      ...result,
      recorded: recorded.get(sessions.get(result.target) ?? '') ?? null,
    }));
    const cpu = {
      app: after.app - before.app,
      engine: after.engine - before.engine,
      servers: after.servers - before.servers,
    };
    return { calls, seconds, cpu, generator };
  }

  /** Sessions keyed by the address to dial. */
  async #sessions(count: number): Promise<Map<string, string>> {
    const sessions = new Map<string, string>();
    const request = { merchant: 'demo-diner', amountCents: 4_250, returnTo: 'sip:agent@127.0.0.1:9' };
    const startedAt = performance.now();
    while (sessions.size < count) {
      const some = Array.from({ length: Math.min(CHECKOUTS_AT_ONCE, count - sessions.size) }, () =>
        createCheckout(this.#app.baseUrl ?? '', { ...request, callerNumber: '+15550101234' }),
      );
      for (const checkout of await Promise.all(some))
        sessions.set(checkout.transfer_to ?? '', checkout.checkout_session_id);
      await setTimeout(startedAt + (sessions.size * 1_000) / CHECKOUTS_PER_SECOND - performance.now());
    }
    return sessions;
  }

  #cpu() {
    return {
      app: cpuMs([this.#app.child.pid]),
      engine: cpuMs(enginePids(this.#stage)),
      servers: cpuMs(serverPids(this.#stage)),
    };
  }
}

interface Shown {
  capacity: number;
  rate: number;
  calm: Load;
  busy: Load;
  isPinned: boolean;
  engine: string;
}

const isAnswered = ({ status }: CallResult) => status >= 200 && status < 300;

/** Whether the call was paid with the first keys and returned to the agent as paid. */
function endedWell({ outcome, recorded }: Load['calls'][number]): boolean {
  return outcome === 'succeeded' && recorded?.paid === true;
}

function show({ capacity, rate, calm, busy, isPinned, engine }: Shown): void {
  const answered = busy.calls.filter(isAnswered);
  const refused = busy.calls.filter(({ status }) => status === 503);
  const withRetryAfter = refused.filter(({ retryAfter }) => retryAfter !== null);
  const good = answered.filter(endedWell);
  const lost = answered.filter((call) => !endedWell(call));
  const share = answered.length === 0 ? Number.NaN : good.length / answered.length;
  const askedAgain = answered.filter(({ recorded }) => recorded?.askedAgain === true);
  const answers = spreadOf(answered.map(({ answerMs }) => answerMs));
  console.log(`\nengine: ${engine}${isPinned ? '' : '; not pinned to one core, because taskset is missing'}`);
  console.log(
    `\n${table([
      ['', 'alone', 'overloaded'],
      ['new calls per second', String(CALIBRATION_RATE), rate.toFixed(1)],
      ['CPU per answered call: app', perCall(calm, 'app'), perCall(busy, 'app')],
      ['CPU per answered call: engine', perCall(calm, 'engine'), perCall(busy, 'engine')],
      ['CPU per answered call: servers', perCall(calm, 'servers'), perCall(busy, 'servers')],
      ['share of a core: app', shareOf(calm, 'app'), shareOf(busy, 'app')],
      ['share of a core: engine', shareOf(calm, 'engine'), shareOf(busy, 'engine')],
      ['share of a core: servers', shareOf(calm, 'servers'), shareOf(busy, 'servers')],
      ['callers were late by (p99)', lateness(calm), lateness(busy)],
    ])}`,
  );
  console.log(
    `\n${table([
      ['capacity of one core', `${capacity.toFixed(1)} calls per second`],
      [
        'answered',
        `${answered.length} of ${busy.calls.length}, ${((answered.length / busy.calls.length) * rate).toFixed(1)} per second`,
      ],
      ['time to the answer, median / p95', `${answers.median.toFixed(0)} / ${answers.p95.toFixed(0)} ms`],
      ['503', `${refused.length}, ${withRetryAfter.length} with Retry-After`],
      ['otherwise refused', otherStatuses(busy)],
      ['a field was asked again', String(askedAgain.length)],
      ['answered, not paid', endings(lost)],
      ...SIDES.map((side) => [`lost by the ${side}`, lostBy(side, lost, answered.length)]),
      [
        'answered and ended as expected',
        `${(share * 100).toFixed(1)}%, aim ≥ ${AIM * 100}%: ${share >= AIM ? 'met' : 'MISSED'}`,
      ],
    ])}\n`,
  );
}

const perCall = ({ cpu, calls }: Load, of: keyof Load['cpu']) =>
  `${(cpu[of] / calls.filter(isAnswered).length).toFixed(0)} ms`;
const shareOf = ({ cpu, seconds }: Load, of: keyof Load['cpu']) => `${(cpu[of] / 10 / seconds).toFixed(0)}%`;
const lateness = ({ generator }: Load) => `${generator.heldUpMs.toFixed(0)} ms`;

function otherStatuses({ calls }: Load): string {
  return counted(calls.filter((call) => !isAnswered(call) && call.status !== 503).map(({ status }) => String(status)));
}

/** How unpaid calls ended: the outcome that their agents received, and the last step. */
function endings(calls: Load['calls']): string {
  return counted(
    calls.map(({ outcome, recorded }) => `${outcome ?? 'no outcome'} (${recorded?.steps.at(-1) ?? 'no call'})`),
  );
}

function lostBy(side: Side, lost: Load['calls'], answered: number): string {
  const losses = lost.map((call) => lossOf(call, call.recorded)).filter((loss) => loss.side === side);
  const share = `${((losses.length / answered) * 100).toFixed(1)}% of the answered calls`;
  return losses.length === 0 ? 'none' : `${losses.length}, ${share}: ${counted(losses.map(({ why }) => why))}`;
}

const options = readOverloadOptions(process.argv.slice(2));
if (options !== null) {
  const stage = await setStage();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void stage.close().then(() => process.exit(1)));
  }
  const calls = new CallReader(stage.databaseUrl);
  try {
    const settings = {
      RINGKEY_MAX_LOAD: String(options.maxLoad),
      RINGKEY_LOG_LEVEL: 'warn',
      RINGKEY_MAX_CALLS: '10000',
    };
    const app = await startProduct(stage, null, settings);
    await calls.open();
    await new OverloadBench(stage, app, calls).run(options);
  } finally {
    await calls.close();
    await stage.close();
  }
}
