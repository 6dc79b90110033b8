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

/** The prompts of some folders: every `<name>.wav` with a `<name>.txt` beside it, including files added during a call. */
export class PromptLibrary {
  readonly #folders: readonly string[];
  readonly #phrases = new Map<string, Phrase>();
  /** Files that hold only silence. */
  readonly #unusable = new Set<string>();

  constructor(folders: readonly string[], own: readonly Phrase[] = []) {
    this.#folders = folders;
    for (const phrase of own) this.#phrases.set(phrase.text, phrase);
  }

  /** All prompts so far. Reads new files synchronously, because a prompt may be rendered a moment before it is played. */
  phrases(): Phrase[] {
    for (const folder of this.#folders) {
      for (const name of existsSync(folder) ? readdirSync(folder) : []) {
        if (name.endsWith('.wav')) this.#read(join(folder, name.slice(0, -'.wav'.length)));
      }
    }
    return [...this.#phrases.values()];
  }

  #read(base: string): void {
    if (this.#phrases.has(base) || this.#unusable.has(base) || !existsSync(`${base}.txt`)) return;
    const phrase = createPhrase(readFileSync(`${base}.txt`, 'utf8').trim(), decodeWav(readFileSync(`${base}.wav`)));
    if (phrase.frames.length > 0) this.#phrases.set(base, phrase);
    else this.#unusable.add(base);
  }
}
