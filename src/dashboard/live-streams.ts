/** The live parts of a page as server-sent events: each part's HTML when it has changed, and all of it to a browser that comes back. */
import type { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type EventStream, EventStreams } from '../api/event-streams.ts';
import { createRerunner } from '../concurrency/run-again.ts';

/** An event of this name, unless the last one was the same. @param html may hold any line breaks */
export type SendPart = (name: string, html: string) => void;

/** Where the news of a stream come from. */
export interface LiveSource {
  /**
   * Sends what is to be seen now. Runs once at the beginning and after each wake, never twice at once; a rejection ends the stream.
   * @param end nothing comes after what was sent
   */
  update(send: SendPart, end: () => void): Promise<void>;
  /** Calls `wake` when something may have changed. @returns what stops it */
  watch(wake: () => void): () => void;
}

/** Between two updates: many changes at once are sent together. */
const GAP_MS = 100;
/** After a minute the browser opens another one, and who they are is looked at anew: whoever is signed out sees no more. */
const LIMITS = { longestMs: 60_000, againMs: 250, maxUnreadBytes: 512 * 1024 };
/** Each of them ends a line of an event stream (HTML Standard, 9.2.5); a text of an integrator may hold any. */
const LINE_END = /\r\n|\r|\n/;

/** @returns opens a stream; null where the subject has four */
export function liveStreams<Subject>(): (subject: Subject, source: LiveSource) => PassThrough | null {
  const streams = new EventStreams<Subject>(LIMITS);
  return (subject, source) => streams.open(subject, (stream) => sendChanges(stream, source));
}

function sendChanges(stream: EventStream, source: LiveSource): () => void {
  const send = changesOnly(stream.write);
  const updater = createRerunner(async () => {
    // The browser opens another stream, or loads the page, and sees then what is wrong.
    await source.update(send, stream.end).catch(stream.destroy);
    await delay(GAP_MS);
  });
  const stop = source.watch(() => updater.wake());
  updater.wake();
  return () => {
    stop();
    void updater.close();
  };
}

/** Remembers what it has written, and leaves out what is the same. */
function changesOnly(write: (text: string) => void): SendPart {
  const sent = new Map<string, string>();
  return (name, html) => {
    if (sent.get(name) === html) return;
    sent.set(name, html);
    const lines = html.split(LINE_END).map((line) => `data: ${line}\n`);
    write(`event: ${name}\n${lines.join('')}\n`);
  };
}
