/** Samples of the line: their bounds, and what they are made of. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountId } from '../domain/ids.ts';
import { deferred } from '../lib/concurrency/deferred.ts';
import type { Utterance } from './ports.ts';
import { type RenderedFile, Samples, sampleVocabulary } from './sample.ts';
import { fromWav, toWav } from './wav.ts';

const ACCOUNT = 'acct_one' as AccountId;
const OTHER = 'acct_other' as AccountId;
const utterance = (text: string): Utterance => ({ text, language: 'en', voice: null });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ringkey-sample-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A file of so many samples. */
async function rendered(samples: number, isFirst = true): Promise<RenderedFile> {
  const path = join(folder, `${samples}.wav`);
  await writeFile(path, toWav(new Float32Array(samples).fill(samples / 10_000), 8_000));
  return { path, synthesizer: isFirst ? 'polly' : 'espeak-ng', isFirst };
}

describe('samples', () => {
  it('join the sentences in order in one file', async () => {
    const files = [await rendered(800), await rendered(400, false)];
    const samples = new Samples({ canRender: true, fileAhead: async ({ text }) => files[Number(text)] ?? null }, 5_000);
    const sample = await samples.sampleOf(ACCOUNT, [utterance('0'), utterance('1')]);
    expect(sample).toMatchObject({ speakers: ['polly', 'espeak-ng'], isStandIn: true });
    const { samples: sound } = fromWav(typeof sample === 'string' ? Buffer.alloc(0) : sample.wav);
    expect(sound).toHaveLength(1_200);
    expect([sound[0], sound[1_199]].map((level) => Math.round((level ?? 0) * 100))).toEqual([8, 4]);
  });

  it('are unavailable if a sentence could not be rendered or its file was deleted', async () => {
    const there = await rendered(80);
    const gone: RenderedFile = { ...there, path: join(folder, 'gone.wav') };
    for (const second of [null, gone]) {
      const files = [there, second];
      const source = { canRender: true, fileAhead: async ({ text }: Utterance) => files[Number(text)] ?? null };
      expect(await new Samples(source, 5_000).sampleOf(ACCOUNT, [utterance('0'), utterance('1')])).toBe('unavailable');
    }
  });

  it('have a time limit', async () => {
    const samples = new Samples({ canRender: true, fileAhead: () => new Promise(() => undefined) }, 20);
    expect(await samples.sampleOf(ACCOUNT, [utterance('0')])).toBe('unavailable');
  });

  it('are limited to four at once per account', async () => {
    const file = await rendered(80);
    const held = deferred<void>();
    const fileAhead = async ({ text }: Utterance) => (text === 'held' ? held.promise.then(() => file) : file);
    const samples = new Samples({ canRender: true, fileAhead }, 60_000);
    const waiting = [1, 2, 3, 4].map(() => samples.sampleOf(ACCOUNT, [utterance('held')]));
    expect(await samples.sampleOf(ACCOUNT, [utterance('next')])).toBe('busy');
    expect(await samples.sampleOf(OTHER, [utterance('next')])).toMatchObject({ speakers: ['polly'] });
    held.resolve();
    await Promise.all(waiting);
    expect(await samples.sampleOf(ACCOUNT, [utterance('next')])).toMatchObject({ speakers: ['polly'] });
  });
});

describe('the vocabulary of a sample', () => {
  const merchant = { account: ACCOUNT, businessName: 'Demo Diner', currency: 'EUR' as const };

  it('equals that of a call, and counts against the budget of the account', () => {
    expect(sampleVocabulary({ ...merchant, language: 'fr', secondLanguage: 'en', voice: 'fr+f2' })).toMatchObject({
      account: ACCOUNT,
      businessName: 'Demo Diner',
      language: 'fr',
      voice: 'fr+f2',
      currency: 'EUR',
      other: { language: 'en', voice: null },
    });
  });

  it('offers no second language if it equals the first', () => {
    const { other } = sampleVocabulary({ ...merchant, language: 'fr-CA', secondLanguage: 'fr', voice: null });
    expect(other).toBeNull();
  });
});
