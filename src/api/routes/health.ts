/** `GET /healthz`: the process runs. `GET /readyz`: everything it depends on answers; names what does not. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { waitAtMost } from '../../concurrency/time-limit.ts';
import { errorObject } from '../../contract/errors.ts';
import { docsUrlOf } from '../plugins/errors.ts';
import type { HealthCheck } from '../ports.ts';

export interface HealthDeps {
  checks: Record<string, HealthCheck>;
  docsUrl: string | null;
}

const CHECK_LIMIT_MS = 2_000;

type CheckResult = 'ok' | 'failed' | 'timeout';

/** `/healthz` is 200 while the process answers at all; `/readyz` 503 when a check fails or takes longer than 2 s. */
export function healthRoutes(app: FastifyInstance, deps: HealthDeps): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    const results = await Promise.all(
      Object.entries(deps.checks).map(
        async ([name, check]) => [name, await resultOf(name, check, request.log)] as const,
      ),
    );
    const checks = Object.fromEntries(results);
    if (results.every(([, result]) => result === 'ok')) return { status: 'ready', checks };
    const context = { requestId: request.id, docsUrl: docsUrlOf(app, deps.docsUrl) };
    const error = errorObject('internal_error', { message: 'A part that the service needs does not answer.' }, context);
    return reply.code(503).send({ status: 'not_ready', checks, error });
  });
}

async function resultOf(name: string, check: HealthCheck, log: FastifyBaseLogger): Promise<CheckResult> {
  try {
    return await waitAtMost(
      CHECK_LIMIT_MS,
      check().then(() => 'ok' as const),
      'timeout' as const,
    );
  } catch (error) {
    log.warn({ error, check: name }, 'health check failed');
    return 'failed';
  }
}
