import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  BEEP,
  broken,
  DINER,
  fakeSynthesizer,
  GREETING,
  never,
  PROMPTS,
  useTestSpeech,
} from '../../test/support/test-speech.ts';
import type { Line } from '../flow/lines.ts';
import type { Utterance } from './ports.ts';
import { Synthesizers } from './synthesizers.ts';

const testSpeech = useTestSpeech();

describe('a chain of synthesizers', () => {
  /** The first one, then espeak-ng. */
  function chain(
    renderFirst: (utterance: Utterance, signal: AbortSignal) => Promise<Buffer>,
    renderLast?: typeof renderFirst,
  ) {
    const [first, last] = [fakeSynthesizer(renderFirst, 'openai'), fakeSynthesizer(renderLast)];
    const synthesizers = new Synthesizers([first.synthesizer, last.synthesizer], 'openai');
    return { first: first.rendered, last: last.rendered, synthesizers };
  }
  const MOMENT: Line = { name: 'one_moment' };
  const languages = (utterances: readonly Utterance[]) => new Set(utterances.map(({ language }) => language));

  it('uses only the chosen synthesizer if it works', async () => {
    const { first, last, synthesizers } = chain(async () => BEEP);
    const voice = await testSpeech.open(synthesizers);
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
      // The first one gets half of `liveMs`, and the last one the rest, also on a busy machine.
      const voice = await testSpeech.open(synthesizers, { liveMs: 6_000, maxFailures: 1, restMs: 60_000 });
      const spanish = { ...DINER, language: 'es' };
      const files = [await voice.files(MOMENT, spanish), await voice.files({ name: 'still_working' }, spanish)].flat();
      expect(files.map((file) => dirname(file))).toEqual([testSpeech.folder, testSpeech.folder]);
      expect(first).toHaveLength(1);
      expect(languages(last)).toEqual(new Set(['es']));
    },
  );

  it('ends with recordings in the same language', async () => {
    const { synthesizers } = chain(broken, broken);
    const files = await (await testSpeech.open(synthesizers)).files(MOMENT, { ...DINER, language: 'de-DE' });
    expect(files).toEqual([join(PROMPTS, 'recorded', 'de', 'one_moment.wav')]);
  });

  it('pauses a failing synthesizer only in the language and voice that fail', async () => {
    const { first, synthesizers } = chain(({ language, voice }) =>
      language === 'es' || voice === 'gone' ? broken() : Promise.resolve(BEEP),
    );
    const voice = await testSpeech.open(synthesizers, { maxFailures: 1, restMs: 60_000 });
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
    const voice = await testSpeech.open(synthesizers, { restMs: 0 });
    await voice.warm('en-US', null);
    works = true;
    await voice.warm('en-US', null);
    const before = first.length;
    await voice.files(MOMENT, DINER);
    expect(first).toHaveLength(before);
  });

  it('uses the synthesizer that the voice names, and espeak-ng for a plain name', async () => {
    const { first, last, synthesizers } = chain(async () => BEEP);
    const voice = await testSpeech.open(synthesizers);
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
    const voice = await testSpeech.open(synthesizers);
    for (const successMessage of ['Card 4242 4242 4242 4242 is charged.', '4242-4242-4242-4242', '🎉']) {
      await voice.prepare({ ...DINER, returns: false, successMessage });
    }
    expect(first.map(({ text }) => text).filter((text) => /\d{4}[ -]?\d|🎉/.test(text))).toEqual([]);
    expect(last).toHaveLength(3);
  });

  it('reports the characters of each request', async () => {
    const { synthesizers } = chain(broken);
    await (await testSpeech.open(synthesizers)).files(MOMENT, DINER);
    expect(testSpeech.observed.map(({ synthesizer, result, characters }) => [synthesizer, result, characters])).toEqual(
      [
        ['openai', 'failed', 'One moment, please.'.length],
        ['espeak-ng', 'rendered', 'One moment, please.'.length],
      ],
    );
  });
});
