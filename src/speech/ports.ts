/** The ports of speech: a synthesizer renders a text to audio, and a call plays the files. */
import type { Currency } from '../domain/money.ts';
import type { Line, SpokenCard } from '../flow/types.ts';

/** What identifies a rendered file. */
export interface Utterance {
  text: string;
  /** BCP 47. */
  language: string;
  /**
   * `<synthesizer>:<voice>`, or a plain name of espeak-ng's; for a synthesizer its own name of the voice. Null for the
   * default.
   */
  voice: string | null;
  /**
   * Whose budget a new file counts against; not given: sentences that all accounts share. No part of the file's
   * identity.
   */
  account?: string;
}

/** This text can't be spoken: it is silent (only symbols), or does not end. Not a failure of the synthesizer. */
export class UnspeakableText extends Error {
  constructor(cause: string) {
    super(`the text can't be spoken: ${cause}`);
    this.name = 'UnspeakableText';
  }
}

/** What a merchant's `voice` may begin with. */
const SYNTHESIZER_IDS = ['espeak-ng', 'openai', 'google', 'polly', 'elevenlabs'] as const;
export type SynthesizerId = (typeof SYNTHESIZER_IDS)[number];

/** Renders speech. Each adapter is one folder; test/contract/synthesizer-contract.ts says what all of them keep to. */
export interface Synthesizer {
  readonly id: SynthesizerId;
  /** Part of the cache key: other synthesizers and other settings have other names. */
  readonly name: string;
  /** Whether it may have a voice of this name, of its own names. Asks nobody. */
  mayHave(voice: string): boolean;
  /**
   * Sends the request once. A voice of another language than the utterance's is passed over.
   * @param utterance with the synthesizer's own name of a voice
   * @returns a WAV file: 8 kHz, mono, 16 bits, levelled
   * @throws UnspeakableText
   * @throws when the synthesizer is missing or fails, or what it sends is no speech of this text
   */
  render(utterance: Utterance, signal: AbortSignal): Promise<Buffer>;
}

export interface SpokenAs {
  /** BCP 47. */
  language: string;
  /** `<synthesizer>:<voice>`, or a plain name of espeak-ng's; null for the default. */
  voice: string | null;
}

/** What the sentences of a call depend on. */
export interface Vocabulary extends SpokenAs {
  /** Whose budget new files count against; not given: nobody's. */
  account?: string;
  /** What the greeting offers to change to; null, or not given: nothing. */
  other?: SpokenAs | null;
  businessName: string;
  amountCents: number;
  currency: Currency;
  /** A text can go out to this caller: only then is one promised. */
  canText: boolean;
  successMessage: string | null;
  failureMessage: string | null;
  /** Whether the caller goes back to an agent ("taking you back now"). */
  returns: boolean;
  /** credit-card-type ids, for "we take Visa and Mastercard". */
  acceptedBrands: readonly string[];
}

/** For what went wrong: a sentence with fields. */
export interface SpeechLog {
  warn(fields: object, message: string): void;
}

/** What a call needs of speech. */
export interface Speech {
  /**
   * Renders everything a call with this vocabulary may say, when its checkout is created. Bounded in time; never
   * throws.
   * @param savedCards that the call will offer, as far as they are known
   * @param log for what can't be rendered; by default the process's own
   */
  prepare(vocabulary: Vocabulary, log?: SpeechLog, savedCards?: readonly SpokenCard[]): Promise<void>;
  /**
   * Paths of the WAV files of a line, to be played one after the other. Never empty, never rejects: recordings stand
   * in.
   */
  files(line: Line, vocabulary: Vocabulary): Promise<string[]>;
  /** The words of a line, for transcripts and tests. */
  words(line: Line, vocabulary: Vocabulary): string;
  /** BCP 47 language of those words: English where there is no catalogue in the language of the vocabulary. */
  spokenLanguage(vocabulary: Pick<Vocabulary, 'language'>): string;
}
