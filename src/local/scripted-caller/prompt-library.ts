/**
 * The prompts that the payment line can play, as audio with their text. The scripted caller recognizes a prompt by its
 * waveform, so its transcript shows what was heard, not what the line intended to play.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodeWav, FRAME_SAMPLES } from '../softswitch/rtp/index.ts';
import { type Frame, frameOf, isAudible } from './sound-frames.ts';

/** One prompt: its text and its audio. */
export interface Phrase {
  text: string;
  /** Complete frames, from the first audible one to the last. */
  frames: Frame[];
}

/** Cuts samples into complete frames, aligned to the start of the file, without the silence at both ends. */
export function createPhrase(text: string, samples: Int16Array): Phrase {
  const frames: Frame[] = [];
  for (let at = 0; at < samples.length; at += FRAME_SAMPLES) {
    const frame = new Int16Array(FRAME_SAMPLES);
    frame.set(samples.subarray(at, at + FRAME_SAMPLES));
    frames.push(frameOf(frame));
  }
  return { text, frames: frames.slice(frames.findIndex(isAudible), frames.findLastIndex(isAudible) + 1) };
}

/**
 * Each recording that was read, by its path without extension; null if it is only silence. Recordings never change. If
 * every caller in a process read hundreds of them, that would delay the packets of the others.
 */
const READ_BEFORE = new Map<string, Phrase | null>();

/**
 * The prompts of some folders: every `<name>.wav` with a `<name>.txt` beside it, including files added during a call.
 */
export class PromptLibrary {
  readonly #folders: readonly string[];
  readonly #own: readonly Phrase[];

  constructor(folders: readonly string[], own: readonly Phrase[] = []) {
    this.#folders = folders;
    this.#own = own;
  }

  /** All prompts so far. Reads new files synchronously, because a prompt may be rendered just before it is played. */
  phrases(): Phrase[] {
    return [...this.#own, ...this.#folders.flatMap(phrasesIn)];
  }
}

/** The prompts of each folder, and the folder's last change. They are read at the start of every sound. */
const LISTED = new Map<string, { mtimeMs: number; phrases: Phrase[] }>();
/** A file created this soon after another may not change the folder's time. */
const SAME_TIME_MS = 1_000;

function phrasesIn(folder: string): Phrase[] {
  if (!existsSync(folder)) return [];
  const { mtimeMs } = statSync(folder);
  const before = LISTED.get(folder);
  if (before?.mtimeMs === mtimeMs) return before.phrases;
  const isSettled = Date.now() - mtimeMs > SAME_TIME_MS;
  const names = readdirSync(folder).filter((name) => name.endsWith('.wav'));
  const read = names.map((name) => readPhrase(join(folder, name.slice(0, -'.wav'.length))));
  const phrases = read.filter((phrase) => phrase !== null);
  if (isSettled) LISTED.set(folder, { mtimeMs, phrases });
  return phrases;
}

/** Null if it is only silence, or its text does not exist yet. */
function readPhrase(base: string): Phrase | null {
  const before = READ_BEFORE.get(base);
  if (before !== undefined) return before;
  if (!existsSync(`${base}.txt`)) return null;
  const phrase = createPhrase(readFileSync(`${base}.txt`, 'utf8').trim(), decodeWav(readFileSync(`${base}.wav`)));
  const usable = phrase.frames.length > 0 ? phrase : null;
  READ_BEFORE.set(base, usable);
  return usable;
}
