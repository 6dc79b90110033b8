/**
 * The synthesizer adapter for Amazon Polly. docs.aws.amazon.com/polly/latest/dg/API_SynthesizeSpeech.html: `pcm` is 16
 * bits, mono, little-endian, of 16 kHz at most.
 */
import type { PollyClient, SynthesizeSpeechCommand, VoiceId } from '@aws-sdk/client-polly';
import { primaryLanguage } from '../../domain/language.ts';
import { lazily } from '../lazily.ts';
import type { Synthesizer, Utterance } from '../ports.ts';
import { readAudio, requireAudio, SynthesisFailed, speechOf } from '../vendor-audio.ts';

export interface PollyOptions {
  region: string;
  /** Null: those that the machine has, such as its role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** Polly's address, where not that of the region. */
  endpoint?: string;
}

const PCM_HZ = 16_000;

/**
 * Neural voices of the languages that the line speaks: docs.aws.amazon.com/polly/latest/dg/available-voices.html. The
 * first is the default.
 */
const VOICES: Readonly<Record<string, readonly VoiceId[]>> = {
  'en-US': [
    'Joanna',
    'Danielle',
    'Gregory',
    'Ivy',
    'Kendra',
    'Kimberly',
    'Salli',
    'Joey',
    'Justin',
    'Kevin',
    'Matthew',
    'Ruth',
    'Stephen',
  ],
  'en-GB': ['Amy', 'Emma', 'Brian', 'Arthur'],
  'en-AU': ['Olivia'],
  'en-IE': ['Niamh'],
  'en-IN': ['Kajal'],
  'en-NZ': ['Aria'],
  'en-ZA': ['Ayanda'],
  'es-US': ['Lupe', 'Pedro'],
  'es-ES': ['Lucia', 'Sergio'],
  'es-MX': ['Mia', 'Andres'],
  'fr-FR': ['Lea', 'Remi'],
  'fr-CA': ['Gabrielle', 'Liam'],
  'fr-BE': ['Isabelle'],
  'de-DE': ['Vicki', 'Daniel'],
  'de-AT': ['Hannah'],
};
const ENTRIES = Object.entries(VOICES).flatMap(([language, names]) => names.map((name) => ({ language, name })));

/**
 * The voice named, where it speaks the language; else the first one of the language, in its region where there is one.
 */
function voiceOf({ voice, language }: Utterance): VoiceId {
  const primary = primaryLanguage(language);
  const ofLanguage = ENTRIES.filter((entry) => primaryLanguage(entry.language) === primary);
  const chosen =
    ofLanguage.find(({ name }) => name === voice) ??
    ofLanguage.find((entry) => entry.language === language) ??
    ofLanguage[0];
  if (chosen === undefined) throw new SynthesisFailed('it has no voice of this language');
  return chosen.name;
}

export function createPolly(options: PollyOptions): Synthesizer {
  const open = lazily(() => openClient(options));
  return {
    id: 'polly',
    name: 'polly neural',
    mayHave: (voice) => ENTRIES.some(({ name }) => name === voice),
    async render(utterance, signal) {
      const { text } = utterance;
      const VoiceId = voiceOf(utterance);
      const { client, Command } = await open();
      const request = new Command({
        Engine: 'neural',
        OutputFormat: 'pcm',
        SampleRate: String(PCM_HZ),
        Text: text,
        TextType: 'text',
        VoiceId,
      });
      const answer = await client.send(request, { abortSignal: signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw new SynthesisFailed(causeOf(error));
      });
      requireAudio(answer.$metadata.httpStatusCode ?? 0, answer.ContentType);
      // In Node the stream is one of Node's.
      const pcm = await readAudio(answer.AudioStream as AsyncIterable<Uint8Array> | undefined);
      return speechOf(text, { pcm, hz: PCM_HZ });
    },
  };
}

/** The name of the error is one of a few; its message holds what the server wrote. */
function causeOf(error: unknown): string {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  return status === undefined ? 'no connection' : `status ${status}`;
}

interface Loaded {
  client: PollyClient;
  Command: typeof SynthesizeSpeechCommand;
}

/** The package is loaded when it is first used. */
async function openClient({ region, credentials, endpoint }: PollyOptions): Promise<Loaded> {
  const [{ PollyClient: Client, SynthesizeSpeechCommand: Command }, { NodeHttpHandler }] = await Promise.all([
    import('@aws-sdk/client-polly'),
    import('@smithy/node-http-handler'),
  ]);
  const client = new Client({
    // HTTP/1.1: by itself the package opens HTTP/2, for streams in both directions, and holds the process with it.
    region,
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler(),
    ...(credentials !== null && { credentials }),
    ...(endpoint !== undefined && { endpoint }),
  });
  return { client, Command };
}
