/**
 * The synthesizer adapter for OpenAI's speech API and compatible servers (Piper, Kokoro). platform.openai.com/docs/api-reference/audio/createSpeech: `pcm` is 24 kHz, 16 bits, little-endian, without
 * a header. Other servers are asked for WAV, because the rate differs by model and only the header says it.
 */
import type OpenAI from 'openai';
import type { Synthesizer } from '../ports.ts';
import { lazily, readAudio, requireAudio, SynthesisFailed, speechOf } from '../vendor-audio.ts';

interface OpenaiOptions {
  /** Null if the server needs none. */
  apiKey: string | null;
  /** Base URL of a compatible server, up to `/v1`. Null for OpenAI. */
  url: string | null;
  model: string;
  /** Instead of OpenAI's address, up to `/v1`. Tests pass the address of a fake. */
  address?: string;
}

const ADDRESS = 'https://api.openai.com/v1';
const PCM_HZ = 24_000;
const DEFAULT_VOICE = 'alloy';

/** platform.openai.com/docs/guides/text-to-speech#voice-options */
const VOICES: readonly string[] = [
  'alloy',
  'ash',
  'ballad',
  'coral',
  'echo',
  'fable',
  'marin',
  'nova',
  'onyx',
  'sage',
  'shimmer',
  'verse',
  'cedar',
];
/** On other servers: `af_heart` and `af_bella+af_sky` of Kokoro, `en_US-lessac-medium` of Piper. */
const ANY_VOICE = /^[A-Za-z0-9][\w.+()-]{0,63}$/;

/** Every voice speaks every language. */
export function createOpenai({ apiKey, url, model, address = ADDRESS }: OpenaiOptions): Synthesizer {
  const client = lazily(() => openClient(apiKey, url ?? address));
  return {
    id: 'openai',
    name: `openai ${url ?? ''} ${model}`,
    // Other servers have their own.
    ...(url === null && { voices: VOICES.map((name) => ({ name, language: null })) }),
    mayHave: (voice) => (url === null ? VOICES.includes(voice) : ANY_VOICE.test(voice)),
    async render({ text, voice }, signal) {
      const { client: openai, APIError } = await client();
      const format = url === null ? 'pcm' : 'wav';
      const request = { model, input: text, voice: voice ?? DEFAULT_VOICE, response_format: format } as const;
      const response = await openai.audio.speech.create(request, { signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        // The error's message contains text from the server.
        throw new SynthesisFailed(
          error instanceof APIError && error.status !== undefined ? `status ${error.status}` : 'no connection',
        );
      });
      requireAudio(response.status, response.headers.get('content-type'));
      const body = await readAudio(response.body);
      return speechOf(text, format === 'pcm' ? { pcm: body, hz: PCM_HZ } : { wav: body });
    },
  };
}

interface Loaded {
  client: OpenAI;
  APIError: typeof OpenAI.APIError;
}

/**
 * Loads the package. Sets every option that it would otherwise read from the environment.
 */
async function openClient(apiKey: string | null, baseURL: string): Promise<Loaded> {
  const { default: Client } = await import('openai');
  const client = new Client({
    apiKey: apiKey ?? 'none',
    baseURL,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    fetchOptions: { redirect: 'error' },
  });
  return { client, APIError: Client.APIError };
}
