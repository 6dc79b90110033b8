/**
 * Finds DTMF keys in the sound of a call, for phones and trunks that cannot send them in another way. It runs SpanDSP's
 * tests (as FreeSWITCH's mod_spandsp does) on blocks of 102 samples: level, twist, peaks, share of the energy, two
 * blocks in a row. It adds two tests: the tone's frequency, by its phase from block to block, and its length. The
 * limits are those of ITU-T Q.24.
 */
import type { Digit } from './dtmf-receiver.ts';
import { AMPLITUDE_0_DBM0, HIGH_HZ, KEYPAD, LOW_HZ, SAMPLES_PER_SECOND } from './dtmf-tones.ts';
import { type Codec, decodeTable } from './g711.ts';

/** 12.75 ms: long enough to distinguish 697 from 770 Hz, short enough that 40 ms always contain two complete blocks. */
const BLOCK = 102;
const HZ = [...LOW_HZ, ...HIGH_HZ];
/** Goertzel's coefficients. */
const COEFFICIENT = HZ.map((hz) => 2 * Math.cos((2 * Math.PI * hz) / SAMPLES_PER_SECOND));
const SINE = HZ.map((hz) => Math.sin((2 * Math.PI * hz) / SAMPLES_PER_SECOND));
/** How much a tone's phase increases within a block. */
const PHASE_STEP = HZ.map((hz) => (2 * Math.PI * hz * BLOCK) / SAMPLES_PER_SECOND);
const HZ_PER_RADIAN = SAMPLES_PER_SECOND / (2 * Math.PI * BLOCK);

const ratioOf = (db: number) => 10 ** (db / 10);
/** Goertzel power of a tone of 0 dBm0 that lasts the whole block. */
const POWER_0_DBM0 = ((AMPLITUDE_0_DBM0 * BLOCK) / 2) ** 2;
const LEAST_POWER = POWER_0_DBM0 * ratioOf(-42);
/**
 * Q.24 accepts a high frequency up to 8 dB weaker or 4 dB louder than the low one. Within a block each affects the
 * other.
 */
const MOST_LOW_OVER_HIGH = ratioOf(10.5);
const MOST_HIGH_OVER_LOW = ratioOf(6);
/** How far a frequency must be above the other three of its group. */
const LEAST_PEAK = ratioOf(6);
/** Minimum share of the two frequencies in the block's energy. Goertzel power is energy times half a block. */
const LEAST_SHARE = (ratioOf(-0.85) * BLOCK) / 2;
/**
 * The power that a frequency may lose because it is off; known only with the second block, which then corrects for it.
 */
const MOST_LOST = ratioOf(1.5);
/** 1.5% is accepted and 3.5% is not. */
const MOST_OFF = 0.02;
/** In blocks: 23 ms are 1.8 and look like two at most; 40 ms are 3.1. */
const LEAST_LENGTH = 2.5;
/** Minimum level within a tone, relative to its start, because a voice may overlap it. */
const LEAST_HELD = ratioOf(-5);
/** Blocks without the tone that end it. A gap of 10 ms touches two at most, one of 40 ms at least three. */
const BLOCKS_OF_PAUSE = 3;
/** Number of blocks that the tests look back at. */
const KEPT_BLOCKS = 4;
/** The length that FreeSWITCH reports for every tone, because it reports a tone at its start. */
const REPORTED_SAMPLES = 2_000;

/** The share of each frequency in a block. */
class Spectrum {
  readonly power = new Float64Array(HZ.length);
  /** Real and imaginary parts. */
  readonly real = new Float64Array(HZ.length);
  readonly imaginary = new Float64Array(HZ.length);
  energy = 0;
  key = '';
}

