import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CacheFull, createCache } from './cache.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ringkey-speech-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the cache', () => {
  const DAY = 24 * 3_600_000;
  const key = (letter: string) => letter.repeat(64);

  async function aged(maxBytes: number, ages: Record<string, number>) {
    const options = { folder, maxAgeMs: 30 * DAY, minAgeMs: DAY, recheckMs: 30_000 };
    const [cache, roomy] = [maxBytes, 1e9].map((bytes) => createCache({ ...options, maxBytes: bytes }));
    if (cache === undefined || roomy === undefined) throw new Error('no cache');
    const now = Date.now();
    for (const [letter, ageMs] of Object.entries(ages)) {
      const path = await roomy.keep(key(letter), 'words', Buffer.alloc(1_000));
      for (const file of [path, path.replace(/wav$/, 'txt')])
        await utimes(file, (now - ageMs) / 1_000, (now - ageMs) / 1_000);
    }
    return { cache, now };
  }

  const left = async () =>
    (await readdir(folder))
      .filter((name) => name.endsWith('.wav'))
      .map((name) => name[0])
      .sort();

  it('deletes files that were not used for long', async () => {
    const { cache, now } = await aged(1e9, { a: 31 * DAY, b: 29 * DAY });
    await cache.prune(now);
    expect(await left()).toEqual(['b']);
  });

  it('deletes the least recently used files beyond its limit, but none that a call may need', async () => {
    const { cache, now } = await aged(1_500, { a: 3 * DAY, b: 2 * DAY, c: 0, d: 0 });
    await cache.prune(now);
    expect(await left()).toEqual(['c', 'd']);
  });

  it('never exceeds its limit, even with files that a call may need', async () => {
    const { cache } = await aged(2_500, { a: 0, b: 0 });
    await expect(cache.keep(key('c'), 'words', Buffer.alloc(1_000))).rejects.toThrow(CacheFull);
    expect(await left()).toEqual(['a', 'b']);
  });

  it('deletes the least recently used files to make room for a new one', async () => {
    const { cache } = await aged(2_500, { a: 3 * DAY, b: 2 * DAY });
    const keepAll = ['c', 'd'].map((letter) => cache.keep(key(letter), 'words', Buffer.alloc(1_000)));
    await Promise.all(keepAll.map((each) => each.catch(() => null)));
    expect(await left()).not.toContain('a');
    expect((await left()).length).toBeLessThanOrEqual(2);
    expect(await left()).toContain('c');
  });

  it('counts finding as use', async () => {
    const { cache, now } = await aged(1_500, { a: 3 * DAY, b: 2 * DAY });
    await cache.find(key('a'));
    await cache.prune(now);
    expect(await left()).toEqual(['a']);
  });

  it('leaves no partial files, and deletes no files that are not its own', async () => {
    const { cache } = await aged(1e9, { a: 0 });
    await writeFile(join(folder, 'notes.md'), 'mine');
    await cache.prune(Date.now() + 99 * DAY);
    expect(await readdir(folder)).toEqual(['notes.md']);
  });
});
