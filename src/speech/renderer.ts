/** Renders utterances to audio files: each by its chain of synthesizers, all into one cache. */
import { waitAtMost } from '../lib/concurrency/time-limit.ts';
import { AccountBudget } from './account-budget.ts';
import { createCache, type SpeechCache } from './cache.ts';
import type { SpeechLog, Synthesizer, Utterance } from './ports.ts';
import { type RenderObserved, RenderQueue, type RenderQueueLimits } from './render-queue.ts';
import type { RenderedFile } from './sample.ts';
import type { ChainStep, Synthesizers } from './synthesizers.ts';

export interface RendererDeps {
  folder: string;
  synthesizers: Synthesizers;
  log: SpeechLog;
  onRender?: ((observed: RenderObserved) => void) | undefined;
}

export interface SpeechLimits extends RenderQueueLimits {
  /**
   * How long a caller may wait for a sentence that was not rendered ahead, before a recording stands in. The
   * synthesizers of a chain share it.
   */
  liveMs: number;
  /** How long `prepare` takes at most. */
  prepareMs: number;
  /** How long somebody who chooses a voice waits for a sample of it. */
  sampleMs: number;
  maxBytes: number;
  /** New files of one account in an hour; beyond them recordings stand in. */
  maxAccountBytes: number;
  maxAgeMs: number;
  pruneEveryMs: number;
  /** How long a cached file that was found is taken to be there still. Only an operator deletes a file in use. */
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
/** Longer than a checkout's default lifetime, so that what it had rendered is there when its call comes in. */
const MIN_AGE_MS = HOUR_MS;

/**
 * Renders utterances to files of the cache. Nobody waits long for it, and what fails has the next of the chain stand
 * in.
 */
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
      budget: new AccountBudget(limits.maxAccountBytes),
      onRender: deps.onRender,
      closing: this.#closing.signal,
    };
    this.#queues = new Map(deps.synthesizers.all.map((each) => [each, new RenderQueue(each, shared, limits)]));
    this.#pruning = setInterval(() => void this.#prune(), limits.pruneEveryMs).unref();
  }

  /**
   * Renders utterances for a call to come. @returns whether all of them are files now, each of the first of its chain
   */
  async renderAhead(utterances: readonly Utterance[], log = this.#deps.log): Promise<boolean> {
    const files = await Promise.all(utterances.map((utterance) => this.fileAhead(utterance, log)));
    return files.every((file) => file?.isFirst);
  }

  /** Whether there is a synthesizer at all. */
  get canRender(): boolean {
    return this.#deps.synthesizers.canRender;
  }

  /** The file of an utterance that no caller waits for; null where no synthesizer of its chain can. Never rejects. */
  async fileAhead(utterance: Utterance, log = this.#deps.log): Promise<RenderedFile | null> {
    for (const [at, step] of this.#chainFor(utterance).entries()) {
      const path = await step.queue.fileOf(step.utterance, 'ahead', log);
      if (path !== null) return { path, synthesizer: step.synthesizer.id, isFirst: at === 0 };
    }
    return null;
  }

  /** Path of the file for a caller who is listening; null when it is not there soon. Never rejects. */
  async renderNow(utterance: Utterance): Promise<string | null> {
    const chain = this.#chainFor(utterance);
    const startedAt = performance.now();
    for (const [at, step] of chain.entries()) {
      // An equal part each: one that hangs leaves time for the next.
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
