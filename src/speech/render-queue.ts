/**
 * The queue of one synthesizer. It writes rendered files to the cache, and limits time, concurrency and waiting
 * utterances. After failures it pauses, separately for each language and voice: a vendor that fails in Spanish still
 * speaks English.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import { primaryLanguage } from '../domain/language.ts';
import { type Circuit, createCircuit } from '../lib/concurrency/circuit.ts';
import { withinLimit } from '../lib/concurrency/time-limit.ts';
import { cacheKey, type SpeechCache } from './cache.ts';
import { type SpeechLog, type Synthesizer, UnspeakableText, type Utterance } from './ports.ts';

/** One request to a synthesizer, for the metrics. */
export interface RenderObserved {
  synthesizer: string;
  result: 'rendered' | 'failed';
  seconds: number;
  /** Length of the text. Vendors charge by it. */
  characters: number;
}

interface RenderQueueDeps {
  cache: SpeechCache;
  budget: AccountBudget;
  onRender?: ((observed: RenderObserved) => void) | undefined;
  /** Aborts all rendering. */
  closing: AbortSignal;
}

export interface RenderQueueLimits {
  /** Time limit of one rendering. */
  renderMs: number;
  /** Consecutive failures in one language and voice. Then the synthesizer pauses for `restMs`, and is tried once. */
  maxFailures: number;
  restMs: number;
  /** Concurrent renderings per urgency. */
  atOnce: number;
  /** Waiting utterances per urgency. More are not rendered. */
  maxWaiting: number;
}

/**
 * `live`: a caller is listening. `ahead`: for a later call. Each has its own limit, so that no caller waits behind
 * `ahead`.
 */
type Urgency = 'live' | 'ahead';

/** More than one installation's languages and voices. */
const MAX_CIRCUITS = 1_000;

export class RenderQueue {
  readonly #synthesizer: Synthesizer;
  readonly #deps: RenderQueueDeps;
  readonly #limits: RenderQueueLimits;
  readonly #limiters: Readonly<Record<Urgency, LimitFunction>>;
  /** Renderings in progress, by urgency and cache key. */
  readonly #rendering = new Map<string, Promise<string | null>>();
  /** By urgency, language and voice. */
  readonly #circuits = new Map<string, Circuit>();

  constructor(synthesizer: Synthesizer, deps: RenderQueueDeps, limits: RenderQueueLimits) {
    this.#synthesizer = synthesizer;
    this.#deps = deps;
    this.#limits = limits;
    this.#limiters = { live: pLimit(limits.atOnce), ahead: pLimit(limits.atOnce) };
  }

