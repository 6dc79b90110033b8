/** Renders utterances to audio files: one synthesizer, its cache, and limits to both. */
import pLimit, { type LimitFunction } from 'p-limit';
import { waitAtMost } from '../concurrency/time-limit.ts';
import { AccountBudget } from './account-budget.ts';
import { CacheFull, cacheKey, createCache, type SpeechCache } from './cache.ts';
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
  /** Synthesizer processes at once, for each urgency. */
  atOnce: number;
  /** Utterances waiting to be rendered, for each urgency; more are not rendered. */
  maxWaiting: number;
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

/** `live`: a caller is listening. `ahead`: for a call to come. Each has its own limit, so no caller waits behind `ahead`. */
type Urgency = 'live' | 'ahead';

/** Renders utterances to files of the cache. Nobody waits long for it: a synthesizer that fails or hangs is left alone for a while. */
export class Renderer {
  readonly #deps: RendererDeps;
  readonly #limits: SpeechLimits;
  readonly #cache: SpeechCache;
  readonly #budget: AccountBudget;
  readonly #limiters: Readonly<Record<Urgency, LimitFunction>>;
  readonly #closing = new AbortController();
  readonly #pruning: NodeJS.Timeout;
  /** Files being rendered, by urgency and cache key. */
  readonly #rendering = new Map<string, Promise<string | null>>();
  #restUntil = 0;

  constructor(deps: RendererDeps, limits: SpeechLimits) {
    this.#deps = deps;
    this.#limits = limits;
    this.#cache = createCache({ ...limits, folder: deps.folder, minAgeMs: MIN_AGE_MS });
    this.#budget = new AccountBudget(limits.maxAccountBytes);
    this.#limiters = { live: pLimit(limits.atOnce), ahead: pLimit(limits.atOnce) };
    this.#pruning = setInterval(() => void this.#prune(), limits.pruneEveryMs).unref();
  }

  /** Renders utterances for a call to come. @returns whether all of them are files now */
  async renderAhead(utterances: readonly Utterance[], log = this.#deps.log): Promise<boolean> {
    const paths = await Promise.all(utterances.map((utterance) => this.#fileOf(utterance, 'ahead', log)));
    return !paths.includes(null);
  }

  /** Path of the file for a caller who is listening; null when it is not there soon. Never rejects. */
  async renderNow(utterance: Utterance): Promise<string | null> {
    const path = await waitAtMost(this.#limits.liveMs, this.#fileOf(utterance, 'live', this.#deps.log), 'late');
    if (path !== 'late') return path;
    this.#rest();
    return null;
  }

  async #fileOf(utterance: Utterance, urgency: Urgency, log: SpeechLog): Promise<string | null> {
    const { synthesizer } = this.#deps;
    if (synthesizer === null) return null;
    const key = cacheKey(synthesizer.name, utterance);
    const known = await this.#cache.find(key);
    if (known !== null || this.#resting || !this.#budget.isLeft(utterance.account ?? null)) return known;
    const place = `${urgency} ${key}`;
    const limiter = this.#limiters[urgency];
    const shared = this.#rendering.get(place);
    if (shared !== undefined) return shared;
    const { atOnce, maxWaiting } = this.#limits;
    if (limiter.activeCount + limiter.pendingCount >= atOnce + maxWaiting) return null;
    const rendered = limiter(() => this.#render(synthesizer, key, utterance, log));
    this.#rendering.set(place, rendered);
    return rendered.finally(() => this.#rendering.delete(place));
  }

  /** Renders and keeps one file. Never rejects: what fails is logged and null, and a recording stands in. */
  async #render(synthesizer: Synthesizer, key: string, utterance: Utterance, log: SpeechLog): Promise<string | null> {
    const { account = null } = utterance;
    // Used up by those that waited before it.
    if (!this.#budget.isLeft(account)) return null;
    try {
      const wav = await renderInSomeVoice(synthesizer, utterance, this.#closing.signal);
      if (this.#budget.spend(account, wav.length)) {
        log.warn({ account }, 'an account has used up its speech of this hour; recordings stand in');
      }
      return await this.#cache.keep(key, utterance.text, wav);
    } catch (error) {
      if (this.#closing.signal.aborted) return null;
      // One merchant's odd message is no reason to stop rendering for the others.
      if (!(error instanceof UnspeakableText || error instanceof CacheFull)) this.#rest();
      log.warn({ err: error, synthesizer: synthesizer.name }, 'speech could not be rendered; recordings stand in');
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
