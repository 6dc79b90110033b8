/**
 * Places test calls: each in a process of its own, `ringkey call --driven`, which knows only what callers and
 * integrators know. At most two at a time. Their results are kept for 15 minutes.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../config/config.ts';
import type { Config } from '../config/settings.ts';
import type { AccountId } from '../domain/ids.ts';
import type {
  TestCall,
  TestCallOrder,
  TestCallRefusal,
  TestCalls,
  TestCheckout,
} from '../http/dashboard/try-it/ports.ts';
import type { Log } from '../lib/observability/log.ts';
import { CallerProcess } from './caller-process.ts';

export interface TestCallOptions {
  config: Config;
  log: Pick<Log, 'info' | 'warn'>;
  /** The compiled command line. */
  entry?: string;
}

export interface ClosableTestCalls extends TestCalls {
  /** Ends all calls, and deletes the recordings. */
  close(): Promise<void>;
}

const MAX_AT_ONCE = 2;
/** The limit of a call, from dialing. Before that, {@link CallerProcess.ready} has its own limit. */
const CALL_LIMIT_MS = 180_000;
/** How long results are kept after a call's end. */
const RETENTION_MS = 15 * 60_000;
const MAX_ENDED = 30;
const COMPILED = fileURLToPath(new URL('../main.js', import.meta.url));

export async function openTestCalls(options: TestCallOptions): Promise<ClosableTestCalls> {
  return new CallerProcesses(options, await mkdtemp(join(tmpdir(), 'ringkey-test-calls-')));
}

class CallerProcesses implements ClosableTestCalls {
  readonly #options: TestCallOptions;
  readonly #directory: string;
  readonly #calls = new Map<string, { call: CallerProcess; timer?: NodeJS.Timeout }>();
  /** By the order's key, as long as the call is kept. */
  readonly #placed = new Map<string, Promise<TestCall | TestCallRefusal>>();
  #closing = false;

  constructor(options: TestCallOptions, directory: string) {
    this.#options = options;
    this.#directory = directory;
  }

  async place(
    order: TestCallOrder,
    createCheckout: (returnTo: string) => Promise<TestCheckout>,
  ): Promise<TestCall | TestCallRefusal> {
    const { onceKey } = order;
    const before = this.#placed.get(onceKey);
    if (before !== undefined) return before;
    const placing = this.#place(order, createCheckout);
    this.#placed.set(onceKey, placing);
    const call = await placing.catch(() => null);
    if (call === null || typeof call === 'string' || !this.#calls.has(call.id)) this.#placed.delete(onceKey);
    return placing;
  }

  async #place(
    order: TestCallOrder,
    createCheckout: (returnTo: string) => Promise<TestCheckout>,
  ): Promise<CallerProcess | TestCallRefusal> {
    if (this.#closing) return 'unavailable';
    const running = [...this.#calls.values()].filter(({ call }) => !call.isGone);
    if (running.length >= MAX_AT_ONCE) return 'busy';
    const call = this.#launch(order);
    const returnTo = await call.ready;
    if (returnTo === null) {
      void call.stop();
      return 'unavailable';
    }
    try {
      this.#dial(call, await createCheckout(returnTo));
    } catch (error) {
      void call.stop();
      throw error;
    }
    return call;
  }

  find(accountId: AccountId, id: string): TestCall | null {
    const call = this.#calls.get(id)?.call;
    return call?.order.accountId === accountId && call.hasDialed ? call : null;
  }

  async close(): Promise<void> {
    this.#closing = true;
    const calls = [...this.#calls.values()];
    for (const { timer } of calls) clearTimeout(timer);
    await Promise.all(calls.map(({ call }) => call.stop()));
    await rm(this.#directory, { recursive: true, force: true });
  }

  #launch(order: TestCallOrder): CallerProcess {
    const { config, log, entry = COMPILED } = this.#options;
    const call = new CallerProcess({
      order,
      entry,
      log,
      directory: this.#directory,
      environment: { ...childEnvironment(), ...mediaSettings(config) },
    });
    this.#calls.set(call.id, { call });
    void call.gone.then(() => this.#keepForAWhile(call));
    return call;
  }

  #dial(call: CallerProcess, checkout: TestCheckout): void {
    if (!call.isGone) {
      const timer = setTimeout(() => void call.stop(), CALL_LIMIT_MS);
      this.#calls.set(call.id, { call, timer });
    }
    call.dial(checkout);
  }

  /** Keeps a call for {@link RETENTION_MS}, and at most the last {@link MAX_ENDED}. */
  #keepForAWhile(call: CallerProcess): void {
    clearTimeout(this.#calls.get(call.id)?.timer);
    if (this.#closing) return;
    this.#calls.delete(call.id);
    if (!call.hasDialed) return;
    const timer = setTimeout(() => this.#forget(call.id), RETENTION_MS).unref();
    this.#calls.set(call.id, { call, timer });
    const ended = [...this.#calls].filter(([, { call: other }]) => other.isGone);
    for (const [id] of ended.slice(0, -MAX_ENDED)) this.#forget(id);
  }

  #forget(id: string): void {
    const { call, timer } = this.#calls.get(id) ?? {};
    clearTimeout(timer);
    this.#calls.delete(id);
    if (call !== undefined) this.#placed.delete(call.order.onceKey);
    void call?.deleteRecording();
  }
}

/** The folder of rendered sentences, which the caller recognizes. */
function mediaSettings({ RINGKEY_HOME, RINGKEY_MEDIA_DIR }: Config): Record<string, string> {
  return { RINGKEY_HOME, ...(RINGKEY_MEDIA_DIR !== undefined && { RINGKEY_MEDIA_DIR }) };
}
