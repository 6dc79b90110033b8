/** Tracks each request from its head to the end of its answer: request id, log, common headers, end listeners. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isMadeHere } from '../../../domain/ids.ts';
import type { Log } from '../../../lib/observability/log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its answer is made, and is sent as soon as it is kept: nothing else may answer it. */
    isAnswerMade: boolean;
    /** When its head was read, by `performance.now()`. */
    startedAt: number;
    /** The id of what it made or changed, where its answer names one first. */
    answeredId: string | null;
  }
}

/** The requests that are being answered now. */
export interface OpenRequests {
  readonly replies: ReadonlySet<FastifyReply>;
  /**
   * `listener` is called once a request, when the connection has taken its whole answer, or has closed before that.
   * (Fastify's `onRequestAbort` misses requests with a body: theirs are closed once it is read.) The handler's work
   * goes on all the same.
   */
  onEnd(listener: (end: RequestEnd) => void): void;
}

export interface RequestEnd {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The client went away before it had its whole answer. */
  isAbandoned: boolean;
  durationMs: number;
}

/** To be called before any other hook is added. From then on `request.log` writes the request's id on each line. */
export function trackRequests(app: FastifyInstance, log: Log): OpenRequests {
  const replies = new Set<FastifyReply>();
  const listeners: ((end: RequestEnd) => void)[] = [];
  app.decorateRequest('isAnswerMade', false);
  app.decorateRequest('startedAt', 0);
  app.decorateRequest('answeredId', null);
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now();
    request.log = log.child({ request_id: request.id });
    setCommonHeaders(request, reply);
    replies.add(reply);
    reply.raw.once('close', () => {
      replies.delete(reply);
      const isAbandoned = !reply.raw.writableFinished;
      const durationMs = performance.now() - request.startedAt;
      for (const listener of listeners) listener({ request, reply, isAbandoned, durationMs });
    });
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.isAnswerMade = true;
    done(null, payload);
  });
  return { replies, onEnd: (listener) => void listeners.push(listener) };
}

/**
 * One line a request. It names the route's pattern, and of the path nothing but an id: the path is the client's, and
 * may hold what must not be logged.
 */
export function logRequests(requests: OpenRequests): void {
  requests.onEnd(({ request, reply, isAbandoned, durationMs }) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        ...requester(request),
        object_id: objectOf(request),
        duration_ms: Math.round(durationMs),
        status: isAbandoned ? null : reply.statusCode,
        ...(request.failure !== null && { code: request.failure.code, param: request.failure.facts.param }),
        ...(request.unknownFields !== null && { unknown_fields: request.unknownFields }),
      },
      isAbandoned ? 'request abandoned by its client' : 'request answered',
    );
  });
}

/** Who asked; of a request that was let in. */
function requester({ scope, actor }: Partial<Pick<FastifyRequest, 'scope' | 'actor'>>): object {
  return scope === undefined ? {} : { account_id: scope.accountId, mode: scope.mode, key_id: actor?.id ?? null };
}

/** The id of what the request is about: in its path, its body, or its answer. */
function objectOf({ params, body, answeredId }: FastifyRequest): string | null {
  const named = [params, body].flatMap((values) => (typeof values === 'object' ? Object.values(values ?? {}) : []));
  return named.find(isMadeHere) ?? answeredId;
}

/**
 * `no-store`, because sessions carry the way to pay. An answer is data: should a browser show it, nothing in it runs,
 * frames, or is framed. Strict-Transport-Security is left to the proxy, which has the certificate.
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
