import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountId } from '../domain/ids.ts';
import type { Line } from '../flow/types.ts';
import { LANGUAGE_TAGS, languageFor } from '../languages/index.ts';
import { CacheFull, createCache } from './cache.ts';
import { type Synthesizer, type SynthesizerId, UnspeakableText, type Utterance, type Vocabulary } from './ports.ts';
import { recordingsOf } from './recorded.ts';
import type { RenderObserved } from './render-queue.ts';
import { AccountBudget } from './render-queue.ts';
import type { SpeechLimits } from './renderer.ts';
import { createSpeech, type SpeechService } from './speech.ts';
import { Synthesizers } from './synthesizers.ts';
import { vocabulariesOf } from './vocabulary.ts';
import { toWav } from './wav.ts';

const PROMPTS = fileURLToPath(new URL('../../prompts', import.meta.url));
const DINER: Vocabulary = {
  language: 'en-US',
  voice: null,
  businessName: 'Demo Diner',
  amountCents: 4_250,
  currency: 'USD',
  canText: true,
  successMessage: null,
  failureMessage: null,
  returns: true,
  acceptedBrands: ['visa'],
};
const GREETING: Line = { name: 'greeting' };
const BEEP = toWav(new Float32Array(800).fill(0.1), 8_000);

let folder: string;
let speech: SpeechService | undefined;
let warnings: string[];
let observed: RenderObserved[];
const onRender = (one: RenderObserved) => void observed.push(one);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ringkey-speech-'));
  warnings = [];
  observed = [];
});
afterEach(async () => {
  speech?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A synthesizer that keeps a list of what it rendered. */
function fake(
  render: (utterance: Utterance, signal: AbortSignal) => Promise<Buffer> = async () => BEEP,
  id: SynthesizerId = 'espeak-ng',
) {
  const rendered: Utterance[] = [];
  const synthesizer: Synthesizer = {
    id,
    name: `fake ${id}`,
    mayHave: (voice) => /^[a-z+0-9-]+$/.test(voice),
    render(utterance, signal) {
      rendered.push(utterance);
      return render(utterance, signal);
    },
  };
  return { synthesizer, rendered };
}

async function open(
  synthesizer: Synthesizer | Synthesizers | null,
  limits: Partial<SpeechLimits> = {},
): Promise<SpeechService> {
  const log = { warn: (_fields: object, message: string) => void warnings.push(message) };
  const synthesizers =
    synthesizer instanceof Synthesizers
      ? synthesizer
      : new Synthesizers(synthesizer === null ? [] : [synthesizer], synthesizer?.id ?? null);
  const defaultVoice = synthesizer instanceof Synthesizers ? null : 'en-us';
  speech = await createSpeech({ folder, promptsFolder: PROMPTS, synthesizers, defaultVoice, log, limits, onRender });
  return speech;
}

const never = (_: Utterance, signal: AbortSignal) =>
  new Promise<Buffer>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const broken = () => Promise.reject(new Error('no voice today'));
const isRecorded = (path: string) => dirname(path) === join(PROMPTS, 'recorded', 'en');

describe('speech', () => {
  it('returns the files of a line in order, each with its words beside it', async () => {
    const files = await (await open(fake().synthesizer)).files(GREETING, DINER);
    expect(files.map((file) => dirname(file))).toEqual([folder, folder]);
    const texts = await Promise.all(files.map((file) => readFile(file.replace(/\.wav$/, '.txt'), 'utf8')));
    expect(texts).toEqual([
      'Demo Diner, forty-two dollars and fifty cents.',
      'On your keypad, please enter your card number.',
    ]);
    expect(await readFile(files[0] ?? '')).toEqual(BEEP);
  });

  it('renders nothing during a call that was prepared when its checkout was created', async () => {
    const { synthesizer, rendered } = fake();
    const voice = await open(synthesizer);
    await voice.prepare(DINER);
    const before = rendered.length;
    for (const line of [GREETING, { name: 'succeeded' }, { name: 'one_moment' }] as const) {
      for (const file of await voice.files(line, DINER)) expect(dirname(file)).toBe(folder);
    }
    expect(rendered).toHaveLength(before);
  });

  it('renders nothing during a prepared call in either of its two languages', async () => {
    const { synthesizer, rendered } = fake();
    const voice = await open(synthesizer);
    const session = {
      accountId: 'acct_1' as AccountId,
      amount: { amountCents: 4_250, currency: 'USD' },
      returnTo: null,
      successMessage: 'Enjoy!',
      failureMessage: null,
      language: null,
      chosenLanguage: null,
    } as const;
    const merchant = { ...DINER, language: 'en-US', secondLanguage: 'es', voice: 'en-us+f3' };
    const [first, second] = vocabulariesOf(session, merchant, true);
    if (second === undefined) throw new Error('no second language');
    await Promise.all([first, second].map((vocabulary) => voice.prepare(vocabulary)));
    const before = rendered.length;
    for (const line of [GREETING, { name: 'succeeded' }, { name: 'one_moment' }] as const) {
      for (const vocabulary of [first, second]) {
        for (const file of await voice.files(line, vocabulary)) expect(dirname(file)).toBe(folder);
      }
    }
    expect(rendered.slice(before)).toEqual([]);
    // Each sentence in a voice of its language: the merchant's speaks English.
    const voices = new Set(rendered.map(({ language, voice: name }) => `${language} ${name}`));
    expect([...voices].sort()).toEqual(['en-US en-us+f3', 'es en-us']);
    expect(voice.words(GREETING, first)).toMatch(
      /^Demo Diner, forty-two .* card number\. Para español, marque nueve\.$/,
    );
    expect(voice.words(GREETING, second)).toMatch(/^Demo Diner, cuarenta y dos .* For English, press nine\.$/);
    // The integrator's message is in the language that the checkout was opened in.
    expect(voice.words({ name: 'succeeded' }, first)).toBe('Enjoy!');
    expect(voice.words({ name: 'succeeded' }, second)).toMatch(/^Ha pagado cuarenta y dos dólares/);
  });

  it('plays recordings in both languages of a line if nothing can be rendered', async () => {
    const voice = await open(null);
    const files = await voice.files(GREETING, { ...DINER, other: { language: 'fr', voice: null } });
    expect(files.map((file) => file.slice(join(PROMPTS, 'recorded').length + 1))).toEqual([
      'en/greeting.wav',
      'en/card_number.1.wav',
      'fr/other_language.wav',
    ]);
  });

  it('shares the sentences without names between merchants', async () => {
    const { synthesizer, rendered } = fake();
    const voice = await open(synthesizer);
    await voice.prepare(DINER);
    const before = rendered.length;
    await voice.prepare({ ...DINER, businessName: 'Demo Books' });
    expect(rendered.slice(before).every(({ text }) => text.includes('Demo Books'))).toBe(true);
    expect(rendered.length - before).toBe(2);
  });

  it('keeps files after a restart, and renders again for another voice', async () => {
    const first = fake();
    await (await open(first.synthesizer)).files(GREETING, DINER);
    const second = fake();
    const voice = await open(second.synthesizer);
    await voice.files(GREETING, DINER);
    expect(second.rendered).toHaveLength(0);
    await voice.files(GREETING, { ...DINER, voice: 'en-us+f3' });
    expect(second.rendered.map((utterance) => utterance.voice)).toEqual(['en-us+f3', 'en-us+f3']);
    expect(first.rendered.map((utterance) => utterance.voice)).toEqual(['en-us', 'en-us']);
  });

  it('renders a sentence once for many concurrent calls', async () => {
    const { synthesizer, rendered } = fake();
    const voice = await open(synthesizer);
    await Promise.all(Array.from({ length: 20 }, () => voice.files({ name: 'one_moment' }, DINER)));
    expect(rendered).toHaveLength(1);
  });

  it('renders for a listening caller before what is rendered ahead', async () => {
    const moment = 'One moment, please.';
    const { synthesizer } = fake((utterance, signal) =>
      utterance.text === moment ? Promise.resolve(BEEP) : never(utterance, signal),
    );
    const voice = await open(synthesizer, { atOnce: 1 });
    void voice.prepare({ ...DINER, businessName: 'Demo Books' });
    const files = await voice.files({ name: 'one_moment' }, DINER);
    expect(files.map((file) => dirname(file))).toEqual([folder]);
  });

  it('renders nothing beyond the limit of waiting utterances', async () => {
    const { synthesizer, rendered } = fake();
    const voice = await open(synthesizer, { atOnce: 1, maxWaiting: 0 });
    await voice.files(GREETING, DINER);
    expect([rendered.length, warnings]).toEqual([1, []]);
  });

  it('renders a deleted file again after the next check', async () => {
    const voice = await open(fake().synthesizer, { recheckMs: 0 });
    const [file = ''] = await voice.files({ name: 'one_moment' }, DINER);
    await rm(file);
    await voice.files({ name: 'one_moment' }, DINER);
    expect(existsSync(file)).toBe(true);
  });

  it('speaks English in an English voice for a language that the line does not speak', async () => {
    const { synthesizer, rendered } = fake();
    await (await open(synthesizer)).files({ name: 'one_moment' }, { ...DINER, language: 'fi-FI', voice: 'fi' });
    expect(rendered).toEqual([{ text: 'One moment, please.', language: 'en-US', voice: null }]);
  });
});

describe('if nothing can be rendered', () => {
  const GENERIC = ['greeting.wav', 'card_number.1.wav'];

  it.each([
    ['the synthesizer is switched off', null],
    ['the synthesizer fails', fake(broken).synthesizer],
    ['the synthesizer hangs', fake(never).synthesizer],
  ])('recordings play if %s', async (_, synthesizer) => {
    const voice = await open(synthesizer, { liveMs: 20, prepareMs: 20 });
    await voice.prepare(DINER);
    const files = await voice.files(GREETING, DINER);
    expect(files.every(isRecorded)).toBe(true);
    expect(files.map((file) => basename(file))).toEqual(GENERIC);
  });

  it('a message that cannot be spoken does not affect other sentences', async () => {
    const { synthesizer } = fake(({ text }) =>
      text === '🎉' ? Promise.reject(new UnspeakableText('it is silent')) : Promise.resolve(BEEP),
    );
    const voice = await open(synthesizer);
    const happy = { ...DINER, returns: false, successMessage: '🎉' };
    const told: string[] = [];
    await voice.prepare(happy, { warn: (_fields, message) => void told.push(message) });
    expect([told.length, warnings]).toEqual([1, []]);
    const files = await voice.files({ name: 'succeeded' }, happy);
    expect(files.map((file) => basename(file))).toEqual(['succeeded.wav', 'receipt.wav', 'goodbye.wav']);
    const others = await voice.files(GREETING, { ...DINER, businessName: 'Demo Books' });
    expect(others.map((file) => dirname(file))).toEqual([folder, folder]);
  });

  it('only the first sentence waits for a synthesizer that hangs', async () => {
    const { synthesizer, rendered } = fake(never);
    const voice = await open(synthesizer, { liveMs: 20 });
    await voice.files({ name: 'one_moment' }, DINER);
    await voice.files({ name: 'still_working' }, DINER);
    expect(rendered).toHaveLength(1);
  });

  it('recordings play if the folder cannot be written', async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, 'a file where the folder should be');
    const files = await (await open(fake().synthesizer)).files(GREETING, DINER);
    expect(files.map((file) => basename(file))).toEqual(GENERIC);
    expect(warnings.length).toBeGreaterThan(0);
  });

  it('a synthesizer that failed pauses, and is tried again later', async () => {
    let works = false;
    const { synthesizer, rendered } = fake(() => (works ? Promise.resolve(BEEP) : broken()));
    const voice = await open(synthesizer, { restMs: 60_000 });
    for (let time = 0; time < 3; time += 1) await voice.files({ name: 'one_moment' }, DINER);
    works = true;
    const before = rendered.length;
    await voice.files({ name: 'one_moment' }, DINER);
    expect(rendered).toHaveLength(before);
    speech?.close();
    const impatient = await open(synthesizer, { restMs: 0 });
    expect(await impatient.files({ name: 'one_moment' }, DINER)).toSatisfy(([file]) => dirname(file) === folder);
  });

  it("our own words replace an integrator's message", async () => {
    const vocabulary = { ...DINER, returns: false, successMessage: 'Enjoy!' };
    const files = await (await open(null)).files({ name: 'succeeded' }, vocabulary);
    expect(files.map((file) => basename(file))).toEqual(['succeeded.wav', 'receipt.wav', 'goodbye.wav']);
  });

  it('every recording matches its current sentence', async () => {
    for (const tag of LANGUAGE_TAGS) {
      const recorded = join(PROMPTS, 'recorded', tag);
      const index = recordingsOf(languageFor(tag));
      expect(JSON.parse(await readFile(join(recorded, 'index.json'), 'utf8'))).toEqual(index);
      expect((await readdir(recorded)).sort()).toEqual([...Object.keys(index), 'index.json'].sort());
    }
  });
});

