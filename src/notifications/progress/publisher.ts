/**
 * Publishes messages to Redis. Those that only show how a call goes wait for each other: a paid call has a dozen, and
 * one write for several costs a phone process about a tenth less CPU per call.
 */
import type { Redis } from 'ioredis';

/** How long a message waits for others. */
const GATHER_MS = 100;

interface Message {
  channel: string;
  text: string;
}

export class Publisher {
  readonly #redis: Redis;
  /** In the order of their publication. */
  #waiting: Message[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Sends the message now, after those that wait. Never throws. */
  publish(message: Message): void {
    this.#waiting.push(message);
    this.#send();
  }

  /** Sends the message with others, within {@link GATHER_MS}. Never throws. */
  gather(message: Message): void {
    this.#waiting.push(message);
    this.#timer ??= setTimeout(() => this.#send(), GATHER_MS);
  }

  /** Sends what waits, and disconnects. */
  close(): void {
    this.#send();
    this.#redis.disconnect();
  }

  #send(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const messages = this.#waiting;
    this.#waiting = [];
    if (messages.length === 0) return;
    const pipeline = this.#redis.pipeline();
    for (const { channel, text } of messages) pipeline.publish(channel, text);
    // Listeners that miss it read the database a little later.
    pipeline.exec().catch(() => undefined);
  }
}
