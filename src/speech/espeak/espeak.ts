/**
 * The synthesizer adapter for `espeak-ng`: a small program in every Debian, a second of speech in a few milliseconds.
 */
import { spawn } from 'node:child_process';
import { childEnvironment } from '../../config/config.ts';
import { isSameLanguage, primaryLanguage } from '../../domain/language.ts';
import { forTelephone } from '../audio.ts';
import { type Synthesizer, UnspeakableText, type Utterance } from '../ports.ts';

export interface EspeakOptions {
  /** The program; looked up in the PATH. */
  command?: string;
  limitMs?: number;
}

const LIMIT_MS = 10_000;
/** Three minutes at 22,050 Hz, longer than any message. */
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

/** Pitch (0 to 99), a little lower than the default; level; no pause at the end. */
const STYLE = ['-p', '42', '-a', '100', '-z'];

/**
 * Words per minute. Slower than the default of 175, to be clear in noise and for older callers, but fast enough for a
 * greeting of six seconds. Spanish has more and shorter syllables, so it is faster.
 */
const RATE = '170';
const RATES: Readonly<Record<string, string>> = { es: '185' };

/** Such as `en-us`, `en-gb-x-rp`, `en-us+f3`. Excludes options and paths. */
const VOICE = /^[A-Za-z0-9][A-Za-z0-9_+-]{0,63}$/;

/** Without these, English would be British, and the Spanish of the Americas would be that of Spain. */
const DEFAULT_VOICES: Readonly<Record<string, string>> = { en: 'en-us', es: 'es-419', 'es-us': 'es-419' };

/** The deep voices of espeak-ng, and its clearest higher ones. */
const KNOWN_VOICES = [
  ['en-us', 'en-US'],
  ['en-gb', 'en-GB'],
  ['es-419', 'es-419'],
  ['es', 'es-ES'],
  ['fr', 'fr-FR'],
  ['de', 'de-DE'],
].flatMap(([name = '', language = '']) => [
  { name, language },
  { name: `${name}+f3`, language },
]);

/**
 * Renders for the telephone: 8 kHz, even loudness. Uses the default voice instead of an unknown one.
 */
export function createEspeak(options: EspeakOptions = {}): Synthesizer {
  const command = options.command ?? 'espeak-ng';
  const limitMs = options.limitMs ?? LIMIT_MS;
  return {
    id: 'espeak-ng',
    mayHave: (voice) => VOICE.test(voice),
    voices: KNOWN_VOICES,
    name: `espeak-ng ${STYLE.join(' ')} ${RATE} ${JSON.stringify(RATES)}`,
    async render(utterance, signal) {
      const limits = { signal, timeout: limitMs };
      const wav = await speak(command, utterance, limits).catch((error: unknown) => {
        // espeak-ng ends with a status if it does not have the voice.
        if (utterance.voice === null || !(error instanceof EndedWithStatus)) throw error;
        return speak(command, { ...utterance, voice: null }, limits);
      });
      // espeak-ng writes nothing for a text without words.
      if (wav.length === 0) throw new UnspeakableText('it is silent');
      return forTelephone(wav);
    },
  };
}

class EndedWithStatus extends Error {
  constructor(status: number | null) {
    super(`espeak-ng ended with status ${status}`);
    this.name = 'EndedWithStatus';
  }
}

/** A voice of another language is passed over: its name begins with its language, and it could not be understood. */
function voiceOf({ voice, language }: Utterance): string {
  if (voice !== null && VOICE.test(voice) && !isOfOtherLanguage(voice, language)) return voice;
  const name = language.toLowerCase();
  return DEFAULT_VOICES[name] ?? (VOICE.test(name) ? name : 'en-us');
}

function isOfOtherLanguage(voice: string, language: string): boolean {
  const [named] = /^[a-z]{2,3}(?=[-+]|$)/i.exec(voice) ?? [];
  return named !== undefined && !isSameLanguage(named, language);
}

/** Removes what espeak-ng would interpret: `[[` starts phonemes, `<` markup in some builds. */
function plainText(text: string): string {
  return text.replaceAll(/[[\]<>]/g, ' ');
}

function speak(
  command: string,
  utterance: Utterance,
  options: { signal: AbortSignal; timeout: number },
): Promise<Buffer> {
  const rate = RATES[primaryLanguage(utterance.language)] ?? RATE;
  const args = [...STYLE, '-s', rate, '-b', '1', '-v', voiceOf(utterance), '--stdin', '--stdout'];
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...options,
      killSignal: 'SIGKILL',
      stdio: ['pipe', 'pipe', 'ignore'],
      env: childEnvironment(),
    });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_OUTPUT_BYTES) chunks.push(chunk);
      else {
        child.kill('SIGKILL');
        reject(new UnspeakableText('it does not end'));
      }
    });
    // If the program ends before it has read the text, it closes the pipe.
    child.stdin.on('error', reject);
    child.on('error', reject);
    child.on('close', (status, killedBy) => {
      if (status === 0) resolve(Buffer.concat(chunks));
      else if (killedBy === null) reject(new EndedWithStatus(status));
      else reject(new Error(`espeak-ng ended with ${killedBy}`));
    });
    child.stdin.end(plainText(utterance.text));
  });
}