describe('a chain of synthesizers', () => {
  /** The first one, then espeak-ng. */
  function chain(
    renderFirst: (utterance: Utterance, signal: AbortSignal) => Promise<Buffer>,
    renderLast?: typeof renderFirst,
  ) {
    const [first, last] = [fake(renderFirst, 'openai'), fake(renderLast)];
    const synthesizers = new Synthesizers([first.synthesizer, last.synthesizer], 'openai');
    return { first: first.rendered, last: last.rendered, synthesizers };
  }
  const MOMENT: Line = { name: 'one_moment' };
  const languages = (utterances: readonly Utterance[]) => new Set(utterances.map(({ language }) => language));

  it('uses only the chosen synthesizer if it works', async () => {
    const { first, last, synthesizers } = chain(async () => BEEP);
    const voice = await open(synthesizers);
    await voice.prepare(DINER);
    await voice.files(GREETING, DINER);
    expect([first.length > 0, last.length]).toEqual([true, 0]);
  });

  it.each([
    ['fails', broken],
    ['hangs', never],
  ])(
    'uses espeak-ng in the same language if the first synthesizer %s, and only the first caller waits',
    async (_, render) => {
      const { first, last, synthesizers } = chain(render);
      const voice = await open(synthesizers, { liveMs: 200, maxFailures: 1 });
      const spanish = { ...DINER, language: 'es' };
      const files = [await voice.files(MOMENT, spanish), await voice.files({ name: 'still_working' }, spanish)].flat();
      expect(files.map((file) => dirname(file))).toEqual([folder, folder]);
      expect(first).toHaveLength(1);
      expect(languages(last)).toEqual(new Set(['es']));
    },
  );

  it('ends with recordings in the same language', async () => {
    const { synthesizers } = chain(broken, broken);
    const files = await (await open(synthesizers)).files(MOMENT, { ...DINER, language: 'de-DE' });
    expect(files).toEqual([join(PROMPTS, 'recorded', 'de', 'one_moment.wav')]);
  });

  it('pauses a failing synthesizer only in the language and voice that fail', async () => {
    const { first, synthesizers } = chain(({ language, voice }) =>
      language === 'es' || voice === 'gone' ? broken() : Promise.resolve(BEEP),
    );
    const voice = await open(synthesizers, { maxFailures: 1, restMs: 60_000 });
    await voice.files(MOMENT, { ...DINER, language: 'es' });
    await voice.files(MOMENT, { ...DINER, voice: 'openai:gone' });
    const before = first.length;
    await voice.files({ name: 'still_working' }, { ...DINER, language: 'es' });
    await voice.files({ name: 'still_working' }, { ...DINER, voice: 'openai:gone' });
    expect(first).toHaveLength(before);
    await voice.files({ name: 'still_working' }, DINER);
    expect(first).toHaveLength(before + 1);
  });

  it('renders the shared sentences again when the first synthesizer works again', async () => {
    let works = false;
    const { first, synthesizers } = chain(() => (works ? Promise.resolve(BEEP) : broken()));
    const voice = await open(synthesizers, { restMs: 0 });
    await voice.warm('en-US', null);
    works = true;
    await voice.warm('en-US', null);
    const before = first.length;
    await voice.files(MOMENT, DINER);
    expect(first).toHaveLength(before);
  });

  it('uses the synthesizer that the voice names, and espeak-ng for a plain name', async () => {
    const { first, last, synthesizers } = chain(async () => BEEP);
    const voice = await open(synthesizers);
    for (const name of ['openai:nova', 'espeak-ng:en-gb', 'en-gb-x-rp', 'polly:Joanna']) {
      await voice.files(MOMENT, { ...DINER, voice: name });
    }
    // No such synthesizer is set up: the chosen one speaks.
    expect(first.map(({ voice: name }) => name)).toEqual(['nova', null]);
    expect(last.map(({ voice: name }) => name)).toEqual(['en-gb', 'en-gb-x-rp']);
    const known = ['openai:nova', 'en-us+f3', 'espeak-ng:en-gb', 'polly:Joanna', 'openai:', 'nobody:x', 'two words'];
    expect(known.map((name) => voice.mayHaveVoice(name))).toEqual([true, true, true, false, false, false, false]);
  });

  it('sends vendors no text that looks like a card number or has no words', async () => {
    const { first, last, synthesizers } = chain(async () => BEEP);
    const voice = await open(synthesizers);
    for (const successMessage of ['Card 4242 4242 4242 4242 is charged.', '4242-4242-4242-4242', '🎉']) {
      await voice.prepare({ ...DINER, returns: false, successMessage });
    }
    expect(first.map(({ text }) => text).filter((text) => /\d{4}[ -]?\d|🎉/.test(text))).toEqual([]);
    expect(last).toHaveLength(3);
  });

  it('reports the characters of each request', async () => {
    const { synthesizers } = chain(broken);
    await (await open(synthesizers)).files(MOMENT, DINER);
    expect(observed.map(({ synthesizer, result, characters }) => [synthesizer, result, characters])).toEqual([
      ['openai', 'failed', 'One moment, please.'.length],
      ['espeak-ng', 'rendered', 'One moment, please.'.length],
    ]);
  });
});

