/**
 * The progress port: messages between processes about a session or an account's calls. They are hints: PostgreSQL has
 * the facts.
 */
import type { CallEvent } from '../../domain/call-progress.ts';
import type { AccountId, CheckoutSessionId } from '../../domain/ids.ts';

/**
 * The change of a session. `missed`: a change may have been missed, because messages are lost while Redis is
 * unavailable. A listener reads the database after every message.
 *
 * About an account: `calls_watched`, sent every two seconds while someone views its live calls; `call_stage`, sent
 * while they do, when one of them reaches another stage.
 *
 * About a phone process: `end_requested`, one of its calls is to end.
 */
export type NewsType =
  | 'page_opened'
  | 'charge_changed'
  | 'call_stage'
  | 'calls_watched'
  | 'session_expired'
  | 'end_requested'
  | 'missed';

/** A phone process, by the ID of its lease. */
type PhoneProcess = `phone_${number}`;
export const phoneProcess = (leaseId: number): PhoneProcess => `phone_${leaseId}`;

/** What a message is about. */
export type NewsSubject = CheckoutSessionId | AccountId | PhoneProcess;

/** The progress of calls, for integrators. Each message is sent once; one that is lost stays lost. */
export interface CallProgress {
  /** Notifies all listeners in every process. Never throws. */
  publishCall(event: CallEvent): void;
  /** Listens to all calls. `listener` must not throw. @returns a function that ends it */
  subscribeCalls(listener: (event: CallEvent) => void): () => void;
}

export interface Progress {
  /** Notifies all listeners in every process. Never throws. Call it after the commit. */
  publish(subject: NewsSubject, news: Exclude<NewsType, 'missed'>): void;
  /**
   * Listens to a session, an account or a phone process. `listener` receives `missed` if it may have missed a message,
   * and repeatedly: every two seconds while Redis is unavailable. It must not throw.
   * @param readAtMs when the listener read the database, by `performance.now()`; without it, it has missed messages
   * @returns a function that ends it
   */
  subscribe(subject: NewsSubject, listener: (news: NewsType) => void, readAtMs?: number): () => void;
}
