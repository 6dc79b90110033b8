/** Limits the concurrent deliveries of this process, in total and to one endpoint, and lets others wait their turn. */

import type { DeliveryKey } from '../../db/webhooks/deliveries.ts';
import type { EventId, WebhookEndpointId } from '../../domain/ids.ts';

/** A delivery that waits for its endpoint's response needs a socket and little else. */
export const MOST_AT_ONCE = 1_000;
const MOST_TO_ONE = 24;
/** The maximum share of the free capacity for one endpoint, so that many slow endpoints leave some to others. */
const PART_OF_FREE = 1 / 8;
const SHORTEST_WAIT_MS = 20;
const SHORTEST_INTERVAL_MS = 1;
const LONGEST_WAIT_MS = 30_000;
/** Waiting deliveries of one endpoint, and of all. A waiting one is a key and a function. */
const MOST_WAITING_FOR_ONE = 1_000;
const MOST_WAITING = 10_000;
/**
 * A delivery that has waited for longer is left to the sweep. An attempt takes up to 15 seconds, and the sweep takes the
 * delivery 30 seconds after its commit: until then it is ours alone.
 */
const TURN_LIMIT_MS = 12_000;

interface Waiting extends DeliveryKey {
  since: number;
  start: () => void;
}

interface Traffic {
  /** When each running delivery began, oldest first, by `performance.now()`. */
  startedAt: Map<EventId, number>;
  /** When the last postponed delivery has its turn. */
  lastTurnAt: number;
  /** Duration of the last finished delivery in milliseconds; infinite if there was none. */
  lastTookMs: number;
  /** By event, oldest first. */
  waiting: Map<EventId, Waiting>;
}

function newTraffic(): Traffic {
  return { startedAt: new Map(), lastTurnAt: 0, lastTookMs: Number.POSITIVE_INFINITY, waiting: new Map() };
}

export class EndpointLimits {
  readonly #endpoints = new Map<WebhookEndpointId, Traffic>();
  #underWay = 0;
  #waiting = 0;

  /** @returns false if it cannot begin now: too many deliveries are running, or it is running already */
  start({ endpointId, eventId }: DeliveryKey): boolean {
    const traffic = this.#endpoints.get(endpointId) ?? newTraffic();
    const most = Math.min(MOST_TO_ONE, (MOST_AT_ONCE - this.#underWay) * PART_OF_FREE);
    if (traffic.startedAt.size >= most || traffic.startedAt.has(eventId)) return false;
    this.#endpoints.set(endpointId, traffic);
    traffic.startedAt.set(eventId, performance.now());
    this.#underWay += 1;
    return true;
  }

  /**
   * Lets a delivery wait until another one to the endpoint has ended. Then `start` is called, which has to begin it.
   * @returns false if it cannot wait here: too many do, or none is running that could end
   */
  wait(key: DeliveryKey, start: () => void): boolean {
    const traffic = this.#endpoints.get(key.endpointId);
    if (traffic === undefined || traffic.startedAt.size === 0 || traffic.startedAt.has(key.eventId)) return false;
    if (traffic.waiting.has(key.eventId)) return true;
    if (traffic.waiting.size >= MOST_WAITING_FOR_ONE || this.#waiting >= MOST_WAITING) return false;
    traffic.waiting.set(key.eventId, { ...key, since: performance.now(), start });
    this.#waiting += 1;
    return true;
  }

  /** Forgets the waiting deliveries, which are left to the sweep of another worker. */
  clear(): void {
    for (const { waiting } of this.#endpoints.values()) waiting.clear();
    this.#waiting = 0;
  }

  /**
   * Postponed deliveries take turns at the interval of the endpoint's response time. That is the duration of the last
   * delivery, or the age of the oldest running one. The lower one counts, because one hanging delivery must not slow an
   * endpoint that answers.
   * @returns milliseconds until the next turn; null if that is more than half a minute
   */
  putOff(endpointId: WebhookEndpointId): number | null {
    const traffic = this.#endpoints.get(endpointId);
    if (traffic === undefined) return SHORTEST_WAIT_MS;
    const now = performance.now();
    const [oldest = now] = traffic.startedAt.values();
    const tookMs = Math.min(traffic.lastTookMs, now - oldest);
    const interval = Math.max(tookMs / MOST_TO_ONE, SHORTEST_INTERVAL_MS);
    const turnAt = Math.max(traffic.lastTurnAt, now + SHORTEST_WAIT_MS) + interval;
    if (turnAt > now + LONGEST_WAIT_MS) return null;
    traffic.lastTurnAt = turnAt;
    return Math.ceil(turnAt - now);
  }

  end({ endpointId, eventId }: DeliveryKey): void {
    const traffic = this.#endpoints.get(endpointId);
    const startedAt = traffic?.startedAt.get(eventId);
    if (traffic === undefined || startedAt === undefined) return;
    traffic.startedAt.delete(eventId);
    traffic.lastTookMs = performance.now() - startedAt;
    this.#underWay -= 1;
    // Usually starts one. If that one cannot begin, none is left whose end would start the others.
    let next = this.#nextWaiting(traffic);
    while (next !== null) {
      next.start();
      next = traffic.startedAt.size === 0 ? this.#nextWaiting(traffic) : null;
    }
    if (traffic.startedAt.size === 0) this.#endpoints.delete(endpointId);
  }

  #nextWaiting({ waiting }: Traffic): Waiting | null {
    for (const next of waiting.values()) {
      waiting.delete(next.eventId);
      this.#waiting -= 1;
      if (performance.now() - next.since < TURN_LIMIT_MS) return next;
    }
    return null;
  }

  /** Running deliveries to the endpoint. */
  underWay(endpointId: WebhookEndpointId): number {
    return this.#endpoints.get(endpointId)?.startedAt.size ?? 0;
  }
}
