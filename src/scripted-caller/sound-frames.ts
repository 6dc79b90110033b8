/**
 * Frames of 20 ms of sound, and whether two are the same. A caller compares each frame that it hears with those of hundreds of
 * prompts: most are told apart by their loudness alone, the others by their first samples.
 */

/** Root mean square below which a frame counts as silence. */
export const SILENCE_RMS = 120;
/** Share of the energy by which a frame may differ from the phrase's: G.711 leaves under 0.01. */
const TOLERANCE = 0.1;

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

/** Whether two frames are the same sound, apart from what the codec changes. */
export function framesMatch(heard: Frame, expected: Frame): boolean {
  const { samples: want } = expected;
  const { samples: got } = heard;
  const limit = TOLERANCE * (expected.energy + SILENCE_RMS * SILENCE_RMS * want.length);
  // Two vectors are no nearer to each other than their lengths are.
  if ((heard.norm - expected.norm) ** 2 > limit) return false;
  let difference = 0;
  for (let i = 0; i < want.length; i += 1) {
    const error = (got[i] ?? 0) - (want[i] as number);
    difference += error * error;
    if (difference > limit) return false;
  }
  return true;
}
