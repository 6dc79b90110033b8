/** Tracks each request until its answer is sent: request ID, log, common headers, end listeners. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isMadeHere } from '../../../domain/ids.ts';
import type { Log } from '../../../lib/observability/log.ts';
import type { OpenSpan } from '../../../lib/observability/trace.ts';
import { isMadeInProcess } from '../in-process.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The answer is ready and will be sent once it is stored. Nothing else may answer the request. */
    isAnswerMade: boolean;
    /** When the head was read, by `performance.now()`. */
    startedAt: number;
    /** The first ID in the answer: the object that was created, changed or read. */
    answeredId: string | null;
    /** See trace.ts. Null if the request is not traced. */
    span: OpenSpan | null;
  }
}

/** The requests in progress. */
export interface OpenRequests {
  readonly replies: ReadonlySet<FastifyReply>;
  /**
   * Calls `listener` once per request, when the whole answer is sent or the connection has closed before that; the
   * handler continues anyway. (Fastify's `onRequestAbort` misses requests with a body, which close once it is read.)
   */
  onEnd(listener: (end: RequestEnd) => void): void;
}

export interface RequestEnd {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The client disconnected before it had the whole answer. */
  isAbandoned: boolean;
  durationMs: number;
}

/** Call it before any other hook is added. `request.log` then adds the request ID to each line. */
export function trackRequests(app: FastifyInstance, log: Log): OpenRequests {
  const replies = new Set<FastifyReply>();
  const listeners: ((end: RequestEnd) => void)[] = [];
  app.decorateRequest('isAnswerMade', false);
  app.decorateRequest('startedAt', 0);
  app.decorateRequest('answeredId', null);
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now();
    request.log = log.child({ request_id: request.id });
    setCommonHeaders(request, reply);
    replies.add(reply);
    const isInProcess = isMadeInProcess();
    reply.raw.once('close', () => {
      replies.delete(reply);
      // The response of `inject` has no socket, and is never "finished".
      const isAbandoned = isInProcess ? !reply.raw.writableEnded : !reply.raw.writableFinished;
      const durationMs = performance.now() - request.startedAt;
      const tell = () => {
        for (const listener of listeners) listener({ request, reply, isAbandoned, durationMs });
      };
      if (request.span === null) tell();
      else request.span.run(tell);
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
 * Logs one line per request, with the pattern of the route and at most an ID from the path: a path that the client wrote
 * may contain data that must not be logged.
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

/** Empty for a request that was not authenticated. */
function requester({ scope, actor }: Partial<Pick<FastifyRequest, 'scope' | 'actor'>>): object {
  return scope === undefined ? {} : { account_id: scope.accountId, mode: scope.mode, key_id: actor?.id ?? null };
}

/** The ID of the object of the request, from the path, the body or the answer. */
function objectOf({ params, body, answeredId }: FastifyRequest): string | null {
  const isFields = (values: unknown) => typeof values === 'object' && values !== null && !Buffer.isBuffer(values);
  const named = [params, body].flatMap((values) => (isFields(values) ? Object.values(values as object) : []));
  return named.find(isMadeHere) ?? answeredId;
}

/**
 * `no-store`, because a session contains the token to pay it. If a browser shows an answer, nothing in it runs or is
 * framed. Strict-Transport-Security is up to the proxy that has the certificate.
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
