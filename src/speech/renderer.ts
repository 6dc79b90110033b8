/** Renders utterances to files in one cache, each by its chain of synthesizers. */
import { waitAtMost } from '../lib/concurrency/time-limit.ts';
import { createCache, type SpeechCache } from './cache.ts';
import type { SpeechLog, Synthesizer, Utterance } from './ports.ts';
import { AccountBudget, type RenderObserved, RenderQueue, type RenderQueueLimits } from './render-queue.ts';
import type { RenderedFile } from './sample.ts';
import type { ChainStep, Synthesizers } from './synthesizers.ts';

interface RendererDeps {
  folder: string;
  synthesizers: Synthesizers;
  log: SpeechLog;
  onRender?: ((observed: RenderObserved) => void) | undefined;
  onBudgetNear?: ((account: string) => void) | undefined;
}

export interface SpeechLimits extends RenderQueueLimits {
  /**
   * How long a caller waits for a sentence that was not rendered ahead, before a recording plays. The synthesizers of a
   * chain share this time.
   */
  liveMs: number;
  /** Time limit of `prepare`. */
  prepareMs: number;
  /** Time limit of a voice sample. */
  sampleMs: number;
  maxBytes: number;
  /** New files of one account per hour. Beyond it, recordings play. */
  maxAccountBytes: number;
  maxAgeMs: number;
  pruneEveryMs: number;
  /** How long a file that was found in the cache is not checked again. Only an operator deletes a file in use. */
  recheckMs: number;
}

const HOUR_MS = 3_600_000;
export const DEFAULT_LIMITS: SpeechLimits = {
  liveMs: 1_000,
  prepareMs: 5_000,
  sampleMs: 12_000,
  renderMs: 10_000,
  maxFailures: 3,
  restMs: 10_000,
  atOnce: 2,
  maxWaiting: 2_000,
  maxBytes: 1024 ** 3,
  maxAccountBytes: 100 * 1024 ** 2,
  maxAgeMs: 30 * 24 * HOUR_MS,
  pruneEveryMs: HOUR_MS,
  recheckMs: 30_000,
};
/** Longer than a checkout's default lifetime, so that its files still exist when the call arrives. */
const MIN_AGE_MS = HOUR_MS;

export class Renderer {
  readonly #deps: RendererDeps;
  readonly #limits: SpeechLimits;
  readonly #cache: SpeechCache;
  readonly #queues: ReadonlyMap<Synthesizer, RenderQueue>;
  readonly #closing = new AbortController();
  readonly #pruning: NodeJS.Timeout;

  constructor(deps: RendererDeps, limits: SpeechLimits) {
    this.#deps = deps;
    this.#limits = limits;
    this.#cache = createCache({ ...limits, folder: deps.folder, minAgeMs: MIN_AGE_MS });
    const shared = {
      cache: this.#cache,
      budget: new AccountBudget(limits.maxAccountBytes, HOUR_MS, deps.onBudgetNear),
      onRender: deps.onRender,
      closing: this.#closing.signal,
    };
    this.#queues = new Map(deps.synthesizers.all.map((each) => [each, new RenderQueue(each, shared, limits)]));
    this.#pruning = setInterval(() => void this.#prune(), limits.pruneEveryMs).unref();
  }

  /**
   * Renders utterances for a later call. @returns whether the first synthesizer of each chain rendered its utterance
   */
  async renderAhead(utterances: readonly Utterance[], log = this.#deps.log): Promise<boolean> {
    const files = await Promise.all(utterances.map((utterance) => this.fileAhead(utterance, log)));
    return files.every((file) => file?.isFirst);
  }

  /** Whether a synthesizer is configured. */
  get canRender(): boolean {
    return this.#deps.synthesizers.canRender;
  }

  /** The file of an utterance that no caller waits for. Null if all synthesizers of its chain fail. Never rejects. */
  async fileAhead(utterance: Utterance, log = this.#deps.log): Promise<RenderedFile | null> {
    for (const [at, step] of this.#chainFor(utterance).entries()) {
      const path = await step.queue.fileOf(step.utterance, 'ahead', log);
      if (path !== null) return { path, synthesizer: step.synthesizer.id, isFirst: at === 0 };
    }
    return null;
  }

  /** Path of the file for a caller who is listening. Null if it takes longer than `liveMs`. Never rejects. */
  async renderNow(utterance: Utterance): Promise<string | null> {
    const chain = this.#chainFor(utterance);
    const startedAt = performance.now();
    for (const [at, step] of chain.entries()) {
      // Each synthesizer gets an equal part of the time, so that one that hangs leaves time for the next.
      const leftMs = (this.#limits.liveMs * (at + 1)) / chain.length - (performance.now() - startedAt);
      const path = await waitAtMost(leftMs, step.queue.fileOf(step.utterance, 'live', this.#deps.log), 'late');
      if (path === 'late') step.queue.recordLate(step.utterance);
      else if (path !== null) return path;
    }
    return null;
  }

  #chainFor(utterance: Utterance): (ChainStep & { queue: RenderQueue })[] {
    return this.#deps.synthesizers.chainFor(utterance).flatMap((step) => {
      const queue = this.#queues.get(step.synthesizer);
      return queue === undefined ? [] : [{ ...step, queue }];
    });
  }

  async #prune(): Promise<void> {
    try {
      await this.#cache.prune(Date.now());
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'speech cache could not be pruned');
    }
  }

  close(): void {
    clearInterval(this.#pruning);
    this.#closing.abort();
  }
}
