/**
 * The synthesizer adapter for ElevenLabs. elevenlabs.io/docs/api-reference/text-to-speech/convert: `pcm_16000` is 16
 * bits, mono, little-endian, without a header. Uses plain HTTP, because the official package has 108 MB.
 */
import { primaryLanguage } from '../../domain/language.ts';
import { type Connections, post } from '../../lib/http-client/post.ts';
import type { Synthesizer } from '../ports.ts';
import { MAX_AUDIO_BYTES, requireAudio, speechOf } from '../vendor-audio.ts';

interface ElevenlabsOptions {
  apiKey: string;
  /** Tests pass the address of a fake. */
  url?: string;
  connections?: Connections;
}

const URL_OF_ELEVENLABS = 'https://api.elevenlabs.io';
const PCM_HZ = 16_000;
/** The fastest model. It speaks 32 languages and accepts a language code. */
const MODEL = 'eleven_flash_v2_5';
/** A voice ID, from the vendor's examples. */
const DEFAULT_VOICE = 'JBFqnCBsd6RMkjVDRZzb';
const VOICE = /^[A-Za-z0-9]{20}$/;

/** Every voice speaks every language. */
export function createElevenlabs({ apiKey, url = URL_OF_ELEVENLABS, connections }: ElevenlabsOptions): Synthesizer {
  return {
    id: 'elevenlabs',
    name: `elevenlabs ${MODEL}`,
    mayHave: (voice) => VOICE.test(voice),
    async render({ text, language, voice }, signal) {
      const answer = await post({
        url: `${url}/v1/text-to-speech/${voice ?? DEFAULT_VOICE}?output_format=pcm_${PCM_HZ}`,
        headers: { 'xi-api-key': apiKey, accept: '*/*' },
        body: JSON.stringify({ text, model_id: MODEL, language_code: primaryLanguage(language) }),
        publicOnly: false,
        answerLimitBytes: MAX_AUDIO_BYTES,
        signal,
        ...(connections !== undefined && { connections }),
      });
      requireAudio(answer.status, answer.headers['content-type']);
      return speechOf(text, { pcm: answer.bytes, hz: PCM_HZ });
    },
  };
}
