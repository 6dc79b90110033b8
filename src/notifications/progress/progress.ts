/**
 * Progress over Redis publish/subscribe. One connection of a process hears the messages about all subjects, another one
 * publishes. Listeners in the publishing process are notified without Redis. While Redis is unavailable, listeners are
 * asked to read the database.
 *
 * One pattern subscription, from start to end, instead of one per listener: a call then needs no command to Redis and
 * no second read of its session, because this process knows whether it has missed a message. In return every process
 * hears about a dozen messages per call of all others, which cost some 20 µs each.
 */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { BaseLogger } from 'pino';
import type { CallEvent } from '../../domain/call-progress.ts';
import type { CheckoutSessionId } from '../../domain/ids.ts';
import { connectForMessages } from '../../lib/redis/connect.ts';
import type { CallProgress, NewsSubject, NewsType, Progress } from './ports.ts';
import { Publisher } from './publisher.ts';

interface ProgressOptions {
  redisUrl: string;
  log: Pick<BaseLogger, 'info' | 'warn'>;
  /**
   * The intervals of a listener's `missed`: while Redis is unavailable, and while it is available (the publisher may
   * not reach it).
   */
  pollMs?: { away: number; connected: number };
}

export interface RedisProgress extends Progress, CallProgress {
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
  'page_opened',
  'charge_changed',
  'call_stage',
  'calls_watched',
  'session_expired',
  'end_requested',
]);
const PATTERN = 'ringkey:progress:*';
const CHANNEL = /^ringkey:progress:\{(.+)\}$/;
/** Of the calls of all accounts. */
const CALLS_CHANNEL = 'ringkey:progress:calls';
/** Longer than from the read of a session to its listener: the answer of a call can take 32 s. */
const REMEMBERED_MS = 120_000;

export const channelOf = (subject: NewsSubject) => `ringkey:progress:{${subject}}`;

/** Connects in the background. */
export function openProgress({ redisUrl, log, pollMs = POLL_MS }: ProgressOptions): RedisProgress {
  return new Channels(redisUrl, log, pollMs);
}

class Channels implements RedisProgress {
  readonly #log: ProgressOptions['log'];
  readonly #publisher: Publisher;
  readonly #subscriber: Redis;
  readonly #listeners = new Map<NewsSubject, Set<Listener>>();
  readonly #callListeners = new Set<(event: CallEvent) => void>();
  /** Marks this process's messages, whose listeners were notified directly. */
  readonly #self = randomUUID();
  readonly #timers: NodeJS.Timeout[];
  /** When the last message about a subject came, by `performance.now()`, oldest first. */
  readonly #receivedAt = new Map<NewsSubject, number>();
  #connected = false;
  #connectedAtMs = 0;
  #closed = false;