/** Detects keys in one source of sound. Gaps must be passed to `rest` or `skip`. */
export class ToneDetector {
  readonly #onDigit: (digit: Digit) => void;
  readonly #block = new Float64Array(BLOCK);
  #filled = 0;
  /** The last blocks, the newest first. */
  #blocks = Array.from({ length: KEPT_BLOCKS }, () => new Spectrum());
  /** A key that has passed all tests except the length; `age` is the number of blocks since its second block. */
  #candidate: { key: string; age: number } | null = null;
  /** The key that is being held. */
  #held = '';
  #heldPower = 0;
  #missed = 0;

  /** @param onDigit called after about 30 ms of a tone */
  constructor(onDigit: (digit: Digit) => void) {
    this.#onDigit = onDigit;
  }

  /** Reads sound of any length. */
  hear(sound: Uint8Array, codec: Codec): void {
    const table = decodeTable(codec);
    for (let index = 0; index < sound.length; index++) this.#take(table[sound[index] as number] as number);
  }

  /** Handles silence of this length. */
  rest(samples: number): void {
    for (let left = Math.min(samples, KEPT_BLOCKS * BLOCK); left > 0; left--) this.#take(0);
  }

  /** Handles lost sound: a held key stays held. */
  skip(): void {
    this.#filled = 0;
  }

  #take(sample: number): void {
    this.#block[this.#filled++] = sample;
    if (this.#filled < BLOCK) return;
    this.#filled = 0;
    this.#judge();
  }

  #judge(): void {
    const now = this.#blocks.pop() as Spectrum;
    this.#blocks.unshift(now);
    now.key = this.#measure(now);
    const [, before] = this.#blocks as [Spectrum, Spectrum];
    if (this.#held !== '' && now.key !== this.#held && !this.#isHeldIn(now)) this.#miss();
    else this.#missed = 0;
    if (this.#candidate !== null) this.#candidate.age += 1;
    if (now.key !== '' && now.key === before.key && now.key !== this.#held && isSteady(now, before)) {
      this.#candidate ??= { key: now.key, age: 0 };
    }
    this.#decide();
  }

  #miss(): void {
    this.#missed += 1;
    if (this.#missed >= BLOCKS_OF_PAUSE) this.#held = '';
  }

  /** Reports a candidate that is as long as a key press. */
  #decide(): void {
    if (this.#candidate === null) return;
    const { key, age } = this.#candidate;
    const blocks = this.#blocks.slice(0, age + 3);
    const powers = blocks.map(({ power }) => (power[lowOf(key)] as number) + (power[highOf(key)] as number));
    const most = Math.max(...powers);
    const length = powers.reduce((sum, power) => sum + Math.sqrt(power / most), 0);
    if (length < LEAST_LENGTH) {
      if (age > 0) this.#candidate = null;
      return;
    }
    this.#candidate = null;
    this.#held = key;
    this.#heldPower = Math.max(...blocks.map((block) => weakerOf(key, block)));
    this.#missed = 0;
    this.#onDigit({ key, durationSamples: REPORTED_SAMPLES });
  }

  /**
   * Whether a key continues under a voice or a prompt, with which it would fail the tests that it has already passed.
   */
  #isHeldIn(block: Spectrum): boolean {
    return weakerOf(this.#held, block) > this.#heldPower * LEAST_HELD;
  }

  /** Measures the block's frequencies; returns the key of its tone, or an empty string. */
  #measure(to: Spectrum): string {
    let energy = 0;
    for (const sample of this.#block) energy += sample * sample;
    to.energy = energy;
    // Most blocks are silence: a tone with this energy is below the minimum level.
    if (energy * BLOCK < 4 * LEAST_POWER) {
      to.power.fill(0);
      return '';
    }
    for (let at = 0; at < HZ.length; at++) this.#goertzel(at, to);
    return keyOf(to);
  }

  #goertzel(at: number, to: Spectrum): void {
    const coefficient = COEFFICIENT[at] as number;
    let [last, lastButOne] = [0, 0];
    for (const sample of this.#block) {
      const next = sample + coefficient * last - lastButOne;
      lastButOne = last;
      last = next;
    }
    to.power[at] = last * last + lastButOne * lastButOne - coefficient * last * lastButOne;
    to.real[at] = last - (coefficient / 2) * lastButOne;
    to.imaginary[at] = lastButOne * (SINE[at] as number);
  }
}

