/** A span for each authenticated request, in the trace that its W3C `traceparent` header names. */
import type { FastifyInstance } from 'fastify';
import { openSpan } from '../../../lib/observability/trace.ts';

/**
 * Requests that failed authentication have no span: strangers must not fill the operator's traces. Call it after
 * {@link authenticate}.
 */
export function traceRequests(app: FastifyInstance): void {
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { method, id: requestId, scope, headers, startedAt } = request;
    const route = request.routeOptions.url ?? 'none';
    const { traceparent } = headers;
    const span = openSpan(
      `${method} ${route}`,
      { method, route, requestId, accountId: scope.accountId, mode: scope.mode },
      {
        kind: 'server',
        startedAtMs: performance.timeOrigin + startedAt,
        ...(typeof traceparent === 'string' && { traceparent }),
      },
    );
    request.span = span;
    reply.raw.once('close', () => {
      span.set({ status: reply.statusCode });
      if (reply.statusCode >= 500) span.fail();
      span.end();
    });
    done();
  });
  // Reading the body leaves the span's context.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.span === null) done();
    else request.span.run(done);
  });
}