  constructor(url: string, log: ProgressOptions['log'], pollMs: { away: number; connected: number }) {
    this.#log = log;
    const options = {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_LIMIT_MS,
      retryStrategy: (times: number) => Math.min(times * 50, LONGEST_RETRY_MS),
    };
    const publishing = connectForMessages(url, { ...options, commandTimeout: COMMAND_LIMIT_MS });
    publishing.on('error', () => undefined);
    this.#publisher = new Publisher(publishing);
    this.#subscriber = connectForMessages(url, { ...options, autoResubscribe: false });
    this.#subscriber.on('error', () => undefined);
    this.#subscriber.on('ready', () => void this.#listen());
    this.#subscriber.on('close', () => this.#lost());
    this.#subscriber.on('pmessage', (_pattern, channel, message) => this.#receive(channel, message));
    this.#timers = [
      setInterval(() => this.#connected || this.#tellAllMissed(), pollMs.away),
      setInterval(() => this.#connected && this.#tellAllMissed(), pollMs.connected),
      setInterval(() => this.#forgetOld(), REMEMBERED_MS),
    ];
  }

  get connected(): boolean {
    return this.#connected;
  }

  publish(subject: NewsSubject, news: Exclude<NewsType, 'missed'>): void {
    if (this.#closed) return;
    this.#tell(subject, news);
    const message = { channel: channelOf(subject), text: `${this.#self} ${news}` };
    // The stage stays behind the events of its call: a stream of events ends with the stage of the last call.
    if (news === 'call_stage') this.#publisher.gather(message);
    else this.#publisher.publish(message);
  }

  subscribe(subject: NewsSubject, listener: Listener, readAtMs = Number.NEGATIVE_INFINITY): () => void {
    const listeners = this.#listeners.get(subject) ?? new Set();
    this.#listeners.set(subject, listeners);
    listeners.add(listener);
    if (this.#connected && this.#mayHaveMissed(subject, readAtMs)) {
      queueMicrotask(() => listeners.has(listener) && listener('missed'));
    }
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(subject) === listeners) this.#listeners.delete(subject);
    };
  }

  publishCall(event: CallEvent): void {
    if (this.#closed) return;
    for (const listener of this.#callListeners) listener(event);
    this.#publisher.gather({ channel: CALLS_CHANNEL, text: `${this.#self} ${JSON.stringify(event)}` });
  }

  subscribeCalls(listener: (event: CallEvent) => void): () => void {
    this.#callListeners.add(listener);
    return () => this.#callListeners.delete(listener);
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.#listeners.clear();
    this.#callListeners.clear();
    this.#subscriber.disconnect();
    this.#publisher.close();
  }

  /** Whether there was a message since the listener read the database, or this process could hear none. */
  #mayHaveMissed(subject: NewsSubject, readAtMs: number): boolean {
    return readAtMs <= this.#connectedAtMs || readAtMs <= (this.#receivedAt.get(subject) ?? Number.NEGATIVE_INFINITY);
  }

  async #listen(): Promise<void> {
    try {
      await this.#subscriber.psubscribe(PATTERN);
    } catch {
      this.#subscriber.disconnect(true);
      return;
    }
    if (this.#closed) return;
    // Messages before Redis's confirmation are lost, so listeners read the database after it.
    this.#connected = true;
    this.#connectedAtMs = performance.now();
    this.#log.info({ subjects: this.#listeners.size }, 'listening to the progress of sessions');
    this.#tellAllMissed();
  }

  #lost(): void {
    if (this.#connected && !this.#closed) this.#log.warn('redis is unavailable: the progress of sessions is polled');
    this.#connected = false;
  }

  #receive(channel: string, message: string): void {
    if (channel === CALLS_CHANNEL) {
      this.#receiveCall(message);
      return;
    }
    const [sender, news = ''] = message.split(' ');
    const subject = CHANNEL.exec(channel)?.[1];
    if (sender === this.#self || subject === undefined || !NEWS.has(news)) return;
    this.#tell(subject as NewsSubject, news as NewsType);
  }

  /** Without listeners, and for the messages of this process, nothing is parsed. */
  #receiveCall(message: string): void {
    if (this.#callListeners.size === 0 || message.startsWith(`${this.#self} `)) return;
    const event = JSON.parse(message.slice(message.indexOf(' ') + 1)) as CallEvent;
    for (const listener of this.#callListeners) listener(event);
  }

  #tell(subject: NewsSubject, news: NewsType): void {
    if (news !== 'missed') {
      this.#receivedAt.delete(subject);
      this.#receivedAt.set(subject, performance.now());
    }
    for (const listener of [...(this.#listeners.get(subject) ?? [])]) listener(news);
  }

  #tellAllMissed(): void {
    for (const subject of [...this.#listeners.keys()]) this.#tell(subject, 'missed');
  }

  #forgetOld(): void {
    const limit = performance.now() - REMEMBERED_MS;
    for (const [subject, receivedAt] of this.#receivedAt) {
      if (receivedAt > limit) return;
      this.#receivedAt.delete(subject);
    }
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
  const redis = connectForMessages(redisUrl, {
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
