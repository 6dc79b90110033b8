/**
 * Samples for choosing a language and a voice: the greeting as callers hear it, in one WAV file.
 */
import { readFile } from 'node:fs/promises';
import type { AccountId } from '../domain/ids.ts';
import { MERCHANT_DEFAULTS } from '../domain/merchant.ts';
import type { Currency } from '../domain/money.ts';
import { waitAtMost } from '../lib/concurrency/time-limit.ts';
import type { SynthesizerId, Utterance, Vocabulary } from './ports.ts';
import { vocabularyOf } from './vocabulary.ts';
import { fromWav, toWav } from './wav.ts';

/** The merchant of the sample, with its current or proposed settings. The text cannot be chosen. */
export interface SampleOrder {
  /** New files count against its budget. */
  account: AccountId;
  businessName: string;
  currency: Currency;
  /** BCP 47. */
  language: string;
  /** Offered in the greeting, or null. */
  secondLanguage: string | null;
  /** `<synthesizer>:<voice>`, or a plain name of espeak-ng's; null for the default. */
  voice: string | null;
}

export interface Sample {
  /** 8 kHz, mono, 16 bits, as in a call. */
  wav: Buffer;
  /** Its sentences with their BCP 47 languages. */
  sentences: readonly { text: string; language: string }[];
  /** The synthesizers that spoke, without duplicates. */
  speakers: readonly SynthesizerId[];
  /** Another synthesizer had to replace that of the voice, as it would in a call. */
  isStandIn: boolean;
}

/**
 * `no_synthesizer`: the service plays recordings only. `unavailable`: no synthesizer answered in time, or the account has
 * used up its hourly budget. `busy`: too many concurrent samples of the account.
 */
export type SampleRefusal = 'no_synthesizer' | 'unavailable' | 'busy';

/** A file in the cache and the synthesizer that rendered it. */
export interface RenderedFile {
  path: string;
  synthesizer: SynthesizerId;
  /** Whether this synthesizer is the first of the chain. */
  isFirst: boolean;
}

interface FileSource {
  readonly canRender: boolean;
  /** Null if all synthesizers of the chain fail. Never rejects. */
  fileAhead(utterance: Utterance): Promise<RenderedFile | null>;
}

/** Audio players request one file two or three times. */
const MAX_AT_ONCE = 4;
/** In minor units of any currency. */
export const SAMPLE_CENTS = 4_250;

/** The vocabulary of a checkout of $42.50, so that a sample and a call use the same files. */
export function sampleVocabulary({ account, currency, ...merchant }: SampleOrder): Vocabulary {
  const session = {
    accountId: account,
    amount: { amountCents: SAMPLE_CENTS, currency },
    returnTo: null,
    language: null,
    chosenLanguage: null,
    successMessage: null,
    failureMessage: null,
  };
  return vocabularyOf(session, { ...merchant, acceptedBrands: MERCHANT_DEFAULTS.acceptedBrands }, false);
}

export class Samples {
  readonly #source: FileSource;
  readonly #limitMs: number;
  /** Samples in progress, by account. */
  readonly #atOnce = new Map<string, number>();

  /** @param limitMs time limit of a request. The rendering continues after it */
  constructor(source: FileSource, limitMs: number) {
    this.#source = source;
    this.#limitMs = limitMs;
  }

  /** @param sentences in playing order */
  async sampleOf(account: AccountId, sentences: readonly Utterance[]): Promise<Sample | SampleRefusal> {
    if (!this.#source.canRender) return 'no_synthesizer';
    const others = this.#atOnce.get(account) ?? 0;
    if (others >= MAX_AT_ONCE) return 'busy';
    this.#atOnce.set(account, others + 1);
    try {
      return await this.#join(sentences);
    } finally {
      const left = (this.#atOnce.get(account) ?? 1) - 1;
      if (left > 0) this.#atOnce.set(account, left);
      else this.#atOnce.delete(account);
    }
  }

  async #join(sentences: readonly Utterance[]): Promise<Sample | 'unavailable'> {
    const rendering = Promise.all(sentences.map((sentence) => this.#source.fileAhead(sentence)));
    const files = (await waitAtMost(this.#limitMs, rendering)) ?? [null];
    const rendered = files.filter((file) => file !== null);
    if (rendered.length < files.length) return 'unavailable';
    const sounds = await Promise.all(rendered.map(({ path }) => readFile(path).catch(() => null)));
    // The files may have been deleted from the cache meanwhile.
    const wavs = sounds.filter((sound) => sound !== null);
    if (wavs.length < sounds.length) return 'unavailable';
    return {
      wav: joined(wavs),
      sentences: sentences.map(({ text, language }) => ({ text, language })),
      speakers: [...new Set(rendered.map(({ synthesizer }) => synthesizer))],
      isStandIn: rendered.some(({ isFirst }) => !isFirst),
    };
  }
}

/** Joins files of the same rate. */
function joined(wavs: readonly Buffer[]): Buffer {
  const parts = wavs.map(fromWav);
  const all = new Float32Array(parts.reduce((length, { samples }) => length + samples.length, 0));
  let at = 0;
  for (const { samples } of parts) {
    all.set(samples, at);
    at += samples.length;
  }
  return toWav(all, parts[0]?.hz ?? 8_000);
}
