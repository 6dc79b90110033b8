/** The port of progress: what one process tells the others about a session, at once. A hint only: PostgreSQL has the facts. */
import type { CheckoutSessionId } from '../domain/ids.ts';

/**
 * What has happened to a session. `missed`: something may have, for news are lost where Redis is away.
 * Whoever hears any of it reads the database before believing it.
 */
export type NewsType = 'page_opened' | 'charge_changed' | 'call_stage' | 'session_expired' | 'missed';

export interface Progress {
  /** Tells all that listen, in every process. Never throws; call it after the commit. */
  publish(sessionId: CheckoutSessionId, news: Exclude<NewsType, 'missed'>): void;
  /**
   * Listens to a session. `listener` hears `missed` once news can be heard, and from time to time: every two seconds while
   * Redis is away. It must not throw.
   * @returns what ends it
   */
  subscribe(sessionId: CheckoutSessionId, listener: (news: NewsType) => void): () => void;
}
