/** The ports of speech: a synthesizer renders a text to audio, and a call plays the files. */
import type { Currency } from '../domain/money.ts';
import type { OfferedTip } from '../domain/tip.ts';
import type { Line } from '../flow/lines.ts';
import type { SpokenCard } from '../flow/terms.ts';

/** A text to render. Identifies the rendered file, except for `account`. */
export interface Utterance {
  text: string;
  /** BCP 47. */
  language: string;
  /**
   * `<synthesizer>:<voice>`, or the plain name of a voice of espeak-ng. Adapters get their own name of the voice. Null
   * for the default.
   */
  voice: string | null;
  /**
   * A new file counts against its budget. Absent for sentences that all accounts share.
   */
  account?: string;
}

/** The text can't be spoken: it is silent (only symbols) or endless. Not a failure of the synthesizer. */
export class UnspeakableText extends Error {
  constructor(cause: string) {
    super(`the text can't be spoken: ${cause}`);
    this.name = 'UnspeakableText';
  }
}

/** The prefixes of a merchant's `voice`. */
const SYNTHESIZER_IDS = ['espeak-ng', 'openai', 'google', 'polly', 'elevenlabs'] as const;
export type SynthesizerId = (typeof SYNTHESIZER_IDS)[number];

/** A voice to choose from. */
export interface KnownVoice {
  /** The synthesizer's own name of the voice. Of {@link Synthesizers.voices}: `<synthesizer>:<voice>`. */
  name: string;
  /** BCP 47. Null: it speaks every language. */
  language: string | null;
}

/** Renders speech. Each adapter is one folder, and passes test/contract/synthesizer-contract.ts. */
export interface Synthesizer {
  readonly id: SynthesizerId;
  /** Part of the cache key, so it differs between synthesizers and between settings. */
  readonly name: string;
  /** Whether the name can be one of its voices. Sends no request. */
  mayHave(voice: string): boolean;
  /** Voices to suggest, the best first. Absent if only the vendor can list them. */
  readonly voices?: readonly KnownVoice[];
  /**
   * Sends the request once. Ignores a voice of another language than the utterance's.
   * @param utterance with the synthesizer's own name of a voice
   * @returns a WAV file: 8 kHz, mono, 16 bits, levelled
   * @throws UnspeakableText
   * @throws if the synthesizer is missing, fails, or does not send speech of this text
   */
  render(utterance: Utterance, signal: AbortSignal): Promise<Buffer>;
}

export interface SpokenAs {
  /** BCP 47. */
  language: string;
  /** `<synthesizer>:<voice>`, or the plain name of a voice of espeak-ng. Null for the default. */
  voice: string | null;
}

/** Everything that the sentences of a call depend on. */
export interface Vocabulary extends SpokenAs {
  /** New files count against its budget. Absent: no budget. */
  account?: string;
  /** The other language that the greeting offers, if any. */
  other?: SpokenAs | null;
  businessName: string;
  amountCents: number;
  currency: Currency;
  /** The smallest part that the caller may pay. Absent or null: only the whole amount. */
  smallestPartCents?: number | null;
  /** The tips on offer, to render their sentences ahead. Absent: none. */
  tips?: readonly OfferedTip[];
  /** The payment only holds the amount (manual capture). */
  isHold?: boolean;
  /** The call only saves a card, and nothing is paid. */
  savesOnly?: boolean;
  /** Whether this caller can get texts. If not, the line promises none. */
  canText: boolean;
  successMessage: string | null;
  failureMessage: string | null;
  /** What the caller agrees to when the card is saved, in the integrator's words. Absent: the standard question. */
  saveSentence?: string | null;
  /** Who authorizes a bank debit, whom to call about it, and when the call is. Absent: no bank debit is offered. */
  debit?: { payer: string; phone: string; at: Date; timeZone: string } | null;
  /** Whether the caller goes back to an agent ("taking you back now"). */
  returns: boolean;
  /** credit-card-type ids, for "we take Visa and Mastercard". */
  acceptedBrands: readonly string[];
}

export interface SpeechLog {
  warn(fields: object, message: string): void;
}

/** Speech as calls use it. */
export interface Speech {
  /**
   * Renders all sentences of a call with this vocabulary, when its checkout is created. Limited in time. Never throws.
   * @param savedCards that the call will offer, if they are already known
   * @param log by default the process's own
   */
  prepare(vocabulary: Vocabulary, log?: SpeechLog, savedCards?: readonly SpokenCard[]): Promise<void>;
  /**
   * Paths of the WAV files of a line, in playing order. Never empty and never rejects: recordings play if nothing can be
   * rendered.
   */
  files(line: Line, vocabulary: Vocabulary): Promise<string[]>;
  /**
   * Like {@link files}, but never with a recording in place of words that differ. Null if they cannot be rendered.
   */
  exactFiles(line: Line, vocabulary: Vocabulary): Promise<string[] | null>;
  /** The words of a line, for transcripts and tests. */
  words(line: Line, vocabulary: Vocabulary): string;
  /** The BCP 47 language of those words. English if the line does not speak the vocabulary's language. */
  spokenLanguage(vocabulary: Pick<Vocabulary, 'language'>): string;
}
