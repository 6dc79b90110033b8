/** The way from a synthesizer's rate to the telephone's. */
import { describe, expect, it } from 'vitest';
import { activeLevel, resample } from './audio.ts';

describe.each([16_000, 22_050, 24_000])('resampling from %i Hz to 8 kHz', (fromHz) => {
  const tone = (hz: number) =>
    new Float32Array(fromHz).map((_, at) => 0.5 * Math.sin((2 * Math.PI * hz * at) / fromHz));
  /** dB that a tone loses on the way to 8 kHz; the ends, where it begins and stops, are left out. */
  async function loss(hz: number): Promise<number> {
    const through = (await resample(tone(hz), fromHz)).subarray(400, 7_600);
    return activeLevel(tone(hz)) - activeLevel(through);
  }

  it.each([300, 1_000, 2_500, 3_300])('passes %i Hz', async (hz) => expect(Math.abs(await loss(hz))).toBeLessThan(0.3));

  it.each([4_100, 5_000, 6_500, 7_700])('removes %i Hz, which would alias', async (hz) => {
    expect(await loss(hz)).toBeGreaterThan(60);
  });

  it('keeps the length', async () => {
    expect(await resample(tone(440), fromHz)).toHaveLength(8_000);
  });
});
