import { describe, expect, it } from 'vitest';
import { KEYPAD, type ToneShape, toneOf } from './dtmf-tones.ts';
import { type Codec, encodeG711, FRAME_SAMPLES, SAMPLES_PER_MS } from './g711.ts';
import { ToneDetector } from './tone-detector.ts';

const LAWS: readonly Codec[] = ['PCMU', 'PCMA'];
/** Tones start at each of these offsets in the detector's blocks of 102 samples. */
const OFFSETS = Array.from({ length: 17 }, (_, index) => index * 6);

const quiet = (ms: number, samples = 0) => new Int16Array(ms * SAMPLES_PER_MS + samples);
const tone = (key: string, ms: number, shape: ToneShape = {}) => toneOf(key, ms * SAMPLES_PER_MS, shape);

function joined(parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The keys that the detector finds in packets of 20 ms. */
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

/** All keys, in both laws and at all offsets, whose sound was not detected as `expected`. */
function misheard(sound: (key: string) => readonly Int16Array[], expected: (key: string) => string): string[] {
  const wrong: string[] = [];
  for (const law of LAWS) {
    for (const key of KEYPAD) {
      const parts = sound(key);
      for (const offset of OFFSETS) {
        const keys = keysIn(joined([quiet(40, offset), ...parts, quiet(80)]), law);
        if (keys !== expected(key)) wrong.push(`${law} ${key} at ${offset}: ${keys}`);
      }
    }
  }
  return wrong;
}

const itself = (key: string) => key;
const nothing = () => '';
const SIGNS = [-1, 0, 1].flatMap((low) => [-1, 0, 1].map((high) => ({ low, high })));

// The figures are those of ITU-T Q.24, annex A: Australia, AT&T and others, whichever is stricter.
describe('the tone detector', () => {
  it.each(SIGNS)('detects frequencies that are 1.5% off ($low, $high)', ({ low, high }) => {
    const shape = { lowOff: 0.015 * low, highOff: 0.015 * high };
    expect(misheard((key) => [tone(key, 40, shape)], itself)).toEqual([]);
  });

  it.each(SIGNS.filter(({ low, high }) => low !== 0 || high !== 0))(
    'takes none where one is 3.5 % off ($low, $high)',
    ({ low, high }) => {
      const shape = { lowOff: 0.035 * low, highOff: 0.035 * high };
      expect(misheard((key) => [tone(key, 100, shape)], nothing)).toEqual([]);
    },
  );

  it.each([0, -3, -9, -15, -20, -25])('detects 40 ms at %i dBm0', (levelDbm0) => {
    expect(misheard((key) => [tone(key, 40, { levelDbm0 })], itself)).toEqual([]);
  });

  it.each([-55, -60])('ignores tones at %i dBm0', (levelDbm0) => {
    expect(misheard((key) => [tone(key, 200, { levelDbm0 })], nothing)).toEqual([]);
  });

  it.each([4, 2, -4, -8])('detects a high frequency %i dB above the low one', (twistDb) => {
    expect(misheard((key) => [tone(key, 50, { twistDb, levelDbm0: -10 })], itself)).toEqual([]);
    expect(misheard((key) => [tone(key, 50, { twistDb, levelDbm0: -25 })], itself)).toEqual([]);
  });

  it.each([8, -13])('ignores a high frequency %i dB above the low one', (twistDb) => {
    expect(misheard((key) => [tone(key, 100, { twistDb, levelDbm0: -12 })], nothing)).toEqual([]);
  });

  it.each([0, -9, -25])('ignores tones of 23 ms at %i dBm0', (levelDbm0) => {
    expect(misheard((key) => [tone(key, 23, { levelDbm0 })], nothing)).toEqual([]);
  });

  it('reports a tone with a gap of 10 ms as one key', () => {
    expect(misheard((key) => [tone(key, 50), quiet(10), tone(key, 50)], itself)).toEqual([]);
  });

  it('reports a key that is pressed twice within 80 ms as two', () => {
    expect(
      misheard(
        (key) => [tone(key, 40), quiet(40), tone(key, 40)],
        (key) => key + key,
      ),
    ).toEqual([]);
  });

  it.each([40, 45, 53])('detects every press of a key each 93 ms, held for %i ms', (toneMs) => {
    const others = '1234567890*#ABCD4242424242424242';
    const sound = (key: string) =>
      [...`${others}${key}${key}`].flatMap((each) => [tone(each, toneMs), quiet(93 - toneMs)]);
    expect(misheard(sound, (key) => `${others}${key}${key}`)).toEqual([]);
  });

  it('reports a key that is held for ten seconds once', () => {
    expect(LAWS.map((law) => keysIn(joined([tone('5', 10_000), quiet(100)]), law))).toEqual(['5', '5']);
  });

  it('reports two keys if one changes into another without a pause', () => {
    expect(
      misheard(
        (key) => [tone(key, 80), tone(key === '7' ? '8' : '7', 80)],
        (key) => `${key}${key === '7' ? '8' : '7'}`,
      ),
    ).toEqual([]);
  });

  it.each([
    [[697]],
    [[1209]],
    [[697, 770]],
    [[1209, 1336]],
    [[350, 440]],
    [[440, 480]],
    [[480, 620]],
    [[425]],
    [[2100]],
  ])('finds no key in %j Hz', (hz) => {
    const sound = quiet(2_000).map((_, at) => {
      const waves = hz.map((each) => 6_000 * Math.sin((2 * Math.PI * each * at) / 8_000));
      return waves.reduce((sum, wave) => sum + wave, 0);
    });
    expect(LAWS.map((law) => keysIn(sound, law))).toEqual(['', '']);
  });

  it('reports a key while it is held', () => {
    const detector: { keys: number } = { keys: 0 };
    const hears = new ToneDetector(() => {
      detector.keys += 1;
    });
    hears.hear(encodeG711(tone('5', 60), 'PCMU'), 'PCMU');
    expect(detector.keys).toBe(1);
  });

  it('keeps a held key during lost sound, and ends it in silence', () => {
    const through = (pass: (detector: ToneDetector) => void) => {
      let keys = '';
      const detector = new ToneDetector((digit) => {
        keys += digit.key;
      });
      const sound = encodeG711(tone('5', 80), 'PCMA');
      detector.hear(sound, 'PCMA');
      pass(detector);
      detector.hear(sound, 'PCMA');
      return keys;
    };
    expect(through((detector) => detector.skip())).toBe('5');
    expect(through((detector) => detector.rest(1_000_000))).toBe('55');
  });
});
