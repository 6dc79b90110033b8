/** Every synthesizer against a fake of its vendor, and the texts that a vendor receives for a whole call. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Line } from '../../../src/flow/lines.ts';
import { LANGUAGE_TAGS, languageFor } from '../../../src/languages/index.ts';
import { createElevenlabs } from '../../../src/speech/elevenlabs/elevenlabs.ts';
import { createEspeak } from '../../../src/speech/espeak/espeak.ts';
import { createGoogle } from '../../../src/speech/google/google.ts';
import { createOpenai } from '../../../src/speech/openai/openai.ts';
import { createPolly } from '../../../src/speech/polly/polly.ts';
import { sharedTexts } from '../../../src/speech/recorded.ts';
import { createSpeech } from '../../../src/speech/speech.ts';
import { Synthesizers } from '../../../src/speech/synthesizers.ts';
import { synthesizerContract } from '../../contract/synthesizer-contract.ts';
import {
  ELEVENLABS_KEY,
  GOOGLE_KEY,
  OPENAI_KEY,
  POLLY_KEYS,
  startFakeElevenlabs,
  startFakeGoogle,
  startFakeOpenai,
  startFakePolly,
  startFakeSelfHosted,
} from '../../support/fake-synthesizers.ts';
import { DINER, PATIENT_MS, PROMPTS } from '../../support/test-speech.ts';

const MODEL = 'gpt-4o-mini-tts';

synthesizerContract({
  name: 'espeak-ng',
  startVendor: null,
  create: () => createEspeak(),
  voices: { known: 'en-us+f3', unknown: 'openai:nova' },
  voiceOf: () => '',
});
synthesizerContract({
  name: 'openai',
  startVendor: startFakeOpenai,
  create: (url) => createOpenai({ apiKey: OPENAI_KEY, url: null, model: MODEL, address: `${url}/v1` }),
  voices: { known: 'nova', unknown: 'Joanna' },
  voiceOf: ({ body }) => String(body.voice),
});
synthesizerContract({
  name: 'an own server with OpenAI’s API',
  startVendor: startFakeSelfHosted,
  create: (url) => createOpenai({ apiKey: null, url: `${url}/v1`, model: 'piper' }),
  voices: { known: 'af_heart', unknown: 'a/b' },
  voiceOf: ({ body }) => String(body.voice),
});
synthesizerContract({
  name: 'google',
  startVendor: startFakeGoogle,
  create: (url) => createGoogle({ apiKey: GOOGLE_KEY, url }),
  voices: { known: 'en-US-Neural2-F', unknown: 'nova' },
  voiceOf: ({ body }) => String((body.voice as { name?: string }).name),
});
synthesizerContract({
  name: 'polly',
  startVendor: startFakePolly,
  create: (endpoint) => createPolly({ region: 'us-east-1', credentials: POLLY_KEYS, endpoint }),
  voices: { known: 'Matthew', unknown: 'Nobody' },
  voiceOf: ({ body }) => String(body.VoiceId),
});
synthesizerContract({
  name: 'elevenlabs',
  startVendor: startFakeElevenlabs,
  create: (url) => createElevenlabs({ apiKey: ELEVENLABS_KEY, url }),
  voices: { known: '21m00Tcm4TlvDq8ikWAM', unknown: 'Rachel' },
  voiceOf: ({ url }) => url.pathname.split('/').at(-1) ?? '',
});

test('ignores a voice of another language', async () => {
  const [google, polly] = await Promise.all([startFakeGoogle(), startFakePolly()]);
  const { signal } = new AbortController();
  const spanish = { text: 'Un momento, por favor.', language: 'es' };
  await createGoogle({ apiKey: GOOGLE_KEY, url: google.url }).render({ ...spanish, voice: 'en-US-Neural2-F' }, signal);
  await createPolly({ region: 'us-east-1', credentials: POLLY_KEYS, endpoint: polly.url }).render(
    { ...spanish, voice: 'Joanna' },
    signal,
  );
  expect(google.requests.map(({ body }) => body.voice)).toEqual([{ languageCode: 'es-US' }]);
  expect(polly.requests.map(({ body }) => body.VoiceId)).toEqual(['Lupe']);
  await Promise.all([google.close(), polly.close()]);
});

test('sends card digits to a vendor only one by one, shared by all calls, before any call', async () => {
  const vendor = await startFakeOpenai();
  const folder = await mkdtemp(join(tmpdir(), 'ringkey-speech-'));
  const openai = createOpenai({ apiKey: OPENAI_KEY, url: null, model: MODEL, address: `${vendor.url}/v1` });
  const speech = await createSpeech({
    folder,
    promptsFolder: PROMPTS,
    synthesizers: new Synthesizers([openai, createEspeak()], 'openai'),
    log: { warn: () => undefined },
    // A late answer would play a recording, which is not the subject here.
    limits: { liveMs: PATIENT_MS },
  });
  await speech.warm('en-US', null);
  const shared = new Set(vendor.texts);
  const confirmation: Line = {
    name: 'ask',
    field: 'confirmation',
    attempt: 1,
    error: null,
    lastFour: '4242',
  };
  const files = await speech.files(confirmation, DINER);
  // Shared sentences with digits, such as the example of an expiry date.
  const catalogue = LANGUAGE_TAGS.map(languageFor).flatMap(sharedTexts);
  expect(vendor.texts.filter((text) => /\d/.test(text) && !catalogue.includes(text))).toEqual([]);
  expect(
    vendor.texts.filter((text) => !shared.has(text)).every((text) => !/four|two/i.test(text) || /dollars/.test(text)),
  ).toBe(true);
  expect(shared.has('four') || shared.has('four,') || shared.has('four.')).toBe(true);
  expect(files.filter((file) => dirname(file) === folder)).toHaveLength(files.length);
  speech.close();
  await rm(folder, { recursive: true });
  await vendor.close();
});
