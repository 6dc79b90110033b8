/**
 * `npm run bench:call`: measures the cost of a payment call and the length of its silences, compared with a bare app on
 * the same engine, under the same load, in turns. Prints figures and targets; asserts nothing.
 */
import { createCheckout } from '../../../src/local/scripted-caller/rest-client.ts';
import { testCard } from '../../../src/payments/sandbox/cards.ts';
import { callAtOnce } from './at-once.ts';
import type { BareAppCount } from './bare-app.ts';
import { type CallFacts, CallReader } from './call-reader.ts';
import type { CallPlan } from './caller.ts';
import { type InbandFigures, type InbandLoad, patienceMs, RATE, showInband } from './inband.ts';
import type { LoadOrder, LoadReport } from './load.ts';
import { cpuMs } from './machine.ts';
import type { MemoryAnswer } from './memory-probe.ts';
import { type BenchOptions, readBenchOptions } from './options.ts';
import { measurePagePaid } from './page-paid.ts';
import { type AtOnce, engineMs, type Measured, type Part, partsOf, show } from './report.ts';
import { savedCardCallers, showSavedCards, WITHOUT } from './saved-cards.ts';
import { type App, pidsByPart, type Stage, setStage, startBareApp, startProduct, until } from './stage.ts';

const EXPIRY = '1230';
const SECURITY_CODE = '123';
const FIELDS = [testCard('visa').number, EXPIRY, SECURITY_CODE];
const SLOW_FIELDS = [testCard('slow').number, EXPIRY, SECURITY_CODE];
const DIGITS = FIELDS.join('');
const LOAD_LIMIT_MS = 15 * 60_000;
const QUIET_LIMIT_MS = 60_000;
/** Maximum CPU time of an idle app in a quarter of a second. */
const QUIET_CPU_MS = 10;
/** Number of callers beside SIPp's that measure the jitter of packets. */
const LISTENERS = 3;
const AT_ONCE_RATE = 10;
/** Time from the last call's answer to the first call's first key. */
const ALL_UP_MS = 4_000;

/** Measured time after all calls are up: the rest of the wait, and the first keys. */
const INBAND_MEASURED_MS = 5_000;

/** Sessions of one load, keyed by the address to dial. */
type Sessions = Map<string, string>;

class Bench {
  readonly #stage: Stage;
  readonly #options: BenchOptions;
  readonly #calls: CallReader;
  readonly #product: Measured[] = [];
  readonly #bare: Measured[] = [];
  #slow: Measured | null = null;
  #pagePaid: readonly number[] = [];
  readonly #atOnce: AtOnce[] = [];

  constructor(stage: Stage, options: BenchOptions) {
    this.#stage = stage;
    this.#options = options;
    this.#calls = new CallReader(stage.databaseUrl);
  }

