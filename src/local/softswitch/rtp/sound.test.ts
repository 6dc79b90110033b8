import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import wavefile from 'wavefile';
import { BridgeFeed, frameAt } from './audio-source.ts';
import { ClipCache, ClipUnavailable, clipOf, decodeWav } from './clip-cache.ts';
import { decodeG711, encodeG711, FRAME_SAMPLES, SILENCE_BYTE, transcodeG711 } from './g711.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ringkey-sound-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function wav(samples: ArrayLike<number>, rate = 8000, channels = 1, depth = '16'): Buffer {
  const file = new wavefile.WaveFile();
  file.fromScratch(channels, rate, depth, Array.from(samples));
  return Buffer.from(file.toBuffer());
}

const sine = (hz: number, ms: number, rate = 8000): Int16Array =>
  Int16Array.from({ length: (ms * rate) / 1000 }, (_, n) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * hz * n) / rate)),
  );

describe('G.711', () => {
  it.each(['PCMU', 'PCMA'] as const)('%s returns every code exactly, and every sample approximately', (codec) => {
    const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
    const samples = decodeG711(codes, codec);
    // µ-law has two codes for zero.
    expect(decodeG711(encodeG711(samples, codec), codec)).toEqual(samples);
    const ramp = Int16Array.from({ length: 4096 }, (_, n) => (n - 2048) * 15);
    const error = decodeG711(encodeG711(ramp, codec), codec).map((sample, n) => Math.abs(sample - (ramp[n] ?? 0)));
    for (const [n, off] of error.entries()) expect(off).toBeLessThanOrEqual(8 + Math.abs(ramp[n] ?? 0) / 16);
  });

  it('is transcoded to the same sound', () => {
    const sound = encodeG711(sine(440, 20), 'PCMU');
    const crossed = decodeG711(transcodeG711(sound, 'PCMU', 'PCMA'), 'PCMA');
    const straight = decodeG711(sound, 'PCMU');
    for (const [n, sample] of crossed.entries()) expect(Math.abs(sample - (straight[n] ?? 0))).toBeLessThan(600);
  });

  it('has its own byte for silence', () => {
    expect(encodeG711(new Int16Array(1), 'PCMU')[0]).toBe(SILENCE_BYTE.PCMU);
    expect(encodeG711(new Int16Array(1), 'PCMA')[0]).toBe(SILENCE_BYTE.PCMA);
  });
});

describe('a WAV file', () => {
  it('of 8 kHz, mono and 16 bits is used unchanged', () => {
    expect(decodeWav(wav(sine(300, 50)))).toEqual(sine(300, 50));
  });

  it('of another rate, bit depth or number of channels is converted', () => {
    expect(decodeWav(wav(sine(300, 500, 16_000), 16_000)).length).toBeCloseTo(4000, -2);
    const stereo = [...sine(300, 50)].flatMap((sample) => [sample, sample]);
    expect(decodeWav(wav(stereo, 8000, 2))).toEqual(sine(300, 50));
    const loudest = decodeWav(wav(Array(800).fill(255), 8000, 1, '8')).reduce(
      (most, sample) => Math.max(most, sample),
      0,
    );
    expect(loudest).toBeGreaterThan(30_000);
  });

  it('is refused if it is not in WAV format', () => {
    expect(() => decodeWav(Buffer.from('RIFF....WAVEfmt garbage'))).toThrow(ClipUnavailable);
    expect(() => decodeWav(Buffer.alloc(0))).toThrow(ClipUnavailable);
  });
});

describe('a clip', () => {
  it('is cut into frames, and the last one is padded with silence', () => {
    const clip = clipOf(sine(300, 30));
    expect(frameAt(clip, 0, 'PCMA')).toEqual(clip.encoded('PCMA').subarray(0, FRAME_SAMPLES));
    const last = frameAt(clip, FRAME_SAMPLES, 'PCMA');
    expect(last?.subarray(0, 80)).toEqual(clip.encoded('PCMA').subarray(FRAME_SAMPLES));
    expect(last?.subarray(80)).toEqual(Buffer.alloc(80, SILENCE_BYTE.PCMA));
    expect(frameAt(clip, 2 * FRAME_SAMPLES, 'PCMA')).toBeNull();
  });

  it('is read once, and again after the file has changed', async () => {
    const cache = new ClipCache();
    const path = join(folder, 'prompt.wav');
    await writeFile(path, wav(sine(300, 50)));
    const [first, second] = await Promise.all([cache.get(path), cache.get(path)]);
    expect(second).toBe(first);
    await writeFile(path, wav(sine(300, 80)));
    await utimes(path, 1, 1);
    expect((await cache.get(path)).samples).toBe(640);
  });

  it('is evicted if the cache is full', async () => {
    const cache = new ClipCache(2000);
    const paths = ['a.wav', 'b.wav', 'c.wav'].map((name) => join(folder, name));
    for (const path of paths) {
      await writeFile(path, wav(sine(300, 50)));
      await cache.get(path);
    }
    expect(cache.bytes).toBe(1600);
  });

  it('is read again the next time if it could not be read', async () => {
    const cache = new ClipCache();
    const path = join(folder, 'later.wav');
    await expect(cache.get(path)).rejects.toThrow(ClipUnavailable);
    await writeFile(path, 'not yet');
    await expect(cache.get(path)).rejects.toThrow(ClipUnavailable);
    await writeFile(path, wav(sine(300, 50)));
    expect((await cache.get(path)).samples).toBe(400);
  });
});

describe('audio relayed between two legs', () => {
  it('is returned in frames for all packet sizes', () => {
    const feed = new BridgeFeed();
    feed.push(Buffer.alloc(240, 1), 'PCMU');
    feed.push(Buffer.alloc(80, 2), 'PCMU');
    expect(feed.read('PCMU')).toEqual(Buffer.alloc(160, 1));
    expect(feed.read('PCMU')).toEqual(Buffer.concat([Buffer.alloc(80, 1), Buffer.alloc(80, 2)]));
    expect(feed.read('PCMU')).toBeNull();
  });

  it('does not accumulate delay if one clock is faster', () => {
    const feed = new BridgeFeed();
    for (let packet = 0; packet < 100; packet++) feed.push(Buffer.alloc(160, packet), 'PCMU');
    let newest = -1;
    let frames = 0;
    for (let frame = feed.read('PCMU'); frame; frame = feed.read('PCMU')) {
      newest = frame[0] ?? -1;
      frames++;
    }
    expect(newest).toBe(99);
    expect(frames).toBeLessThanOrEqual(8);
  });
});
