/**
 * The prompts that the payment line can play, as audio with their text. The scripted caller recognizes a prompt by its
 * waveform, so its transcript shows what was heard, not what was meant to be played.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeWav, FRAME_SAMPLES } from '../softswitch/rtp/index.ts';

/** Root mean square below which a frame counts as silence. */
export const SILENCE_RMS = 120;

/** One prompt: its text and its audio. */
export interface Phrase {
  text: string;
  /** Whole 20 ms frames, 8 kHz, 16-bit, from the first audible one to the last. */
  frames: Int16Array[];
}

/** Root mean square of a frame. */
export function rms(frame: Int16Array): number {
  let sum = 0;
  for (const sample of frame) sum += sample * sample;
  return Math.sqrt(sum / frame.length);
}

/** Cuts samples into whole frames on the grid of the file's start, without the silence at both ends. */
export function createPhrase(text: string, samples: Int16Array): Phrase {
  const frames: Int16Array[] = [];
  for (let at = 0; at < samples.length; at += FRAME_SAMPLES) {
    const frame = new Int16Array(FRAME_SAMPLES);
    frame.set(samples.subarray(at, at + FRAME_SAMPLES));
    frames.push(frame);
  }
  const audible = (frame: Int16Array) => rms(frame) >= SILENCE_RMS;
  return { text, frames: frames.slice(frames.findIndex(audible), frames.findLastIndex(audible) + 1) };
}

/**
 * What was read of each recording, by its path without ending; null: only silence. A recording never changes, and of many callers in
 * one process each would read hundreds, which holds up the packets of the others.
 */
const READ_BEFORE = new Map<string, Phrase | null>();

/** The prompts of some folders: every `<name>.wav` with a `<name>.txt` beside it, including files added during a call. */
export class PromptLibrary {
  readonly #folders: readonly string[];
  readonly #own: readonly Phrase[];

  constructor(folders: readonly string[], own: readonly Phrase[] = []) {
    this.#folders = folders;
    this.#own = own;
  }

  /** All prompts so far. Reads new files synchronously, because a prompt may be rendered a moment before it is played. */
  phrases(): Phrase[] {
    const read = this.#folders.flatMap(recordingsIn).map(readPhrase);
    return [...this.#own, ...read.filter((phrase) => phrase !== null)];
  }
}

/** Paths without `.wav`. */
function recordingsIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.endsWith('.wav')).map((name) => join(folder, name.slice(0, -'.wav'.length)));
}

/** Null for one that is only silence, or whose text is not there yet. */
function readPhrase(base: string): Phrase | null {
  const before = READ_BEFORE.get(base);
  if (before !== undefined) return before;
  if (!existsSync(`${base}.txt`)) return null;
  const phrase = createPhrase(readFileSync(`${base}.txt`, 'utf8').trim(), decodeWav(readFileSync(`${base}.wav`)));
  const usable = phrase.frames.length > 0 ? phrase : null;
  READ_BEFORE.set(base, usable);
  return usable;
}
