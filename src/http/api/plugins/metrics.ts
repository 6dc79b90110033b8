/** Request metrics, and `GET /metrics` for Prometheus. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import { addressMatcher } from '../../../domain/address-range.ts';
import type { Metrics } from '../../../lib/observability/metrics.ts';
import { isForwarded } from './local-requests.ts';
import type { OpenRequests } from './requests.ts';

/** Loopback and private networks (RFC 1918, RFC 4193): where a scraper is. */
const METRICS_READERS = [
  '127.0.0.0/8',
  '::1/128',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
] as const;

export interface MetricsDeps {
  /** The process's. */
  metrics: Metrics;
  /** Addresses and CIDR blocks that may read `/metrics`; {@link METRICS_READERS} where not given. */
  metricsReaders?: readonly string[];
  /** Addresses and CIDR blocks whose `X-Forwarded-For` is believed; nobody's where not given. */
  trustedProxies?: readonly string[];
}

/** All other methods share one label: a label's values are few. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'PUT']);

/** Media type of server-sent events (HTML Standard, 9.2). */
export const EVENT_STREAM = 'text/event-stream';

/** By method, route and status; abandoned ones by route. Not event streams: how long one lasts is no latency. */
export function countRequests(requests: OpenRequests, metrics: Metrics): void {
  requests.onEnd(({ request, reply, isAbandoned, durationMs }) => {
    if (reply.getHeader('content-type') === EVENT_STREAM) return;
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

/** `GET /metrics` for those who may read it; to all others there is no such route. */
export function metricsRoute(app: FastifyInstance, deps: MetricsDeps): void {
  const mayRead = addressMatcher(deps.metricsReaders ?? METRICS_READERS);
  app.get('/metrics', async (request, reply) => {
    if (!isSourceKnown(request) || !mayRead(request.ip)) throw new ApiError('not_found');
    const { text, contentType } = await deps.metrics.read();
    return reply.type(contentType).send(text);
  });
}

/**
 * What was passed on came from the address that it seems to only if trusted proxies passed it on all the way, and say
 * from where.
 */
function isSourceKnown({ headers, ips }: FastifyRequest): boolean {
  if (!isForwarded(headers)) return true;
  const hops = [headers['x-forwarded-for'] ?? []]
    .flat()
    .join()
    .split(',')
    .filter((hop) => hop.trim() !== '').length;
  // The peer, and the hops up to the first that is no trusted proxy. Undefined where none is trusted.
  const believed = (ips?.length ?? 1) - 1;
  return hops > 0 && believed >= hops;
}
