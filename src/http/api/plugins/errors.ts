/**
 * Makes every failing answer from the error catalogue: our own errors, Fastify's, and those of requests that are no
 * HTTP.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { ApiError, type ErrorContext, errorObject } from '../../../contract/errors.ts';
import { isTransient } from '../../../db/transient.ts';
import type { Scope } from '../../../domain/account.ts';
import { newId } from '../../../domain/ids.ts';
import type { Log } from '../../../lib/observability/log.ts';
import type { OperationRoute } from '../reference/operation.ts';
import { COMMON_HEADERS, setCommonHeaders } from './requests.ts';
import { noSuchRoute } from './unknown-paths.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Base of `doc_url`, without a slash at the end. */
    readonly docsUrl: string;
    /** Base of `request_log_url`, without a slash at the end; null: there is no request log. */
    readonly requestLogUrl: string | null;
    /**
     * By the prefix of a path: what answers one with a broken escape, which has no route. All else is answered as JSON.
     */
    readonly brokenPaths: BrokenPaths;
  }
  interface FastifyRequest {
    /** It was answered with an error that may be gone when the same request comes again: see `ApiError.isTemporary`. */
    failedTemporarily: boolean;
    /** What it was answered with, for its log line; null where it succeeded. */
    failure: ApiError | null;
  }
}

export type BrokenPaths = Map<string, (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void>;

/** A client has so long to read the last answer before its connection is closed. */
const LINGER_MS = 1_000;

interface ErrorDeps {
  log: Log;
  docsUrl: string | null;
  /** Undefined: requests are not logged. */
  requestLog?: unknown;
  dashboardUrl?: string | null;
  /** Of the API, for the answer to a path that takes another method. */
  operations?: readonly OperationRoute[];
}

/** Answers whatever a handler or Fastify throws, and every unknown route; logs 5xx. */
export function handleErrors(app: FastifyInstance, deps: ErrorDeps): void {
  app.decorateRequest('failedTemporarily', false);
  app.decorateRequest('failure', null);
  app.decorate('docsUrl', { getter: () => deps.docsUrl ?? `${ownUrl(app)}/docs` });
  app.decorate('requestLogUrl', {
    getter: () =>
      deps.requestLog === undefined ? null : `${deps.dashboardUrl ?? `${ownUrl(app)}/dashboard`}/requests`,
  });
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply, deps.log));
  app.setNotFoundHandler((request, reply) => {
    throw noSuchRoute(deps.operations ?? [], request, reply);
  });
}

/** What an error object, or an event, takes from the request. */
export function errorContext({ id, server }: FastifyRequest): ErrorContext {
  return { requestId: id, docsUrl: server.docsUrl };
}

/** The address that the server listens on; nothing where it does not. */
function ownUrl({ server }: FastifyInstance): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return '';
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

function sendError(error: Error, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const failure = toApiError(error);
  request.failedTemporarily = failure.isTemporary;
  request.failure = failure;
  if (failure.status >= 500) logFailure(log, request.id, error);
  // RFC 9110, 15.5.2: a 401 says how to authenticate.
  if (failure.status === 401) reply.header('www-authenticate', 'Bearer realm="ringkey"');
  if (failure.retryAfterSeconds !== null) reply.header('retry-after', failure.retryAfterSeconds);
  const context = { ...errorContext(request), ...requestLogUrl(request), language: failure.language };
  return reply.code(failure.status).send({ error: errorObject(failure.code, failure.facts, context) });
}

/** Only of requests that are logged: those of an account. */
function requestLogUrl({ id, scope, server }: FastifyRequest & { scope?: Scope }): { requestLogUrl?: string } {
  if (scope === undefined || server.requestLogUrl === null) return {};
  return { requestLogUrl: `${server.requestLogUrl}/${id}` };
}

/** An error that was thrown on purpose is logged without its stack. */
function logFailure(log: Log, requestId: string, error: Error): void {
  const isDeliberate = error instanceof ApiError && error.cause === undefined;
  if (isDeliberate) log.warn({ request_id: requestId, code: error.code, reason: error.message }, 'request refused');
  else log.error({ request_id: requestId, error }, 'request failed');
}

/** The catalogue's error for any error. Its cause is logged, and not shown to the client. */
function toApiError(error: Error & { code?: string; statusCode?: number }): ApiError {
  if (error instanceof ApiError) return error;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('invalid_value', {
        param: 'body',
        message: 'The body is larger than 64 KiB. Send a smaller one.',
      });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('invalid_value', {
        param: 'Content-Type',
        message: 'The Content-Type of the body must be application/json.',
      });
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError('invalid_json');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ApiError('not_found');
  }
  const isClientError = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500;
  if (!isClientError && isTransient(error)) return serverAway(error);
  return new ApiError(isClientError ? 'invalid_value' : 'internal_error', { cause: error });
}

/** For a database that does not answer now: whether the request has had its effect is not known. */
function serverAway(cause: Error): ApiError {
  const message =
    'A required component does not answer. Send the request again; send a POST with the same Idempotency-Key.';
  return new ApiError('internal_error', { status: 503, retryAfterSeconds: 1, message, cause });
}

/**
 * Fastify's options for requests that never reach a route: bad URLs, bytes that are no HTTP, requests that come too
 * slowly.
 */
export function answerBrokenRequests(
  log: Log,
  docsUrl: () => string,
  brokenPaths: BrokenPaths,
): Pick<FastifyServerOptions, 'frameworkErrors' | 'clientErrorHandler'> {
  return {
    frameworkErrors(error, request, reply) {
      setCommonHeaders(request, reply);
      const answer = [...brokenPaths].find(([prefix]) => request.url.startsWith(prefix))?.[1];
      if (answer === undefined) sendError(error, request, reply, log);
      else answer(error, request, reply);
    },
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
        socket.destroy();
        return;
      }
      const requestId = answerSocket(socket, brokenRequestError(error.code), docsUrl());
      log.debug({ request_id: requestId, code: error.code }, 'malformed request');
    },
  };
}

function brokenRequestError(code: string | undefined): ApiError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('invalid_json', { status: 408, message: 'The request did not arrive completely in time.' });
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('invalid_value', { status: 431, message: 'The headers are larger than 16 KiB.' });
    default:
      return new ApiError('invalid_value', { message: 'This is not an HTTP/1.1 request.' });
  }
}

/** Answers without Fastify, as the last answer on the connection. @returns the request's id */
export function answerSocket(socket: Socket, failure: ApiError, docsUrl: string): string {
  const requestId = newId('Request');
  const body = JSON.stringify({ error: errorObject(failure.code, failure.facts, { requestId, docsUrl }) });
  const head = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(COMMON_HEADERS).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // A client that never ends its side would keep the connection for ever.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  return requestId;
}
