/**
 * Protection against forged requests (CSRF): every unsafe request carries the session's form token, in the field
 * `form_token` or the header `X-Ringkey-Form-Token`, and the browser's headers must not name another site.
 */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formTokenOf } from '../../../accounts/users/sessions.ts';
import { isStrictlyFromOurPage } from '../../api/plugins/local-requests.ts';
import { ForgedRequest } from './errors.ts';

export const FORM_TOKEN_FIELD = 'form_token';
const FORM_TOKEN_HEADER = 'x-ringkey-form-token';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The base of the form token: the session's token, or a secret of this process in the demo. Null if signed out.
     */
    formTokenKey: string | null;
  }
}

/** The token for the forms of the response. @throws if no user is signed in */
export function csrfToken({ formTokenKey }: Pick<FastifyRequest, 'formTokenKey'>): string {
  if (formTokenKey === null) throw new Error('a form token needs a signed-in user');
  return formTokenOf(formTokenKey);
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
const MAX_FORM_BYTES = 64 * 1024;

/** Makes `app` accept forms: `request.body` becomes a `URLSearchParams`, empty if there is no body. */
export function takeForms(app: FastifyInstance): void {
  const type = 'application/x-www-form-urlencoded';
  if (app.hasContentTypeParser(type)) return;
  app.addContentTypeParser(type, { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (_request, body, done) =>
    done(null, new URLSearchParams(body as string)),
  );
}

/** The fields of the request's form. Empty if there is no form. */
export function formOf({ body }: Pick<FastifyRequest, 'body'>): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

/** Refuses unsafe requests without the token, with a page (403). Call it after {@link requireUser}. */
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

/**
 * For forms before sign-in. @throws ForgedRequest if the browser says that the request comes from another site
 */
export function requireFromOurPage(request: FastifyRequest): void {
  if (!isStrictlyFromOurPage(request)) throw new ForgedRequest();
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
