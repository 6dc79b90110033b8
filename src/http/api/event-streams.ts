/**
 * Streams of server-sent events (HTML Standard, 9.2): a few a subject, each with a heartbeat and an end by itself, and
 * none for a browser that reads nothing.
 */
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { EVENT_STREAM } from './plugins/metrics.ts';

export interface StreamLimits {
  /** Then it ends, and the browser opens another one. */
  longestMs: number;
  /** How long the browser waits before that. */
  againMs: number;
  /** What may wait for the browser to read it. */
  maxUnreadBytes: number;
}

export interface EventStream {
  /** Whole lines; nothing once it has ended. */
  write(text: string): void;
  /** What was written is still sent, to a browser that reads it soon. */
  end(): void;
  /** Breaks it off. */
  destroy(): void;
}

/** Of one subject in this process: a browser opens six connections to a host, and needs some for its pages. */
const MAX_STREAMS = 4;
/** What an ended stream still holds is given up after this: else a browser that reads nothing would keep its place. */
const READ_LIMIT_MS = 15_000;
/** A comment, so that proxies keep the connection, and a dead one is found. */
const HEARTBEAT_MS = 15_000;
const RETRY_AFTER_SECONDS = 60;

/** The open streams of this process, by what has no more than four of them. */
export class EventStreams<Subject> {
  readonly #limits: StreamLimits;
  readonly #open = new Map<Subject, Set<PassThrough>>();
  #closed = false;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /**
   * @param begin starts what writes to the stream, and returns what stops it
   * @returns null where the subject has as many as it may, or the server closes
   */
  open(subject: Subject, begin: (stream: EventStream) => () => void): PassThrough | null {
    const streams = this.#open.get(subject) ?? new Set();
    if (this.#closed || streams.size >= MAX_STREAMS) return null;
    this.#open.set(subject, streams);
    const stream = new PassThrough();
    streams.add(stream);
    const write = (text: string) => {
      if (stream.writableLength > this.#limits.maxUnreadBytes) stream.destroy();
      else if (stream.writable) stream.write(text);
    };
    write(`retry: ${this.#limits.againMs}\n\n`);
    let unread: NodeJS.Timeout | undefined;
    const end = () => {
      stream.end();
      unread ??= setTimeout(() => stream.destroy(), READ_LIMIT_MS);
    };
    const stop = begin({ write, end, destroy: () => void stream.destroy() });
    const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MS);
    const longest = setTimeout(end, this.#limits.longestMs);
    stream.once('close', () => {
      stop();
      clearInterval(heartbeat);
      clearTimeout(longest);
      clearTimeout(unread);
      streams.delete(stream);
      if (streams.size === 0 && this.#open.get(subject) === streams) this.#open.delete(subject);
    });
    return stream;
  }

  /** Ends all, and opens none any more. */
  close(): void {
    this.#closed = true;
    for (const streams of this.#open.values()) for (const stream of streams) stream.end();
  }
}

/** @param stream null: 429 */
export function sendEventStream(reply: FastifyReply, stream: PassThrough | null): FastifyReply {
  if (stream === null) return reply.code(429).header('retry-after', RETRY_AFTER_SECONDS).send();
  reply.raw.once('close', () => stream.destroy());
  return reply.headers({ 'content-type': EVENT_STREAM, 'x-accel-buffering': 'no' }).send(stream);
}
