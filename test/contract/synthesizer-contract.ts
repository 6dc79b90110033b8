/** The contract that every synthesizer must pass. */
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { activeLevel } from '../../src/speech/audio.ts';
import type { Synthesizer } from '../../src/speech/ports.ts';
import { fromWav } from '../../src/speech/wav.ts';
import { type FakeSynthesizer, SPEECH_FAULTS, VENDOR_WORDS } from '../support/fake-synthesizers.ts';
import { requestTimeout } from '../support/request-timeout.ts';

interface SynthesizerUnderTest {
  name: string;
  /** Null: a program of this machine. */
  startVendor: (() => Promise<FakeSynthesizer>) | null;
  create(url: string): Synthesizer;
  /** Voices that it may have, and a name that it can't have. */
  voices: { known: string; unknown: string };
  /** How a request names its voice. */
  voiceOf(request: FakeSynthesizer['requests'][number]): string;
}

const SENTENCES = [
  ['en-US', 'On your keypad, please enter your card number.'],
  ['es', 'En su teclado, marque por favor el número de su tarjeta.'],
  ['fr', 'Sur votre clavier, saisissez le numéro de votre carte.'],
  ['de', 'Bitte geben Sie Ihre Kartennummer auf der Tastatur ein.'],
] as const;
const [[LANGUAGE, TEXT]] = SENTENCES;

export function synthesizerContract({ name, startVendor, create, voices, voiceOf }: SynthesizerUnderTest): void {
  describe(name, () => {
    let vendor: FakeSynthesizer | null = null;
    let synthesizer: Synthesizer;
    beforeAll(async () => {
      vendor = (await startVendor?.()) ?? null;
      synthesizer = create(vendor?.url ?? '');
    });
    afterAll(() => vendor?.close());
    afterEach(() => {
      if (vendor === null) return;
      vendor.fault = null;
      expect(vendor.violations).toEqual([]);
      vendor.requests.length = 0;
    });

    const render = (more: { text?: string; language?: string; voice?: string | null } = {}, limit = requestTimeout()) =>
      synthesizer.render({ text: TEXT, language: LANGUAGE, voice: null, ...more }, limit);

    test.each(SENTENCES)('speaks %s for the telephone', async (language, text) => {
      const { samples, hz } = fromWav(await render({ language, text }));
      expect(hz).toBe(8_000);
      expect(activeLevel(samples)).toBeGreaterThan(-21);
      expect(activeLevel(samples)).toBeLessThan(-17);
      expect(samples.length / hz).toBeGreaterThan(1.5);
      expect(samples.length / hz).toBeLessThan(6);
    });

    test('accepts valid voices only', () => {
      expect([voices.known, voices.unknown, '', '../x', 'a b'].map((voice) => synthesizer.mayHave(voice))).toEqual([
        true,
        false,
        false,
        false,
        false,
      ]);
    });

    test('speaks a short word', async () => {
      expect(fromWav(await render({ text: 'four' })).samples.length).toBeGreaterThan(800);
    });

    test('stops at once when aborted', async () => {
      const closing = new AbortController();
      if (vendor !== null) vendor.fault = 'hang';
      const speech = synthesizer.render({ text: TEXT, language: LANGUAGE, voice: null }, closing.signal);
      closing.abort();
      await expect(speech).rejects.toThrow();
    });

    if (startVendor === null) return;

    test('sends one request with the given voice', async () => {
      await render({ voice: voices.known });
      expect(vendor?.requests.map(voiceOf)).toEqual([voices.known]);
    });

    test.each(SPEECH_FAULTS)(
      'fails when the answer is broken (%s): once, and tells nothing that the vendor wrote',
      async (fault) => {
        if (vendor !== null) vendor.fault = fault;
        const limit = new AbortController();
        const answer = render({}, AbortSignal.any([limit.signal, requestTimeout()])).then(
          () => null,
          (error: unknown) => error,
        );
        if (fault === 'hang') {
          await expect.poll(() => vendor?.requests).toHaveLength(1);
          limit.abort();
        }
        const failure = await answer;
        expect(failure).toBeInstanceOf(Error);
        expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain(VENDOR_WORDS);
        expect(vendor?.requests).toHaveLength(1);
      },
    );
  });
}
