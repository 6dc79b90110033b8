/** A speech service in a folder of its own, with a synthesizer that keeps a list of what it rendered. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';
import type { Line } from '../../src/flow/lines.ts';
import type { Synthesizer, SynthesizerId, Utterance, Vocabulary } from '../../src/speech/ports.ts';
import type { RenderObserved } from '../../src/speech/render-queue.ts';
import type { SpeechLimits } from '../../src/speech/renderer.ts';
import { createSpeech, type SpeechService } from '../../src/speech/speech.ts';
import { Synthesizers } from '../../src/speech/synthesizers.ts';
import { toWav } from '../../src/speech/wav.ts';

export const PROMPTS = fileURLToPath(new URL('../../prompts', import.meta.url));
export const DINER: Vocabulary = {
  language: 'en-US',
  voice: null,
  businessName: 'Demo Diner',
  amountCents: 4_250,
  currency: 'USD',
  canText: true,
  successMessage: null,
  failureMessage: null,
  returns: true,
  acceptedBrands: ['visa'],
};
export const GREETING: Line = { name: 'greeting' };
export const BEEP = toWav(new Float32Array(800).fill(0.1), 8_000);

/** A synthesizer that keeps a list of what it rendered. */
export function fakeSynthesizer(
  render: (utterance: Utterance, signal: AbortSignal) => Promise<Buffer> = async () => BEEP,
  id: SynthesizerId = 'espeak-ng',
) {
  const rendered: Utterance[] = [];
  const synthesizer: Synthesizer = {
    id,
    name: `fake ${id}`,
    mayHave: (voice) => /^[a-z+0-9-]+$/.test(voice),
    render(utterance, signal) {
      rendered.push(utterance);
      return render(utterance, signal);
    },
  };
  return { synthesizer, rendered };
}

export const never = (_: Utterance, signal: AbortSignal) =>
  new Promise<Buffer>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
export const broken = () => Promise.reject(new Error('no voice today'));
export const isRecorded = (path: string) => dirname(path) === join(PROMPTS, 'recorded', 'en');

interface TestSpeech {
  /** Of the cache. */
  folder: string;
  warnings: string[];
  observed: RenderObserved[];
  /** Opens a speech service in the folder. The test's end closes it. */
  open(synthesizer: Synthesizer | Synthesizers | null, limits?: Partial<SpeechLimits>): Promise<SpeechService>;
  /** Closes the service that was opened last. */
  close(): void;
}

/** A busy machine must not make a live sentence late: a recording would play. A test of that sets its own limit. */
export const PATIENT_MS = 60_000;

/** A new one for each test of the file. */
export function useTestSpeech(): TestSpeech {
  let speech: SpeechService | undefined;
  const testSpeech: TestSpeech = {
    folder: '',
    warnings: [],
    observed: [],
    async open(synthesizer, limits = {}) {
      const { folder } = testSpeech;
      const log = { warn: (_fields: object, message: string) => void testSpeech.warnings.push(message) };
      const synthesizers =
        synthesizer instanceof Synthesizers
          ? synthesizer
          : new Synthesizers(synthesizer === null ? [] : [synthesizer], synthesizer?.id ?? null);
      const defaultVoice = synthesizer instanceof Synthesizers ? null : 'en-us';
      const onRender = (one: RenderObserved) => void testSpeech.observed.push(one);
      speech = await createSpeech({
        folder,
        promptsFolder: PROMPTS,
        synthesizers,
        defaultVoice,
        log,
        limits: { liveMs: PATIENT_MS, ...limits },
        onRender,
      });
      return speech;
    },
    close: () => speech?.close(),
  };
  beforeEach(async () => {
    testSpeech.folder = await mkdtemp(join(tmpdir(), 'ringkey-speech-'));
    testSpeech.warnings = [];
    testSpeech.observed = [];
  });
  afterEach(async () => {
    testSpeech.close();
    await rm(testSpeech.folder, { recursive: true, force: true });
  });
  return testSpeech;
}
