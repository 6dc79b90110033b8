import alawmulaw from 'alawmulaw';
import { describe, expect, test } from 'vitest';
import { FRAME_SAMPLES } from '../softswitch/rtp/index.ts';
import { createPhrase, PromptLibrary } from './prompt-library.ts';
import { type RecognizedSound, RINGING, SpeechRecognizer } from './speech-recognizer.ts';

/** Speech-like sound: rising and fading tones, different for each seed. */
function sound(seed: number, frames: number): Int16Array {
  return Int16Array.from({ length: frames * FRAME_SAMPLES }, (_, i) => {
    const swell = 0.6 + 0.4 * Math.sin(i / (90 + seed));
    return Math.round(6000 * swell * (Math.sin((i * (seed + 3)) / 40) + 0.5 * Math.sin((i * (seed + 7)) / 23)));
  });
}

const GREETING = sound(1, 60);
const EXPIRY = sound(2, 40);
const SECURITY_CODE = sound(5, 50);
const PROMPTS = [
  createPhrase('greeting', GREETING),
  createPhrase('expiry', EXPIRY),
  createPhrase('security code', SECURITY_CODE),
];
const SILENCE = new Int16Array(12 * FRAME_SAMPLES);

function listen(...parts: Int16Array[]): RecognizedSound[] {
  const sounds: RecognizedSound[] = [];
  const ear = new SpeechRecognizer(new PromptLibrary([], PROMPTS), (what) => sounds.push(what));
  let atMs = 0;
  for (const part of parts) {
    // Encoded as µ-law and decoded again, as on the network.
    const samples = alawmulaw.mulaw.decode(alawmulaw.mulaw.encode(part));
    for (let at = 0; at < samples.length; at += FRAME_SAMPLES, atMs += 20) {
      ear.addFrame(samples.subarray(at, at + FRAME_SAMPLES), atMs);
    }
  }
  ear.finish();
  return sounds;
}

const said = (sounds: RecognizedSound[]) => sounds.map(({ text, complete }) => `${text}${complete ? '' : ' (cut)'}`);

describe('the speech recognizer', () => {
  test('recognizes a complete sentence and its times', () => {
    const [sounds] = listen(SILENCE, GREETING, SILENCE);
    expect(sounds).toEqual({ text: 'greeting', startedAtMs: 240, endedAtMs: 240 + 60 * 20, complete: true });
  });

  test('reports a sentence that was interrupted', () => {
    expect(said(listen(GREETING.subarray(0, 30 * FRAME_SAMPLES), SILENCE))).toEqual(['greeting (cut)']);
  });

  test.each([[[SILENCE]], [[]]])('recognizes a sentence that interrupts another', (between) => {
    const cut = GREETING.subarray(0, 30 * FRAME_SAMPLES);
    expect(said(listen(cut, ...between, EXPIRY, SILENCE))).toEqual(['greeting (cut)', 'expiry']);
  });

  test('reports only the words that were played before an interruption', () => {
    const [start, rest] = [sound(21, 40), sound(22, 40)];
    const join = (one: Int16Array, two: Int16Array) => Int16Array.from([...one, ...two]);
    const book = [
      createPhrase('Books, two dollars', join(start, rest)),
      createPhrase('Books, ten dollars', join(start, GREETING)),
    ];
    const sounds: RecognizedSound[] = [];
    const ear = new SpeechRecognizer(new PromptLibrary([], book), (what) => sounds.push(what));
    for (let at = 0; at < 30 * FRAME_SAMPLES; at += FRAME_SAMPLES)
      ear.addFrame(start.subarray(at, at + FRAME_SAMPLES), at / 8);
    ear.finish();
    expect(said(sounds)).toEqual(['Books, … (cut)']);
  });

  test('recognizes sentences without a pause between them', () => {
    expect(said(listen(EXPIRY, SECURITY_CODE, GREETING))).toEqual(['expiry', 'security code', 'greeting']);
  });

  test.each([
    [1, 25],
    [3, 25],
    [20, 25],
    [40, 2],
  ])('recognizes a sentence in which a stalled sender skipped %i frames after %i', (lost, after) => {
    const [start, rest] = [
      GREETING.subarray(0, after * FRAME_SAMPLES),
      GREETING.subarray((after + lost) * FRAME_SAMPLES),
    ];
    expect(said(listen(SILENCE, start, rest, SILENCE))).toEqual(['greeting']);
  });

  test.each([1, 2, 5, 40])('recognizes a sentence whose first %i frames a stalled sender skipped', (lost) => {
    const late = GREETING.subarray(lost * FRAME_SAMPLES);
    expect(said(listen(SILENCE, late, SILENCE))).toEqual(['greeting']);
    expect(said(listen(EXPIRY, late, SECURITY_CODE))).toEqual(['expiry', 'greeting', 'security code']);
  });

  test('does not recognize a sentence from a few scattered frames', () => {
    const frames = [0, 18, 35, 50].map((at) => GREETING.subarray(at * FRAME_SAMPLES, (at + 1) * FRAME_SAMPLES));
    expect(said(listen(SILENCE, ...frames, SILENCE))).toEqual(['null']);
  });

  test('reports a sound that is no known sentence', () => {
    expect(said(listen(SILENCE, sound(11, 40), SILENCE))).toEqual(['null']);
  });

  test.each([5, 100])(
    'recognizes %i frames of the ringing tone, which the line plays while it calls the agent',
    (frames) => {
      const tone = Int16Array.from({ length: frames * FRAME_SAMPLES }, (_, i) => {
        const radians = (2 * Math.PI * (i + 33)) / 8_000;
        return Math.round(3_000 * (Math.sin(440 * radians) + Math.sin(480 * radians)));
      });
      expect(said(listen(SILENCE, tone, SILENCE, GREETING, SILENCE))).toEqual([RINGING, 'greeting']);
      expect(said(listen(SILENCE, sound(11, 40), SILENCE, tone))).toEqual(['null', RINGING]);
    },
  );

  test('recognizes a sentence that starts during another sound', () => {
    expect(said(listen(SILENCE, sound(11, 7), GREETING, SILENCE))).toEqual(['null', 'greeting']);
  });

  test('reports a sentence once despite an uncertain first frame and lost frames', () => {
    const faint = new Int16Array(FRAME_SAMPLES).fill(130);
    const [first, second] = [GREETING.subarray(0, 20 * FRAME_SAMPLES), GREETING.subarray(20 * FRAME_SAMPLES)];
    expect(said(listen(SILENCE, faint, first, new Int16Array(FRAME_SAMPLES), second, SILENCE))).toEqual(['greeting']);
  });

  test('reports no sound in silence', () => {
    expect(listen(SILENCE, SILENCE)).toEqual([]);
  });
});
