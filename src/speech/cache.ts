/**
 * Rendered sentences on disk: `<sha256>.wav`, and beside it `<sha256>.txt` with the words, for transcripts. Several
 * processes may share the folder: files appear whole (written aside, then renamed) and are never changed.
 */
import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Utterance } from './ports.ts';

export interface CacheOptions {
  folder: string;
  /** Beyond it the files that were not used for longest go. */
  maxBytes: number;
  /** A file not used for so long goes in any case. */
  maxAgeMs: number;
  /** A file used within this time stays in any case: a call may be about to play it. */
  minAgeMs: number;
}

export interface SpeechCache {
  /** Path of the rendered file, or null. Counts as use. */
  find(key: string): Promise<string | null>;
  /** Keeps a rendered file. @throws when the disk is full or the folder can't be written. */
  keep(key: string, text: string, wav: Buffer): Promise<string>;
  /** Deletes what is too old or too much. @throws when the folder can't be read. */
  prune(now: number): Promise<void>;
}

/** The whole identity of a rendered sentence, in 64 hexadecimal digits. */
export function cacheKey(synthesizer: string, { text, language, voice }: Utterance): string {
  return createHash('sha256')
    .update(JSON.stringify([synthesizer, voice, language, text]))
    .digest('hex');
}

const RENDERED = /^[0-9a-f]{64}\.(wav|txt)$/;
/** What a process left behind that died while it wrote. */
const UNFINISHED = /\.part$/;
/** The use of a file is noted at most so often: a note is a disk write. */
const TOUCH_EVERY_MS = 10 * 60_000;

/** The folder is made when the first file is kept. */
export function createCache(options: CacheOptions): SpeechCache {
  const { folder } = options;
  /** When this process last noted a use, by key. Bounded: emptied by {@link SpeechCache.prune}. */
  const touched = new Map<string, number>();

  async function writeWhole(path: string, content: Buffer | string): Promise<void> {
    const aside = `${path}.${randomUUID()}.part`;
    try {
      await writeFile(aside, content);
      await rename(aside, path);
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
  }

  async function touch(key: string, path: string): Promise<void> {
    const now = Date.now();
    if (now - (touched.get(key) ?? 0) < TOUCH_EVERY_MS) return;
    touched.set(key, now);
    await utimes(path, now / 1_000, now / 1_000);
  }

  return {
    async find(key) {
      const path = join(folder, `${key}.wav`);
      try {
        await access(path);
        await touch(key, path);
        return path;
      } catch {
        return null;
      }
    },
    async keep(key, text, wav) {
      await mkdir(folder, { recursive: true });
      const path = join(folder, `${key}.wav`);
      await writeWhole(join(folder, `${key}.txt`), text);
      await writeWhole(path, wav);
      return path;
    },
    async prune(now) {
      touched.clear();
      for (const path of await surplus(options, now)) await rm(path, { force: true });
    },
  };
}

interface Entry {
  path: string;
  bytes: number;
  unusedMs: number;
}

async function entriesOf(folder: string, now: number): Promise<Entry[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => RENDERED.test(name) || UNFINISHED.test(name))
      .map(async (name): Promise<Entry | null> => {
        const path = join(folder, name);
        // Another process may have deleted it since.
        const facts = await stat(path).catch(() => null);
        return facts === null ? null : { path, bytes: facts.size, unusedMs: now - facts.mtimeMs };
      }),
  );
  return found.filter((entry) => entry !== null);
}

/** Paths that have to go: too old ones, then the longest unused until the rest fits. */
async function surplus({ folder, maxBytes, maxAgeMs, minAgeMs }: CacheOptions, now: number): Promise<string[]> {
  const entries = (await entriesOf(folder, now)).sort((one, other) => other.unusedMs - one.unusedMs);
  let excess = entries.reduce((sum, { bytes }) => sum + bytes, 0) - maxBytes;
  const gone: string[] = [];
  for (const { path, bytes, unusedMs } of entries) {
    const unfinished = UNFINISHED.test(path) && unusedMs > minAgeMs;
    if (!unfinished && unusedMs <= maxAgeMs && (excess <= 0 || unusedMs <= minAgeMs)) continue;
    gone.push(path);
    excess -= bytes;
  }
  return gone;
}
