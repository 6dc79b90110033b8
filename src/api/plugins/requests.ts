/**
 * A request's life, from its head to the end of its answer: it has an id, in its answer and in its one log line; it is known
 * while it is under way; and whoever wants to hear of its end does. One listener for all of that: each costs every request.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Places } from '../../domain/places.ts';
import { type Log, plainLog } from '../../observability/log.ts';
import { RequestLog } from '../request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its answer is made, and on its way as soon as it is kept: nothing else may answer it. */
    isAnswerMade: boolean;
    /** When its head was read, by `performance.now()`. (Fastify's `reply.elapsedTime` needs a listener of its own for each.) */
    startedAt: number;
  }
}

/** The requests that are under way, in no order. */
export interface UnderWay extends Iterable<FastifyReply> {
  readonly size: number;
  /**
   * `listener` is called once a request, when the connection has taken its whole answer, or has closed before that. (Fastify's
   * `onRequestAbort` misses requests with a body: theirs are closed once it is read.) What was begun goes on all the same.
   */
  onEnd(listener: (end: RequestEnd) => void): void;
}

export interface RequestEnd {
  request: FastifyRequest;
  reply: FastifyReply;
  isAbandoned: boolean;
  tookMs: number;
}

/**
 * To be called before any other hook is added. From then on `request.log` writes the request's id on each line; Fastify's own
 * lines, which repeat the paths that clients wrote, still go nowhere.
 */
export function followRequests(app: FastifyInstance, log: Log): UnderWay {
  const underWay = new Places<FastifyReply>();
  const listeners: ((end: RequestEnd) => void)[] = [];
  app.decorateRequest('isAnswerMade', false);
  app.decorateRequest('startedAt', 0);
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now();
    request.log = new RequestLog(log, request.id);
    setCommonHeaders(request, reply);
    const place = underWay.take(reply);
    reply.raw.once('close', () => {
      underWay.leave(place);
      const isAbandoned = !reply.raw.writableFinished;
      const tookMs = performance.now() - request.startedAt;
      for (const listener of listeners) listener({ request, reply, isAbandoned, tookMs });
    });
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.isAnswerMade = true;
    done(null, payload);
  });
  return {
    [Symbol.iterator]: () => underWay[Symbol.iterator](),
    get size() {
      return underWay.size;
    },
    onEnd: (listener) => void listeners.push(listener),
  };
}

export function logRequests(requests: UnderWay, log: Log): void {
  const lines = plainLog(log);
  requests.onEnd(({ request, reply, isAbandoned, tookMs }) => {
    const status = isAbandoned ? null : reply.statusCode;
    lines.info(
      {
        request_id: request.id,
        method: request.method,
        // The pattern, not the path: what a client writes there is not ours to keep.
        route: request.routeOptions.url ?? null,
        duration_ms: Math.round(tookMs),
        status,
      },
      isAbandoned ? 'request abandoned by its client' : 'request answered',
    );
  });
}

/**
 * Sessions carry the way to pay: `no-store`. An answer is data: nothing in it runs, frames, or is framed, should a browser
 * show it. Transport security is the proxy's, which has the certificate.
 */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.headers(COMMON_HEADERS);
}
