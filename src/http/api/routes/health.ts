/** `GET /healthz`: the process runs. `GET /readyz`: everything it depends on answers; names what does not. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { errorObject } from '../../../contract/errors.ts';
import { waitAtMost } from '../../../lib/concurrency/time-limit.ts';
import { errorContext } from '../plugins/errors.ts';

/** Rejects when a part that the service depends on does not answer. */
export type HealthCheck = () => Promise<void>;

export interface HealthDeps {
  /** By their names in `/readyz`: `postgres`. */
  checks: Record<string, HealthCheck>;
  /** What this process knows without asking anybody: `engine`. None where not given. */
  states?: Record<string, () => boolean>;
  /** Of parts without which the service goes on: `redis`. None where not given. */
  lesserChecks?: Record<string, HealthCheck>;
}

const CHECK_LIMIT_MS = 2_000;
/** Whoever asks more often gets what a server answered the last time: anybody may ask. */
const KEPT_MS = 1_000;

type CheckResult = 'ok' | 'failed' | 'timeout';
type Results = Record<string, CheckResult>;

/**
 * `/healthz` is 200 while the process answers at all; `/readyz` 503 when a check fails or takes longer than 2 s, and
 * 200 with the status `degraded` when only lesser ones do: a service that works must not be emptied by its load
 * balancer.
 */
export function healthRoutes(app: FastifyInstance, { checks, states = {}, lesserChecks = {} }: HealthDeps): void {
  const needed = resultsOf(checks);
  const lesser = resultsOf(lesserChecks);
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    const [asked, lesserResults] = await Promise.all([needed(request.log), lesser(request.log)]);
    const known = Object.entries(states).map(([name, isGood]) => [name, isGood() ? 'ok' : 'failed'] as const);
    const results: Results = { ...asked, ...Object.fromEntries(known) };
    const all = { ...results, ...lesserResults };
    if (isWell(results)) return { status: isWell(lesserResults) ? 'ready' : 'degraded', checks: all };
    const facts = { message: 'A required component does not work.' };
    const error = errorObject('internal_error', facts, errorContext(request));
    return reply.code(503).send({ status: 'not_ready', checks: all, error });
  });
}

const isWell = (results: Results) => Object.values(results).every((result) => result === 'ok');

/** Makes the checks side by side, each of them once in {@link KEPT_MS}. */
function resultsOf(checks: HealthDeps['checks']): (log: FastifyBaseLogger) => Promise<Results> {
  const kept = Object.entries(checks).map(([name, check]) => {
    let last: { at: number; result: Promise<CheckResult> } | null = null;
    return async (log: FastifyBaseLogger) => {
      if (last === null || performance.now() - last.at >= KEPT_MS) {
        last = { at: performance.now(), result: resultOf(name, check, log) };
      }
      return [name, await last.result] as const;
    };
  });
  return async (log) => Object.fromEntries(await Promise.all(kept.map((check) => check(log))));
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
