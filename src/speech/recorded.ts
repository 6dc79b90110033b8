/**
 * Recorded sentences, for when nothing can be rendered. The `index.json` of each language maps its files to their words.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { primaryLanguage } from '../domain/language.ts';
import type { Language } from '../languages/language.ts';

const indexSchema = z.record(z.string().regex(/^[a-z0-9_.]+\.wav$/), z.string().min(1));

/**
 * Absolute paths of the recordings by language (primary subtag) and words: French "six" is not English "six".
 */
export type Recordings = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The sentences and digits of a language, by the name of their recording. */
export function recordingsOf({ line, numbers }: Language): Record<string, string> {
  return Object.fromEntries([
    ...Object.entries(line.sentences).map(([name, words]) => [
      `${name}.wav`,
      typeof words === 'string' ? words : words.plain,
    ]),
    ...numbers.digits.map((word, digit) => [`digit.${digit}.wav`, word]),
  ]);
}

/** The texts that all calls share. Each has a recording. */
export const sharedTexts = (language: Language): string[] => Object.values(recordingsOf(language));

/**
 * Reads the `index.json` of every language. @throws if one can't be read
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

/** Paths of the recordings of these texts, without the texts that have none. */
export function recordedFiles(recordings: Recordings, { locale }: Language, texts: readonly string[]): string[] {
  const spoken = recordings.get(primaryLanguage(locale));
  return texts.map((text) => spoken?.get(text)).filter((path) => path !== undefined);
}
