/**
 * The synthesizer adapter for ElevenLabs. elevenlabs.io/docs/api-reference/text-to-speech/convert: `pcm_16000` is 16
 * bits, mono, little-endian, without a header. By plain HTTP: the official package weighs 108 MB, for this one request.
 */
import { primaryLanguage } from '../../domain/language.ts';
import { type Connections, post } from '../../lib/http-client/post.ts';
import type { Synthesizer } from '../ports.ts';
import { MAX_AUDIO_BYTES, requireAudio, speechOf } from '../vendor-audio.ts';

export interface ElevenlabsOptions {
  apiKey: string;
  /** ElevenLabs' address; tests pass that of a stand-in. */
  url?: string;
  connections?: Connections;
}

const URL_OF_ELEVENLABS = 'https://api.elevenlabs.io';
const PCM_HZ = 16_000;
/** The fastest one; it speaks 32 languages, and the one that it is told. */
const MODEL = 'eleven_flash_v2_5';
/** Voices are named by their ids. This one is that of the vendor's own examples. */
const DEFAULT_VOICE = 'JBFqnCBsd6RMkjVDRZzb';
const VOICE = /^[A-Za-z0-9]{20}$/;

/** Speaks every language in each of its voices. */
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
