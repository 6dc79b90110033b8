/** `GET /healthz`: the process lives. `GET /readyz`: what it depends on answers; says which does not. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
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
    const names = Object.keys(deps.checks);
    const results = await Promise.all(
      Object.entries(deps.checks).map(([name, check]) => run(name, check, request.log)),
    );
    const checks = Object.fromEntries(names.map((name, index) => [name, results[index]]));
    if (results.every((result) => result === 'ok')) return { status: 'ready', checks };
    const context = { requestId: request.id, docsUrl: docsUrlOf(app, deps.docsUrl) };
    const error = errorObject('internal_error', { message: 'A part that the service needs does not answer.' }, context);
    return reply.code(503).send({ status: 'not_ready', checks, error });
  });
}

async function run(name: string, check: HealthCheck, log: FastifyBaseLogger): Promise<CheckResult> {
  const limit = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<CheckResult>((resolve) => {
    timer = setTimeout(() => {
      limit.abort();
      resolve('timeout');
    }, CHECK_LIMIT_MS);
  });
  const outcome = new Promise<void>((resolve) => resolve(check(limit.signal))).then(
    (): CheckResult => 'ok',
    (error: unknown): CheckResult => {
      log.warn({ error, check: name }, 'health check failed');
      return 'failed';
    },
  );
  const result = await Promise.race([outcome, timeout]);
  clearTimeout(timer);
  return result;
}
