/**
 * Records the sentences that all calls share, for calls without a working synthesizer. Run `node
 * dist/speech/record-prompts.js` after changing a sentence. Studio recordings can replace the files: same names, 8 kHz,
 * mono, µ-law or 16 bits.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LANGUAGE_TAGS, languageFor } from '../languages/index.ts';
import { createEspeak } from './espeak/espeak.ts';
import type { Synthesizer } from './ports.ts';
import { recordingsOf } from './recorded.ts';
import { toMuLaw } from './wav.ts';

const PROMPTS = fileURLToPath(new URL('../../prompts', import.meta.url));

/** Replaces `recorded/<tag>/` of every language. */
async function recordPrompts(folder: string, synthesizer: Synthesizer): Promise<void> {
  const { signal } = new AbortController();
  for (const tag of LANGUAGE_TAGS) {
    const language = languageFor(tag);
    const target = join(folder, 'recorded', tag);
    await mkdir(target, { recursive: true });
    const index = recordingsOf(language);
    for (const stale of (await readdir(target)).filter((name) => !(name in index))) await rm(join(target, stale));
    for (const [file, text] of Object.entries(index)) {
      const wav = await synthesizer.render({ text, language: language.locale, voice: null }, signal);
      await writeFile(join(target, file), toMuLaw(wav));
    }
    await writeFile(join(target, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await recordPrompts(PROMPTS, createEspeak());
