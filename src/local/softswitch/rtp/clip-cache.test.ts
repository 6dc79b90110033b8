import { expect, it } from 'vitest';
import wavefile from 'wavefile';
import { decodeWav } from './clip-cache.ts';

const TONE = Int16Array.from({ length: 800 }, (_, at) => Math.round(12_000 * Math.sin((2 * Math.PI * at) / 16)));

function tone(): wavefile.WaveFile {
  const wav = new wavefile.WaveFile();
  wav.fromScratch(1, 8_000, '16', TONE);
  return wav;
}

it.each([
  ['linear', (wav: wavefile.WaveFile) => wav, 0],
  ['24 bits', (wav: wavefile.WaveFile) => wav.toBitDepth('24'), 1],
  ['µ-law', (wav: wavefile.WaveFile) => wav.toMuLaw(), 512],
  ['A-law', (wav: wavefile.WaveFile) => wav.toALaw(), 512],
])('a %s file is decoded to its original samples', (_name, convert, tolerance) => {
  const wav = tone();
  convert(wav);
  const samples = decodeWav(Buffer.from(wav.toBuffer()));
  expect(samples).toHaveLength(TONE.length);
  const worst = samples.reduce((most, sample, at) => Math.max(most, Math.abs(sample - (TONE[at] ?? 0))), 0);
  expect(worst).toBeLessThanOrEqual(tolerance);
});
