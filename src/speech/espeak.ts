/** The synthesizer adapter for `espeak-ng`: a small program in every Debian, a second of speech in a few milliseconds. */
import { spawn } from 'node:child_process';
import { childEnvironment } from '../config.ts';
import { forTelephone } from './audio.ts';
import { type Synthesizer, UnspeakableText, type Utterance } from './ports.ts';

export interface EspeakOptions {
  /** The program; looked up in the PATH. */
  command?: string;
  limitMs?: number;
}

const LIMIT_MS = 10_000;
/** Three minutes at 22,050 Hz: more than the longest message. */
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

/**
 * Speaking style: words a minute, pitch (0-99), pause between words (in 10 ms), no pause at the end. A little slower and lower
 * than the default: clearer in noise and for older callers.
 */
const STYLE = ['-s', '155', '-p', '42', '-g', '1', '-a', '100', '-z'];

/** Its voice names, e.g. `en-us`, `en-gb-x-rp`, `en-us+f3`; excludes options and paths. */
const VOICE = /^[A-Za-z0-9][A-Za-z0-9_+-]{0,63}$/;

/** Default voices of languages: `en` alone would be British. */
const DEFAULT_VOICES: Readonly<Record<string, string>> = { en: 'en-us' };

/** Renders for the telephone: 8 kHz, even loudness. */
export function createEspeak(options: EspeakOptions = {}): Synthesizer {
  const command = options.command ?? 'espeak-ng';
  const limitMs = options.limitMs ?? LIMIT_MS;
  return {
    name: `espeak-ng ${STYLE.join(' ')}`,
    async render(utterance, signal) {
      const wav = await speak(command, utterance, { signal, timeout: limitMs });
      // espeak-ng writes nothing for a text without words.
      if (wav.length === 0) throw new UnspeakableText('it is silent');
      return forTelephone(wav);
    },
  };
}

function voiceOf({ voice, language }: Utterance): string {
  if (voice !== null && VOICE.test(voice)) return voice;
  const name = language.toLowerCase();
  return DEFAULT_VOICES[name] ?? (VOICE.test(name) ? name : 'en-us');
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
  const args = [...STYLE, '-b', '1', '-v', voiceOf(utterance), '--stdin', '--stdout'];
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...{ ...options, killSignal: 'SIGKILL', stdio: ['pipe', 'pipe', 'ignore'] },
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
    // The program closes the pipe when it ends before it has read its text.
    child.stdin.on('error', reject);
    child.on('error', reject);
    child.on('close', (status, killedBy) => {
      if (status === 0) resolve(Buffer.concat(chunks));
      else reject(new Error(`espeak-ng ended with ${killedBy ?? `status ${status}`}`));
    });
    child.stdin.end(plainText(utterance.text));
  });
}
