/**
 * Protection against forged requests (CSRF): every unsafe request carries the session's form token, in the field `form_token`
 * or the header `X-Ringkey-Form-Token`, and the browser must not say that it comes from another site.
 */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isFromOurPage } from '../../page/headers.ts';
import { formTokenOf } from '../../users/sessions.ts';
import { ForgedRequest } from './errors.ts';

export const FORM_TOKEN_FIELD = 'form_token';
export const FORM_TOKEN_HEADER = 'x-ringkey-form-token';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the form token is made of: the session's token, or a secret of this process in the demo. Null: signed out. */
    formTokenKey: string | null;
  }
}

/** The token for the forms of the page that answers this request. @throws where nobody is signed in */
export function csrfToken({ formTokenKey }: Pick<FastifyRequest, 'formTokenKey'>): string {
  if (formTokenKey === null) throw new Error('a page for nobody has no form token');
  return formTokenOf(formTokenKey);
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
const MAX_FORM_BYTES = 64 * 1024;

/** Has `app` take forms: `request.body` is a `URLSearchParams`, empty where there is none. */
export function takeForms(app: FastifyInstance): void {
  const type = 'application/x-www-form-urlencoded';
  if (app.hasContentTypeParser(type)) return;
  app.addContentTypeParser(type, { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (_request, body, done) =>
    done(null, new URLSearchParams(body as string)),
  );
}

/** The fields of the request's form; none where it brought no form. */
export function formOf({ body }: Pick<FastifyRequest, 'body'>): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

/** Refuses unsafe requests without the token, with a page (403). To be called after {@link requireUser}. */
export function refuseForgedRequests(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    if (SAFE.has(request.method)) return;
    requireFromOurPage(request);
    const given = request.headers[FORM_TOKEN_HEADER] ?? formOf(request).get(FORM_TOKEN_FIELD);
    if (request.formTokenKey === null || typeof given !== 'string' || !isSame(given, csrfToken(request))) {
      throw new ForgedRequest();
    }
  });
}

/** For forms of people who are not signed in yet. @throws ForgedRequest where the browser says that it is another site's */
export function requireFromOurPage(request: FastifyRequest): void {
  if (!isFromOurPage(request) || isOfOtherOrigin(request)) throw new ForgedRequest();
}

/** Beside `Sec-Fetch-Site`: a proxy or an extension may have dropped either. */
function isOfOtherOrigin({ headers: { origin }, host }: FastifyRequest): boolean {
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
