/** When REST answers 503 with `Retry-After`: under pressure, during shutdown, and after a handler's time limit. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import type { Metrics } from '../../../lib/observability/metrics.ts';
import type { OpenRequests } from './requests.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its handler took too long and the answer was 503. The handler may still be running. */
    isTimedOut: boolean;
    /** How long the request waits on purpose: not part of its handler's time. 0 for most requests. */
    waitsMs: number;
  }
}

/** How late a timer fires in a process under pressure. */
const MAX_DELAY_MS = 500;
const SAMPLE_MS = 500;
/** Late timers in a row until requests are refused: one busy moment is no pressure. */
const LATE_TIMERS = 4;
/** REST only: health and metrics still answer, and so do pages, whose payers have already entered their card. */
const REFUSED_PATHS = ['/v1/', '/api/tools/', '/mcp'];

export interface PressureLimits {
  maxDelayMs?: number;
  sampleMs?: number;
}

/**
 * Refuses REST requests while the event loop is late: they would only slow down those in progress. A timer measures
 * that, because Node.js's `monitorEventLoopDelay` wakes the process a hundred times a second.
 */
export function refuseUnderPressure(
  app: FastifyInstance,
  metrics: Pick<Metrics, 'requestRefused'>,
  { maxDelayMs = MAX_DELAY_MS, sampleMs = SAMPLE_MS }: PressureLimits,
): void {
  let [dueAt, lateTimers] = [performance.now() + sampleMs, 0];
  const timer = setInterval(() => {
    const now = performance.now();
    lateTimers = now - dueAt >= maxDelayMs ? lateTimers + 1 : 0;
    dueAt = now + sampleMs;
  }, sampleMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  app.addHook('onRequest', async (request) => {
    const path = request.routeOptions.url ?? '';
    if (lateTimers < LATE_TIMERS || !REFUSED_PATHS.some((prefix) => path.startsWith(prefix))) return;
    metrics.requestRefused();
    throw unavailable(
      2,
      'The service is overloaded and has not started this request. Send it again after `Retry-After`.',
    );
  });
}

/** How long an incomplete request may take to arrive after shutdown begins. */
const GRACE_MS = 1_000;
const SWEEP_MS = 100;

/**
 * Shutdown: complete requests are answered, new ones get 503. Node.js closes slow and idle connections only while it
 * listens, so this does it from `close` on.
 */
export function refuseWhileClosing(app: FastifyInstance, requests: OpenRequests): void {
  let closing = false;
  app.addHook('onRequest', (_request, _reply, done) => done(closing ? restarting() : undefined));
  // A kept-alive connection would keep the server open until its client closes it.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('preClose', async () => {
    closing = true;
    if (!app.server.listening) return;
    const startedAt = performance.now();
    const sweep = setInterval(() => {
      app.server.closeIdleConnections();
      if (performance.now() - startedAt >= GRACE_MS) closeUnfinished(app.server, requests);
    }, SWEEP_MS);
    app.server.once('close', () => clearInterval(sweep));
  });
}

/** Answers requests whose body is incomplete: their handlers have not started. */
function closeUnfinished(server: FastifyInstance['server'], { replies }: OpenRequests): void {
  for (const reply of replies) {
    if (!reply.request.raw.complete && !reply.request.isAnswerMade) reply.send(restarting());
  }
  // The connections that are still open have sent no complete request head.
  if (replies.size === 0) server.closeAllConnections();
}

const restarting = () => unavailable(1, 'The service is restarting. Send the request again.');

/**
 * Answers 503 for a handler that has not answered `limitMs` after the request's head was read. Each wait of a handler
 * has its own limit; this one catches the rest. (Fastify's `handlerTimeout` and `request.signal` stop once a body has
 * been read: since Node.js 16 the request is closed then.)
 */
export function limitHandlers(app: FastifyInstance, limitMs: number): void {
  app.decorateRequest('isTimedOut', false);
  app.decorateRequest('waitsMs', 0);
  app.addHook('onRequest', (request, reply, done) => {
    let timer: NodeJS.Timeout;
    const onLimit = (isExtended: boolean) => {
      // Storing the answer for its Idempotency-Key has its own limit.
      if (request.isAnswerMade) return;
      if (request.waitsMs > 0 && !isExtended) {
        timer = setTimeout(onLimit, request.waitsMs, true);
        return;
      }
      request.isTimedOut = true;
      reply.send(
        unavailable(
          1,
          'The request took too long and may still take effect. Send it again with the same Idempotency-Key.',
        ),
      );
    };
    timer = setTimeout(onLimit, limitMs, false);
    reply.raw.once('close', () => clearTimeout(timer));
    done();
  });
}

/** 503 with `Retry-After`. */
export function unavailable(retryAfterSeconds: number, message: string): ApiError {
  return new ApiError('internal_error', { status: 503, retryAfterSeconds, message });
}