  async run(): Promise<void> {
    const { rounds, atOnce, slowCalls, pagePaid } = this.#options;
    await this.#calls.open();
    for (let round = 1; round <= rounds; round += 1) {
      await this.#withApp('Ringkey', `round ${round} of ${rounds}`, async (app) => {
        this.#product.push(await this.#measure(app));
        if (round < rounds) return;
        if (pagePaid > 0) this.#pagePaid = await measurePagePaid(app.baseUrl ?? '', pagePaid);
        if (slowCalls > 0) this.#slow = await this.#load(app, slowCalls, SLOW_FIELDS);
      });
      await this.#withApp('bare app', `round ${round} of ${rounds}`, async (app) => {
        this.#bare.push(await this.#measure(app));
      });
    }
    if (atOnce > 0 && process.getuid?.() !== 0) console.error('not root: SIPp cannot key, so no calls at once');
    else if (atOnce > 0) {
      for (const name of ['Ringkey', 'bare app'] as const) {
        await this.#withApp(name, `${atOnce} calls at once`, async (app) => {
          this.#atOnce.push(await this.#allAtOnce(app));
        });
      }
    }
    show({
      engine: this.#stage.engine.name,
      rate: this.#options.rate,
      product: this.#product,
      bare: this.#bare,
      slow: this.#slow,
      pagePaid: this.#pagePaid,
      atOnce: this.#atOnce,
    });
    if (this.#options.inband > 0) await this.#compareInband();
    if (this.#options.savedCards > 0) await this.#compareSavedCards();
  }

  async close(): Promise<void> {
    await this.#calls.close();
  }

  async #compareInband(): Promise<void> {
    const { inband, rounds } = this.#options;
    await this.#withApp('Ringkey', `${inband} calls as events and as tones`, async (app) => {
      const figures = { events: [] as InbandLoad[], tones: [] as InbandLoad[] } satisfies InbandFigures;
      for (let round = 0; round < rounds; round += 1) {
        figures.events.push(await this.#inbandLoad(app, false));
        figures.tones.push(await this.#inbandLoad(app, true));
      }
      showInband(figures);
    });
  }

  /** Compares a product with both settings and one with neither, in turns. */
  async #compareSavedCards(): Promise<void> {
    const { savedCards, rounds } = this.#options;
    const figures = { with: [] as number[], without: [] as number[] };
    for (let turn = 0; turn < rounds * 2; turn += 1) {
      const which = turn % 2 === 0 ? 'with' : 'without';
      const settings = which === 'without' ? WITHOUT : {};
      const measure = async (app: App) => void figures[which].push(await this.#checkoutAndCallCpu(app, turn));
      await this.#withApp('Ringkey', `${savedCards} calls ${which} saved cards and screening`, measure, settings);
    }
    showSavedCards(figures);
  }

  async #checkoutAndCallCpu(app: App, turn: number): Promise<number> {
    const { savedCards, warmUp, rate } = this.#options;
    if (warmUp > 0) await this.#load(app, warmUp, FIELDS, rate * 2);
    const callers = await savedCardCallers(app.baseUrl ?? '', savedCards, turn);
    await this.#quiet(app);
    const before = this.#cpu(app).app;
    const sessions = await this.#sessions(app, savedCards, callers);
    const order: LoadOrder = { calls: [...sessions.keys()].map((target) => ({ target, fields: FIELDS })), rate };
    await this.#stage.generator.ask<LoadReport>(order, LOAD_LIMIT_MS);
    await this.#quiet(app);
    return (this.#cpu(app).app - before) / savedCards;
  }

  async #inbandLoad(app: App, isInband: boolean): Promise<InbandLoad> {
    const { inband: calls } = this.#options;
    const sessions = await this.#sessions(app, calls);
    await this.#quiet(app);
    const plan = { fields: FIELDS, isInband, isNoisy: true, patienceMs: patienceMs(calls) };
    const order: LoadOrder = { calls: [...sessions.keys()].map((target) => ({ target, ...plan })), rate: RATE };
    const loading = this.#stage.generator.ask<LoadReport>(order, LOAD_LIMIT_MS);
    await until(patienceMs(calls), async () => (await this.#calls.liveCalls()) >= calls);
    const [before, startedAt] = [engineMs(this.#cpu(app)), performance.now()];
    await new Promise((resolve) => setTimeout(resolve, INBAND_MEASURED_MS));
    const engineShare = (engineMs(this.#cpu(app)) - before) / ((performance.now() - startedAt) / 100);
    await loading;
    await this.#quiet(app);
    const recorded = await this.#calls.callsOf([...sessions.values()]);
    return { calls, lost: wrongOf(calls, [...recorded.values()]), engineShare };
  }

  /** Only one app at a time is connected to the engine. */
  async #withApp(
    name: App['name'],
    what: string,
    work: (app: App) => Promise<void>,
    settings: Record<string, string> = {},
  ): Promise<void> {
    console.error(`${name}: ${what} …`);
    const { profileFolder } = this.#options;
    const app = await (name === 'Ringkey'
      ? startProduct(this.#stage, profileFolder, settings)
      : startBareApp(this.#stage, DIGITS));
    try {
      await work(app);
    } finally {
      await app.child.stop();
      this.#stage.apps.delete(app.child);
    }
  }

  async #measure(app: App): Promise<Measured> {
    const { warmUp, calls, rounds, rate } = this.#options;
    // Faster than the measured load, so that the machine's caches are warm, too.
    if (warmUp > 0) await this.#load(app, warmUp, FIELDS, rate * 2);
    return this.#load(app, Math.ceil(calls / rounds), FIELDS);
  }

  async #load(app: App, calls: number, fields: readonly string[], rate = this.#options.rate): Promise<Measured> {
    const sessions = await this.#sessions(app, calls);
    await this.#quiet(app);
    const before = this.#cpu(app);
    const wrongBefore = await this.#wrongDigits(app);
    const plans: CallPlan[] = [...sessions.keys()].map((target) => ({ target, fields }));
    const order: LoadOrder = { calls: plans, rate };
    const { results, ...itself } = await this.#stage.generator.ask<LoadReport>(order, LOAD_LIMIT_MS);
    await this.#quiet(app);
    const after = this.#cpu(app);
    const recorded = await this.#calls.callsOf([...sessions.values()]);
    const perCall = (part: Part) => (after[part] - before[part]) / calls;
    return {
      calls: results.map((result) => ({
        ...result,
        recorded: recorded.get(sessions.get(result.target) ?? '') ?? null,
      })),
      cpuMs: partsOf(perCall),
      generator: itself,
      wrongDigits: app.name === 'bare app' ? (await this.#wrongDigits(app)) - wrongBefore : null,
    };
  }

  async #allAtOnce(app: App): Promise<AtOnce> {
    const { atOnce, warmUp } = this.#options;
    const { generator, engine } = this.#stage;
    if (warmUp > 0) await this.#load(app, warmUp, FIELDS);
    const [sessions, listening] = [await this.#sessions(app, atOnce), await this.#sessions(app, LISTENERS)];
    await this.#quiet(app);
    const [wrongBefore, idle, before] = [await this.#wrongDigits(app), await memoryOf(app), this.#cpu(app)];
    const patienceMs = (atOnce * 1_000) / AT_ONCE_RATE + ALL_UP_MS;
    const targets = [...sessions.keys()];
    const startedAt = performance.now();
    const calling = callAtOnce({ targets, digits: DIGITS, sipPort: engine.sipPort, patienceMs, rate: AT_ONCE_RATE });
    const up = await this.#whenUp(app, wrongBefore, patienceMs);
    const busy = await memoryOf(app);
    const plans: CallPlan[] = [...listening.keys()].map((target) => ({ target, fields: FIELDS }));
    const listeners = await generator.ask<LoadReport>(
      { calls: plans, rate: LISTENERS } satisfies LoadOrder,
      LOAD_LIMIT_MS,
    );
    const sipp = await calling;
    const seconds = (performance.now() - startedAt) / 1_000;
    const after = this.#cpu(app);
    await this.#quiet(app);
    const recorded = await this.#calls.callsOf([...sessions.values()]);
    const bareWrong = await this.#wrongDigits(app);
    return {
      app: app.name,
      calls: atOnce,
      up,
      sipp,
      idle,
      busy,
      listeners,
      lost: app.baseUrl === null ? bareWrong - wrongBefore : wrongOf(atOnce, [...recorded.values()]),
      busyShare: {
        app: (after.app - before.app) / 10 / seconds,
        engine: (engineMs(after) - engineMs(before)) / 10 / seconds,
      },
    };
  }

  /** One checkout per call for the product; the bare app accepts any address. */
  async #sessions({ baseUrl }: App, count: number, callers: readonly string[] = []): Promise<Sessions> {
    const sessions: Sessions = new Map();
    for (let at = 0; at < count; at += 1) {
      if (baseUrl === null) {
        sessions.set(`sip:bare-${at}@127.0.0.1:${this.#stage.engine.sipPort}`, '');
        continue;
      }
      const returnTo = 'sip:agent@127.0.0.1:9';
      const request = {
        merchant: 'demo-diner',
        amountCents: 4_250,
        callerNumber: callers[at] ?? '+15550101234',
        returnTo,
      };
      const checkout = await createCheckout(baseUrl, request);
      sessions.set(checkout.transfer_to ?? '', checkout.checkout_session_id);
    }
    return sessions;
  }

  /** Waits until the app is idle: rows written, sentences rendered. */
  async #quiet({ child }: App): Promise<void> {
    let seen = [Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN];
    await until(QUIET_LIMIT_MS, () => {
      seen = [...seen.slice(1), cpuMs([child.pid])];
      return (seen.at(-1) ?? 0) - (seen[0] ?? Number.NaN) <= QUIET_CPU_MS;
    });
  }

  #cpu({ child }: App): Record<Part, number> {
    const pids = { app: [child.pid], ...pidsByPart(this.#stage) };
    return partsOf((part) => cpuMs(pids[part]));
  }

  async #wrongDigits({ child, baseUrl }: App): Promise<number> {
    return baseUrl === null ? (await child.ask<BareAppCount>('digits')).wrong : 0;
  }

  /** The number of calls that are up once all are, or when the first ones start to press keys. */
  async #whenUp(app: App, wrongBefore: number, limitMs: number): Promise<number> {
    let up = 0;
    const deadline = performance.now() + limitMs;
    await until(limitMs + QUIET_LIMIT_MS, async () => {
      up = await this.#liveCalls(app, wrongBefore);
      return up >= this.#options.atOnce || performance.now() > deadline;
    });
    return up;
  }

  /** The bare app counts a call as wrong until all its digits have arrived. */
  async #liveCalls(app: App, wrongBefore: number): Promise<number> {
    return app.baseUrl === null ? (await this.#wrongDigits(app)) - wrongBefore : this.#calls.liveCalls();
  }
}

function memoryOf({ child }: App): Promise<MemoryAnswer> {
  return child.ask<MemoryAnswer>('memory');
}

/** Calls that were not paid with the first keys. */
function wrongOf(calls: number, recorded: readonly CallFacts[]): number {
  return calls - recorded.filter(({ paid, askedAgain }) => paid && !askedAgain).length;
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
