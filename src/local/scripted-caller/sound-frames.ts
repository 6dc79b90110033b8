/**
 * Frames of 20 ms of sound, and their comparison. A caller compares each frame that it hears with those of hundreds of
 * prompts: most differ already in loudness, the others in their first samples.
 */

/** Root mean square below which a frame counts as silence. */
const SILENCE_RMS = 120;
/** Share of the energy by which a frame may differ from the phrase's; G.711 causes less than 0.01. */
const TOLERANCE = 0.1;

const FRAME_SAMPLES = 160;

/** Up to 160 samples of 8 kHz, 16-bit. */
export interface Frame {
  readonly samples: Int16Array;
  /** Sum of the squares of its samples. */
  readonly energy: number;
  readonly norm: number;
}

export function frameOf(samples: Int16Array): Frame {
  let energy = 0;
  for (let i = 0; i < samples.length; i += 1) {
    const sample = samples[i] as number;
    energy += sample * sample;
  }
  return { samples, energy, norm: Math.sqrt(energy) };
}

export const isAudible = ({ samples, energy }: Frame) => energy >= SILENCE_RMS * SILENCE_RMS * samples.length;

/** Whether two frames are the same sound, except for the codec's distortion. */
export function framesMatch(actual: Frame, expected: Frame): boolean {
  const { samples: want } = expected;
  const { samples: got } = actual;
  const limit = TOLERANCE * (expected.energy + SILENCE_RMS * SILENCE_RMS * want.length);
  // The distance of two vectors is at least the difference of their lengths.
  if ((actual.norm - expected.norm) ** 2 > limit) return false;
  let difference = 0;
  for (let i = 0; i < want.length; i += 1) {
    const error = (got[i] ?? 0) - (want[i] as number);
    difference += error * error;
    if (difference > limit) return false;
  }
  return true;
}

/** The ringing tone that the line plays while the agent is called. */
const RINGING_HZ = [440, 480];
const SAMPLES_PER_SECOND = 8_000;
const RINGING_WAVES = orthonormal(RINGING_HZ.flatMap((hz) => [wave(Math.sin, hz), wave(Math.cos, hz)]));

/** Whether a frame is the ringing tone, at any phase. */
export function isRingingTone({ samples, energy }: Frame): boolean {
  if (samples.length !== FRAME_SAMPLES) return false;
  const ofTone = RINGING_WAVES.reduce((sum, tone) => sum + product(tone, samples) ** 2, 0);
  return ofTone >= (1 - TOLERANCE) * energy;
}

function wave(shape: (radians: number) => number, hz: number): number[] {
  return Array.from({ length: FRAME_SAMPLES }, (_, i) => shape((2 * Math.PI * hz * i) / SAMPLES_PER_SECOND));
}

/** Orthonormal vectors that span the same space (Gram-Schmidt). */
function orthonormal(vectors: readonly number[][]): number[][] {
  const basis: number[][] = [];
  for (const vector of vectors) {
    const rest = basis.reduce((left, unit) => {
      const share = product(unit, left);
      return left.map((value, i) => value - share * (unit[i] ?? 0));
    }, vector);
    const length = Math.sqrt(product(rest, rest));
    basis.push(rest.map((value) => value / length));
  }
  return basis;
}

function product(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < one.length; i += 1) sum += (one[i] as number) * (other[i] as number);
  return sum;
}
