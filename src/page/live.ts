/**
 * The page's live part. `GET <page>/events` is a stream of server-sent events, each of which says only that something may have
 * changed; `GET <page>/state` is what the page's script then reads, and asks for every three seconds where there is no stream.
 */
import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EVENT_STREAM } from '../api/plugins/metrics.ts';
import type { CheckoutSessionId } from '../domain/ids.ts';
import type { Progress } from '../progress/ports.ts';
import { onCallText } from './views/on-call.ts';
import { type PageView, versionOf } from './views/view.ts';

type Request = FastifyRequest<{ Params: { code: string } }>;

export interface LiveDeps {
  progress: Pick<Progress, 'subscribe'>;
  /** The session of the link in the path. @throws PageFault */
  sessionOf: (request: Request) => Promise<CheckoutSessionId>;
  viewOf: (request: Request) => Promise<PageView>;
  streams: EventStreams;
}

/** Of one session, in this process: more than that is no payer. */
const MAX_STREAMS = 4;
/** A comment, so that proxies keep the connection, and a dead one is found. */
const HEARTBEAT_MS = 15_000;
/** Then the browser opens another one. */
const LONGEST_STREAM_MS = 10 * 60_000;
const AGAIN_MS = 3_000;
/** A browser that reads nothing loses its stream. */
const MAX_UNREAD_BYTES = 16 * 1024;
const RETRY_AFTER_SECONDS = 60;

export function liveRoutes(page: FastifyInstance, deps: LiveDeps): void {
  // A stream has no length, and no end that a HEAD could wait for.
  page.get('/:code/events', { exposeHeadRoute: false }, async (request: Request, reply) => {
    const sessionId = await deps.sessionOf(request);
    const stream = deps.streams.open(sessionId, deps.progress);
    if (stream === null) return reply.code(429).header('retry-after', RETRY_AFTER_SECONDS).send();
    reply.raw.once('close', () => stream.destroy());
    reply.headers({ 'content-type': EVENT_STREAM, 'x-accel-buffering': 'no' });
    return reply.send(stream);
  });

  page.get('/:code/state', async (request: Request, reply: FastifyReply) => {
    const view = await deps.viewOf(request);
    const { kind } = view.state;
    // The page's encapsulated serializer is for forms and HTML.
    return reply
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ state: kind, version: versionOf(view), on_call: onCallText(view) }));
  });
}

/** The open streams of this process. */
export class EventStreams {
  readonly #open = new Map<CheckoutSessionId, Set<PassThrough>>();
  #closed = false;

  /** @returns null where the session has as many as it may, or the server closes */
  open(sessionId: CheckoutSessionId, progress: LiveDeps['progress']): PassThrough | null {
    const streams = this.#open.get(sessionId) ?? new Set();
    if (this.#closed || streams.size >= MAX_STREAMS) return null;
    this.#open.set(sessionId, streams);
    const stream = new PassThrough();
    streams.add(stream);
    const write = (text: string) => {
      if (stream.writableLength > MAX_UNREAD_BYTES) stream.destroy();
      else if (stream.writable) stream.write(text);
    };
    const stop = progress.subscribe(sessionId, () => write('data: changed\n\n'));
    const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MS);
    const end = setTimeout(() => stream.end(), LONGEST_STREAM_MS);
    stream.once('close', () => {
      stop();
      clearInterval(heartbeat);
      clearTimeout(end);
      streams.delete(stream);
      if (streams.size === 0 && this.#open.get(sessionId) === streams) this.#open.delete(sessionId);
    });
    write(`retry: ${AGAIN_MS}\n\n`);
    return stream;
  }

  /** Ends all, and opens none any more. */
  close(): void {
    this.#closed = true;
    for (const streams of this.#open.values()) for (const stream of streams) stream.end();
  }
}
