/** Request metrics, and `GET /metrics` for Prometheus. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import { addressMatcher } from '../../../domain/address-range.ts';
import type { Metrics } from '../../../lib/observability/metrics.ts';
import { isForwarded } from './local-requests.ts';
import type { OpenRequests } from './requests.ts';

/** Loopback and private networks (RFC 1918, RFC 4193), from which Prometheus scrapes. */
const METRICS_READERS = [
  '127.0.0.0/8',
  '::1/128',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
] as const;

export interface MetricsDeps {
  /** The metrics of the process. */
  metrics: Metrics;
  /** Addresses and CIDR blocks that can read `/metrics`. The default is {@link METRICS_READERS}. */
  metricsReaders?: readonly string[];
  /** Addresses and CIDR blocks whose `X-Forwarded-For` is trusted. The default is none. */
  trustedProxies?: readonly string[];
}

/** All other methods share one label value. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'PUT']);

/** Media type of server-sent events (HTML Standard, 9.2). */
export const EVENT_STREAM = 'text/event-stream';

/**
 * By method, route and status; abandoned requests by route. Excludes event streams and requests that wait for a change,
 * whose duration is not a latency.
 */
export function countRequests(requests: OpenRequests, metrics: Metrics): void {
  requests.onEnd(({ request, reply, isAbandoned, durationMs }) => {
    if (reply.getHeader('content-type') === EVENT_STREAM || request.waitsMs > 0) return;
    const route = request.routeOptions.url ?? 'none';
    if (isAbandoned) {
      metrics.abandoned(route);
      return;
    }
    metrics.request({
      method: METHODS.has(request.method) ? request.method : 'other',
      route,
      status: reply.statusCode,
      seconds: durationMs / 1_000,
    });
  });
}

/** `GET /metrics` for trusted addresses. All others get 404. */
export function metricsRoute(app: FastifyInstance, deps: MetricsDeps): void {
  const mayRead = addressMatcher(deps.metricsReaders ?? METRICS_READERS);
  app.get('/metrics', async (request, reply) => {
    if (!isSourceKnown(request) || !mayRead(request.ip)) throw new ApiError('not_found');
    const { text, contentType } = await deps.metrics.read();
    return reply.type(contentType).send(text);
  });
}

/** The source of a forwarded request is known only if every proxy on the way is trusted and names its peer. */
function isSourceKnown({ headers, ips }: FastifyRequest): boolean {
  if (!isForwarded(headers)) return true;
  const hops = [headers['x-forwarded-for'] ?? []]
    .flat()
    .join()
    .split(',')
    .filter((hop) => hop.trim() !== '').length;
  // The peer, and the hops up to the first untrusted one. Undefined if no proxy is trusted.
  const trusted = (ips?.length ?? 1) - 1;
  return hops > 0 && trusted >= hops;
}
