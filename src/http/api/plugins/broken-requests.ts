/**
 * Requests that never reach a route, answered with an error object: malformed HTTP, a missing Host header, an unknown
 * Expect, CONNECT, a URL that cannot be decoded.
 */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { ApiError, errorObject } from '../../../contract/errors.ts';
import { newId } from '../../../domain/ids.ts';
import type { Log } from '../../../lib/observability/log.ts';
import { sendError } from './errors.ts';
import { COMMON_HEADERS, setCommonHeaders } from './requests.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers paths with a broken escape, by their prefix. All others are answered as JSON. */
    readonly brokenPaths: BrokenPaths;
  }
}

export type BrokenPaths = Map<string, (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void>;

/** How long a client has to read the last answer before the connection is closed. */
const LINGER_MS = 1_000;

/** Answers requests that Node.js would answer itself. Requires `requireHostHeader: false`. */
export function answerBareRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // RFC 9112, 3.2: required in HTTP/1.1, but not in HTTP/1.0.
    const lacksHost = request.headers.host === undefined && request.raw.httpVersion !== '1.0';
    done(
      lacksHost ? new ApiError('invalid_value', { param: 'Host', message: 'The header Host is missing.' }) : undefined,
    );
  });
  // An unknown expectation may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response);
  });
  app.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    answerSocket(socket, new ApiError('not_found'), app.docsUrl);
  });
}

/** Fastify's options for requests that never reach a route: bad URLs, malformed HTTP, requests that arrive too slowly. */
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
      // Nothing was started, and no Idempotency-Key is used up: the same request can succeed.
      return new ApiError('invalid_json', {
        status: 408,
        message: 'The request did not arrive completely in time, so nothing was done.',
        advice: 'try_again_later',
      });
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('invalid_value', { status: 431, message: 'The headers are larger than 16 KiB.' });
    default:
      return new ApiError('invalid_value', { message: 'This is not an HTTP/1.1 request.' });
  }
}

/** Answers without Fastify and closes the connection. @returns the request's ID */
function answerSocket(socket: Socket, failure: ApiError, docsUrl: string): string {
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
  // Otherwise a client that never closes its side would keep the connection open.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  return requestId;
}
