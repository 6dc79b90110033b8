/**
 * The speech cache: rendered sentences on disk, as `<sha256>.wav`, and beside each a `<sha256>.txt` with its words, for
 * transcripts. Several processes may share the folder: files appear whole (written aside, then renamed) and never
 * change.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Utterance } from './ports.ts';

export interface CacheOptions {
  folder: string;
  /** Never more in all: the files unused for longest are deleted, and where all are young, no more are kept. */
  maxBytes: number;
  /** A file unused for so long is deleted in any case. */
  maxAgeMs: number;
  /** A file used within this time is never deleted: a call may be about to play it. */
  minAgeMs: number;
  /** How long a file that was found is taken to be there still. Only an operator deletes a file in use. */
  recheckMs: number;
}

export interface SpeechCache {
  /** Path of the rendered file, or null. Counts as use. */
  find(key: string): Promise<string | null>;
  /** Keeps a rendered file. @throws CacheFull; and when the disk is full or the folder can't be written. */
  keep(key: string, text: string, wav: Buffer): Promise<string>;
  /** Deletes what is too old or too much. @throws when the folder can't be read. */
  prune(now: number): Promise<void>;
}

/** No file is old enough to make room for another. */
export class CacheFull extends Error {
  constructor() {
    super('the speech cache is full of files that are in use');
    this.name = 'CacheFull';
  }
}

/** The whole identity of a rendered sentence, in 64 hexadecimal digits. */
export function cacheKey(synthesizer: string, { text, language, voice }: Utterance): string {
  return createHash('sha256')
    .update(JSON.stringify([synthesizer, voice, language, text]))
    .digest('hex');
}

/** Part of the limit that making room leaves filled. */
const FULL = 0.9;
const LOOK_EVERY_MS = 10_000;
const RENDERED = /^[0-9a-f]{64}\.(wav|txt)$/;
/** Left behind by a process that died while writing. */
const UNFINISHED = /\.part$/;
/** The folder is made when the first file is kept. */
export function createCache(options: CacheOptions): SpeechCache {
  const { folder, recheckMs } = options;
  /** When this process last found a file, by key. Emptied by {@link SpeechCache.prune}, so that it stays small. */
  const found = new Map<string, number>();
  /**
   * What the folder holds, as far as this process knows; null before the first look. Others write, too: each prune
   * looks again.
   */
  let heldBytes: number | null = null;
  let pruning: Promise<void> | null = null;

  let lookedAt = Number.NEGATIVE_INFINITY;

  async function prune(now: number, limitBytes = options.maxBytes): Promise<void> {
    lookedAt = performance.now();
    found.clear();
    const { doomed, leftBytes } = await surplus({ ...options, maxBytes: limitBytes }, now);
    for (const path of doomed) await rm(path, { force: true });
    heldBytes = leftBytes;
  }

  /** At most one prune at a time, however many files wait for room. @throws CacheFull */
  async function makeRoom(bytes: number): Promise<void> {
    const fits = () => heldBytes !== null && heldBytes + bytes <= options.maxBytes;
    // A folder full of young files is not read again for each file that finds no room.
    if (!fits() && (heldBytes === null || performance.now() - lookedAt >= LOOK_EVERY_MS)) {
      // Room for more than the next file, or each would need a look at the whole folder.
      pruning ??= prune(Date.now(), Math.min(options.maxBytes * FULL, options.maxBytes - bytes)).finally(() => {
        pruning = null;
      });
    }
    await pruning;
    if (!fits()) throw new CacheFull();
    heldBytes = (heldBytes ?? 0) + bytes;
  }

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

  return {
    async find(key) {
      const path = join(folder, `${key}.wav`);
      const now = Date.now();
      if (now - (found.get(key) ?? 0) < recheckMs) return path;
      try {
        // Fails where there is no file; else the file counts as used now.
        await utimes(path, now / 1_000, now / 1_000);
        found.set(key, now);
        return path;
      } catch {
        return null;
      }
    },
    async keep(key, text, wav) {
      await makeRoom(wav.length + Buffer.byteLength(text));
      await mkdir(folder, { recursive: true });
      const path = join(folder, `${key}.wav`);
      await writeWhole(join(folder, `${key}.txt`), text);
      await writeWhole(path, wav);
      return path;
    },
    prune: (now) => prune(now),
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

/** Files to delete: those that are too old, then the longest unused ones until the rest fits. */
async function surplus(
  { folder, maxBytes, maxAgeMs, minAgeMs }: CacheOptions,
  now: number,
): Promise<{ doomed: string[]; leftBytes: number }> {
  const entries = (await entriesOf(folder, now)).sort((one, other) => other.unusedMs - one.unusedMs);
  const total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  let excess = total - maxBytes;
  let leftBytes = total;
  const doomed: string[] = [];
  for (const { path, bytes, unusedMs } of entries) {
    const unfinished = UNFINISHED.test(path) && unusedMs > minAgeMs;
    if (!unfinished && unusedMs <= maxAgeMs && (excess <= 0 || unusedMs <= minAgeMs)) continue;
    doomed.push(path);
    excess -= bytes;
    leftBytes -= bytes;
  }
  return { doomed, leftBytes };
}
