/** The language of a call. A change by the caller holds for the rest of the call, and is stored with the session. */
import { setChosenLanguage } from '../db/sessions/languages.ts';
import type { SessionForCall } from '../db/sessions/sessions.ts';
import type { CallLanguage } from '../flow/terms.ts';
import type { Vocabulary } from '../speech/ports.ts';
import { vocabulariesOf } from '../speech/vocabulary.ts';
import type { PhoneDeps } from './deps.ts';

export class LanguageOfCall {
  readonly #deps: Pick<PhoneDeps, 'sql' | 'log'>;
  readonly #session: SessionForCall['session'];
  readonly #vocabularies: { readonly [Language in CallLanguage]: Vocabulary };
  #language: CallLanguage = 'first';
  /** Writes run one after the other, so that the last one wins. The limit of keys per call bounds them. */
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: Pick<PhoneDeps, 'sql' | 'log'>, { session, merchant }: SessionForCall, canText: boolean) {
    this.#deps = deps;
    this.#session = session;
    const [first, second] = vocabulariesOf(session, merchant, canText);
    this.#vocabularies = { first, second: second ?? first };
  }

  /** Whether the greeting offers another language. */
  get isOffered(): boolean {
    return this.#vocabularies.first.other != null;
  }

  /** Whether the call is still in the language of the answer. */
  get isFirst(): boolean {
    return this.#language === 'first';
  }

  get vocabulary(): Vocabulary {
    return this.#vocabularies[this.#language];
  }

  change(to: CallLanguage): void {
    this.#language = to;
    const { language } = this.vocabulary;
    this.#writing = this.#writing.then(() => this.#write(language));
  }

  /** A failed write does not change the call's language. */
  async #write(language: string): Promise<void> {
    try {
      await setChosenLanguage(this.#deps.sql, this.#session.id, language);
    } catch (error) {
      this.#deps.log.warn({ err: error, sessionId: this.#session.id }, "the caller's language could not be stored");
    }
  }
}
