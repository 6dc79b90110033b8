/**
 * Server-sent events of a page's live parts, one stream a reader: each part's HTML when it has changed, and all of it to a browser
 * that comes back. Every stream ends by itself, and a reader has a few of them at most.
 */
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createRerunner } from '../concurrency/run-again.ts';

export interface EventStream {
  /** An event of this name, unless the last one was the same. @param html may hold any line breaks */
  send(name: string, html: string): void;
  /** Nothing comes after what was sent. */
  end(): void;
}

/** Where the news of a stream come from. */
export interface LiveSource {
  /** Sends what is to be seen now. Runs once at the beginning and after each wake, never twice at once; a rejection ends the stream. */
  update(stream: EventStream): Promise<void>;
  /** Calls `wake` when something may have changed. @returns what stops it */
  watch(wake: () => void): () => void;
}

/** In this process: a browser opens six connections to a host, and needs some for its pages. */
const MAX_STREAMS = 4;
/** Between two updates: many changes at once are sent together. */
const GAP_MS = 100;
const HEARTBEAT_MS = 15_000;
/** Then the browser opens another one, and who they are is looked at anew: whoever is signed out sees no more. */
const LONGEST_STREAM_MS = 60_000;
/** The wait of a browser whose stream has ended. */
const AGAIN_MS = 250;
/** A browser that reads nothing loses its stream. */
const MAX_UNREAD_BYTES = 512 * 1024;
/** Each of them ends a line of an event stream (HTML Standard, 9.2.5); a text of an integrator may hold any. */
const LINE_END = /\r\n|\r|\n/;

/** The open streams of this process, by what has no more than four of them. */
export class EventStreams<Subject> {
  readonly #open = new Map<Subject, number>();

  /** @returns null where the subject has as many as it may */
  open(subject: Subject, source: LiveSource): PassThrough | null {
    if ((this.#open.get(subject) ?? 0) >= MAX_STREAMS) return null;
    this.#count(subject, 1);
    const stream = new PassThrough();
    const write = (text: string) => {
      if (stream.writableLength > MAX_UNREAD_BYTES) stream.destroy();
      else if (stream.writable) stream.write(text);
    };
    const events = { send: changesOnly(write), end: () => void stream.end() };
    const updater = createRerunner(async () => {
      // The browser opens another stream, or loads the page, and sees then what is wrong.
      await source.update(events).catch(() => stream.destroy());
      await delay(GAP_MS);
    });
    const stop = source.watch(() => updater.wake());
    const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MS);
    const end = setTimeout(() => stream.end(), LONGEST_STREAM_MS);
    stream.once('close', () => {
      stop();
      clearInterval(heartbeat);
      clearTimeout(end);
      void updater.close();
      this.#count(subject, -1);
    });
    write(`retry: ${AGAIN_MS}\n\n`);
    updater.wake();
    return stream;
  }

  #count(subject: Subject, change: 1 | -1): void {
    const count = (this.#open.get(subject) ?? 0) + change;
    if (count > 0) this.#open.set(subject, count);
    else this.#open.delete(subject);
  }
}

/** Remembers what it has written, and leaves out what is the same. */
function changesOnly(write: (text: string) => void): EventStream['send'] {
  const sent = new Map<string, string>();
  return (name, html) => {
    if (sent.get(name) === html) return;
    sent.set(name, html);
    const lines = html.split(LINE_END).map((line) => `data: ${line}\n`);
    write(`event: ${name}\n${lines.join('')}\n`);
  };
}
