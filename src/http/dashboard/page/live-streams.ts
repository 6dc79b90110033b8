/**
 * The live parts of a page as server-sent events. A part's HTML is sent when it changes; a browser that reconnects gets
 * all parts.
 */
import type { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createRerunner } from '../../../lib/concurrency/run-again.ts';
import { type EventStream, EventStreams } from '../../api/event-streams.ts';
import { inLanguage, language } from '../words/language.ts';

/** Sends an event with this name, unless the last one was the same. @param html may contain line breaks */
type SendPart = (name: string, html: string) => void;

/** The source of a stream's updates. */
export interface LiveSource {
  /**
   * Sends the current state, in the language of the request that opened the stream. Runs once at the start and after each wake, never concurrently. A rejection ends the
   * stream.
   * @param end ends the stream after the parts sent so far
   */
  update(send: SendPart, end: () => void): Promise<void>;
  /** Calls `wake` when something may have changed, in any language. @returns a function that stops watching */
  watch(wake: () => void): () => void;
}

/** Time between two updates, so that many changes are sent together. */
const GAP_MS = 100;
/** The browser reconnects every minute. The session is then checked again, so that signed-out users get no updates. */
const LIMITS = { longestMs: 60_000, againMs: 250, maxUnreadBytes: 512 * 1024 };
/** Line endings of an event stream (HTML Standard, 9.2.5). An integrator's text may contain any of them. */
const LINE_END = /\r\n|\r|\n/;

/** @returns a function that opens a stream, or returns null if the subject already has four */
export function liveStreams<Subject>(): (subject: Subject, source: LiveSource) => PassThrough | null {
  const streams = new EventStreams<Subject>(LIMITS);
  return (subject, source) => streams.open(subject, (stream) => sendChanges(stream, source));
}

function sendChanges(stream: EventStream, source: LiveSource): () => void {
  const send = changesOnly(stream.write);
  // A wake can come from another request, or from Redis.
  const reader = language();
  const updater = createRerunner(async () => {
    // The browser reconnects or reloads the page, and the error shows then.
    await inLanguage(reader, () => source.update(send, stream.end)).catch(stream.destroy);
    await delay(GAP_MS);
  });
  const stop = source.watch(() => updater.wake());
  updater.wake();
  return () => {
    stop();
    void updater.close();
  };
}

/** Skips parts that have not changed since they were last written. */
function changesOnly(write: (text: string) => void): SendPart {
  const sent = new Map<string, string>();
  return (name, html) => {
    if (sent.get(name) === html) return;
    sent.set(name, html);
    const lines = html.split(LINE_END).map((line) => `data: ${line}\n`);
    write(`event: ${name}\n${lines.join('')}\n`);
  };
}
