/** Deliveries under way to one endpoint at the same time, in this process: so many, and no more. */
import type { WebhookEndpointId } from '../domain/ids.ts';

const MOST_AT_ONCE = 24;
/** Of an endpoint that has not answered yet. */
const FIRST_GUESS_MS = 100;
/** What the last delivery weighs in the average. */
const WEIGHT = 0.2;
/** Deliveries come back somewhat before their turn, so that the endpoint is never without work. */
const EARLY = 0.8;
const SHORTEST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 30_000;

interface Traffic {
  underWay: number;
  /** How long a delivery takes. */
  averageMs: number;
  /** When the next that is put off has its turn; by `performance.now()`. */
  nextTurnAt: number;
}

export class EndpointLimits {
  readonly #endpoints = new Map<WebhookEndpointId, Traffic>();

  /**
   * @returns `now` when a delivery may begin; else milliseconds until its turn, by how long the endpoint takes for one;
   * `too_late` when that is more than half a minute
   */
  enter(id: WebhookEndpointId): 'now' | 'too_late' | number {
    const traffic = this.#endpoints.get(id) ?? { underWay: 0, averageMs: FIRST_GUESS_MS, nextTurnAt: 0 };
    this.#endpoints.set(id, traffic);
    if (traffic.underWay < MOST_AT_ONCE) {
      traffic.underWay += 1;
      return 'now';
    }
    const now = performance.now();
    const interval = (traffic.averageMs / MOST_AT_ONCE) * EARLY;
    const turnAt = Math.max(traffic.nextTurnAt, now + SHORTEST_WAIT_MS) + interval;
    if (turnAt > now + LONGEST_WAIT_MS) return 'too_late';
    traffic.nextTurnAt = turnAt;
    return Math.ceil(turnAt - now);
  }

  /** After {@link enter} said `now`. */
  leave(id: WebhookEndpointId, tookMs: number): void {
    const traffic = this.#endpoints.get(id);
    if (traffic === undefined) return;
    traffic.underWay -= 1;
    traffic.averageMs += WEIGHT * (tookMs - traffic.averageMs);
    if (traffic.underWay === 0 && traffic.nextTurnAt < performance.now()) this.#endpoints.delete(id);
  }

  underWay(id: WebhookEndpointId): number {
    return this.#endpoints.get(id)?.underWay ?? 0;
  }
}
