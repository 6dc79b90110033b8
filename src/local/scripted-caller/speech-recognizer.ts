/**
 * Recognizes which prompts were played: takes 20 ms audio frames and reports the sentences in them. It compares frames
 * with those of the known prompts, so a prompt that is cut short or never played is seen.
 */
import type { Phrase, PromptLibrary } from './prompt-library.ts';
import { type Frame, frameOf, framesMatch, isAudible, isRingingTone } from './sound-frames.ts';

/** What stands in for the text of the ringing tone. */
export const RINGING = '(ringing)';

/** A recognized sentence, the ringing tone or an unknown sound. Times are milliseconds of `performance.now()`. */
export interface Heard {
  /** Null: a sound that is no known sentence. */
  text: string | null;
  startedAtMs: number;
  endedAtMs: number;
  /** False when it stopped before its last word. */
  complete: boolean;
}

const FRAME_MS = 20;
/** A candidate is dropped after so many frames that differ; a sound ends after so many silent frames. */
const MAX_MISSED_FRAMES = 3;

/** Frames that may be lost in one place: a sender that is late skips them. */
const MAX_LOST_FRAMES = 50;

/** Matching frames needed before a phrase counts as recognized. */
const MIN_MATCH_FRAMES = 10;
/** Less of a sentence than this is not recognized. */
export const MIN_SENTENCE_MS = MIN_MATCH_FRAMES * FRAME_MS;

interface Candidate {
  phrase: Phrase;
  startedAtMs: number;
  /** Index of the phrase's frame that the next frame should equal. */
  at: number;
  /** Frames that were heard, and fitted. */
  matches: number;
  misses: number;
}

/** How many frames of the phrase were lost before the frame that was heard; 0 when none of the next frames matches. */
function countLostFrames({ phrase, at }: Candidate, heard: Frame): number {
  const ahead = phrase.frames.slice(at + 1, at + 1 + MAX_LOST_FRAMES);
  return ahead.findIndex((frame) => framesMatch(heard, frame)) + 1;
}

export class SpeechRecognizer {
  readonly #prompts: Pick<PromptLibrary, 'phrases'>;
  readonly #onHeard: (heard: Heard) => void;
  #phrases: readonly Phrase[] = [];
  #candidates: Candidate[] = [];
  /** Start of a sound that has not been reported yet; null in silence. */
  #startedAtMs: number | null = null;
  #quietFrames = 0;
  #audibleFrames = 0;
  #ringingFrames = 0;
  #lastSoundAtMs = 0;

  constructor(prompts: Pick<PromptLibrary, 'phrases'>, onHeard: (heard: Heard) => void) {
    this.#prompts = prompts;
    this.#onHeard = onHeard;
  }

  /** Feeds the frame that arrived at `atMs`. */
  addFrame(samples: Int16Array, atMs: number): void {
    const frame = frameOf(samples);
    const audible = isAudible(frame);
    if (this.#startedAtMs === null && this.#candidates.length === 0) {
      if (!audible) return;
      this.#startedAtMs = atMs;
      this.#phrases = this.#prompts.phrases();
    }
    if (audible) this.#countSound(frame, atMs);
    this.#quietFrames = audible ? 0 : this.#quietFrames + 1;
    this.#matchCandidates(frame, audible);
    const certain = this.#candidates.some(({ matches, misses }) => matches >= MIN_MATCH_FRAMES && misses === 0);
    if (audible && !certain) this.#addCandidates(frame, atMs);
    if (this.#candidates.length === 0 && this.#quietFrames >= MAX_MISSED_FRAMES)
      this.#reportUnknownSound(this.#lastSoundAtMs);
  }

  #countSound(frame: Frame, atMs: number): void {
    this.#lastSoundAtMs = atMs + FRAME_MS;
    this.#audibleFrames += 1;
    if (isRingingTone(frame)) this.#ringingFrames += 1;
  }

  /** The call is over: reports the sentence or sound under way. */
  finish(): void {
    const best = this.#bestCandidate(this.#candidates);
    if (best) this.#reportPhrase(best, false);
    else this.#reportUnknownSound(this.#lastSoundAtMs);
  }

