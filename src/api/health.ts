/** `/healthz`, `/readyz` and `/metrics` alone, for a process without the role `api`. */
import type { FastifyInstance } from 'fastify';
import { createMetrics } from '../observability/metrics.ts';
import { countRequests, type MetricsDeps, metricsRoute } from './plugins/metrics.ts';
import { type HealthDeps, healthRoutes } from './routes/health.ts';
import { createServer, type ServerDeps } from './server.ts';

export function createHealth(deps: ServerDeps & HealthDeps & Partial<MetricsDeps>): FastifyInstance {
  const { app, requests } = createServer(deps);
  const metrics = deps.metrics ?? createMetrics();
  countRequests(requests, metrics);
  metricsRoute(app, { ...deps, metrics });
  healthRoutes(app, deps);
  return app;
}
