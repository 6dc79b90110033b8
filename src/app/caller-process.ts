/** The process of one test call: starts it, sends it the address to dial, and keeps its output. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import type { TestCall, TestCallOrder, TestCallStep, TestCheckout } from '../http/dashboard/try-it/ports.ts';
import type { Log } from '../lib/observability/log.ts';
import { stopProcess } from '../local/standalone/stop-process.ts';

interface CallerProcessOptions {
  order: TestCallOrder;
  /** The compiled command line. */
  entry: string;
  environment: Record<string, string>;
  /** The folder for the recording. */
  directory: string;
  log: Pick<Log, 'info' | 'warn'>;
}

const READY_LIMIT_MS = 20_000;
/** The time from hang-up until the program has written the recording and exited. */
const HANG_UP_LIMIT_MS = 5_000;
const KILL_LIMIT_MS = 2_000;
/** More than any script has. */
const MAX_STEPS = 400;

const text = z.string().transform((value) => value.slice(0, 2_000));
const step = z.object({
  atMs: z.number(),
  text: text.default(''),
  kind: z.enum(['sip', 'said', 'keyed', 'silence', 'agent', 'page', 'note']),
  forMs: z.number().nullable().default(null),
  complete: z.boolean().default(true),
});
/** What `ringkey call --driven` prints. */
const line = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), return_to: z.string() }),
  z.object({ type: z.literal('step'), step }),
  z.object({
    type: z.literal('over'),
    report: z.object({ over: text, answered: z.boolean(), headers: z.record(z.string(), z.string()) }),
  }),
]);

export class CallerProcess implements TestCall {
  readonly id = `try_${randomBytes(12).toString('hex')}`;
  readonly order: TestCallOrder;
  readonly startedAt = new Date();
  readonly steps: TestCallStep[] = [];
  state: TestCall['state'] = 'running';
  ending: string | null = null;
  headers: Record<string, string> = {};
  recording: string | null = null;
  /** The agent's SIP URI once the caller is ready; null if it does not start. */
  readonly ready: Promise<string | null>;
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>;
  isGone = false;
  readonly #file: string;
  #checkout: TestCheckout | null = null;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #listeners = new Set<() => void>();
  #setReady: (returnTo: string | null) => void = () => undefined;

  constructor({ order, entry, environment, directory, log }: CallerProcessOptions) {
    this.order = order;
    this.#file = join(directory, `${this.id}.wav`);
    const card = order.card === null ? [] : ['--card', order.card];
    const entered = Object.entries(order.enters ?? {}).flatMap(([field, digits]) => ['--enter', `${field}=${digits}`]);
    const words = ['call', '--driven', '--script', order.script, '--caller', order.caller, '--record', this.#file];
    // Not in our process group: at a terminal's Ctrl-C the caller has to hang up, not to vanish.
    this.#child = spawn(process.execPath, [entry, ...words, ...card, ...entered], {
      env: environment,
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.ready = new Promise((resolve) => {
      const limit = setTimeout(() => resolve(null), READY_LIMIT_MS);
      this.#setReady = (returnTo) => {
        clearTimeout(limit);
        resolve(returnTo);
      };
    });
    this.gone = new Promise((resolve) => {
      // After the last line of its output.
      this.#child.once('close', (code, signal) => resolve(this.#ended(code, signal, log)));
      this.#child.once('error', () => resolve(this.#ended(null, null, log)));
    });
    // The process may end before it has read what it is sent.
    this.#child.stdin.on('error', () => undefined);
    createInterface({ input: this.#child.stdout }).on('line', (printed) => this.#take(printed, log));
  }

  /** @throws if it has not dialed yet; {@link TestCalls} returns only calls that have */
  get checkout(): TestCheckout {
    if (this.#checkout === null) throw new Error('the test call has no checkout yet');
    return this.#checkout;
  }

  get hasDialed(): boolean {
    return this.#checkout !== null;
  }

  dial(checkout: TestCheckout): void {
    this.#checkout = checkout;
    this.#child.stdin.write(`${checkout.transferTo}\n`);
  }

  hangUp(): void {
    this.#child.stdin.end();
  }

  /** Hangs up. Resolves when the process has ended, by force if necessary. */
  async stop(): Promise<void> {
    this.hangUp();
    const limit = setTimeout(() => void stopProcess(this.#child, 'SIGTERM', KILL_LIMIT_MS), HANG_UP_LIMIT_MS);
    await this.gone;
    clearTimeout(limit);
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async deleteRecording(): Promise<void> {
    this.recording = null;
    await rm(this.#file, { force: true });
  }

  #take(printed: string, log: CallerProcessOptions['log']): void {
    const parsed = line.safeParse(jsonOf(printed));
    if (!parsed.success) {
      log.warn('test call printed a line that is not a step');
      return;
    }
    const { data } = parsed;
    if (data.type === 'ready') this.#setReady(data.return_to);
    else if (data.type === 'step' && this.steps.length < MAX_STEPS) this.steps.push(data.step);
    else if (data.type === 'over') {
      const { over, answered, headers } = data.report;
      Object.assign(this, { state: 'over', ending: over, headers, recording: answered ? this.#file : null });
    }
    this.#tell();
  }

  #ended(code: number | null, signal: NodeJS.Signals | null, log: CallerProcessOptions['log']): void {
    this.isGone = true;
    this.#setReady(null);
    if (this.state !== 'running') return;
    this.state = 'failed';
    if (this.hasDialed) log.warn({ code, signal }, 'process of a test call ended before the call');
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function jsonOf(printed: string): unknown {
  try {
    return JSON.parse(printed);
  } catch {
    return null;
  }
}