/** The key of the two frequencies that stand out; empty if there can be no tone. */
function keyOf(spectrum: Spectrum): string {
  const low = peakOf(spectrum.power, 0);
  const high = peakOf(spectrum.power, LOW_HZ.length);
  if (low < 0 || high < 0) return '';
  const [lowPower, highPower] = [spectrum.power[low] as number, spectrum.power[high] as number];
  const isTone = isBalanced(lowPower, highPower, MOST_LOST) && isAlone(lowPower + highPower, spectrum, MOST_LOST);
  return isTone ? KEYPAD.charAt(low * HIGH_HZ.length + high - LOW_HZ.length) : '';
}

/** The test of twist. */
function isBalanced(low: number, high: number, lost = 1): boolean {
  return low <= high * MOST_LOW_OVER_HIGH * lost && high <= low * MOST_HIGH_OVER_LOW * lost;
}

/** The test of the share of the energy. */
function isAlone(power: number, { energy }: Spectrum, lost = 1): boolean {
  return power * lost >= LEAST_SHARE * energy;
}

/** The one frequency that stands out in the group that starts at `from`; −1 if none does. */
function peakOf(power: Float64Array, from: number): number {
  let peak = from;
  for (let at = from + 1; at < from + LOW_HZ.length; at++) {
    if ((power[at] as number) > (power[peak] as number)) peak = at;
  }
  const needed = power[peak] as number;
  if (needed < LEAST_POWER) return -1;
  for (let at = from; at < from + LOW_HZ.length; at++) {
    if (at !== peak && (power[at] as number) * LEAST_PEAK > needed) return -1;
  }
  return peak;
}

const lowOf = (key: string) => KEYPAD.indexOf(key) >> 2;
const highOf = (key: string) => LOW_HZ.length + (KEYPAD.indexOf(key) & 3);

/** The power of a key's weaker frequency. */
function weakerOf(key: string, { power }: Spectrum): number {
  return Math.min(power[lowOf(key)] as number, power[highOf(key)] as number);
}

function phaseOf({ real, imaginary }: Spectrum, at: number): number {
  return Math.atan2(imaginary[at] as number, real[at] as number);
}

/** Whether two blocks of one key contain the same two waves, close enough to their frequencies, and little else. */
function isSteady(now: Spectrum, before: Spectrum): boolean {
  const [low, high] = [lowOf(now.key), highOf(now.key)];
  const [lowOff, highOff] = [hzOff(now, before, low), hzOff(now, before, high)];
  if (Math.abs(lowOff) > MOST_OFF * (HZ[low] as number) || Math.abs(highOff) > MOST_OFF * (HZ[high] as number))
    return false;
  return [now, before].every((block) => {
    const lowPower = (block.power[low] as number) / keptAt(lowOff);
    const highPower = (block.power[high] as number) / keptAt(highOff);
    return isBalanced(lowPower, highPower) && isAlone(lowPower + highPower, block);
  });
}

/** How far a frequency is off, measured by the change of its phase from one block to the next. */
function hzOff(now: Spectrum, before: Spectrum, at: number): number {
  const turned = phaseOf(now, at) - phaseOf(before, at) - (PHASE_STEP[at] as number);
  return (turned - 2 * Math.PI * Math.round(turned / (2 * Math.PI))) * HZ_PER_RADIAN;
}

/** The share of a wave's power that Goertzel's algorithm measures if the wave is off by `offHz`. */
function keptAt(offHz: number): number {
  const turns = (Math.PI * offHz * BLOCK) / SAMPLES_PER_SECOND;
  return turns === 0 ? 1 : (Math.sin(turns) / turns) ** 2;
}