describe('the hourly budget of an account', () => {
  const limits = { maxAccountBytes: 4 * BEEP.length };
  const openWith = async (account: string, businessName: string, wanted: SpeechService) =>
    wanted.prepare({ ...DINER, account, businessName });

  it('makes recordings play for the account beyond it, and does not affect other accounts', async () => {
    const { synthesizer, rendered } = fake();
    const service = await open(synthesizer, limits);
    await service.warm(DINER.language, DINER.voice);
    const shared = rendered.length;
    for (let name = 0; name < 50; name += 1) await openWith('acct_stranger', `Diner ${name}`, service);
    // Of those that were being rendered at once, each may be the last.
    expect(rendered.length - shared).toBeLessThanOrEqual(4 + 1);
    expect(warnings).toEqual(['account has used its speech of this hour: recordings play']);
    const files = await service.files(GREETING, { ...DINER, account: 'acct_stranger', businessName: 'Diner 51' });
    expect(files.some((file) => file.includes('recorded'))).toBe(true);
    expect(files.every(existsSync)).toBe(true);
    const before = rendered.length;
    expect(before - shared).toBeLessThanOrEqual(4 + 1);
    await openWith('acct_other', 'Bakery', service);
    expect(rendered.length).toBeGreaterThan(before);
  });

  it('also counts the sentences of ever new languages', async () => {
    const { synthesizer, rendered } = fake();
    const service = await open(synthesizer, limits);
    for (let region = 100; region < 150; region += 1) {
      await service.prepare({ ...DINER, language: `en-${region}`, account: 'acct_stranger' });
    }
    expect(rendered.length).toBeLessThanOrEqual(4 + 1);
    const before = rendered.length;
    await service.warm('en-GB', null);
    expect(rendered.length).toBeGreaterThan(before + 50);
  });

  it('does not limit files that already exist', async () => {
    const service = await open(fake().synthesizer, limits);
    const known = { ...DINER, account: 'acct_stranger', businessName: 'Known' };
    const first = await service.files(GREETING, known);
    for (let name = 0; name < 10; name += 1) await openWith('acct_stranger', `Diner ${name}`, service);
    expect(await service.files(GREETING, known)).toEqual(first);
  });

  it('starts again in the next hour', () => {
    const budget = new AccountBudget(10, 0);
    expect(budget.spend('acct_one', 10)).toBe(true);
    expect(budget.isLeft('acct_one')).toBe(true);
    const hour = new AccountBudget(10);
    hour.spend('acct_one', 10);
    expect([hour.isLeft('acct_one'), hour.isLeft('acct_two'), hour.isLeft(null)]).toEqual([false, true, true]);
  });
});

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
    await Promise.all(keepAll.map((kept) => kept.catch(() => null)));
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
