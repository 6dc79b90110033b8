/**
 * The speech service: finds or renders the audio files of a line, if possible before the call. Otherwise recordings
 * play.
 */
import { join } from 'node:path';
import { isSameLanguage } from '../domain/language.ts';
import type { Line } from '../flow/lines.ts';
import type { SpokenCard } from '../flow/terms.ts';
import { english, languageFor } from '../languages/index.ts';
import { endsWithin } from '../lib/concurrency/time-limit.ts';
import { personalTexts } from './personal-texts.ts';
import type { KnownVoice, Speech, SpeechLog, SpokenAs, Utterance, Vocabulary } from './ports.ts';
import { type Recordings, readRecordings, recordedFiles, sharedTexts } from './recorded.ts';
import type { RenderObserved } from './render-queue.ts';
import { DEFAULT_LIMITS, Renderer, type SpeechLimits } from './renderer.ts';
import { type Sample, type SampleOrder, type SampleRefusal, Samples, sampleVocabulary } from './sample.ts';
import type { Sentence } from './sentences.ts';
import type { Synthesizers } from './synthesizers.ts';
import { wordingOf } from './wording.ts';

interface SpeechDeps {
  /** The folder of rendered files. The media server must see the same path. */
  folder: string;
  /** `prompts/` of the package. */
  promptsFolder: string;
  synthesizers: Synthesizers;
  /** Called after each request to a synthesizer. */
  onRender?: (observed: RenderObserved) => void;
  /** An account has used 80% of its speech of an hour. */
  onBudgetNear?: (account: string) => void;
  /** RINGKEY_VOICE, for merchants without a voice. Otherwise they get the default voice of the language. */
  defaultVoice?: string | null;
  log: SpeechLog;
  limits?: Partial<SpeechLimits>;
}

export interface SpeechService extends Speech {
  /** Renders the sentences that all calls in this language and voice share. Never throws. */
  warm(language: string, voice: string | null): Promise<void>;
  /** Whether a merchant can use this voice. */
  mayHaveVoice(voice: string): boolean;
  /** Voices to suggest to a merchant, as `<synthesizer>:<voice>`. */
  voices(): readonly KnownVoice[];
  /** The greeting as callers of such a merchant hear it. Never rejects. */
  sample(order: SampleOrder): Promise<Sample | SampleRefusal>;
  /** Aborts all rendering. Idempotent. */
  close(): void;
}

/** @throws if the recordings can't be read. */
export async function createSpeech(deps: SpeechDeps): Promise<SpeechService> {
  return new CachedSpeech(deps, await readRecordings(join(deps.promptsFolder, 'recorded')));
}

/** Pairs of a language, with its region, and a voice. */
const MAX_WARMED = 1_000;

class CachedSpeech implements SpeechService {
  readonly #defaultVoice: string | null;
  readonly #limits: SpeechLimits;
  readonly #synthesizers: Synthesizers;
  readonly #recordings: Recordings;
  readonly #renderer: Renderer;
  readonly #samples: Samples;
  /** Calls of {@link warm} by language and voice, except those that could not render everything. */
  readonly #warmed = new Map<string, Promise<void>>();

  constructor(deps: SpeechDeps, recordings: Recordings) {
    this.#defaultVoice = deps.defaultVoice ?? null;
    this.#limits = { ...DEFAULT_LIMITS, ...deps.limits };
    this.#synthesizers = deps.synthesizers;
    this.#recordings = recordings;
    this.#renderer = new Renderer(deps, this.#limits);
    this.#samples = new Samples(this.#renderer, this.#limits.sampleMs);
  }

  warm(language: string, voice: string | null): Promise<void> {
    return this.#warm({ language, voice });
  }

  /** Counts against the account's budget, because an account can name any region of a language. */
  #warm(spokenAs: SpokenAs & Pick<Vocabulary, 'account'>): Promise<void> {
    const key = JSON.stringify([spokenAs.language, spokenAs.voice]);
    const known = this.#warmed.get(key);
    if (known !== undefined) return known;
    const texts = sharedTexts(languageFor(spokenAs.language));
    const rendered = this.#renderer.renderAhead(texts.map((text) => this.#utterance(text, spokenAs)));
    const done = rendered.then((complete) => {
      if (!complete) this.#warmed.delete(key);
    });
    if (this.#warmed.size >= MAX_WARMED) this.#warmed.clear();
    this.#warmed.set(key, done);
    return done;
  }