  /**
   * Compares the frame with the frame that each candidate expects next, and reports the last candidate to be dropped.
   */
  #matchCandidates(frame: Frame, audible: boolean): void {
    const before = this.#candidates;
    for (const candidate of before) {
      const expected = candidate.phrase.frames[candidate.at];
      const missed = expected !== undefined && !framesMatch(frame, expected);
      const leftOut = missed && audible ? countLostFrames(candidate, frame) : 0;
      if (missed && leftOut === 0) candidate.misses += 1;
      else candidate.matches += 1;
      // Frames were lost on the network: continue with the phrase after the gap.
      if (!missed || audible) candidate.at += 1 + leftOut;
    }
    const fitting = before.filter(({ misses }) => misses < MAX_MISSED_FRAMES);
    this.#candidates = fitting;
    const whole = this.#bestCandidate(fitting.filter(({ at, phrase }) => at >= phrase.frames.length));
    const lost = this.#bestCandidate(before.filter(({ misses }) => misses >= MAX_MISSED_FRAMES));
    const found = whole ?? lost;
    // Another phrase with the same beginning may still turn out longer.
    const competing = fitting.some(
      ({ at, phrase, startedAtMs }) => at < phrase.frames.length && startedAtMs <= (found?.startedAtMs ?? 0),
    );
    if (found && !competing) this.#reportPhrase(found, found === whole);
  }

  /**
   * Adds the phrases that begin with this frame, or began with the frame before, which may have been too quiet to
   * count.
   */
  #addCandidates(frame: Frame, atMs: number): void {
    for (const phrase of this.#phrases) {
      const [first, second] = phrase.frames;
      const at = first && framesMatch(frame, first) ? 0 : second && framesMatch(frame, second) ? 1 : null;
      if (at !== null)
        this.#candidates.push({ phrase, startedAtMs: atMs - at * FRAME_MS, at: at + 1, matches: 1, misses: 0 });
    }
  }

  /**
   * The candidate with the most matching frames; null when none has enough. A phrase of under 200 ms must match whole.
   */
  #bestCandidate(candidates: readonly Candidate[]): Candidate | null {
    const sure = candidates.filter(
      ({ matches, phrase }) => matches >= Math.min(MIN_MATCH_FRAMES, phrase.frames.length - 1),
    );
    return sure.reduce<Candidate | null>(
      (most, one) => (most && most.at - most.misses >= one.at - one.misses ? most : one),
      null,
    );
  }

  #reportPhrase({ phrase, startedAtMs, at }: Candidate, complete: boolean): void {
    if (this.#startedAtMs !== null && startedAtMs - this.#startedAtMs > MAX_MISSED_FRAMES * FRAME_MS) {
      this.#reportUnknownSound(startedAtMs);
    }
    // A candidate that began in the last frames of this phrase is the next sentence, which cut this one short.
    const nearEndMs = startedAtMs + (at - MAX_MISSED_FRAMES) * FRAME_MS;
    const next = this.#candidates.filter((one) => one.startedAtMs >= nearEndMs && one.misses < MAX_MISSED_FRAMES);
    const endedAtMs = complete
      ? this.#lastSoundAtMs
      : Math.min(this.#lastSoundAtMs, next[0]?.startedAtMs ?? Number.POSITIVE_INFINITY);
    this.#reset();
    this.#candidates = next;
    this.#onHeard({ text: complete ? phrase.text : this.#wordsHeard(phrase, at), startedAtMs, endedAtMs, complete });
  }

  /**
   * The text of a phrase that was cut off after `frames`: only the words that all phrases with this beginning share.
   */
  #wordsHeard(phrase: Phrase, frames: number): string {
    const alikeSoFar = this.#phrases.filter((other) =>
      phrase.frames.slice(0, frames - MAX_MISSED_FRAMES).every((frame, index) => {
        const same = other.frames[index];
        return same !== undefined && framesMatch(same, frame);
      }),
    );
    const words = phrase.text.split(' ');
    const shared = words.findIndex((word, index) => alikeSoFar.some(({ text }) => text.split(' ')[index] !== word));
    return shared < 0 ? phrase.text : `${words.slice(0, shared).join(' ')} …`.trimStart();
  }

  #reportUnknownSound(endedAtMs: number): void {
    const startedAtMs = this.#startedAtMs;
    const text = this.#ringingFrames > this.#audibleFrames / 2 ? RINGING : null;
    this.#reset();
    if (startedAtMs !== null) this.#onHeard({ text, startedAtMs, endedAtMs, complete: true });
  }

  #reset(): void {
    this.#startedAtMs = null;
    this.#candidates = [];
    this.#audibleFrames = 0;
    this.#ringingFrames = 0;
  }
}
