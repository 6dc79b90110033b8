/**
 * The synthesizer adapter for OpenAI's speech API, and for servers of one's own that have the same form (Piper,
 * Kokoro). platform.openai.com/docs/api-reference/audio/createSpeech: `pcm` is 24 kHz, 16 bits, little-endian, without
 * a header. Of other servers a WAV file is asked, for each model has a rate of its own, and only the header says which.
 */
import type OpenAI from 'openai';
import { lazily } from '../lazily.ts';
import type { Synthesizer } from '../ports.ts';
import { readAudio, requireAudio, SynthesisFailed, speechOf } from '../vendor-audio.ts';

export interface OpenaiOptions {
  /** Null: the server wants none. */
  apiKey: string | null;
  /** Base URL up to `/v1` of a server of that form; null: OpenAI's own. */
  url: string | null;
  model: string;
  /** OpenAI's address, up to `/v1`; tests pass that of a stand-in. */
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
/** Of other servers, e.g. `af_heart` and `af_bella+af_sky` of Kokoro, `en_US-lessac-medium` of Piper. */
const ANY_VOICE = /^[A-Za-z0-9][\w.+()-]{0,63}$/;

/** Speaks every language in each of its voices. */
export function createOpenai({ apiKey, url, model, address = ADDRESS }: OpenaiOptions): Synthesizer {
  const client = lazily(() => openClient(apiKey, url ?? address));
  return {
    id: 'openai',
    name: `openai ${url ?? ''} ${model}`,
    mayHave: (voice) => (url === null ? VOICES.includes(voice) : ANY_VOICE.test(voice)),
    async render({ text, voice }, signal) {
      const { client: openai, APIError } = await client();
      const format = url === null ? 'pcm' : 'wav';
      const request = { model, input: text, voice: voice ?? DEFAULT_VOICE, response_format: format } as const;
      const response = await openai.audio.speech.create(request, { signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        // Its message holds what the server wrote.
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
 * The package is loaded when it is first used. What it would read of the environment by itself is given or taken away.
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
