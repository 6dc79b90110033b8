/**
 * Recorded sentences, for when nothing can be rendered. `index.json` of each language maps its files to their words.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { primaryLanguage } from '../domain/language.ts';
import type { Catalogue } from './catalogue.ts';

const indexSchema = z.record(z.string().regex(/^[a-z0-9_.]+\.wav$/), z.string().min(1));

/**
 * Absolute paths of the recordings: by language (primary subtag), then by their words. French "six" is not English
 * "six".
 */
export type Recordings = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** What there is to record of a catalogue: words by file name. */
export function recordingsOf({ sentences, digits }: Catalogue): Record<string, string> {
  return Object.fromEntries([
    ...Object.entries(sentences).map(([name, { say, plain }]) => [`${name}.wav`, plain ?? say]),
    ...digits.map((word, digit) => [`digit.${digit}.wav`, word]),
  ]);
}

/** The texts that all calls share, which are those with recordings. */
export const sharedTexts = (catalogue: Catalogue): string[] => Object.values(recordingsOf(catalogue));

/**
 * Reads `<folder>/<language>/index.json` of every language.
 * @throws when an index can't be read.
 */
export async function readRecordings(folder: string): Promise<Recordings> {
  const languages = await readdir(folder);
  return new Map(
    await Promise.all(
      languages.map(async (language) => [language, await readLanguage(join(folder, language))] as const),
    ),
  );
}

async function readLanguage(folder: string): Promise<ReadonlyMap<string, string>> {
  const index = indexSchema.parse(JSON.parse(await readFile(join(folder, 'index.json'), 'utf8')));
  return new Map(Object.entries(index).map(([file, text]) => [text, join(folder, file)]));
}

/** Paths of the recordings of these texts in the language of a catalogue, without those that there are none of. */
export function recordedFiles(recordings: Recordings, { language }: Catalogue, texts: readonly string[]): string[] {
  const spoken = recordings.get(primaryLanguage(language));
  return texts.map((text) => spoken?.get(text)).filter((path) => path !== undefined);
}