  mayHaveVoice(voice: string): boolean {
    return this.#synthesizers.mayHave(voice);
  }

  voices(): readonly KnownVoice[] {
    return this.#synthesizers.voices;
  }

  async prepare(vocabulary: Vocabulary, log?: SpeechLog, savedCards: readonly SpokenCard[] = []): Promise<void> {
    const texts = personalTexts(vocabulary, languageFor(vocabulary.language), savedCards);
    const utterances = texts.map((text) => this.#utterance(text, vocabulary));
    const rendered = [this.#renderer.renderAhead(utterances, log), this.#warm(vocabulary)];
    await endsWithin(this.#limits.prepareMs, Promise.all(rendered));
  }

  async files(line: Line, vocabulary: Vocabulary): Promise<string[]> {
    const found = await Promise.all(
      this.#wording(line, vocabulary).map(async (sentence) => {
        const spokenAs = spokenAsOf(sentence, vocabulary);
        const rendered = await this.#renderer.renderNow(this.#utterance(sentence.text, spokenAs));
        if (rendered !== null) return [rendered];
        return recordedFiles(this.#recordings, languageFor(spokenAs.language), sentence.plain);
      }),
    );
    const files = found.flat();
    return files.length > 0 ? files : this.#recordedLine(line, vocabulary);
  }

  async exactFiles(line: Line, vocabulary: Vocabulary): Promise<string[] | null> {
    const language = languageFor(vocabulary.language);
    const found = await Promise.all(
      this.#wording(line, vocabulary).map(async ({ text, plain }) => {
        const rendered = await this.#renderer.renderNow(this.#utterance(text, vocabulary));
        if (rendered !== null) return [rendered];
        return plain[0] === text ? recordedFiles(this.#recordings, language, plain) : [];
      }),
    );
    return found.every((files) => files.length > 0) ? found.flat() : null;
  }

  sample(order: SampleOrder): Promise<Sample | SampleRefusal> {
    const vocabulary = sampleVocabulary(order);
    const sentences = this.#wording({ name: 'greeting' }, vocabulary);
    const utterances = sentences.map((each) => this.#utterance(each.text, spokenAsOf(each, vocabulary)));
    return this.#samples.sampleOf(order.account, utterances);
  }

  words(line: Line, vocabulary: Vocabulary): string {
    return this.#wording(line, vocabulary)
      .map(({ text }) => text)
      .join(' ');
  }

  #wording(line: Line, vocabulary: Vocabulary): Sentence[] {
    const { other = null } = vocabulary;
    return wordingOf(line, vocabulary, languageFor(vocabulary.language), other && languageFor(other.language));
  }

  spokenLanguage(vocabulary: Pick<Vocabulary, 'language'>): string {
    return languageFor(vocabulary.language).locale;
  }

  close(): void {
    this.#renderer.close();
  }

  #utterance(
    text: string,
    { language, voice, account }: Pick<Vocabulary, 'language' | 'voice' | 'account'>,
  ): Utterance {
    // A language that the line does not speak gets English words, which need an English voice.
    const spoken = languageFor(language).locale;
    const same = isSameLanguage(language, spoken);
    const spokenAs = same ? { language, voice: voice ?? this.#defaultVoice } : { language: spoken, voice: null };
    return { text, ...spokenAs, ...(account !== undefined && { account }) };
  }

  /** The last resort: English is recorded completely, which a test checks. */
  #recordedLine(line: Line, vocabulary: Vocabulary): string[] {
    const sentences = wordingOf(line, vocabulary, english);
    return sentences.flatMap(({ plain }) => recordedFiles(this.#recordings, english, plain));
  }
}

/** A sentence in the other language is rendered as a call in that language does, so that both use one file. */
function spokenAsOf({ language }: Sentence, vocabulary: Vocabulary): SpokenAs & Pick<Vocabulary, 'account'> {
  const { account, other = null } = vocabulary;
  return language === undefined || other === null
    ? vocabulary
    : { ...other, ...(account !== undefined && { account }) };
}
