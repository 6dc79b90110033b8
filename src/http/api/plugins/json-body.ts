/** Parses JSON bodies strictly: UTF-8, unique names, no `__proto__`, limited depth. Keeps the text for `Idempotency-Key`. */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { ApiError } from '../../../contract/errors.ts';
import { needsFields, paramOf } from '../validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The text of the body. Empty if there was none. */
    bodyText: string;
  }
}

/** Sets `body` and `bodyText` of `application/json` requests. Other content types and encodings are rejected. */
export function parseJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyText', '');
  const parseJson = app.getDefaultJsonParser('ignore', 'ignore');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const fault = transferFault(request, body as Buffer);
    if (fault !== null) return done(fault);
    request.bodyText = body.toString('utf8');
    if (body.length === 0 && !needsBody(request)) return done(null, undefined);
    void parseJson(request, request.bodyText, (error, value) => {
      if (error !== null) done(jsonFault(request.bodyText));
      else if (!isObject(value)) done(null, value);
      else done(structureFault(request.bodyText), value);
    });
  });
}

function transferFault({ headers }: FastifyRequest, body: Buffer): ApiError | null {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    const message = 'The body must not be compressed or otherwise encoded.';
    return new ApiError('invalid_value', { param: 'Content-Encoding', message });
  }
  return isUtf8(body) ? null : new ApiError('invalid_json', { message: 'The body must be UTF-8.' });
}

/**
 * Many clients send the JSON content type on every request, also for an operation that needs no field. An empty PATCH is
 * a mistake, and so is a capture without its body: it would take the whole hold.
 */
function needsBody({ method, routeOptions }: FastifyRequest): boolean {
  const { operation } = routeOptions.config;
  if (operation === undefined) return true;
  const { request } = operation;
  return request !== undefined && (method !== 'POST' || needsFields(request) || !request.safeParse({}).success);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const MAX_DEPTH = 32;
/** A string, with a colon after it if it is a name, or a bracket or comma. */
const TOKENS = /("(?:[^"\\]+|\\.)*")\s*(:?)|[{}[\],]/g;

/** An object or array that is open at the current position. */
interface Level {
  names: Set<string>;
  /** Name of the current member, or index of the current element. */
  at: string | number;
}

/**
 * Rejects duplicate names in an object, because JSON does not say which one counts (RFC 8259, section 4), values nested
 * deeper than {@link MAX_DEPTH}, and names that could change an object's prototype.
 * @param json valid JSON
 */
function structureFault(json: string): ApiError | null {
  const levels: Level[] = [];
  for (const [token, text, colon] of json.matchAll(TOKENS)) {
    const level = levels.at(-1);
    if (text !== undefined) {
      if (colon === '' || level === undefined) continue;
      const name = String(JSON.parse(text));
      level.at = name;
      if (isPrototype(name, levels)) return faultAt(levels, 'A parameter must not have this name.');
      if (level.names.has(name)) return faultAt(levels, 'The body contains a parameter twice. Send it once.');
      level.names.add(name);
    } else if (token === '{' || token === '[') {
      if (levels.length === MAX_DEPTH) return faultAt(levels.slice(0, 1), 'The parameter is nested too deeply.');
      levels.push({ names: new Set(), at: token === '[' ? 0 : '' });
    } else if (token !== ',') {
      levels.pop();
    } else if (typeof level?.at === 'number') {
      level.at += 1;
    }
  }
  return null;
}

/** `__proto__`, and `prototype` in a `constructor`. `constructor` alone is harmless. */
function isPrototype(name: string, levels: readonly Level[]): boolean {
  return name === '__proto__' || (name === 'prototype' && levels.at(-2)?.at === 'constructor');
}

function faultAt(levels: readonly Level[], message: string): ApiError {
  return new ApiError('invalid_value', { param: paramOf(levels.map(({ at }) => String(at))), message });
}

/** Words for the codes of jsonc-parser. They never repeat the body. */
const WORDS: Record<string, string> = {
  InvalidSymbol: 'an invalid value begins',
  InvalidNumberFormat: 'a number is malformed',
  PropertyNameExpected: 'a name in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing brace is expected',
  CloseBracketExpected: 'a closing bracket is expected',
  EndOfFileExpected: 'unexpected text follows the end of the JSON',
  InvalidCommentToken: 'a comment begins, and JSON has no comments',
  UnexpectedEndOfString: 'a string does not end',
  InvalidUnicode: 'a Unicode escape is malformed',
  InvalidEscapeCharacter: 'an escape is malformed',
  InvalidCharacter: 'a character is not allowed',
};

/** Where the body stops being JSON, by line and column. @param text rejected by JSON.parse */
function jsonFault(text: string): ApiError {
  if (text.trim() === '') return new ApiError('invalid_json', { message: 'The body is empty. Send a JSON object.' });
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first === undefined) return new ApiError('invalid_json');
  if (first.offset >= text.trimEnd().length) {
    return new ApiError('invalid_json', { message: 'The body is not valid JSON: it ends too early.' });
  }
  const before = text.slice(0, first.offset).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  const what = WORDS[printParseErrorCode(first.error)] ?? 'there is a syntax error';
  const message = `The body is not valid JSON: at line ${before.length}, column ${column}, ${what}.`;
  return new ApiError('invalid_json', { message });
}
