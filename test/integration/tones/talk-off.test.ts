/**
 * Talk-off of the tone detector: no speech is detected as a key, in all recorded prompts and an hour of voices in noise.
 * The voices are espeak-ng's, also played faster and slower, which shifts their frequencies.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { english } from '../../../src/languages/index.ts';
import { type Codec, decodeWav, encodeG711, FRAME_SAMPLES, tonesOf } from '../../../src/local/softswitch/rtp/index.ts';
import { ToneDetector } from '../../../src/local/softswitch/rtp/tone-detector.ts';
import { createEspeak } from '../../../src/speech/espeak/espeak.ts';
import { sharedTexts } from '../../../src/speech/recorded.ts';

const RECORDED = new URL('../../../prompts/recorded/', import.meta.url).pathname;
const VOICES = ['en-us', 'en-us+f3', 'en-us+m3', 'en-gb', 'en-us+whisper', 'es', 'fr', 'de'];
const SAMPLES_PER_HOUR = 3_600 * 8_000;
/** Factors of a voice's normal speed. */
const SPEEDS = [1, 0.75, 0.85, 0.95, 1.1];

const lawOf = (turn: number): Codec => (turn % 2 === 0 ? 'PCMU' : 'PCMA');

function keysIn(sound: Int16Array, law: Codec): string {
  let keys = '';
  const detector = new ToneDetector((digit) => {
    keys += digit.key;
  });
  const encoded = encodeG711(sound, law);
  for (let at = 0; at < encoded.length; at += FRAME_SAMPLES)
    detector.hear(encoded.subarray(at, at + FRAME_SAMPLES), law);
  return keys;
}

function recordings(): string[] {
  const files = readdirSync(RECORDED, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.wav')).map((file) => join(RECORDED, file));
}

function atSpeed(sound: Int16Array, speed: number): Int16Array {
  if (speed === 1) return sound;
  return Int16Array.from({ length: Math.floor(sound.length / speed) - 1 }, (_, index) => {
    const before = Math.floor(index * speed);
    const share = index * speed - before;
    return Math.round((sound[before] ?? 0) * (1 - share) + (sound[before + 1] ?? 0) * share);
  });
}

/** Adds `noise` in a loop, `times` as loud. */
function mixed(sound: Int16Array, noise: Int16Array, times: number): Int16Array {
  return sound.map((sample, at) => {
    const sum = sample + (noise[at % noise.length] ?? 0) * times;
    return Math.round(Math.max(-32_768, Math.min(32_767, sum)));
  });
}

/** Reproducible white noise. */
function noiseOf(samples: number): Int16Array {
  let state = 1;
  return Int16Array.from({ length: samples }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >> 15) - 32_768;
  });
}

async function voice(name: string): Promise<Int16Array> {
  const text = sharedTexts(english).join(' ').slice(0, 1_500);
  const wav = await createEspeak().render({ text, language: name, voice: name }, new AbortController().signal);
  return decodeWav(Buffer.from(wav));
}

describe('the tone detector', () => {
  let voices: Int16Array[] = [];
  const noise = noiseOf(8_000 * 7);

  beforeAll(async () => {
    voices = await Promise.all(VOICES.map(voice));
  });

  it('detects no key in any recorded prompt', () => {
    const files = recordings();
    expect(files.length).toBeGreaterThan(50);
    const wrong = files.filter((file) => {
      const sound = decodeWav(readFileSync(file));
      return [sound, atSpeed(sound, 0.9), atSpeed(sound, 1.1)].some((each, turn) => keysIn(each, lawOf(turn)) !== '');
    });
    expect(wrong).toEqual([]);
  });

  it('detects no key in an hour of voices and noise', () => {
    const wrong: string[] = [];
    let samples = 0;
    for (const [turn, speed] of SPEEDS.entries()) {
      for (const [index, spoken] of voices.entries()) {
        const sound = mixed(atSpeed(spoken, speed), noise, [0, 0.003, 0.02][(turn + index) % 3] ?? 0);
        samples += sound.length;
        if (keysIn(sound, lawOf(turn)) !== '') wrong.push(`${VOICES[index]} at ${speed}`);
      }
    }
    expect(samples).toBeGreaterThan(SAMPLES_PER_HOUR);
    expect(wrong).toEqual([]);
  });

  it('detects no key in quiet or loud noise', () => {
    const levels = [0.003, 0.03, 0.3, 1];
    expect(levels.map((level) => keysIn(mixed(new Int16Array(8_000 * 60), noise, level), 'PCMU'))).toEqual([
      '',
      '',
      '',
      '',
    ]);
  });

  it.each<[string, { toneMs: number; gapMs: number }, number]>([
    ['80 ms under an echo 20 dB below them', { toneMs: 80, gapMs: 60 }, 0.1],
    ['40 ms under an echo 26 dB below them', { toneMs: 40, gapMs: 53 }, 0.05],
    ['250 ms under a voice 12 dB below them', { toneMs: 250, gapMs: 100 }, 0.25],
  ])('detects each key of %s once', (_what, timing, times) => {
    const keys = '4242424242424242123011223344556677889900**##';
    for (const [turn, spoken] of voices.entries()) {
      // Prompts are about as loud as keys.
      const sound = mixed(tonesOf(keys, timing), spoken, times);
      expect(keysIn(sound, lawOf(turn))).toBe(keys);
      const quiet = sound.map((sample) => Math.round(sample * 10 ** (-16 / 20)));
      expect(keysIn(quiet, lawOf(turn))).toBe(keys);
    }
  });
});
