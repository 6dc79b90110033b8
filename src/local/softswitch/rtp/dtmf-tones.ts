/**
 * DTMF as sound (ITU-T Q.23): each key is two sine waves at once, one of four low frequencies and one of four high
 * ones.
 */
import type { DtmfTiming } from './dtmf-sender.ts';
import { SAMPLES_PER_MS } from './g711.ts';

/** In Hz; the rows of the keypad from the top. */
export const LOW_HZ = [697, 770, 852, 941] as const;
/** In Hz; the columns of the keypad from the left. */
export const HIGH_HZ = [1209, 1336, 1477, 1633] as const;
/** The keys, row by row. */
export const KEYPAD = '123A456B789C*0#D';

export const SAMPLES_PER_SECOND = 1_000 * SAMPLES_PER_MS;

/**
 * Amplitude of a sine wave of 0 dBm0 in 16-bit samples: the loudest wave in G.711 has 3.14 dBm0 in A-law, 3.17 in µ-law
 * (ITU-T G.711, tables 1 and 2).
 */
export const AMPLITUDE_0_DBM0 = 32_124 * 10 ** (-3.17 / 20);

/** How a tone deviates from what a phone sends by default. */
export interface ToneShape {
  /** Level of the low frequency. */
  levelDbm0?: number;
  /** How much louder the high frequency is than the low one. */
  twistDb?: number;
  /** Relative error of each frequency: 0.015 is 1.5% too high. */
  lowOff?: number;
  highOff?: number;
}

/** The level of each frequency in most phones. */
const DEFAULT_LEVEL_DBM0 = -9;

/** The tones of `keys` one after the other, with a pause after each. */
export function tonesOf(keys: string, { toneMs, gapMs }: DtmfTiming): Int16Array {
  const each = (toneMs + gapMs) * SAMPLES_PER_MS;
  const sound = new Int16Array(keys.length * each);
  for (const [at, key] of [...keys].entries()) sound.set(toneOf(key, toneMs * SAMPLES_PER_MS), at * each);
  return sound;
}

/** The tone of a key, 16-bit at 8 kHz, clipped if it is too loud. */
export function toneOf(key: string, samples: number, shape: ToneShape = {}): Int16Array {
  const { levelDbm0 = DEFAULT_LEVEL_DBM0, twistDb = 0, lowOff = 0, highOff = 0 } = shape;
  const at = KEYPAD.indexOf(key);
  const step = (hz: number, off: number) => (2 * Math.PI * hz * (1 + off)) / SAMPLES_PER_SECOND;
  const [low, high] = [step(LOW_HZ[at >> 2] ?? 0, lowOff), step(HIGH_HZ[at & 3] ?? 0, highOff)];
  const amplitude = (dbm0: number) => AMPLITUDE_0_DBM0 * 10 ** (dbm0 / 20);
  const [lowest, highest] = [amplitude(levelDbm0), amplitude(levelDbm0 + twistDb)];
  return Int16Array.from({ length: samples }, (_, index) => {
    const sum = lowest * Math.sin(low * index) + highest * Math.sin(high * index);
    return Math.round(Math.max(-32_768, Math.min(32_767, sum)));
  });
}
