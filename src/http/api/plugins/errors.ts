/** Answers every failure with an error object from the catalogue: our own errors, Fastify's, and unknown routes. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type ErrorContext, errorObject } from '../../../contract/errors.ts';
import { isTransient } from '../../../db/error-kinds.ts';
import type { Scope } from '../../../domain/account.ts';
import type { Log } from '../../../lib/observability/log.ts';
import type { OperationRoute } from '../reference/operation.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Base of `doc_url`, without a slash at the end. */
    readonly docsUrl: string;
    /** Base of `request_log_url`, without a slash at the end; null: there is no request log. */
    readonly requestLogUrl: string | null;
  }
  interface FastifyRequest {
    /** A repeat of the request may get another answer: see `ApiError.isTemporary`. */
    failedTemporarily: boolean;
    /** The error of the answer, for the log line. Null if the request succeeded. */
    failure: ApiError | null;
  }
}

interface ErrorDeps {
  log: Log;
  docsUrl: string | null;
  /** Undefined: requests are not logged. */
  requestLog?: unknown;
  dashboardUrl?: string | null;
  /** The API's, to name the methods of a path in `Allow`. */
  operations?: readonly OperationRoute[];
}

/** Answers all errors of handlers and Fastify, and unknown routes; logs 5xx. */
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

/** What an error object or an event needs to know about the request. */
export function errorContext({ id, server }: FastifyRequest): ErrorContext {
  return { requestId: id, docsUrl: server.docsUrl };
}

/** The address that the server listens on. Empty if it does not listen. */
function ownUrl({ server }: FastifyInstance): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return '';
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

export function sendError(error: Error, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const failure = toApiError(error, bodyLimitOf(request));
  request.failedTemporarily = failure.isTemporary;
  request.failure = failure;
  if (failure.status >= 500) logFailure(log, request.id, error);
  // RFC 9110, 15.5.2.
  if (failure.status === 401) reply.header('www-authenticate', 'Bearer realm="ringkey"');
  if (failure.retryAfterSeconds !== null) reply.header('retry-after', failure.retryAfterSeconds);
  const context = { ...errorContext(request), ...requestLogUrl(request), language: failure.language };
  return reply.code(failure.status).send({ error: errorObject(failure.code, failure.facts, context) });
}

/** Only authenticated requests are in the request log. */
function requestLogUrl({ id, scope, server }: FastifyRequest & { scope?: Scope }): { requestLogUrl?: string } {
  if (scope === undefined || server.requestLogUrl === null) return {};
  return { requestLogUrl: `${server.requestLogUrl}/${id}` };
}

/** Logs an error that was thrown on purpose without its stack. */
function logFailure(log: Log, requestId: string, error: Error): void {
  const isDeliberate = error instanceof ApiError && error.cause === undefined;
  if (isDeliberate) log.warn({ request_id: requestId, code: error.code, reason: error.message }, 'request refused');
  else log.error({ request_id: requestId, error }, 'request failed');
}

/** Of the route, or else of the server. */
const bodyLimitOf = ({ routeOptions, server }: FastifyRequest) =>
  routeOptions.bodyLimit ?? server.initialConfig.bodyLimit ?? 0;

/** Maps any error to the catalogue. The cause is logged and never shown to the client. */
function toApiError(error: Error & { code?: string; statusCode?: number }, bodyLimitBytes: number): ApiError {
  if (error instanceof ApiError) return error;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('invalid_value', {
        param: 'body',
        message: `The body is larger than ${Math.floor(bodyLimitBytes / 1024)} KiB. Send a smaller one.`,
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

/** The database does not answer, so the effect of the request is unknown. */
function serverAway(cause: Error): ApiError {
  const message =
    'A required component does not answer. Send the request again; send a POST with the same Idempotency-Key.';
  return new ApiError('internal_error', { status: 503, retryAfterSeconds: 1, message, cause });
}

/** An unknown path, or one that takes other methods: then it sets `Allow` (RFC 9110, 10.2.1). */
function noSuchRoute(operations: readonly OperationRoute[], request: FastifyRequest, reply: FastifyReply): ApiError {
  const [path = ''] = request.url.split('?', 1);
  const methods = operations
    .filter((operation) => isOf(operation.path, path))
    .map(({ method }) => method.toUpperCase());
  if (methods.length === 0) return new ApiError('not_found');
  reply.header('allow', methods.join(', '));
  return new ApiError('not_found', { message: `This path takes ${methods.join(' and ')}.` });
}

/** @param pattern as OpenAPI writes it: `/v1/keys/{id}` */
function isOf(pattern: string, path: string): boolean {
  const [names, parts] = [pattern.split('/'), path.replace(/\/$/, '').split('/')];
  return names.length === parts.length && names.every((name, place) => name.startsWith('{') || name === parts[place]);
}
