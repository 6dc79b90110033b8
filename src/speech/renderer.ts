/** Utterances to files: one synthesizer, its cache, and patience with both. */
import { cacheKey, createCache, type SpeechCache } from './cache.ts';
import { createLanes, type Lane, LaneFull, type Lanes } from '../concurrency/priority-limit.ts';
import { type SpeechLog, type Synthesizer, UnspeakableText, type Utterance } from './ports.ts';

export interface RendererDeps {
  folder: string;
  synthesizer: Synthesizer | null;
  log: SpeechLog;
}

export interface SpeechLimits {
  /** How long a caller may wait for a sentence that was not rendered ahead, before a recording stands in. */
  liveMs: number;
  /** How long `prepare` takes at most. */
  prepareMs: number;
  /** How long a synthesizer that failed is left alone: no caller waits for one that hangs. */
  restMs: number;
  /** Processes at once. */
  atOnce: number;
  maxWaiting: number;
  maxBytes: number;
  maxAgeMs: number;
  pruneEveryMs: number;
}

const HOUR_MS = 3_600_000;
export const DEFAULT_LIMITS: SpeechLimits = {
  liveMs: 1_000,
  prepareMs: 5_000,
  restMs: 10_000,
  atOnce: 2,
  maxWaiting: 2_000,
  maxBytes: 1024 ** 3,
  maxAgeMs: 30 * 24 * HOUR_MS,
  pruneEveryMs: HOUR_MS,
};
/** Longer than a checkout lives by default: what it had rendered is there when its call lands. */
const MIN_AGE_MS = HOUR_MS;

/** What `work` gives, or `otherwise` after `limitMs`; the work itself goes on. */
export async function atMost<T, O>(limitMs: number, work: Promise<T>, otherwise: O): Promise<T | O> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<O>((resolve) => {
    timer = setTimeout(resolve, limitMs, otherwise);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Who waits for a file first. */
interface Asker {
  lane: Lane;
  log: SpeechLog;
}

/** One synthesizer, its files, and patience with both. */
export class Renderer {
  readonly #deps: RendererDeps;
  readonly #limits: SpeechLimits;
  readonly #cache: SpeechCache;
  readonly #lanes: Lanes;
  readonly #closing = new AbortController();
  readonly #pruning: NodeJS.Timeout;
  /** By lane too: a caller does not wait behind what is rendered ahead. */
  readonly #flights = new Map<string, Promise<string | null>>();
  #restUntil = 0;

  constructor(deps: RendererDeps, limits: SpeechLimits) {
    this.#deps = deps;
    this.#limits = limits;
    this.#cache = createCache({ ...limits, folder: deps.folder, minAgeMs: MIN_AGE_MS });
    this.#lanes = createLanes(limits.atOnce, limits.maxWaiting);
    this.#pruning = setInterval(() => void this.#prune(), limits.pruneEveryMs).unref();
  }

  /** Whether all of them are files now. */
  async all(utterances: readonly Utterance[], log = this.#deps.log): Promise<boolean> {
    const paths = await Promise.all(utterances.map((utterance) => this.file(utterance, 'ahead', log)));
    return !paths.includes(null);
  }

  /** For a caller who listens: what can't be had at once, or soon, is null. Never rejects. */
  async now(utterance: Utterance): Promise<string | null> {
    const path = await atMost(this.#limits.liveMs, this.file(utterance, 'live'), 'late');
    if (path !== 'late') return path;
    this.#rest();
    return null;
  }

  /** Path of the rendered file; null when it can't be had. Never rejects. */
  async file(utterance: Utterance, lane: Lane, log = this.#deps.log): Promise<string | null> {
    const { synthesizer } = this.#deps;
    if (synthesizer === null) return null;
    const key = cacheKey(synthesizer.name, utterance);
    const known = await this.#cache.find(key);
    if (known !== null || this.#resting) return known;
    const flight = `${lane} ${key}`;
    const shared = this.#flights.get(flight) ?? this.#render(synthesizer, key, utterance, { lane, log });
    this.#flights.set(flight, shared);
    return shared.finally(() => this.#flights.delete(flight));
  }

  async #render(synthesizer: Synthesizer, key: string, utterance: Utterance, asker: Asker): Promise<string | null> {
    try {
      const wav = await this.#lanes.run(asker.lane, () =>
        renderInSomeVoice(synthesizer, utterance, this.#closing.signal),
      );
      return await this.#cache.keep(key, utterance.text, wav);
    } catch (error) {
      if (error instanceof LaneFull || this.#closing.signal.aborted) return null;
      // One merchant's odd message is no reason to silence the others.
      if (!(error instanceof UnspeakableText)) this.#rest();
      asker.log.warn(
        { err: error, synthesizer: synthesizer.name },
        'speech could not be rendered; recordings stand in',
      );
      return null;
    }
  }

  get #resting(): boolean {
    return performance.now() < this.#restUntil;
  }

  #rest(): void {
    this.#restUntil = performance.now() + this.#limits.restMs;
  }

  async #prune(): Promise<void> {
    try {
      await this.#cache.prune(Date.now());
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the speech cache could not be pruned');
    }
  }

  close(): void {
    clearInterval(this.#pruning);
    this.#closing.abort();
  }
}

/** In the merchant's voice, or, when there is no such voice, in the default one. */
async function renderInSomeVoice(synthesizer: Synthesizer, utterance: Utterance, signal: AbortSignal): Promise<Buffer> {
  try {
    return await synthesizer.render(utterance, signal);
  } catch (error) {
    if (utterance.voice === null || signal.aborted) throw error;
    return await synthesizer.render({ ...utterance, voice: null }, signal);
  }
}
