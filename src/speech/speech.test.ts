import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  BEEP,
  broken,
  DINER,
  fakeSynthesizer,
  GREETING,
  isRecorded,
  never,
  PROMPTS,
  useTestSpeech,
} from '../../test/support/test-speech.ts';
import type { AccountId } from '../domain/ids.ts';
import { LANGUAGE_TAGS, languageFor } from '../languages/index.ts';
import { UnspeakableText } from './ports.ts';
import { recordingsOf } from './recorded.ts';
import { AccountBudget } from './render-queue.ts';
import type { SpeechService } from './speech.ts';
import { vocabulariesOf } from './vocabulary.ts';

const testSpeech = useTestSpeech();

describe('speech', () => {
  it('returns the files of a line in order, each with its words beside it', async () => {
    const files = await (await testSpeech.open(fakeSynthesizer().synthesizer)).files(GREETING, DINER);
    expect(files.map((file) => dirname(file))).toEqual([testSpeech.folder, testSpeech.folder]);
    const texts = await Promise.all(files.map((file) => readFile(file.replace(/\.wav$/, '.txt'), 'utf8')));
    expect(texts).toEqual([
      'Demo Diner, forty-two dollars and fifty cents.',
      'On your keypad, please enter your card number.',
    ]);
    expect(await readFile(files[0] ?? '')).toEqual(BEEP);
  });

  it('renders nothing during a call that was prepared when its checkout was created', async () => {
    const { synthesizer, rendered } = fakeSynthesizer();
    const voice = await testSpeech.open(synthesizer);
    await voice.prepare(DINER);
    const before = rendered.length;
    for (const line of [GREETING, { name: 'succeeded' }, { name: 'one_moment' }] as const) {
      for (const file of await voice.files(line, DINER)) expect(dirname(file)).toBe(testSpeech.folder);
    }
    expect(rendered).toHaveLength(before);
  });

  it('renders nothing during a prepared call in either of its two languages', async () => {
    const { synthesizer, rendered } = fakeSynthesizer();
    const voice = await testSpeech.open(synthesizer);
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
        for (const file of await voice.files(line, vocabulary)) expect(dirname(file)).toBe(testSpeech.folder);
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
    const voice = await testSpeech.open(null);
    const files = await voice.files(GREETING, { ...DINER, other: { language: 'fr', voice: null } });
    expect(files.map((file) => file.slice(join(PROMPTS, 'recorded').length + 1))).toEqual([
      'en/greeting.wav',
      'en/card_number.1.wav',
      'fr/other_language.wav',
    ]);
  });

  it('shares the sentences without names between merchants', async () => {
    const { synthesizer, rendered } = fakeSynthesizer();
    const voice = await testSpeech.open(synthesizer);
    await voice.prepare(DINER);
    const before = rendered.length;
    await voice.prepare({ ...DINER, businessName: 'Demo Books' });
    expect(rendered.slice(before).every(({ text }) => text.includes('Demo Books'))).toBe(true);
    expect(rendered.length - before).toBe(2);
  });

  it('keeps files after a restart, and renders again for another voice', async () => {
    const first = fakeSynthesizer();
    await (await testSpeech.open(first.synthesizer)).files(GREETING, DINER);
    const second = fakeSynthesizer();
    const voice = await testSpeech.open(second.synthesizer);
    await voice.files(GREETING, DINER);
    expect(second.rendered).toHaveLength(0);
    await voice.files(GREETING, { ...DINER, voice: 'en-us+f3' });
    expect(second.rendered.map((utterance) => utterance.voice)).toEqual(['en-us+f3', 'en-us+f3']);
    expect(first.rendered.map((utterance) => utterance.voice)).toEqual(['en-us', 'en-us']);
  });

  it('renders a sentence once for many concurrent calls', async () => {
    const { synthesizer, rendered } = fakeSynthesizer();
    const voice = await testSpeech.open(synthesizer);
    await Promise.all(Array.from({ length: 20 }, () => voice.files({ name: 'one_moment' }, DINER)));
    expect(rendered).toHaveLength(1);
  });

  it('renders for a listening caller before what is rendered ahead', async () => {
    const moment = 'One moment, please.';
    const { synthesizer } = fakeSynthesizer((utterance, signal) =>
      utterance.text === moment ? Promise.resolve(BEEP) : never(utterance, signal),
    );
    const voice = await testSpeech.open(synthesizer, { atOnce: 1 });
    void voice.prepare({ ...DINER, businessName: 'Demo Books' });
    const files = await voice.files({ name: 'one_moment' }, DINER);
    expect(files.map((file) => dirname(file))).toEqual([testSpeech.folder]);
  });

  it('renders nothing beyond the limit of waiting utterances', async () => {
    const { synthesizer, rendered } = fakeSynthesizer();
    const voice = await testSpeech.open(synthesizer, { atOnce: 1, maxWaiting: 0 });
    await voice.files(GREETING, DINER);
    expect([rendered.length, testSpeech.warnings]).toEqual([1, []]);
  });

  it('renders a deleted file again after the next check', async () => {
    const voice = await testSpeech.open(fakeSynthesizer().synthesizer, { recheckMs: 0 });
    const [file = ''] = await voice.files({ name: 'one_moment' }, DINER);
    await rm(file);
    await voice.files({ name: 'one_moment' }, DINER);
    expect(existsSync(file)).toBe(true);
  });

  it('speaks English in an English voice for a language that the line does not speak', async () => {
    const { synthesizer, rendered } = fakeSynthesizer();
    await (await testSpeech.open(synthesizer)).files(
      { name: 'one_moment' },
      { ...DINER, language: 'fi-FI', voice: 'fi' },
    );
    expect(rendered).toEqual([{ text: 'One moment, please.', language: 'en-US', voice: null }]);
  });
});