  /** Path of the file, from the cache or newly rendered. Null if it cannot be rendered. Never rejects. */
  async fileOf(utterance: Utterance, urgency: Urgency, log: SpeechLog): Promise<string | null> {
    const key = cacheKey(this.#synthesizer.name, utterance);
    const known = await this.#deps.cache.find(key);
    if (known !== null || this.#isPausing(utterance, urgency)) return known;
    if (!this.#deps.budget.isLeft(utterance.account ?? null)) return null;
    const place = `${urgency} ${key}`;
    const limiter = this.#limiters[urgency];
    const shared = this.#rendering.get(place);
    if (shared !== undefined) return shared;
    const { atOnce, maxWaiting } = this.#limits;
    if (limiter.activeCount + limiter.pendingCount >= atOnce + maxWaiting) return null;
    const rendered = limiter(() => this.#render(key, utterance, urgency, log));
    this.#rendering.set(place, rendered);
    return rendered.finally(() => this.#rendering.delete(place));
  }

  /** A caller waited too long for this, so pause for live calls. The rendering continues. */
  recordLate(utterance: Utterance): void {
    this.#circuitOf(utterance, 'live').open();
  }

  /** A synthesizer that fails ahead of calls is not tried while a caller listens either. */
  #isPausing(utterance: Utterance, urgency: Urgency): boolean {
    return this.#circuitOf(utterance, urgency).isOpen || this.#circuitOf(utterance, 'ahead').isOpen;
  }

  #circuitOf({ language, voice }: Utterance, urgency: Urgency): Circuit {
    const key = JSON.stringify([urgency, primaryLanguage(language), voice]);
    const known = this.#circuits.get(key);
    if (known !== undefined) return known;
    if (this.#circuits.size >= MAX_CIRCUITS) this.#circuits.clear();
    const circuit = createCircuit(this.#limits);
    this.#circuits.set(key, circuit);
    return circuit;
  }

  /** Renders one file into the cache. Null, with a warning in the log, if that fails. Never rejects. */
  async #render(key: string, utterance: Utterance, urgency: Urgency, log: SpeechLog): Promise<string | null> {
    const { account = null } = utterance;
    const { cache, budget, closing } = this.#deps;
    const circuit = this.#circuitOf(utterance, urgency);
    // The utterances before it in the queue may have used up the budget or opened the circuit.
    if (closing.aborted || !budget.isLeft(account) || !circuit.tryNow()) return null;
    try {
      const wav = await this.#observed(utterance);
      if (budget.spend(account, wav.length)) {
        log.warn({ account }, 'account has used its speech of this hour: recordings play');
      }
      const path = await cache.keep(key, utterance.text, wav);
      circuit.record('success');
      return path;
    } catch (error) {
      if (closing.aborted) return null;
      // One account's unspeakable message does not pause rendering for the others.
      if (!(error instanceof UnspeakableText && account !== null)) circuit.record('failure');
      const { id } = this.#synthesizer;
      log.warn({ err: error, synthesizer: id }, 'speech could not be rendered: trying the next synthesizer');
      return null;
    }
  }

  async #observed(utterance: Utterance): Promise<Buffer> {
    const { onRender, closing } = this.#deps;
    const startedAt = performance.now();
    const observe = (result: RenderObserved['result']) =>
      onRender?.({
        synthesizer: this.#synthesizer.id,
        result,
        seconds: (performance.now() - startedAt) / 1_000,
        characters: utterance.text.length,
      });
    try {
      const render = (signal: AbortSignal) => this.#synthesizer.render(utterance, signal);
      const wav = await withinLimit(this.#limits.renderMs, render, closing);
      observe('rendered');
      return wav;
    } catch (error) {
      observe('failed');
      throw error;
    }
  }
}

const HOUR_MS = 3_600_000;
/** An account that has used this share of its budget is near the limit. */
const NEAR = 0.8;

/**
 * How many bytes of new speech each account can have rendered per hour, so that no account takes all of the synthesizer
 * and the disk. Each process counts for itself: the limit protects against floods and is not for billing.
 */
export class AccountBudget {
  readonly #maxBytes: number;
  readonly #windowMs: number;
  readonly #onNear: (account: string) => void;
  /** Bytes in the current window, by account. */
  readonly #spent = new Map<string, number>();
  #startedAt = performance.now();

  /** @param onNear an account has used 80%: once in each window */
  constructor(maxBytes: number, windowMs = HOUR_MS, onNear: (account: string) => void = () => undefined) {
    this.#maxBytes = maxBytes;
    this.#onNear = onNear;
    this.#windowMs = windowMs;
  }

  /** @param account null for sentences that all accounts share */
  isLeft(account: string | null): boolean {
    if (performance.now() - this.#startedAt >= this.#windowMs) {
      this.#spent.clear();
      this.#startedAt = performance.now();
    }
    return account === null || (this.#spent.get(account) ?? 0) < this.#maxBytes;
  }

  /** @returns whether this used up the budget */
  spend(account: string | null, bytes: number): boolean {
    if (account === null || !this.isLeft(account)) return false;
    const before = this.#spent.get(account) ?? 0;
    const spent = before + bytes;
    this.#spent.set(account, spent);
    const near = NEAR * this.#maxBytes;
    if (before < near && spent >= near) this.#onNear(account);
    return spent >= this.#maxBytes;
  }
}
