/** What `playback` can play: files and FreeSWITCH's stream URLs, resolved to sound. */
import { isAbsolute, join } from 'node:path';
import {
  type AudioSource,
  type Clip,
  type ClipCache,
  ClipUnavailable,
  type Codec,
  clipOf,
  FRAME_SAMPLES,
  frameAt,
  SAMPLES_PER_MS,
} from '../rtp/index.ts';
import { parseTones } from './tones.ts';

/** A piece of sound or, without a clip, of silence. */
interface Segment {
  clip: Clip | null;
  samples: number;
}

export interface Playable {
  /** The path in the events. */
  path: string;
  /** Played in order, `loops` times. */
  segments: Segment[];
  loops: number;
}

/** Maximum number of files in `file_string://`. */
const MAX_FILES = 128;

/**
 * @param soundPrefix folder of relative names
 * @returns null if nothing in it can be played: FreeSWITCH's FILE NOT FOUND
 */
export async function resolvePlayable(path: string, clips: ClipCache, soundPrefix: string): Promise<Playable | null> {
  const [scheme, rest] = splitScheme(path);
  switch (scheme) {
    case 'file_string':
      return fileString(path, rest, clips, soundPrefix);
    case 'silence_stream':
      return silence(path, rest);
    case 'tone_stream':
      return tones(path, rest);
    case '':
    case 'file': {
      const named = scheme === 'file' || isAbsolute(path) ? rest : join(soundPrefix, path);
      const file = named.slice(named.lastIndexOf('/') + 1).includes('.') ? named : `${named}.wav`;
      const clip = await clipAt(file, clips);
      return clip && { path: file, segments: [{ clip, samples: clip.samples }], loops: 1 };
    }
    default:
      return null;
  }
}

function splitScheme(path: string): [string, string] {
  const match = /^(\w+):\/\/(.*)$/s.exec(path);
  return match ? [match[1] as string, match[2] as string] : ['', path];
}

async function clipAt(file: string, clips: ClipCache): Promise<Clip | null> {
  try {
    return await clips.get(file);
  } catch (error) {
    if (error instanceof ClipUnavailable) return null;
    throw error;
  }
}

/** Silence between the files of a `file_string`. */
const GAP: Segment = { clip: null, samples: 250 * SAMPLES_PER_MS };

/** Plays files one after the other; skips missing ones. */
async function fileString(path: string, list: string, clips: ClipCache, soundPrefix: string): Promise<Playable | null> {
  const names = list.split('!').filter(Boolean).slice(0, MAX_FILES);
  const found = await Promise.all(names.map((name) => resolvePlayable(name, clips, soundPrefix)));
  const segments = found.flatMap((playable) => (playable ? [GAP, ...playable.segments] : [])).slice(1);
  return segments.length > 0 ? { path, segments, loops: 1 } : null;
}

function silence(path: string, spec: string): Playable {
  const ms = Number.parseInt(spec, 10);
  if (ms <= 0) return { path, segments: [{ clip: null, samples: FRAME_SAMPLES }], loops: Infinity };
  return { path, segments: [{ clip: null, samples: (Number.isNaN(ms) ? 0 : ms) * SAMPLES_PER_MS }], loops: 1 };
}

function tones(path: string, script: string): Playable | null {
  const parsed = parseTones(script);
  if (!parsed) return null;
  const clip = clipOf(parsed.pcm);
  return { path, segments: [{ clip, samples: clip.samples }], loops: parsed.loops };
}

/** Reads a playable frame by frame; reports its end once, in the tick after the last frame. */
export class Player implements AudioSource {
  readonly #segments: Segment[];
  readonly #onEnd: () => void;
  readonly #limitSamples: number;
  #loopsLeft: number;
  #index = 0;
  #offset = 0;
  #played = 0;
  #ended = false;

  /**
   * @param skipSamples where to start in the first segment
   * @param limitSamples where to end at the latest
   */
  constructor(playable: Playable, onEnd: () => void, skipSamples = 0, limitSamples = Infinity) {
    this.#segments = playable.segments;
    this.#limitSamples = limitSamples;
    this.#loopsLeft = playable.loops;
    this.#onEnd = onEnd;
    this.#offset = Math.max(0, skipSamples);
  }

  /** Whether it ended at the limit, before the end of the sound. */
  get cutShort(): boolean {
    return this.#played >= this.#limitSamples;
  }

  /** Samples read so far. */
  get played(): number {
    return this.#played;
  }

  read(codec: Codec): Buffer | null {
    const segment = this.cutShort ? null : this.#current();
    if (!segment) {
      if (!this.#ended) this.#onEnd();
      this.#ended = true;
      return null;
    }
    const frame = segment.clip ? frameAt(segment.clip, this.#offset, codec) : null;
    this.#played += Math.min(FRAME_SAMPLES, segment.samples - this.#offset);
    this.#offset += FRAME_SAMPLES;
    return frame;
  }

  #current(): Segment | null {
    for (;;) {
      const segment = this.#segments[this.#index];
      if (segment && this.#offset < segment.samples) return segment;
      this.#offset = 0;
      this.#index++;
      if (this.#index < this.#segments.length) continue;
      this.#index = 0;
      // A pattern without sound would loop forever.
      if (--this.#loopsLeft <= 0 || this.#segments.every(({ samples }) => samples === 0)) {
        this.#loopsLeft = 0;
        this.#index = this.#segments.length;
        return null;
      }
    }
  }
}
