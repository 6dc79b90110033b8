/**
 * The synthesizer adapter for Amazon Polly. docs.aws.amazon.com/polly/latest/dg/API_SynthesizeSpeech.html: `pcm` is 16
 * bits, mono, little-endian, at most 16 kHz.
 */
import type { PollyClient, SynthesizeSpeechCommand, VoiceId } from '@aws-sdk/client-polly';
import { primaryLanguage } from '../../domain/language.ts';
import type { Synthesizer, Utterance } from '../ports.ts';
import { lazily, readAudio, requireAudio, SynthesisFailed, speechOf } from '../vendor-audio.ts';

interface PollyOptions {
  region: string;
  /** Null for those of the machine, such as its role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** Instead of the address of the region. */
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
 * The named voice if it speaks the language. Otherwise the first voice of the language, preferably in its region.
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
    voices: ENTRIES,
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
      // In Node.js, the stream is a Readable.
      const pcm = await readAudio(answer.AudioStream as AsyncIterable<Uint8Array> | undefined);
      return speechOf(text, { pcm, hz: PCM_HZ });
    },
  };
}

/** Only the status, because the error's message contains text from the server. */
function causeOf(error: unknown): string {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  return status === undefined ? 'no connection' : `status ${status}`;
}

interface Loaded {
  client: PollyClient;
  Command: typeof SynthesizeSpeechCommand;
}

async function openClient({ region, credentials, endpoint }: PollyOptions): Promise<Loaded> {
  const [{ PollyClient: Client, SynthesizeSpeechCommand: Command }, { NodeHttpHandler }] = await Promise.all([
    import('@aws-sdk/client-polly'),
    import('@smithy/node-http-handler'),
  ]);
  const client = new Client({
    // HTTP/1.1. By default the package opens an HTTP/2 connection, which keeps the process alive.
    region,
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler(),
    ...(credentials !== null && { credentials }),
    ...(endpoint !== undefined && { endpoint }),
  });
  return { client, Command };
}
