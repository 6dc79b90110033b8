/**
 * One synthesizer's work: what it renders goes to the cache, under a limit of time, of how much at once and of how much
 * may wait. What fails is left alone for a while, each language and voice for itself: a vendor that is silent in
 * Spanish still speaks English.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import { primaryLanguage } from '../domain/language.ts';
import { type Circuit, createCircuit } from '../lib/concurrency/circuit.ts';
import { withinLimit } from '../lib/concurrency/time-limit.ts';
import type { AccountBudget } from './account-budget.ts';
import { cacheKey, type SpeechCache } from './cache.ts';
import { type SpeechLog, type Synthesizer, UnspeakableText, type Utterance } from './ports.ts';

/** A synthesizer was asked. */
export interface RenderObserved {
  synthesizer: string;
  result: 'rendered' | 'failed';
  seconds: number;
  /** Of the text: what vendors charge for. */
  characters: number;
}

export interface RenderQueueDeps {
  cache: SpeechCache;
  budget: AccountBudget;
  onRender?: ((observed: RenderObserved) => void) | undefined;
  /** Ends what is being rendered. */
  closing: AbortSignal;
}

export interface RenderQueueLimits {
  /** What one rendering may take. */
  renderMs: number;
  /** In a row, in one language and voice; then the synthesizer is left alone for `restMs`, and then asked once. */
  maxFailures: number;
  restMs: number;
  /** Renderings at once, for each urgency. */
  atOnce: number;
  /** Utterances waiting to be rendered, for each urgency; more are not rendered. */
  maxWaiting: number;
}

/**
 * `live`: a caller is listening. `ahead`: for a call to come. Each has its own limit, so no caller waits behind
 * `ahead`.
 */
export type Urgency = 'live' | 'ahead';

/** Circuits kept; merchants' voices are not without number. */
const MAX_CIRCUITS = 1_000;

export class RenderQueue {
  readonly #synthesizer: Synthesizer;
  readonly #deps: RenderQueueDeps;
  readonly #limits: RenderQueueLimits;
  readonly #limiters: Readonly<Record<Urgency, LimitFunction>>;
  /** Files being rendered, by urgency and cache key. */
  readonly #rendering = new Map<string, Promise<string | null>>();
  /** By urgency, language and voice. */
  readonly #circuits = new Map<string, Circuit>();

  constructor(synthesizer: Synthesizer, deps: RenderQueueDeps, limits: RenderQueueLimits) {
    this.#synthesizer = synthesizer;
    this.#deps = deps;
    this.#limits = limits;
    this.#limiters = { live: pLimit(limits.atOnce), ahead: pLimit(limits.atOnce) };
  }

  /** Path of the file, from the cache or rendered; null when there is none. Never rejects. */
  async fileOf(utterance: Utterance, urgency: Urgency, log: SpeechLog): Promise<string | null> {
    const key = cacheKey(this.#synthesizer.name, utterance);
    const known = await this.#deps.cache.find(key);
    if (known !== null || this.#rests(utterance, urgency)) return known;
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

  /** A caller has waited for this in vain: no other is to, for a while. What is being rendered goes on. */
  recordLate(utterance: Utterance): void {
    this.#circuitOf(utterance, 'live').open();
  }

  /** What fails ahead of calls is not tried while a caller listens either. */
  #rests(utterance: Utterance, urgency: Urgency): boolean {
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

  /** Renders and keeps one file. Never rejects: what fails is logged and null. */
  async #render(key: string, utterance: Utterance, urgency: Urgency, log: SpeechLog): Promise<string | null> {
    const { account = null } = utterance;
    const { cache, budget, closing } = this.#deps;
    const circuit = this.#circuitOf(utterance, urgency);
    // Used up, or found broken, by those that waited before it.
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
      // One account's odd message is no reason to stop rendering for the others.
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
