/**
 * The language of a call: what the caller changes it to is said from then on, and kept with the session for what
 * follows.
 */

import { setChosenLanguage } from '../db/sessions/languages.ts';
import type { SessionForCall } from '../db/sessions/sessions.ts';
import type { CallLanguage } from '../flow/types.ts';
import type { Vocabulary } from '../speech/ports.ts';
import { vocabulariesOf } from '../speech/vocabulary.ts';
import type { PhoneDeps } from './deps.ts';

export class LanguageOfCall {
  readonly #deps: Pick<PhoneDeps, 'sql' | 'log'>;
  readonly #session: SessionForCall['session'];
  readonly #vocabularies: { readonly [Language in CallLanguage]: Vocabulary };
  #language: CallLanguage = 'first';
  /** One write after the other: the last one holds. As many as the caller may press keys. */
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

  /** Whether it is the one that the call was answered in. */
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

  /** The call goes on in the language all the same. */
  async #write(language: string): Promise<void> {
    try {
      await setChosenLanguage(this.#deps.sql, this.#session.id, language);
    } catch (error) {
      this.#deps.log.warn({ err: error, sessionId: this.#session.id }, "the caller's language could not be stored");
    }
  }
}
