/** Changes the language on 9 as the very first key, which starts no card number and answers no question. */
import type { Secret } from '../domain/secret.ts';
import { askField, greetingOf } from './asking.ts';
import { firstQuestions } from './bank-account-steps.ts';
import type { Context, StateOf, Step } from './state.ts';

type Collecting = StateOf<'collecting'>;

const LANGUAGE_KEY = '9';

/** Whether the key changes the language: only while the call has had no other key. */
export function isLanguageKey({ terms, keys, languageChanges }: Context, key: Secret): boolean {
  return terms.offersLanguage && keys === languageChanges && key.reveal((character) => character === LANGUAGE_KEY);
}

/** Greets again in the other language, which offers the way back. */
export function changeLanguage(state: Collecting): Step {
  state.keyed.wipe();
  const { language, languageChanges } = state.context;
  const to = language === 'first' ? 'second' : 'first';
  const context: Context = { ...state.context, language: to, languageChanges: languageChanges + 1 };
  const [question, ...later] = firstQuestions(context);
  const greeted = askField(context, question, later, greetingOf(context.terms, context.savedCards));
  return { state: greeted.state, effects: [{ type: 'change_language', to }, ...greeted.effects] };
}
