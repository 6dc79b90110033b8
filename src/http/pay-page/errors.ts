/** Error pages: words for any error, and no more detail than the payer needs. */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import { isTransient } from '../../db/error-kinds.ts';
import { languageFor } from '../../languages/index.ts';
import type { Note } from '../../languages/page.ts';
import { html } from '../../lib/html.ts';
import { contentSecurityPolicy, NO_SOURCES, setPageHeaders } from './headers.ts';
import { chooseLanguage } from './language.ts';
import { renderNote } from './views/page.ts';
import { addressOf, type Place } from './views/view.ts';

/** Errors that replace the page of a session. */
type NoteKind = 'notFound' | 'tooMany' | 'notOurs' | 'failed';

const STATUS: Readonly<Record<NoteKind, number>> = { notFound: 404, tooMany: 429, notOurs: 403, failed: 500 };

/** Thrown by the page's handlers. */
export class PageFault extends Error {
  readonly kind: NoteKind;
  readonly retryAfterSeconds: number | null;
  /** The language of the session, if there is one. */
  readonly language: string | null;
  constructor(kind: NoteKind, retryAfterSeconds: number | null = null, language: string | null = null) {
    super(`the pay page answers ${kind}`);
    this.name = 'PageFault';
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
    this.language = language;
  }
}

const BELOW = /\/(?:action|opened|text-code|check-code|saved-card)$/;

/** The page's path, language and nonce, from the request alone. */
export function placeOf(request: FastifyRequest, sessionLanguage: string | null = null): Place {
  // A path with a broken escape has no query.
  const { lang } = (request.query ?? {}) as { lang?: unknown };
  const { language, locale } = chooseLanguage({
    requested: typeof lang === 'string' ? lang : null,
    session: sessionLanguage,
    accepted: request.headers['accept-language'],
  });
  const [address = '/'] = request.url.split('?', 1);
  // Forms are posted below the page's path.
  const path = address.replace(BELOW, '');
  return { words: languageFor(language).page, language, locale, path, nonce: randomBytes(16).toString('base64') };
}

/** Shows any error as a page, and logs internal ones. */
export function sendNote(error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply) {
  const { kind, status, retryAfterSeconds } = noteFor(error);
  if (status >= 500) request.log.error({ error }, 'request failed');
  if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
  const place = placeOf(request, error instanceof PageFault ? error.language : null);
  setPageHeaders(request, reply, contentSecurityPolicy(place.nonce, NO_SOURCES));
  const note: Note = place.words[kind];
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .send(renderNote(place, note, wayBack(kind, place)));
}

/** Handles paths with a malformed escape, which reach no route. */
export function sendNotFound(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  sendNote(new PageFault('notFound'), request, reply);
}

function noteFor(error: Error & { statusCode?: number }) {
  if (error instanceof PageFault) {
    return { kind: error.kind, status: STATUS[error.kind], retryAfterSeconds: error.retryAfterSeconds };
  }
  const retryAfterSeconds = error instanceof ApiError ? error.retryAfterSeconds : isTransient(error) ? 1 : null;
  const status = error instanceof ApiError ? error.status : isTransient(error) ? 503 : (error.statusCode ?? 500);
  const kind: NoteKind = status >= 400 && status < 500 ? 'notOurs' : 'failed';
  return { kind, status, retryAfterSeconds };
}

/** Links to the page by GET, which shows the outcome of the form. */
function wayBack(kind: NoteKind, place: Place) {
  if (kind === 'notFound' || kind === 'tooMany') return null;
  return html`<div class="ways"><a class="button second" href="${addressOf(place)}">${place.words.toThePage}</a></div>`;
}
