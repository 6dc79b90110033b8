/**
 * Streams of server-sent events (HTML Standard, 9.2): a limited number per subject, each with a heartbeat, a maximum
 * duration, and a limit on unread bytes.
 */
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { EVENT_STREAM } from './plugins/metrics.ts';

interface StreamLimits {
  /** The stream then ends and the browser reconnects. */
  longestMs: number;
  /** How long the browser waits before it reconnects. */
  againMs: number;
  /** If more is unread, the stream is destroyed. */
  maxUnreadBytes: number;
  /** Per subject in this process. The default is {@link MAX_STREAMS}. */
  maxStreams?: number;
}

export interface EventStream {
  /** Writes whole lines. Does nothing after the end. */
  write(text: string): void;
  /** Ends the stream. Pending data is still sent if the browser reads it soon. */
  end(): void;
  destroy(): void;
}

/** A browser opens six connections to a host and needs some for its pages. */
const MAX_STREAMS = 4;
/** An ended stream is destroyed after this time. Otherwise a browser that does not read would keep its slot. */
const READ_LIMIT_MS = 15_000;
/** A comment line that keeps the connection open in proxies and detects a dead one. */
const HEARTBEAT_MS = 15_000;
const RETRY_AFTER_SECONDS = 60;

/** The open streams of this process by subject, a limited number each. */
export class EventStreams<Subject> {
  readonly #limits: StreamLimits;
  readonly #open = new Map<Subject, Set<PassThrough>>();
  #closed = false;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /**
   * @param start starts writing to the stream, and returns a function that stops it
   * @returns null if the subject has reached its limit or the server is closing
   */
  open(subject: Subject, start: (stream: EventStream) => () => void): PassThrough | null {
    const streams = this.#open.get(subject) ?? new Set();
    if (this.#closed || streams.size >= (this.#limits.maxStreams ?? MAX_STREAMS)) return null;
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
    const stop = start({ write, end, destroy: () => void stream.destroy() });
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

  /** Ends all streams and opens no more. */
  close(): void {
    this.#closed = true;
    for (const streams of this.#open.values()) for (const stream of streams) stream.end();
  }
}

/** Answers 429 if `stream` is null. */
export function sendEventStream(reply: FastifyReply, stream: PassThrough | null): FastifyReply {
  if (stream === null) return reply.code(429).header('retry-after', RETRY_AFTER_SECONDS).send();
  reply.raw.once('close', () => stream.destroy());
  return reply.headers({ 'content-type': EVENT_STREAM, 'x-accel-buffering': 'no' }).send(stream);
}
