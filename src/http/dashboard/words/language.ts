/**
 * The language of the dashboard: the user's choice, otherwise the browser's, otherwise English. It belongs to the
 * request, so that every part of a page knows it without a parameter. Without a user, it is the choice of the user who
 * signed out last in this browser.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { acceptedLanguages } from '../../../domain/language.ts';
import { type LanguageTag, languageTag } from '../../../languages/index.ts';

const storage = new AsyncLocalStorage<LanguageTag>();

/** The language of the request, and of all that it starts. */
export const language = (): LanguageTag => storage.getStore() ?? 'en';

/** Runs the function, and all that it starts, in this language. */
export const inLanguage = <T>(tag: LanguageTag, run: () => T): T => storage.run(tag, run);

/**
 * The words of a feature in the language of the request. English is the source of the type: a language that lacks a key,
 * or has another, does not compile.
 *
 *     export const refundWords = wordsOf({ en, de, es, fr });
 *     const w = refundWords();  // While a page is rendered, never when a module is loaded.
 */
export const wordsOf =
  <Words>(catalogue: Readonly<Record<LanguageTag, Words>>) =>
  (): Words =>
    catalogue[language()];

const COOKIE = 'ringkey-language';
const A_YEAR_SECONDS = 31_536_000;
const REMEMBERED = new RegExp(`(?:^|;\\s*)${COOKIE}=([a-z-]+)(?:;|$)`, 'i');

/** The header `Set-Cookie` that keeps the user's choice for the sign-in pages. @param chosen null removes it */
export const languageCookie = (chosen: string | null): string =>
  `${COOKIE}=${chosen ?? ''}; Path=/dashboard; Max-Age=${chosen === null ? 0 : A_YEAR_SECONDS}; HttpOnly; SameSite=Lax`;

/** @param user the signed-in user, whose choice comes first */
export function languageOfRequest({
  user,
  headers,
}: {
  user?: { language: string | null } | undefined;
  headers: FastifyRequest['headers'];
}): LanguageTag {
  const remembered = user === undefined ? REMEMBERED.exec(headers.cookie ?? '')?.[1] : user.language;
  const chosen = languageTag(remembered ?? '');
  if (chosen !== null) return chosen;
  const accepted = acceptedLanguages(headers['accept-language'] ?? '').map(languageTag);
  return accepted.find((tag) => tag !== null) ?? 'en';
}

/**
 * Runs the handlers of `app` in the language of their request. Error handlers call {@link inLanguage} themselves, because
 * an error can come before.
 */
export function useLanguage(app: FastifyInstance): void {
  // Not earlier: reading a request's body continues outside of its hooks.
  app.addHook('preHandler', (request, _reply, done) => inLanguage(languageOfRequest(request), done));
}
