/** `GET /healthz`: the process runs. `GET /readyz`: the components that it depends on work. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { errorObject } from '../../../contract/errors.ts';
import { waitAtMost } from '../../../lib/concurrency/time-limit.ts';
import { errorContext } from '../plugins/errors.ts';

/** Rejects if the component does not answer. */
export type HealthCheck = () => Promise<void>;

export interface HealthDeps {
  /** Required components, by their name in `/readyz`: `postgres`. */
  checks: Record<string, HealthCheck>;
  /** Required components whose state this process knows: `engine`. */
  states?: Record<string, () => boolean>;
  /** Components that the service can work without: `redis`. */
  optionalChecks?: Record<string, HealthCheck>;
  /** Further facts, which do not decide. Anyone can read them: counts only. */
  facts?: () => Record<string, object>;
}

const CHECK_LIMIT_MS = 2_000;
/** Results are cached this long, because anyone can send these requests. */
const CACHE_MS = 1_000;

type CheckResult = 'ok' | 'failed' | 'timeout';
type Results = Record<string, CheckResult>;

/**
 * `/healthz` returns 200 while the process runs. `/readyz` returns 503 if a required component fails or takes longer than
 * 2 s. If only optional ones fail, it returns 200 with the status `degraded`, so that a load balancer keeps the service.
 */
export function healthRoutes(
  app: FastifyInstance,
  { checks, states = {}, optionalChecks = {}, facts = () => ({}) }: HealthDeps,
): void {
  const required = resultsOf(checks);
  const optional = resultsOf(optionalChecks);
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    const [requiredResults, optionalResults] = await Promise.all([required(request.log), optional(request.log)]);
    const known = Object.entries(states).map(([name, isGood]) => [name, isGood() ? 'ok' : 'failed'] as const);
    const results: Results = { ...requiredResults, ...Object.fromEntries(known) };
    const all = { ...results, ...optionalResults };
    if (isWell(results)) return { status: isWell(optionalResults) ? 'ready' : 'degraded', checks: all, ...facts() };
    const message = 'A required component does not work.';
    const error = errorObject('internal_error', { message }, errorContext(request));
    return reply.code(503).send({ status: 'not_ready', checks: all, ...facts(), error });
  });
}

const isWell = (results: Results) => Object.values(results).every((result) => result === 'ok');

/** Runs the checks in parallel, each at most once per {@link CACHE_MS}. */
function resultsOf(checks: HealthDeps['checks']): (log: FastifyBaseLogger) => Promise<Results> {
  const cachedChecks = Object.entries(checks).map(([name, check]) => {
    let last: { at: number; result: Promise<CheckResult> } | null = null;
    return async (log: FastifyBaseLogger) => {
      if (last === null || performance.now() - last.at >= CACHE_MS) {
        last = { at: performance.now(), result: resultOf(name, check, log) };
      }
      return [name, await last.result] as const;
    };
  });
  return async (log) => Object.fromEntries(await Promise.all(cachedChecks.map((check) => check(log))));
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
