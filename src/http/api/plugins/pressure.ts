/**
 * Refuses REST requests while the process is held up: they would only wait, and those that are being answered with
 * them.
 */
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import type { Metrics } from '../../../lib/observability/metrics.ts';

/** How late everything runs, in the mean, over {@link SAMPLE_MS}: nothing that a busy moment reaches. */
const MOST_DELAY_MS = 500;
const SAMPLE_MS = 2_000;
const RETRY_AFTER_SECONDS = 2;
/** REST. Not health and metrics; nor pages, whose payers have entered their card. */
const REFUSED_PATHS = ['/v1/', '/api/tools/'];

export interface PressureLimits {
  maxDelayMs?: number;
  sampleMs?: number;
}

/** Answers 503 with `Retry-After`, before anything is done for the request. */
export function refuseUnderPressure(
  app: FastifyInstance,
  metrics: Pick<Metrics, 'requestRefused'>,
  { maxDelayMs = MOST_DELAY_MS, sampleMs = SAMPLE_MS }: PressureLimits,
): void {
  app.register(underPressure, {
    maxEventLoopDelay: maxDelayMs,
    sampleInterval: sampleMs,
    // The library takes a promise's rejection as the answer.
    pressureHandler: async (request) => {
      const path = request.routeOptions.url ?? '';
      if (!REFUSED_PATHS.some((prefix) => path.startsWith(prefix))) return;
      metrics.requestRefused();
      throw overloaded();
    },
  });
}

function overloaded(): ApiError {
  return new ApiError('internal_error', {
    status: 503,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    message: 'The service is overloaded and has not started this request. Send it again after `Retry-After`.',
  });
}
