/**
 * `POST <page>/opened`: the page's script says that a person has the page open. Not the `GET`, because messaging apps
 * and scanners open links, too. A live call hears of it.
 */
import type { FastifyInstance } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { markOpened } from '../../db/pay-links/pay-links.ts';
import type { CheckoutSessionId } from '../../domain/ids.ts';
import { type CodeDeps, openPage, type PageRequest, requireOurPage } from './open-page.ts';

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
