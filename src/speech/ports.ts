/** Words to audio. A synthesizer renders one text; the cache keeps what was rendered; a call only ever plays files. */
import type { Line } from '../flow/types.ts';

/** One utterance: the whole identity of a rendered file. */
export interface Utterance {
  text: string;
  /** BCP 47. */
  language: string;
  /** The synthesizer's own voice name; null for its default. */
  voice: string | null;
}

/** There is no speech in this text (nothing but signs, or no end to it); the synthesizer is well. */
export class UnspeakableText extends Error {
  constructor(cause: string) {
    super(`the text can't be spoken: ${cause}`);
    this.name = 'UnspeakableText';
  }
}

/** Renders speech. Adapters: `espeak-ng`; recorded audio as the last resort. */
export interface Synthesizer {
  /** Part of the cache key: another synthesizer, or another version of its settings, is another file. */
  readonly name: string;
  /**
   * @returns a WAV file: 8 kHz, mono, 16-bit, loudness evened.
   * @throws UnspeakableText
   * @throws when the synthesizer is missing or fails. Either way recordings stand in, a caller never hears silence.
   */
  render(utterance: Utterance, signal: AbortSignal): Promise<Buffer>;
}

/** What the words of a call depend on. */
export interface Vocabulary {
  language: string;
  voice: string | null;
  businessName: string;
  amountCents: number;
  currency: string;
  successMessage: string | null;
  failureMessage: string | null;
  /** Whether the caller goes back to an agent ("taking you back now"). */
  returns: boolean;
  asksPostalCode: boolean;
  asksConfirmation: boolean;
  /** credit-card-type ids, for "we take Visa and Mastercard". */
  acceptedBrands: readonly string[];
}

/** Where speech tells what went wrong: a sentence with fields. */
export interface SpeechLog {
  warn(fields: object, message: string): void;
}

/** What a call needs of speech. */
export interface Speech {
  /**
   * Renders all a call with this vocabulary may say. For when a checkout is created; bounded in time; never throws.
   * @param log of whoever asks: what cannot be rendered is told there. The process's own where not given
   */
  prepare(vocabulary: Vocabulary, log?: SpeechLog): Promise<void>;
  /** Absolute paths of WAV files to play one after the other. Never empty, never rejects: recordings stand in. */
  files(line: Line, vocabulary: Vocabulary): Promise<string[]>;
  /** The words of a line, for transcripts and tests. */
  words(line: Line, vocabulary: Vocabulary): string;
  /** BCP 47, of those words: English where nobody wrote any in the language asked for. */
  spokenLanguage(vocabulary: Pick<Vocabulary, 'language'>): string;
}
