/**
 * The live part of the page. `GET <page>/events` is a stream of server-sent events that only say that something may have
 * changed. The page's script then reads `GET <page>/state`. Without a stream, it polls every three seconds.
 * `POST <page>/opened` reports that a person opened the page. `GET` does not, because messaging apps and scanners open
 * links too.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { markOpened } from '../../db/pay-links/pay-links.ts';
import type { CheckoutSessionId } from '../../domain/ids.ts';
import type { Progress } from '../../notifications/progress/ports.ts';
import { EventStreams, sendEventStream } from '../api/event-streams.ts';
import { type CodeDeps, openPage, type PageRequest, requireOurPage } from './open-page.ts';
import { onCallOf } from './views/on-call.ts';
import { type PageView, versionOf } from './views/view.ts';

type Request = FastifyRequest<{ Params: { code: string } }>;

interface LiveDeps {
  progress: Pick<Progress, 'subscribe'>;
  /** The session of the link in the path. @throws PageFault */
  sessionOf: (request: Request) => Promise<CheckoutSessionId>;
  viewOf: (request: Request) => Promise<PageView>;
  streams: PayPageStreams;
}

/** Streams by session. */
export type PayPageStreams = EventStreams<CheckoutSessionId>;

export const createPayPageStreams = (): PayPageStreams =>
  new EventStreams({ longestMs: 10 * 60_000, againMs: 3_000, maxUnreadBytes: 16 * 1024 });

export function liveRoutes(page: FastifyInstance, deps: LiveDeps): void {
  // A HEAD request to a stream would never end.
  page.get('/:code/events', { exposeHeadRoute: false }, async (request: Request, reply) => {
    const sessionId = await deps.sessionOf(request);
    const stream = deps.streams.open(sessionId, ({ write }) =>
      deps.progress.subscribe(sessionId, () => write('data: changed\n\n')),
    );
    return sendEventStream(reply, stream);
  });

  page.get('/:code/state', async (request: Request, reply: FastifyReply) => {
    const view = await deps.viewOf(request);
    const { kind } = view.state;
    const { text, isStop } = onCallOf(view);
    // The plugin's serializer is for HTML.
    return reply
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ state: kind, version: versionOf(view), on_call: text, is_stop: isStop }));
  });
}

/** Counts a session's `opened` requests. @returns the seconds to wait, or null if the request is accepted */
export type BeaconLimit = (sessionId: CheckoutSessionId) => Promise<number | null>;

/** Per process. Enough for a payer who reloads the page and opens it in other windows. More would only load Redis. */
const BEACONS = { points: 20, duration: 60 };

export function limitBeacons(): BeaconLimit {
  const limiter = new RateLimiterMemory(BEACONS);
  return async (sessionId) => {
    try {
      await limiter.consume(sessionId);
      return null;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.ceil(refusal.msBeforeNext / 1_000);
      throw refusal;
    }
  };
}

export function openedRoute(page: FastifyInstance, deps: CodeDeps): void {
  page.post('/:code/opened', async (request: PageRequest, reply) => {
    requireOurPage(request);
    const { session } = await openPage(deps, request);
    const waitSeconds = await deps.beacons(session.id);
    if (waitSeconds !== null) return reply.code(429).header('retry-after', waitSeconds).send();
    await markOpened(deps.database, session.id);
    deps.progress.publish(session.id, 'page_opened');
    return reply.code(204).send();
  });
}
