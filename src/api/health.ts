/** `/healthz`, `/readyz` and `/metrics` alone, for a process that has not the role `api`. */
import type { FastifyInstance } from 'fastify';
import { createMetrics } from '../metrics.ts';
import { countRequests, type MetricsDeps } from './plugins/metrics.ts';
import { type HealthDeps, healthRoutes } from './routes/health.ts';
import { createServer } from './server.ts';

export function createHealth(deps: HealthDeps & Partial<MetricsDeps>): FastifyInstance {
  const app = createServer(deps);
  countRequests(app, { ...deps, metrics: deps.metrics ?? createMetrics() });
  healthRoutes(app, deps);
  return app;
}
