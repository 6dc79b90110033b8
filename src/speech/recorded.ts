/** Recorded sentences, for when nothing can be rendered. `index.json` of each language maps its files to their words. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Catalogue } from './catalogue.ts';

const indexSchema = z.record(z.string().regex(/^[a-z0-9_.]+\.wav$/), z.string().min(1));

/** Absolute path of a recording by its words. */
export type Recordings = ReadonlyMap<string, string>;

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
  const paths = new Map<string, string>();
  for (const language of await readdir(folder)) {
    const index = indexSchema.parse(JSON.parse(await readFile(join(folder, language, 'index.json'), 'utf8')));
    for (const [file, text] of Object.entries(index)) paths.set(text, join(folder, language, file));
  }
  return paths;
}
