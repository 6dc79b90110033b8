/** Bodies: strict UTF-8, strict JSON, an object that names nothing twice and is not deep; its text is kept, to be echoed. */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import { type JsonFault, jsonFault } from '../json-members.ts';
import { paramOf } from '../validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's text; empty where there was none. */
    bodyText: string;
  }
}

/** Sets `body` and `bodyText` of requests of `application/json`; any other type, and every encoding, is refused. */
export function parseJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyText', '');
  // `__proto__` as a key is refused, not dropped: nothing a client sent gets lost silently.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (isEncoded(request)) {
      done(
        new ApiError('invalid_value', {
          param: 'Content-Encoding',
          message: 'Bodies are taken as they are, not encoded.',
        }),
      );
      return;
    }
    const text = decodeUtf8(body as Buffer);
    if (text === null) {
      done(new ApiError('invalid_json', { message: 'The body is not UTF-8.' }));
      return;
    }
    if (text === '' && !takesBody(request)) {
      done(null, undefined);
      return;
    }
    request.bodyText = text;
    void parseJson(request, text, (error, value) => {
      const fault = error === null && isObject(value) ? jsonFault(text) : null;
      if (fault === null) done(error, value);
      else done(new ApiError('invalid_value', { param: paramOf(fault.path), message: FAULTS[fault.kind] }));
    });
  });
}

const FAULTS: Record<JsonFault['kind'], string> = {
  repeated: 'The body names a parameter twice.',
  deep: 'The parameter is nested too deep.',
};

/** Many clients declare JSON on every request, also where there is none to send. */
function takesBody({ routeOptions }: FastifyRequest): boolean {
  const { operation } = routeOptions.config;
  return operation === undefined || operation.request !== undefined;
}

function isEncoded({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding.toLowerCase() !== 'identity';
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const BYTE_ORDER_MARK = '\ufeff';

/** Without the mark that some put first (RFC 8259, 8.1); null for what is no UTF-8. */
function decodeUtf8(bytes: Buffer): string | null {
  if (!isUtf8(bytes)) return null;
  const text = bytes.toString('utf8');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}
