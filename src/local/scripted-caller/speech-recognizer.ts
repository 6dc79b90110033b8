/**
 * Recognizes which prompts were played: reads 20 ms audio frames and reports the sentences in them. It compares them
 * with the frames of the known prompts, so it detects a prompt that is interrupted or never played.
 */
import type { Phrase, PromptLibrary } from './prompt-library.ts';
import { type Frame, frameOf, framesMatch, isAudible, isRingingTone } from './sound-frames.ts';

/** The text for the ringing tone. */
export const RINGING = '(ringing)';

/** A recognized sentence, the ringing tone or an unknown sound. Times are milliseconds of `performance.now()`. */
export interface RecognizedSound {
  /** Null if the sound is no known sentence. */
  text: string | null;
  startedAtMs: number;
  endedAtMs: number;
  /** False if it stopped before its last word. */
  complete: boolean;
}

const FRAME_MS = 20;
/** A candidate is dropped after this many different frames; a sound ends after this many silent frames. */
const MAX_MISSED_FRAMES = 3;

/** Maximum number of frames lost in one place, because a late sender skips frames. */
const MAX_LOST_FRAMES = 50;

/** Matching frames needed before a phrase counts as recognized. */
const MIN_MATCH_FRAMES = 10;
/** A shorter part of a sentence is not recognized. */
export const MIN_SENTENCE_MS = MIN_MATCH_FRAMES * FRAME_MS;

interface Candidate {
  phrase: Phrase;
  startedAtMs: number;
  /** Index of the phrase's frame that the next frame should equal. */
  at: number;
  /** Number of heard frames that matched. */
  matches: number;
  misses: number;
}

/** How many frames of the phrase were lost before the heard frame; 0 if none of the next frames matches. */
function countLostFrames({ phrase, at }: Candidate, sound: Frame): number {
  const ahead = phrase.frames.slice(at + 1, at + 1 + MAX_LOST_FRAMES);
  return ahead.findIndex((frame) => framesMatch(sound, frame)) + 1;
}

export class SpeechRecognizer {
  readonly #prompts: Pick<PromptLibrary, 'phrases'>;
  readonly #onSound: (sound: RecognizedSound) => void;
  #phrases: readonly Phrase[] = [];
  #candidates: Candidate[] = [];
  /** Start of a sound that has not been reported yet; null in silence. */
  #startedAtMs: number | null = null;
  #quietFrames = 0;
  #audibleFrames = 0;
  #ringingFrames = 0;
  #lastSoundAtMs = 0;

  constructor(prompts: Pick<PromptLibrary, 'phrases'>, onSound: (sound: RecognizedSound) => void) {
    this.#prompts = prompts;
    this.#onSound = onSound;
  }

  /** Processes the frame that arrived at `atMs`. */
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

  /** Reports the sentence or sound in progress at the end of the call. */
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
      // Frames were lost on the network: continues with the phrase after the gap.
      if (!missed || audible) candidate.at += 1 + leftOut;
    }
    const fitting = before.filter(({ misses }) => misses < MAX_MISSED_FRAMES);
    this.#candidates = fitting;
    const whole = this.#bestCandidate(fitting.filter(({ at, phrase }) => at >= phrase.frames.length));
    const lost = this.#bestCandidate(before.filter(({ misses }) => misses >= MAX_MISSED_FRAMES));
    const found = whole ?? lost;
    // Another phrase with the same start may be longer.
    const competing = fitting.some(
      ({ at, phrase, startedAtMs }) => at < phrase.frames.length && startedAtMs <= (found?.startedAtMs ?? 0),
    );
    if (found && !competing) this.#reportPhrase(found, found === whole);
  }

  /** Adds the phrases that start with this frame or with the previous one, which may have been too quiet to count. */
  #addCandidates(frame: Frame, atMs: number): void {
    this.#addPhrases(frame, atMs, 1);
    // Otherwise the start of the sentence may have been lost, unless this frame has just ended another one.
    const isNew = this.#audibleFrames > 0 && this.#audibleFrames <= MAX_MISSED_FRAMES;
    if (isNew && this.#candidates.length === 0) {
      this.#addPhrases(frame, atMs, MAX_LOST_FRAMES);
    }
  }

  /** Adds the phrases in which no more than `most` frames precede this one. */
  #addPhrases(frame: Frame, atMs: number, most: number): void {
    for (const phrase of this.#phrases) {
      const at = phrase.frames.slice(0, most + 1).findIndex((expected) => framesMatch(frame, expected));
      if (at < 0) continue;
      const startedAtMs = atMs - Math.min(at, 1) * FRAME_MS;
      this.#candidates.push({ phrase, startedAtMs, at: at + 1, matches: 1, misses: 0 });
    }
  }

  /**
   * The candidate with the most matching frames; null if none has enough. A phrase under 200 ms must match completely.
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
    // A candidate that started in the last frames of this phrase is the next sentence, which interrupted this one.
    const nearEndMs = startedAtMs + (at - MAX_MISSED_FRAMES) * FRAME_MS;
    const next = this.#candidates.filter((one) => one.startedAtMs >= nearEndMs && one.misses < MAX_MISSED_FRAMES);
    const endedAtMs = complete
      ? this.#lastSoundAtMs
      : Math.min(this.#lastSoundAtMs, next[0]?.startedAtMs ?? Number.POSITIVE_INFINITY);
    this.#reset();
    this.#candidates = next;
    this.#onSound({ text: complete ? phrase.text : this.#wordsUpTo(phrase, at), startedAtMs, endedAtMs, complete });
  }

  /**
   * The text of a phrase that was cut off after `frames`: only the words that all phrases with this start have in
   * common.
   */
  #wordsUpTo(phrase: Phrase, frames: number): string {
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
    if (startedAtMs !== null) this.#onSound({ text, startedAtMs, endedAtMs, complete: true });
  }

  #reset(): void {
    this.#startedAtMs = null;
    this.#candidates = [];
    this.#audibleFrames = 0;
    this.#ringingFrames = 0;
  }
}
