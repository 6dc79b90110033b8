/** WAV files as G.711, encoded once for all callers, because every call plays the same prompts. */
import { readFile, stat } from 'node:fs/promises';
import wavefile from 'wavefile';
import type { Clip } from './audio-source.ts';
import { type Codec, decodeG711, encodeG711 } from './g711.ts';

/** The file is missing, unreadable or not a sound file. */
export class ClipUnavailable extends Error {
  override readonly name = 'ClipUnavailable';
}

const SAMPLE_RATE_HZ = 8000;
/** RFC 2361. */
const PCM_FORMAT = 1;
const MU_LAW_FORMAT = 7;
/** About 17 minutes at 8 kHz. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Makes a clip of linear samples at 8 kHz. */
export function clipOf(pcm: Int16Array): Clip {
  const encoded: Record<Codec, Buffer> = { PCMU: encodeG711(pcm, 'PCMU'), PCMA: encodeG711(pcm, 'PCMA') };
  return { samples: pcm.length, encoded: (codec) => encoded[codec] };
}

/** The parts of a file that the package has read; its own types omit `data`. */
interface WavParts {
  container: string;
  fmt: { audioFormat: number; numChannels: number; sampleRate: number; bitsPerSample: number };
  data: { samples: Uint8Array };
}

/**
 * Reads the samples of a RIFF/WAVE file. 8 kHz mono files of 16 bits or in µ-law cost almost nothing. Others are
 * converted, which blocks the thread for about a tenth of the sound's length: convert prompts when you make them.
 * @throws {ClipUnavailable}
 */
export function decodeWav(file: Buffer): Int16Array {
  try {
    const wav = new wavefile.WaveFile(file);
    const asItIs = samplesAsTheyAre(wav as unknown as WavParts);
    if (asItIs !== null) return asItIs;
    // A separate step: `toBitDepth` would treat the expanded samples as 8-bit ones.
    if (wav.bitDepth === '8m') wav.fromMuLaw();
    if (wav.bitDepth === '8a') wav.fromALaw();
    // A copy: a conversion empties the original.
    const format = { ...wav.fmt } as {
      audioFormat: number;
      numChannels: number;
      sampleRate: number;
      bitsPerSample: number;
    };
    if (format.audioFormat !== PCM_FORMAT || format.bitsPerSample !== 16) wav.toBitDepth('16');
    if (format.sampleRate !== SAMPLE_RATE_HZ) wav.toSampleRate(SAMPLE_RATE_HZ, { method: 'linear' });
    if (format.numChannels === 1) return wav.getSamples(false, Int16Array) as unknown as Int16Array;
    return mixDown(wav.getSamples(true, Int16Array) as unknown as Int16Array, format.numChannels);
  } catch (error) {
    throw new ClipUnavailable('Not a WAV file that can be read', { cause: error });
  }
}

/** Reads the two formats of prompts a hundred times as fast as the package; null for any other format. */
function samplesAsTheyAre({ container, fmt, data: { samples } }: WavParts): Int16Array | null {
  if (container !== 'RIFF' || fmt.sampleRate !== SAMPLE_RATE_HZ || fmt.numChannels !== 1) return null;
  if (fmt.audioFormat === MU_LAW_FORMAT && fmt.bitsPerSample === 8) return decodeG711(samples, 'PCMU');
  if (fmt.audioFormat !== PCM_FORMAT || fmt.bitsPerSample !== 16) return null;
  const decoded = new Int16Array(samples.length >> 1);
  const bytes = new DataView(samples.buffer, samples.byteOffset, samples.length);
  for (let index = 0; index < decoded.length; index++) decoded[index] = bytes.getInt16(2 * index, true);
  return decoded;
}

function mixDown(interleaved: Int16Array, channels: number): Int16Array {
  return Int16Array.from({ length: Math.floor(interleaved.length / channels) }, (_, frame) => {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += interleaved[frame * channels + channel] ?? 0;
    return sum / channels;
  });
}

interface Entry {
  version: string;
  clip: Promise<Clip>;
  bytes: number;
}

/** Keyed by path; a file that has changed (time or size) is read again. Evicts the least recently used clip first. */
export class ClipCache {
  readonly #entries = new Map<string, Entry>();
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param maxBytes of encoded sound, 2 bytes a sample (both laws) */
  constructor(maxBytes = 128 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  /** Size of the cached sound. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * @param path absolute
   * @throws {ClipUnavailable}
   */
  async get(path: string): Promise<Clip> {
    const version = await versionOf(path);
    const known = this.#entries.get(path);
    if (known?.version === version) {
      this.#entries.delete(path);
      this.#entries.set(path, known);
      return known.clip;
    }
    this.#drop(path);
    const entry: Entry = { version, clip: loadClip(path), bytes: 0 };
    this.#entries.set(path, entry);
    entry.clip.then(
      (clip) => this.#account(path, entry, clip.samples * 2),
      () => this.#entries.get(path) === entry && this.#drop(path),
    );
    return entry.clip;
  }

  #account(path: string, entry: Entry, bytes: number): void {
    if (this.#entries.get(path) !== entry) return;
    entry.bytes = bytes;
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(path: string): void {
    this.#bytes -= this.#entries.get(path)?.bytes ?? 0;
    this.#entries.delete(path);
  }
}

async function versionOf(path: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    if (size > MAX_FILE_BYTES) throw new ClipUnavailable('The sound file is too large');
    return `${mtimeMs}/${size}/${ino}`;
  } catch (error) {
    throw error instanceof ClipUnavailable ? error : new ClipUnavailable('No such sound file', { cause: error });
  }
}

async function loadClip(path: string): Promise<Clip> {
  let file: Buffer;
  try {
    file = await readFile(path);
  } catch (error) {
    throw new ClipUnavailable('The sound file cannot be read', { cause: error });
  }
  return clipOf(decodeWav(file));
}
