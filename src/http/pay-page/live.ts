/**
 * The page's live part. `GET <page>/events` is a stream of server-sent events, each of which says only that something
 * may have changed; `GET <page>/state` is what the page's script then reads, and asks for every three seconds where
 * there is no stream.
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

export interface LiveDeps {
  progress: Pick<Progress, 'subscribe'>;
  /** The session of the link in the path. @throws PageFault */
  sessionOf: (request: Request) => Promise<CheckoutSessionId>;
  viewOf: (request: Request) => Promise<PageView>;
  streams: PayPageStreams;
}

/** By their sessions. */
export type PayPageStreams = EventStreams<CheckoutSessionId>;

export const createPayPageStreams = (): PayPageStreams =>
  new EventStreams({ longestMs: 10 * 60_000, againMs: 3_000, maxUnreadBytes: 16 * 1024 });

export function liveRoutes(page: FastifyInstance, deps: LiveDeps): void {
  // A stream has no length, and no end that a HEAD could wait for.
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
    // The page's encapsulated serializer is for forms and HTML.
    return reply
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ state: kind, version: versionOf(view), on_call: text, is_stop: isStop }));
  });
}

/** Counts what a session's pages send. @returns seconds until more is taken; null where it still is */
export type BeaconLimit = (sessionId: CheckoutSessionId) => Promise<number | null>;

/** In this process: a payer loads a page, reloads it, opens it in another window. More only keeps Redis busy. */
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
