/**
 * The port of progress: what one process tells the others about a session or an account's calls, at once. A hint only:
 * PostgreSQL has the facts.
 */
import type { AccountId, CheckoutSessionId } from '../../domain/ids.ts';

/**
 * What has happened to a session. `missed`: something may have, for news are lost where Redis is away.
 * Whoever hears any of it reads the database before believing it.
 *
 * Of an account: `calls_watched`, somebody looks at its live calls, said every two seconds for as long as they do;
 * `call_stage`, one of them has come to another stage, said only while they do.
 *
 * Of a phone process: `end_requested`, one of its calls is to end.
 */
export type NewsType =
  | 'page_opened'
  | 'charge_changed'
  | 'call_stage'
  | 'calls_watched'
  | 'session_expired'
  | 'end_requested'
  | 'missed';

/** A phone process, by the id of its lease. */
export type PhoneProcess = `phone_${number}`;
export const phoneProcess = (leaseId: number): PhoneProcess => `phone_${leaseId}`;

/** Whom news are about. */
export type NewsSubject = CheckoutSessionId | AccountId | PhoneProcess;

export interface Progress {
  /** Tells all that listen, in every process. Never throws; call it after the commit. */
  publish(subject: NewsSubject, news: Exclude<NewsType, 'missed'>): void;
  /**
   * Listens to a session, an account or a phone process. `listener` hears `missed` once news can be heard, and from
   * time to time: every two seconds while Redis is away. It must not throw.
   * @returns what ends it
   */
  subscribe(subject: NewsSubject, listener: (news: NewsType) => void): () => void;
}
