/**
 * Prepares rendered speech for the telephone: resamples to 8 kHz, trims silence, levels loudness; 16-bit mono. Works on
 * Float32 samples between -1 and 1.
 */
import { setImmediate } from 'node:timers/promises';
import { UnspeakableText } from './ports.ts';
import { fromWav, toWav } from './wav.ts';

const TELEPHONE_HZ = 8_000;

/** Target speech level: the active level, without silence, as ITU-T P.56 measures it. */
const TARGET_DBFS = -19;
/** Higher peaks could be clipped on the way to the caller. */
const PEAK_DBFS = -1.5;
/** Below this, relative to the loudest frame, a frame is silence. */
const SILENCE_DB = -38;
const FRAME = TELEPHONE_HZ / 100;
/** Silence before the first sound, so that an "s" is not clipped, and after the last, to separate two sentences. */
const LEAD_MS = 10;
const TAIL_MS = 160;

/** Half width of the windowed sinc, in zero crossings of the lower rate. */
const ZERO_CROSSINGS = 24;
/**
 * Share of the lower Nyquist frequency. At 8 kHz: flat to 3.2 kHz, like a telephone, and nothing above 4.1 kHz.
 */
const CUTOFF = 0.9;
/** Output samples between two turns of the event loop: about 2 ms of work. */
const CHUNK = 8_000;

const fromDb = (db: number) => 10 ** (db / 20);

/** The Blackman window, for `x` from -1 to 1: side lobes below -74 dB. */
function blackman(x: number): number {
  return 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

const greatestCommonDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestCommonDivisor(other, one % other);

/** One row of filter taps per position of an output sample between two input samples. */
interface Filter {
  up: number;
  down: number;
  half: number;
  phases: Float32Array[];
}

/** Filters by both rates. A synthesizer has one rate, so its 60,000 sines are computed once. */
const filters = new Map<string, Filter>();

function filterFor(fromHz: number, toHz: number): Filter {
  const rates = `${fromHz} ${toHz}`;
  const filter = filters.get(rates) ?? makeFilter(fromHz, toHz);
  filters.set(rates, filter);
  return filter;
}

function makeFilter(fromHz: number, toHz: number): Filter {
  const divisor = greatestCommonDivisor(fromHz, toHz);
  const up = toHz / divisor;
  const down = fromHz / divisor;
  /** Cycles per input sample. */
  const bandwidth = CUTOFF * Math.min(1, toHz / fromHz);
  const half = 2 * Math.ceil(ZERO_CROSSINGS / Math.min(1, toHz / fromHz) / 2);
  const phases = Array.from({ length: up }, (_, phase) => {
    const taps = new Float32Array(2 * half);
    let sum = 0;
    for (let tap = 0; tap < taps.length; tap += 1) {
      const distance = tap - half + 1 - phase / up;
      const value = sinc(bandwidth * distance) * blackman(distance / half);
      taps[tap] = value;
      sum += value;
    }
    return taps.map((tap) => tap / sum);
  });
  return { up, down, half, phases };
}

/**
 * Sum of products, the inner loop of the resampler. Four sums take half the time of one. No bounds are checked:
 * `samples` is padded, and the number of `taps` is a multiple of four.
 */
function product(taps: Float32Array, samples: Float32Array, start: number): number {
  let one = 0;
  let two = 0;
  let three = 0;
  let four = 0;
  for (let tap = 0; tap < taps.length; tap += 4) {
    const at = start + tap;
    one += (taps[tap] as number) * (samples[at] as number);
    two += (taps[tap + 1] as number) * (samples[at + 1] as number);
    three += (taps[tap + 2] as number) * (samples[at + 2] as number);
    four += (taps[tap + 3] as number) * (samples[at + 3] as number);
  }
  return one + two + three + four;
}

/** Resamples with a polyphase windowed sinc. Yields to the event loop after every second of audio. */
export async function resample(samples: Float32Array, fromHz: number, toHz = TELEPHONE_HZ): Promise<Float32Array> {
  if (fromHz === toHz) return samples;
  const filter = filterFor(fromHz, toHz);
  // Padded with silence on both sides, so that the inner loop needs no bounds.
  const padded = new Float32Array(samples.length + 2 * filter.half);
  padded.set(samples, filter.half);
  const output = new Float32Array(Math.floor((samples.length * filter.up) / filter.down));
  for (let begin = 0; begin < output.length; begin += CHUNK) {
    resampleChunk(filter, padded, output, begin);
    await setImmediate();
  }
  return output;
}

function resampleChunk({ up, down, phases }: Filter, padded: Float32Array, output: Float32Array, begin: number): void {
  const end = Math.min(begin + CHUNK, output.length);
  for (let index = begin; index < end; index += 1) {
    const position = index * down;
    output[index] = product(phases[position % up] as Float32Array, padded, Math.floor(position / up) + 1);
  }
}

/** Mean square of every 10 ms. */
function framePowers(samples: Float32Array): number[] {
  const powers: number[] = [];
  for (let start = 0; start < samples.length; start += FRAME) {
    const frame = samples.subarray(start, start + FRAME);
    powers.push(frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length);
  }
  return powers;
}

const activeFrom = (powers: readonly number[]) => Math.max(...powers) * fromDb(SILENCE_DB) ** 2;

/** Removes the silence before and after the speech. Returns no samples if all is silent. */
function trim(samples: Float32Array): Float32Array {
  const powers = framePowers(samples);
  const floor = activeFrom(powers);
  const active = (power: number) => power > floor;
  const first = powers.findIndex(active);
  if (first < 0) return new Float32Array(0);
  const last = powers.findLastIndex(active);
  const begin = Math.max(0, first * FRAME - (LEAD_MS * TELEPHONE_HZ) / 1_000);
  const speech = samples.subarray(begin, (last + 1) * FRAME);
  const trimmed = new Float32Array(speech.length + (TAIL_MS * TELEPHONE_HZ) / 1_000);
  trimmed.set(speech);
  return trimmed;
}

/** Level of the frames that are not silence, in dB below full scale (-Infinity for none). */
export function activeLevel(samples: Float32Array): number {
  const powers = framePowers(samples);
  const floor = activeFrom(powers);
  const active = powers.filter((power) => power > floor);
  const mean = active.reduce((sum, power) => sum + power, 0) / Math.max(1, active.length);
  return 10 * Math.log10(mean);
}

/** Brings speech to the target level. Peaks above the limit are compressed softly, not clipped. */
function level(samples: Float32Array): Float32Array {
  const gain = fromDb(TARGET_DBFS - activeLevel(samples));
  if (!Number.isFinite(gain)) return samples;
  const peak = fromDb(PEAK_DBFS);
  const knee = peak * 0.7;
  return samples.map((sample) => {
    const loud = sample * gain;
    const size = Math.abs(loud);
    return size <= knee ? loud : Math.sign(loud) * (knee + (peak - knee) * Math.tanh((size - knee) / (peak - knee)));
  });
}

/** Prepares a synthesizer's WAV file for the telephone. @throws UnspeakableText if it is silent */
export async function forTelephone(file: Buffer): Promise<Buffer> {
  const { samples, hz } = fromWav(file);
  return telephoneSpeech(samples, hz);
}

/**
 * Prepares samples of any rate: 8 kHz, trimmed, leveled. @throws UnspeakableText if they are silent
 */
export async function telephoneSpeech(samples: Float32Array, hz: number): Promise<Buffer> {
  const speech = trim(await resample(samples, hz));
  if (speech.length === 0) throw new UnspeakableText('it is silent');
  return toWav(level(speech), TELEPHONE_HZ);
}
