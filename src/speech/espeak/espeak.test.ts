/** The real espeak-ng, as a caller hears it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TAGS, languageFor } from '../../languages/index.ts';
import { amountInWords } from '../../languages/numbers.ts';
import { activeLevel } from '../audio.ts';
import { UnspeakableText } from '../ports.ts';
import { sharedTexts } from '../recorded.ts';
import { fromWav } from '../wav.ts';
import { createEspeak, type EspeakOptions } from './espeak.ts';

interface Recording {
  seconds: number;
  hz: number;
  /** dB below full scale, of the speech. */
  level: number;
  peak: number;
  /** Until the first sound, be it the breath of a "th". */
  startsAfterMs: number;
}

interface Spoken extends EspeakOptions {
  language?: string;
}

async function hear(text: string, voice: string | null = null, spoken: Spoken = {}): Promise<Recording> {
  const { signal } = new AbortController();
  const { language = 'en-US', ...options } = spoken;
  const { samples, hz } = fromWav(await createEspeak(options).render({ text, language, voice }, signal));
  return {
    seconds: samples.length / hz,
    hz,
    level: activeLevel(samples),
    peak: samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
    startsAfterMs: (samples.findIndex((sample) => Math.abs(sample) > 0.003) * 1_000) / hz,
  };
}

describe('espeak-ng', () => {
  it.each(LANGUAGE_TAGS)('greets in under six seconds (%s)', async (name) => {
    const { locale, line, numbers } = languageFor(name);
    const business = 'Demo Diner';
    const who = line.sentences.greeting.say({ business, amount: amountInWords(4_250, 'USD', numbers) });
    const recording = await Promise.all(
      [who, line.sentences['card_number.1']].map((text) => hear(text, null, { language: locale })),
    );
    expect(recording.reduce((sum, { seconds }) => sum + seconds, 0)).toBeLessThan(6);
  });

  it.each(LANGUAGE_TAGS)(
    'says every sentence at the same level, without a pause before it, at 8 kHz (%s)',
    async (name) => {
      const language = languageFor(name);
      for (const text of sharedTexts(language)) {
        const recording = await hear(text, null, { language: language.locale });
        expect(recording.hz).toBe(8_000);
        expect(recording.level, text).toBeGreaterThan(-20);
        expect(recording.level, text).toBeLessThan(-18);
        expect(recording.peak, text).toBeLessThan(0.86);
        expect(recording.startsAfterMs, text).toBeLessThan(50);
        expect(recording.seconds, text).toBeLessThan(8);
      }
    },
  );

  it('ignores a voice of another language', async () => {
    const plain = await hear('Por favor, marque su número.', null, { language: 'es' });
    expect(await hear('Por favor, marque su número.', 'en-us+f3', { language: 'es' })).toEqual(plain);
    expect(await hear('Por favor, marque su número.', 'es+f3', { language: 'es' })).not.toEqual(plain);
    expect(await hear('Por favor, marque su número.', null, { language: 'en-US' })).not.toEqual(plain);
  });

  it('speaks all voices at the same level', async () => {
    for (const voice of ['en-us+f3', 'en-gb', 'en-gb-x-rp']) {
      expect((await hear('One moment, please.', voice)).level).toBeCloseTo(-19, 0);
    }
  });

  it('does not interpret a business name as a command', async () => {
    const plain = await hear('Bob s Diner');
    for (const name of ["[[hE'loU]] Bob s Diner", '<audio src="x"/> Bob s Diner', '--help; rm -rf / `id` $(id)']) {
      expect((await hear(name)).seconds).toBeGreaterThan(plain.seconds * 0.8);
    }
  });

  it('accepts no option or path as a voice', async () => {
    for (const voice of ['-h', '../../etc/passwd', 'en us', '']) expect((await hear('Hello.', voice)).hz).toBe(8_000);
  });

  it('uses the default voice instead of an unknown one', async () => {
    expect(await hear('Hello.', 'nobody')).toEqual(await hear('Hello.'));
  });

  it('fails if the program also fails in the default voice', async () => {
    await expect(hear('Hello.', 'nobody', { command: 'false' })).rejects.toThrow(/status 1|EPIPE/);
  });

  it('distinguishes a silent text from a failure', async () => {
    for (const text of ['', ' ', '...']) await expect(hear(text)).rejects.toBeInstanceOf(UnspeakableText);
  });

  it('fails if espeak-ng is not installed', async () => {
    await expect(hear('Hello.', null, { command: 'espeak-ng-of-nowhere' })).rejects.toThrow(/ENOENT/);
  });

  it('passes no secrets to espeak-ng', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ringkey-espeak-'));
    const [command, seen] = [join(folder, 'tells'), join(folder, 'environment')];
    await writeFile(command, `#!/bin/sh\nenv > ${seen}\nexec cat > /dev/null\n`, { mode: 0o755 });
    process.env.RINGKEY_ENCRYPTION_KEYS = 'hidden';
    process.env.TWILIO_AUTH_TOKEN = 'hidden';
    try {
      await expect(hear('Hello.', null, { command })).rejects.toBeInstanceOf(UnspeakableText);
      const names = (await readFile(seen, 'utf8')).split('\n').map((line) => line.split('=', 1)[0]);
      expect(names).toContain('PATH');
      expect(names.filter((name) => /^(RINGKEY|TWILIO|NODE|npm|VITEST)/i.test(name ?? ''))).toEqual([]);
    } finally {
      delete process.env.RINGKEY_ENCRYPTION_KEYS;
      delete process.env.TWILIO_AUTH_TOKEN;
      await rm(folder, { recursive: true });
    }
  });

  it('ends espeak-ng if it takes too long or is aborted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ringkey-espeak-'));
    const command = join(folder, 'hangs');
    await writeFile(command, '#!/bin/sh\nexec tail -f /dev/null\n', { mode: 0o755 });
    await expect(hear('Hello.', null, { command, limitMs: 50 })).rejects.toThrow(/ended with SIGKILL/);
    const closing = new AbortController();
    const speech = createEspeak({ command }).render({ text: 'Hello.', language: 'en-US', voice: null }, closing.signal);
    closing.abort();
    await expect(speech).rejects.toThrow(/abort/);
    await rm(folder, { recursive: true });
  });
});