describe('if nothing can be rendered', () => {
  const GENERIC = ['greeting.wav', 'card_number.1.wav'];

  it.each([
    ['the synthesizer is switched off', null],
    ['the synthesizer fails', fakeSynthesizer(broken).synthesizer],
    ['the synthesizer hangs', fakeSynthesizer(never).synthesizer],
  ])('recordings play if %s', async (_, synthesizer) => {
    const voice = await testSpeech.open(synthesizer, { liveMs: 20, prepareMs: 20 });
    await voice.prepare(DINER);
    const files = await voice.files(GREETING, DINER);
    expect(files.every(isRecorded)).toBe(true);
    expect(files.map((file) => basename(file))).toEqual(GENERIC);
  });

  it('a message that cannot be spoken does not affect other sentences', async () => {
    const { synthesizer } = fakeSynthesizer(({ text }) =>
      text === '🎉' ? Promise.reject(new UnspeakableText('it is silent')) : Promise.resolve(BEEP),
    );
    const voice = await testSpeech.open(synthesizer);
    const happy = { ...DINER, returns: false, successMessage: '🎉' };
    const warnings: string[] = [];
    await voice.prepare(happy, { warn: (_fields, message) => void warnings.push(message) });
    expect([warnings.length, testSpeech.warnings]).toEqual([1, []]);
    const files = await voice.files({ name: 'succeeded' }, happy);
    expect(files.map((file) => basename(file))).toEqual(['succeeded.wav', 'receipt.wav', 'goodbye.wav']);
    const others = await voice.files(GREETING, { ...DINER, businessName: 'Demo Books' });
    expect(others.map((file) => dirname(file))).toEqual([testSpeech.folder, testSpeech.folder]);
  });

  it('only the first sentence waits for a synthesizer that hangs', async () => {
    const { synthesizer, rendered } = fakeSynthesizer(never);
    const voice = await testSpeech.open(synthesizer, { liveMs: 20 });
    await voice.files({ name: 'one_moment' }, DINER);
    await voice.files({ name: 'still_working' }, DINER);
    expect(rendered).toHaveLength(1);
  });

  it('recordings play if the folder cannot be written', async () => {
    await rm(testSpeech.folder, { recursive: true });
    await writeFile(testSpeech.folder, 'a file where the folder should be');
    const files = await (await testSpeech.open(fakeSynthesizer().synthesizer)).files(GREETING, DINER);
    expect(files.map((file) => basename(file))).toEqual(GENERIC);
    expect(testSpeech.warnings.length).toBeGreaterThan(0);
  });

  it('a synthesizer that failed pauses, and is tried again later', async () => {
    let works = false;
    const { synthesizer, rendered } = fakeSynthesizer(() => (works ? Promise.resolve(BEEP) : broken()));
    const voice = await testSpeech.open(synthesizer, { restMs: 60_000 });
    for (let time = 0; time < 3; time += 1) await voice.files({ name: 'one_moment' }, DINER);
    works = true;
    const before = rendered.length;
    await voice.files({ name: 'one_moment' }, DINER);
    expect(rendered).toHaveLength(before);
    testSpeech.close();
    const impatient = await testSpeech.open(synthesizer, { restMs: 0 });
    expect(await impatient.files({ name: 'one_moment' }, DINER)).toSatisfy(
      ([file]) => dirname(file) === testSpeech.folder,
    );
  });

  it("our own words replace an integrator's message", async () => {
    const vocabulary = { ...DINER, returns: false, successMessage: 'Enjoy!' };
    const files = await (await testSpeech.open(null)).files({ name: 'succeeded' }, vocabulary);
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

describe('the hourly budget of an account', () => {
  const limits = { maxAccountBytes: 4 * BEEP.length };
  const openWith = async (account: string, businessName: string, wanted: SpeechService) =>
    wanted.prepare({ ...DINER, account, businessName });

  it('makes recordings play for the account beyond it, and does not affect other accounts', async () => {
    const { synthesizer, rendered } = fakeSynthesizer();
    const service = await testSpeech.open(synthesizer, limits);
    await service.warm(DINER.language, DINER.voice);
    const shared = rendered.length;
    for (let name = 0; name < 50; name += 1) await openWith('acct_stranger', `Diner ${name}`, service);
    // Of those that were being rendered at once, each may be the last.
    expect(rendered.length - shared).toBeLessThanOrEqual(4 + 1);
    expect(testSpeech.warnings).toEqual(['account has used its speech of this hour: recordings play']);
    const files = await service.files(GREETING, { ...DINER, account: 'acct_stranger', businessName: 'Diner 51' });
    expect(files.some((file) => file.includes('recorded'))).toBe(true);
    expect(files.every(existsSync)).toBe(true);
    const before = rendered.length;
    expect(before - shared).toBeLessThanOrEqual(4 + 1);
    await openWith('acct_other', 'Bakery', service);
    expect(rendered.length).toBeGreaterThan(before);
  });

  it('also counts the sentences of ever new languages', async () => {
    const { synthesizer, rendered } = fakeSynthesizer();
    const service = await testSpeech.open(synthesizer, limits);
    for (let region = 100; region < 150; region += 1) {
      await service.prepare({ ...DINER, language: `en-${region}`, account: 'acct_stranger' });
    }
    expect(rendered.length).toBeLessThanOrEqual(4 + 1);
    const before = rendered.length;
    await service.warm('en-GB', null);
    expect(rendered.length).toBeGreaterThan(before + 50);
  });

  it('does not limit files that already exist', async () => {
    const service = await testSpeech.open(fakeSynthesizer().synthesizer, limits);
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

  it('tells once that 80% are used', () => {
    const near: string[] = [];
    const budget = new AccountBudget(10, 3_600_000, (account) => near.push(account));
    budget.spend(null, 10);
    budget.spend('acct_one', 7);
    expect(near).toEqual([]);
    for (let spent = 0; spent < 3; spent += 1) budget.spend('acct_one', 1);
    expect(near).toEqual(['acct_one']);
  });
});
