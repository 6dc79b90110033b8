/** The HTTP server of every process: limits, request IDs, log, errors, shutdown, health and metrics. */
import { type FastifyInstance, fastify } from 'fastify';
import { newId } from '../../domain/ids.ts';
import type { Log } from '../../lib/observability/log.ts';
import { createMetrics, type Metrics } from '../../lib/observability/metrics.ts';
import { answerBareRequests, answerBrokenRequests, type BrokenPaths } from './plugins/broken-requests.ts';
import { handleErrors } from './plugins/errors.ts';
import { parseJsonBodies } from './plugins/json-body.ts';
import { countRequests, type MetricsDeps, metricsRoute } from './plugins/metrics.ts';
import { logRequests, trackRequests } from './plugins/requests.ts';
import { limitHandlers, refuseWhileClosing } from './plugins/unavailable.ts';
import { nameUnknownFields } from './plugins/unknown-fields.ts';
import { collectOperations, type OperationRoute } from './reference/operation.ts';
import { captureRequests } from './request-log/capture.ts';
import type { RequestLog } from './request-log/request-log.ts';
import { type HealthDeps, healthRoutes } from './routes/health.ts';

/** Settings of the server. Tests shorten the limits. */
export interface ServerDeps extends HealthDeps, Partial<MetricsDeps> {
  log: Log;
  /** Base of `doc_url`, without a trailing slash. Null: `/docs` of the address we listen on. */
  docsUrl: string | null;
  /** How long a client may take to send one request. The default is 10 s. */
  requestLimitMs?: number;
  /** How long a handler may take. The default is {@link HANDLER_LIMIT_MS}. */
  handlerLimitMs?: number;
  /** If absent, requests are not logged. */
  requestLog?: RequestLog;
  /** Base of `request_log_url`, without a trailing slash. Null: the address we listen on. */
  dashboardUrl?: string | null;
}

const BODY_LIMIT_BYTES = 64 * 1024;
const HEADER_LIMIT_BYTES = 16 * 1024;
/** A path with an ID that is far too long still reaches its route, which answers 404. */
const MAX_PARAM_LENGTH = HEADER_LIMIT_BYTES;
const REQUEST_LIMIT_MS = 10_000;
const LIMITS_CHECKED_EVERY_MS = 1_000;
const KEEP_ALIVE_MS = 65_000;
/** Longer than a charge with database retries: its 424 says that the outcome is unknown, a 503 does not. */
export const HANDLER_LIMIT_MS = 50_000;

/** A server with the routes for health and metrics only. */
interface Server {
  app: FastifyInstance;
  metrics: Metrics;
  /** Of the routes added later. Complete when the app is ready. */
  operations: readonly OperationRoute[];
}

export function createServer(deps: ServerDeps): Server {
  const requestLimitMs = deps.requestLimitMs ?? REQUEST_LIMIT_MS;
  const brokenPaths: BrokenPaths = new Map();
  const app: FastifyInstance = fastify({
    // Some of Fastify's log lines repeat the URL, whose query may contain a phone number. `trackRequests` sets
    // `request.log`.
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: requestLimitMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: true },
    return503OnClosing: false,
    trustProxy:
      deps.trustedProxies === undefined || deps.trustedProxies.length === 0 ? false : [...deps.trustedProxies],
    genReqId: () => newId('Request'),
    http: {
      headersTimeout: requestLimitMs,
      maxHeaderSize: HEADER_LIMIT_BYTES,
      requireHostHeader: false,
      connectionsCheckingInterval: Math.min(LIMITS_CHECKED_EVERY_MS, requestLimitMs),
    },
    ...answerBrokenRequests(deps.log, () => app.docsUrl, brokenPaths),
  });
  app.decorate('brokenPaths', brokenPaths);
  const requests = trackRequests(app, deps.log);
  logRequests(requests);
  if (deps.requestLog !== undefined) captureRequests(app, requests, deps.requestLog);
  limitHandlers(app, deps.handlerLimitMs ?? HANDLER_LIMIT_MS);
  refuseWhileClosing(app, requests);
  answerBareRequests(app);
  const operations = collectOperations(app);
  handleErrors(app, { ...deps, operations });
  parseJsonBodies(app);
  nameUnknownFields(app);
  const metrics = deps.metrics ?? createMetrics();
  countRequests(requests, metrics);
  metricsRoute(app, { ...deps, metrics });
  healthRoutes(app, deps);
  return { app, metrics, operations };
}
