/** Requests that Node would answer by itself, without an error object: no Host header, an unknown Expect, CONNECT. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import { answerSocket } from './errors.ts';

/** For a server with `requireHostHeader: false`. */
export function answerBareRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // RFC 9112, 3.2: HTTP/1.1 has one; an older client may not.
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
