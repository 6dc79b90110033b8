/**
 * The synthesizer adapter for Google Cloud Text-to-Speech.
 * cloud.google.com/text-to-speech/docs/reference/rest/v1/text/synthesize: LINEAR16 comes as a WAV file, in base64
 * within JSON. By plain HTTP: the official package brings gRPC and protobufjs, which has an install script, for this
 * one request.
 */
import { z } from 'zod';
import { isSameLanguage, primaryLanguage } from '../../domain/language.ts';
import { type Connections, post } from '../../lib/http-client/post.ts';
import type { Synthesizer, Utterance } from '../ports.ts';
import { MAX_AUDIO_BYTES, SynthesisFailed, speechOf } from '../vendor-audio.ts';

interface GoogleOptions {
  apiKey: string;
  /** Tests pass the address of a fake. */
  url?: string;
  connections?: Connections;
}

const URL_OF_GOOGLE = 'https://texttospeech.googleapis.com';
const HZ = 24_000;
/** Base64 adds a third. The rest is the JSON around it. */
const ANSWER_LIMIT_BYTES = Math.ceil((MAX_AUDIO_BYTES * 4) / 3) + 1_024;

/** Such as `en-US-Neural2-F` and `es-US-Chirp3-HD-Achernar`. The name starts with the language. */
const VOICE = /^[a-z]{2,3}-[A-Z]{2}-[A-Za-z0-9]+(-[A-Za-z0-9]+){0,3}$/;
/** Google's language codes need a region. */
const REGIONS: Readonly<Record<string, string>> = { en: 'en-US', es: 'es-US', fr: 'fr-FR', de: 'de-DE' };

/**
 * Ignores a voice of another language. Google then chooses one, from another region if this one has none.
 */
function voiceOf({ voice, language }: Utterance): { languageCode: string; name?: string } {
  if (voice !== null && isSameLanguage(voice, language)) {
    return { languageCode: voice.split('-').slice(0, 2).join('-'), name: voice };
  }
  return { languageCode: language.includes('-') ? language : (REGIONS[primaryLanguage(language)] ?? language) };
}

const answerSchema = z.object({ audioContent: z.base64() });

export function createGoogle({ apiKey, url = URL_OF_GOOGLE, connections }: GoogleOptions): Synthesizer {
  return {
    id: 'google',
    name: 'google',
    mayHave: (voice) => VOICE.test(voice),
    async render(utterance, signal) {
      const answer = await post({
        url: `${url}/v1/text:synthesize`,
        headers: { 'x-goog-api-key': apiKey },
        body: JSON.stringify({
          input: { text: utterance.text },
          voice: voiceOf(utterance),
          audioConfig: { audioEncoding: 'LINEAR16', sampleRateHertz: HZ },
        }),
        publicOnly: false,
        answerLimitBytes: ANSWER_LIMIT_BYTES,
        signal,
        ...(connections !== undefined && { connections }),
      });
      if (answer.status !== 200) throw new SynthesisFailed(`status ${answer.status}`);
      return speechOf(utterance.text, { wav: audioIn(answer.text) });
    },
  };
}

function audioIn(text: string): Buffer {
  try {
    return Buffer.from(answerSchema.parse(JSON.parse(text)).audioContent, 'base64');
  } catch {
    throw new SynthesisFailed('it is no audio');
  }
}
