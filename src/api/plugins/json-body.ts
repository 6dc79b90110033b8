/** Bodies: strict UTF-8, strict JSON, an object that names nothing twice; the text is kept for what is echoed as it came. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../domain/errors.ts';
import { repeatedPath } from '../json-members.ts';
import { paramOf } from '../validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's text; empty where there was none. */
    bodyText: string;
  }
}

export function parseJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyText', '');
  // `__proto__` as a key is refused, not dropped: nothing a client sent gets lost silently.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = decodeUtf8(body as Buffer);
    if (text === null) {
      done(new ApiError('invalid_json', { message: 'The body is not UTF-8.' }));
      return;
    }
    request.bodyText = text;
    void parseJson(request, text, (error, value) => {
      const repeated = error === null && isObject(value) ? repeatedPath(text) : null;
      if (repeated === null) done(error, value);
      else
        done(new ApiError('invalid_value', { param: paramOf(repeated), message: 'The body names a parameter twice.' }));
    });
  });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function decodeUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
