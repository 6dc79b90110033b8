/**
 * Progress over Redis publish/subscribe. One connection of a process listens for all its subjects, another one
 * publishes. Listeners in the publishing process are notified without Redis. While Redis is unavailable, listeners are
 * asked to read the database.
 */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { BaseLogger } from 'pino';
import type { CheckoutSessionId } from '../../domain/ids.ts';
import type { NewsSubject, NewsType, Progress } from './ports.ts';

export interface ProgressOptions {
  redisUrl: string;
  log: Pick<BaseLogger, 'info' | 'warn'>;
  /**
   * The intervals of a listener's `missed`: while Redis is unavailable, and while it is available (the publisher may
   * not reach it).
   */
  pollMs?: { away: number; connected: number };
}

export interface RedisProgress extends Progress {
  /** Whether messages of other processes arrive. */
  readonly connected: boolean;
  close(): void;
}

type Listener = (news: NewsType) => void;

const POLL_MS = { away: 2_000, connected: 30_000 };
const COMMAND_LIMIT_MS = 1_000;
const CONNECT_LIMIT_MS = 2_000;
const LONGEST_RETRY_MS = 500;
const NEWS: ReadonlySet<string> = new Set<NewsType>([
  ...(['page_opened', 'charge_changed', 'call_stage', 'calls_watched', 'session_expired', 'end_requested'] as const),
]);
const CHANNEL = /^ringkey:progress:\{(.+)\}$/;

/** The subject's ID is in braces: in a Redis Cluster, this part selects the node. */
export const channelOf = (subject: NewsSubject) => `ringkey:progress:{${subject}}`;

/** Connects in the background. */
export function openProgress({ redisUrl, log, pollMs = POLL_MS }: ProgressOptions): RedisProgress {
  return new Channels(redisUrl, log, pollMs);
}

class Channels implements RedisProgress {
  readonly #log: ProgressOptions['log'];
  readonly #publisher: Redis;
  readonly #subscriber: Redis;
  readonly #listeners = new Map<NewsSubject, Set<Listener>>();
  /** Marks this process's messages, whose listeners were notified directly. */
  readonly #self = randomUUID();
  readonly #timers: NodeJS.Timeout[];
  #connected = false;
  #closed = false;

  constructor(url: string, log: ProgressOptions['log'], pollMs: { away: number; connected: number }) {
    this.#log = log;
    const options = {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_LIMIT_MS,
      retryStrategy: (times: number) => Math.min(times * 50, LONGEST_RETRY_MS),
    };
    this.#publisher = new Redis(url, { ...options, commandTimeout: COMMAND_LIMIT_MS });
    this.#publisher.on('error', () => undefined);
    this.#subscriber = new Redis(url, { ...options, autoResubscribe: false });
    this.#subscriber.on('error', () => undefined);
    this.#subscriber.on('ready', () => void this.#resubscribe());
    this.#subscriber.on('close', () => this.#lost());
    this.#subscriber.on('message', (channel, message) => this.#heard(channel, message));
    this.#timers = [
      setInterval(() => this.#connected || this.#tellAllMissed(), pollMs.away),
      setInterval(() => this.#connected && this.#tellAllMissed(), pollMs.connected),
    ];
  }

  get connected(): boolean {
    return this.#connected;
  }

  publish(subject: NewsSubject, news: Exclude<NewsType, 'missed'>): void {
    if (this.#closed) return;
    this.#tell(subject, news);
    // Listeners that miss it read the database a little later.
    this.#publisher.publish(channelOf(subject), `${this.#self} ${news}`).catch(() => undefined);
  }

  subscribe(subject: NewsSubject, listener: Listener): () => void {
    const listeners = this.#listeners.get(subject) ?? new Set();
    this.#listeners.set(subject, listeners);
    listeners.add(listener);
    if (this.#connected) void this.#subscribe(subject, listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.#listeners.get(subject) !== listeners) return;
      this.#listeners.delete(subject);
      if (this.#connected) this.#subscriber.unsubscribe(channelOf(subject)).catch(() => undefined);
    };
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.#listeners.clear();
    this.#subscriber.disconnect();
    this.#publisher.disconnect();
  }

  /** Messages before Redis's confirmation are lost, so the listener reads the database after it. */
  async #subscribe(subject: NewsSubject, listener: Listener): Promise<void> {
    try {
      await this.#subscriber.subscribe(channelOf(subject));
    } catch {
      // The connection is lost or closing. The next one subscribes again.
      return;
    }
    if (this.#listeners.get(subject)?.has(listener)) listener('missed');
  }

  async #resubscribe(): Promise<void> {
    const channels = [...this.#listeners.keys()].map(channelOf);
    // From now on, each new listener subscribes by itself.
    this.#connected = true;
    try {
      if (channels.length > 0) await this.#subscriber.subscribe(...channels);
    } catch {
      this.#subscriber.disconnect(true);
      return;
    }
    this.#log.info({ channels: channels.length }, 'listening to the progress of sessions');
    this.#tellAllMissed();
  }

  #lost(): void {
    if (this.#connected && !this.#closed) this.#log.warn('redis is unavailable: the progress of sessions is polled');
    this.#connected = false;
  }

  #heard(channel: string, message: string): void {
    const [sender, news = ''] = message.split(' ');
    const subject = CHANNEL.exec(channel)?.[1];
    if (sender === this.#self || subject === undefined || !NEWS.has(news)) return;
    this.#tell(subject as NewsSubject, news as NewsType);
  }

  #tell(subject: NewsSubject, news: NewsType): void {
    for (const listener of [...(this.#listeners.get(subject) ?? [])]) listener(news);
  }

  #tellAllMissed(): void {
    for (const subject of [...this.#listeners.keys()]) this.#tell(subject, 'missed');
  }
}

const ONCE_LIMIT_MS = 5_000;

/**
 * Publishes a change of a session from a command, which has no Redis connection yet. Never rejects. If Redis is
 * unavailable, listeners read the database a little later.
 */
export async function publishOnce(
  redisUrl: string,
  sessionId: CheckoutSessionId,
  news: Exclude<NewsType, 'missed'>,
): Promise<void> {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: ONCE_LIMIT_MS,
    commandTimeout: ONCE_LIMIT_MS,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    // Instead of the publishing process's ID: for every process, it comes from another one.
    await redis.publish(channelOf(sessionId), `command ${news}`);
  } catch {
    // See above.
  } finally {
    redis.disconnect();
  }
}
