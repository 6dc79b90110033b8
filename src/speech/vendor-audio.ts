/**
 * Audio from network synthesizers: reads it with a limit, checks that it is speech of the text, and prepares it for the
 * telephone.
 */
import { activeLevel, telephoneSpeech } from './audio.ts';
import { UnspeakableText } from './ports.ts';
import { pcmSamples, readWav } from './wav.ts';

/** Nearly three minutes at 24 kHz, longer than any message. */
export const MAX_AUDIO_BYTES = 8 * 1024 * 1024;

/** The synthesizer did not answer with speech. The message contains nothing from the vendor. */
export class SynthesisFailed extends Error {
  constructor(cause: string) {
    super(`the synthesizer sent no speech: ${cause}`);
    this.name = 'SynthesisFailed';
  }
}

/** 16-bit mono audio: little-endian samples without a header, or a WAV file. */
type VendorAudio = { pcm: Buffer; hz: number } | { wav: Buffer };

/** Reads a whole body. @throws SynthesisFailed if it is too long or breaks off */
export async function readAudio(body: AsyncIterable<Uint8Array> | null | undefined): Promise<Buffer> {
  if (body === null || body === undefined) throw new SynthesisFailed('the answer has no body');
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > MAX_AUDIO_BYTES) break;
      chunks.push(chunk);
    }
  } catch {
    throw new SynthesisFailed('the answer broke off');
  }
  if (size > MAX_AUDIO_BYTES) throw new SynthesisFailed('the answer is too long');
  return Buffer.concat(chunks);
}

/** @throws SynthesisFailed if the status is not 200, or the content type is not audio */
export function requireAudio(status: number, contentType: string | null | undefined): void {
  if (status !== 200) throw new SynthesisFailed(`status ${status}`);
  if (/^(text\/|application\/(json|xml|problem))/i.test(contentType ?? '')) throw new SynthesisFailed('it is no audio');
}

/**
 * Makes a file for the telephone.
 * @throws SynthesisFailed if it is not audio, cut off, or far too long for this text
 * @throws UnspeakableText if it is silent
 */
export async function speechOf(text: string, audio: VendorAudio): Promise<Buffer> {
  const { samples, hz } = samplesOf(audio);
  if (samples.every((sample) => Math.abs(sample) < INAUDIBLE)) throw new UnspeakableText('it is silent');
  const seconds = samples.length / hz;
  const letters = lettersOf(text);
  if (seconds < letters / MAX_LETTERS_A_SECOND || endsAbruptly(samples, hz)) throw new SynthesisFailed('it is cut off');
  if (seconds > SLACK_SECONDS + letters * MAX_SECONDS_A_LETTER)
    throw new SynthesisFailed('it is too long for its text');
  return telephoneSpeech(samples, hz);
}

/** About 54 dB below full scale: dither, not speech. */
const INAUDIBLE = 0.002;
/** Fast speech has about 20 letters a second, slow speech 8. */
const MAX_LETTERS_A_SECOND = 40;
const MAX_SECONDS_A_LETTER = 0.5;
const SLACK_SECONDS = 5;
/** How much of the end is checked. */
const END_SECONDS = 0.02;

const lettersOf = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

/** Speech fades at its end. Audio that was cut off does so only half of the time. */
function endsAbruptly(samples: Float32Array, hz: number): boolean {
  return activeLevel(samples.subarray(-Math.ceil(END_SECONDS * hz))) > activeLevel(samples);
}

function samplesOf(audio: VendorAudio): { samples: Float32Array; hz: number } {
  const bytes = 'wav' in audio ? audio.wav : audio.pcm;
  if (bytes.length === 0) throw new SynthesisFailed('the answer is empty');
  if (isText(bytes)) throw new SynthesisFailed('it is no audio');
  if (!('wav' in audio) && !isWav(bytes)) {
    if (bytes.length % 2 !== 0) throw new SynthesisFailed('it is cut off');
    return { samples: pcmSamples(bytes), hz: audio.hz };
  }
  const read = readWav(bytes);
  if (read === null) throw new SynthesisFailed('it is no 16-bit mono WAV file');
  if (read === 'cut_off') throw new SynthesisFailed('it is cut off');
  return read;
}

/** Some servers send a header before raw samples. */
const isWav = (bytes: Buffer) => bytes.toString('latin1', 0, 4) === 'RIFF';

/** Whether it is a page or a message. Samples are never printable for 64 bytes. */
function isText(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 64);
  return (
    head.length >= 4 &&
    head.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09)
  );
}

/**
 * Loads a vendor's package on first use, because it costs memory that the process may never need.
 * @returns the result of the first call of `open`. After a failure, the next call tries again
 */
export function lazily<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | null = null;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
}
