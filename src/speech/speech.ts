/** The line's voice: sentences to files, rendered ahead, cached, and never missing. */
import { join } from 'node:path';
import type { Line } from '../flow/types.ts';
import { catalogueFor, readCatalogues } from './catalogue.ts';
import type { Speech, Synthesizer, Utterance, Vocabulary } from './ports.ts';
import { type Recordings, readRecordings } from './recorded.ts';
import { atMost, DEFAULT_LIMITS, Renderer, type SpeechLimits } from './renderer.ts';
import { personalTexts, sharedTexts, wordingOf } from './wording.ts';

export interface SpeechDeps {
  /** Where rendered files are kept; the media server must see the same path. */
  folder: string;
  /** `prompts/` of the package. */
  promptsFolder: string;
  /** Null: recordings only. */
  synthesizer: Synthesizer | null;
  /** RINGKEY_VOICE: speaks where the merchant names no voice; null or none: the language's own. */
  defaultVoice?: string | null;
  log: { warn(fields: object, message: string): void };
  limits?: Partial<SpeechLimits>;
}

export interface SpeechService extends Speech {
  /** Renders what all calls of this language and voice share. Never throws. */
  warm(language: string, voice: string | null): Promise<void>;
  /** Stops what is being rendered. Idempotent. */
  close(): void;
}

/** Far less than a file stays untouched in the cache; what goes before is rendered when the call lands. */
const PREPARED_MS = 30_000;
const MAX_PREPARED = 10_000;

/** @throws when the prompt catalogues or the recordings can't be read. */
export async function createSpeech(deps: SpeechDeps): Promise<SpeechService> {
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  const catalogues = await readCatalogues(deps.promptsFolder);
  const recordings = await readRecordings(join(deps.promptsFolder, 'recorded'));
  const renderer = new Renderer(deps, limits);
  const catalogueOf = ({ language }: Pick<Vocabulary, 'language'>) => catalogueFor(catalogues, language);

  function utterance(text: string, { language, voice }: Pick<Vocabulary, 'language' | 'voice'>): Utterance {
    // English words for a language without a catalogue want an English voice.
    const spoken = catalogueOf({ language }).language;
    const same = language.split('-')[0]?.toLowerCase() === spoken.split('-')[0];
    return same
      ? { text, language, voice: voice ?? deps.defaultVoice ?? null }
      : { text, language: spoken, voice: null };
  }

  const warmed = new Map<string, Promise<void>>();
  function warm(language: string, voice: string | null): Promise<void> {
    const key = JSON.stringify([language, voice]);
    const known = warmed.get(key);
    if (known !== undefined) return known;
    const texts = sharedTexts(catalogueOf({ language }));
    const rendered = renderer.all(texts.map((text) => utterance(text, { language, voice })));
    const done = rendered.then((complete) => {
      if (!complete) warmed.delete(key);
    });
    warmed.set(key, done);
    return done;
  }

  /** Words whose files all lay there a moment ago, and until when that is taken for granted. */
  const prepared = new Map<string, number>();
  async function prepareNow(vocabulary: Vocabulary, key: string): Promise<void> {
    const own = personalTexts(vocabulary, catalogueOf(vocabulary));
    const ahead = renderer.all(own.map((text) => utterance(text, vocabulary)));
    const [complete] = await Promise.all([ahead, warm(vocabulary.language, vocabulary.voice)]);
    if (!complete) return;
    if (prepared.size >= MAX_PREPARED) prepared.clear();
    prepared.set(key, performance.now() + PREPARED_MS);
  }

  return {
    warm,
    async prepare(vocabulary) {
      const key = JSON.stringify(vocabulary);
      if (performance.now() < (prepared.get(key) ?? 0)) return;
      await atMost(limits.prepareMs, prepareNow(vocabulary, key), null);
    },
    async files(line, vocabulary) {
      const sentences = wordingOf(line, vocabulary, catalogueOf(vocabulary));
      const found = await Promise.all(
        sentences.map(async ({ text, plain }) => {
          const rendered = await renderer.now(utterance(text, vocabulary));
          return rendered === null ? recorded(recordings, plain) : [rendered];
        }),
      );
      const files = found.flat();
      return files.length > 0 ? files : recordedLine(line, vocabulary);
    },
    words: (line, vocabulary) =>
      wordingOf(line, vocabulary, catalogueOf(vocabulary))
        .map(({ text }) => text)
        .join(' '),
    spokenLanguage: (vocabulary) => catalogueOf(vocabulary).language,
    close: () => renderer.close(),
  };

  /** The last resort, complete by a test: English is recorded as a whole. */
  function recordedLine(line: Line, vocabulary: Vocabulary): string[] {
    return wordingOf(line, vocabulary, catalogues.english).flatMap(({ plain }) => recorded(recordings, plain));
  }
}

function recorded(recordings: Recordings, texts: readonly string[]): string[] {
  return texts.map((text) => recordings.get(text)).filter((path) => path !== undefined);
}
