/**
 * The call events of the last minutes, in this process: a client whose event stream broke gets what it has missed
 * (`Last-Event-ID`). Every process hears about all calls, so it can reconnect to any.
 */
import type { CallEvent } from '../../domain/call-progress.ts';
import type { CheckoutSessionId } from '../../domain/ids.ts';
import type { CallProgress } from '../../notifications/progress/ports.ts';

/** Sessions, oldest first, and events of one. A call has about a dozen. */
const MAX_SESSIONS = 2_000;
const MAX_EVENTS = 100;

export class RecentCallEvents {
  /** A session moves to the end with each event. */
  readonly #sessions = new Map<CheckoutSessionId, CallEvent[]>();
  readonly #stop: () => void;

  constructor(progress: Pick<CallProgress, 'subscribeCalls'>) {
    this.#stop = progress.subscribeCalls((event) => this.#keep(event));
  }

  /** The events of the session after this one. Empty if it is not known, or too old. */
  after(sessionId: CheckoutSessionId, id: string | undefined): readonly CallEvent[] {
    const events = this.#sessions.get(sessionId) ?? [];
    const place = events.findIndex((event) => event.id === id);
    return place < 0 ? [] : events.slice(place + 1);
  }

  close(): void {
    this.#stop();
    this.#sessions.clear();
  }

  #keep(event: CallEvent): void {
    const { sessionId } = event;
    const events = this.#sessions.get(sessionId) ?? [];
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, [...events, event].slice(-MAX_EVENTS));
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
  }
}
