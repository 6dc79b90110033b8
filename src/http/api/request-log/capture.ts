/** Adds each authenticated request to the request log, after its answer is sent. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OpenRequests, RequestEnd } from '../plugins/requests.ts';
import { knownFields } from './known-fields.ts';
import { redactBody, redactPath } from './redact.ts';
import type { RequestLog } from './request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The answer's text, for the request log. */
    answerText: string;
  }
}

/** nginx's status for a request whose client disconnected before the answer. */
const CLIENT_CLOSED = 499;

export function captureRequests(app: FastifyInstance, requests: OpenRequests, log: RequestLog): void {
  app.decorateRequest('answerText', '');
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (typeof payload === 'string' && isOfAccount(request)) request.answerText = payload;
    done(null, payload);
  });
  requests.onEnd((end) => {
    if (!isOfAccount(end.request)) return;
    if (log.hasRoom) log.add(loggedRequest(end));
    else log.drop();
  });
}

type Requested = Partial<Pick<FastifyRequest, 'scope' | 'isInProcess'>> & Pick<FastifyRequest, 'routeOptions'>;

/**
 * Authenticated by a key or the keyless demo. Not logged: requests of the dashboard's own pages, and a route that only
 * carries requests, which are logged themselves.
 */
function isOfAccount({ scope, isInProcess, routeOptions: { config } }: Requested): boolean {
  return scope !== undefined && isInProcess !== true && config.isEnvelope !== true;
}

function loggedRequest({ request, reply, isAbandoned, durationMs }: RequestEnd) {
  const { scope, actor, failure, routeOptions } = request;
  const { operation } = routeOptions.config;
  return {
    id: request.id,
    accountId: scope.accountId,
    mode: scope.mode,
    method: request.method,
    route: routeOptions.url?.replace(/:(\w+)/g, '{$1}') ?? null,
    path: redactPath(request.url, knownFields(operation, 'query')),
    status: isAbandoned ? CLIENT_CLOSED : reply.statusCode,
    code: failure?.code ?? null,
    param: failure?.facts.param ?? null,
    durationMs: Math.round(durationMs),
    keyId: actor.kind === 'key' ? actor.id : null,
    source: actor.source,
    requestBody: redactBody(request.bodyText, knownFields(operation, 'request')),
    answerBody: operation?.keepsNoAnswer === true ? null : redactBody(request.answerText),
    createdAt: new Date(Date.now() - durationMs),
  };
}
