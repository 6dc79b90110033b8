/** Limits the concurrent deliveries of this process, in total and to one endpoint. */

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

interface Traffic {
  /** When each running delivery began, oldest first, by `performance.now()`. */
  begunAt: Map<EventId, number>;
  /** When the last postponed delivery has its turn. */
  lastTurnAt: number;
  /** Duration of the last finished delivery in milliseconds; infinite if there was none. */
  lastTookMs: number;
}

export class EndpointLimits {
  readonly #endpoints = new Map<WebhookEndpointId, Traffic>();
  #underWay = 0;

  /** @returns false if it cannot begin now: too many deliveries are running, or it is running already */
  begin({ endpointId, eventId }: DeliveryKey): boolean {
    const traffic = this.#endpoints.get(endpointId) ?? { begunAt: new Map(), lastTurnAt: 0, lastTookMs: Infinity };
    const most = Math.min(MOST_TO_ONE, (MOST_AT_ONCE - this.#underWay) * PART_OF_FREE);
    if (traffic.begunAt.size >= most || traffic.begunAt.has(eventId)) return false;
    this.#endpoints.set(endpointId, traffic);
    traffic.begunAt.set(eventId, performance.now());
    this.#underWay += 1;
    return true;
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
    const [oldest = now] = traffic.begunAt.values();
    const tookMs = Math.min(traffic.lastTookMs, now - oldest);
    const interval = Math.max(tookMs / MOST_TO_ONE, SHORTEST_INTERVAL_MS);
    const turnAt = Math.max(traffic.lastTurnAt, now + SHORTEST_WAIT_MS) + interval;
    if (turnAt > now + LONGEST_WAIT_MS) return null;
    traffic.lastTurnAt = turnAt;
    return Math.ceil(turnAt - now);
  }

  end({ endpointId, eventId }: DeliveryKey): void {
    const traffic = this.#endpoints.get(endpointId);
    const begunAt = traffic?.begunAt.get(eventId);
    if (traffic === undefined || begunAt === undefined) return;
    traffic.begunAt.delete(eventId);
    traffic.lastTookMs = performance.now() - begunAt;
    this.#underWay -= 1;
    if (traffic.begunAt.size === 0) this.#endpoints.delete(endpointId);
  }

  /** Running deliveries to the endpoint. */
  underWay(endpointId: WebhookEndpointId): number {
    return this.#endpoints.get(endpointId)?.begunAt.size ?? 0;
  }
}
