/**
 * The speech cache: rendered sentences on disk as `<sha256>.wav`, each with its words in `<sha256>.txt`, for transcripts.
 * Several processes can share the folder: files are written aside and renamed, and never change.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Utterance } from './ports.ts';

interface CacheOptions {
  folder: string;
  /** Size limit. The least recently used files are deleted. If all are young, new files are not stored. */
  maxBytes: number;
  /** A file is always deleted after this time without use. */
  maxAgeMs: number;
  /** A file used within this time is never deleted, because a call may be about to play it. */
  minAgeMs: number;
  /** How long a file that was found is not checked again. Only an operator deletes a file in use. */
  recheckMs: number;
}

export interface SpeechCache {
  /** Path of the rendered file, or null. Counts as use. */
  find(key: string): Promise<string | null>;
  /** Stores a rendered file. @throws CacheFull, or another error if the folder can't be written */
  keep(key: string, text: string, wav: Buffer): Promise<string>;
  /** Deletes old files, and the least recently used beyond the limit. @throws if the folder can't be read */
  prune(now: number): Promise<void>;
}

/** No file is old enough to be deleted for another. */
export class CacheFull extends Error {
  constructor() {
    super('the speech cache is full of files that are in use');
    this.name = 'CacheFull';
  }
}

/** Identifies a rendered sentence: SHA-256 as 64 hexadecimal digits. */
export function cacheKey(synthesizer: string, { text, language, voice }: Utterance): string {
  return createHash('sha256')
    .update(JSON.stringify([synthesizer, voice, language, text]))
    .digest('hex');
}

/** How full the cache is after making room, as a share of the limit. */
const FULL = 0.9;
const LOOK_EVERY_MS = 10_000;
const RENDERED = /^[0-9a-f]{64}\.(wav|txt)$/;
/** From a process that died while writing. */
const UNFINISHED = /\.part$/;
/** Creates the folder when it stores the first file. */
export function createCache(options: CacheOptions): SpeechCache {
  const { folder, recheckMs } = options;
  /** When this process last found a file, by key. {@link SpeechCache.prune} empties it. */
  const found = new Map<string, number>();
  /**
   * The size of the folder as far as this process knows. Other processes write too, so each prune measures it again.
   * Null before the first time.
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

  /** Prunes once for all files that wait for room. @throws CacheFull */
  async function makeRoom(bytes: number): Promise<void> {
    const fits = () => heldBytes !== null && heldBytes + bytes <= options.maxBytes;
    // Does not read a folder full of young files again for each new file.
    if (!fits() && (heldBytes === null || performance.now() - lookedAt >= LOOK_EVERY_MS)) {
      // Makes room for more than one file, because each prune reads the whole folder.
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
        // Marks the file as used. Fails if it does not exist.
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
        // Another process may have deleted it.
        const facts = await stat(path).catch(() => null);
        return facts === null ? null : { path, bytes: facts.size, unusedMs: now - facts.mtimeMs };
      }),
  );
  return found.filter((entry) => entry !== null);
}

/** The files to delete: those that are too old, then the least recently used until the rest fits. */
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
