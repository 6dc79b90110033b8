/**
 * The live part of the page of live calls, as server-sent events: `calls` holds its new HTML, each time that something has
 * changed, and once at the beginning. News by Redis only wake it; what it sends it has read from the REST surface.
 */
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createRerunner } from '../../concurrency/run-again.ts';
import type { UserId } from '../../domain/ids.ts';
import type { Progress } from '../../progress/ports.ts';
import type { Visit } from '../visit.ts';
import type { LiveCalls } from './live-calls.ts';

export interface LiveCallsStreamDeps {
  progress: Progress;
  read: () => Promise<LiveCalls>;
  render: (calls: LiveCalls) => string;
}

/** Of one user, in this process: a browser opens six connections to a host, and needs some for its pages. */
const MAX_STREAMS = 4;
/** Calls that begin are not announced. Half of it is less than what the phone takes for nobody being there (LOOK_LASTS_MS). */
const LOOK_MS = 2_000;
/** Between two readings: many calls at once are read together. */
const GAP_MS = 100;
const HEARTBEAT_MS = 15_000;
/** Then the browser opens another one, and who they are is looked at anew: whoever is signed out sees no more. */
const LONGEST_STREAM_MS = 60_000;
const AGAIN_MS = 250;
/** A browser that reads nothing loses its stream. */
const MAX_UNREAD_BYTES = 512 * 1024;

/** The open streams of this process, by their users. */
export class LiveCallsStreams {
  readonly #open = new Map<UserId, number>();

  /** @returns null where the user has as many as one may */
  open({ user: { userId, accountId } }: Visit, { progress, read, render }: LiveCallsStreamDeps): PassThrough | null {
    if ((this.#open.get(userId) ?? 0) >= MAX_STREAMS) return null;
    this.#count(userId, 1);
    const stream = new PassThrough();
    const write = (text: string) => {
      if (stream.writableLength > MAX_UNREAD_BYTES) stream.destroy();
      else if (stream.writable) stream.write(text);
    };
    const send = changesOnly(write, render);
    const looker = createRerunner(async () => {
      // The browser opens another stream, or asks without one, and sees then what is wrong.
      await read().then(send, () => stream.destroy());
      await delay(GAP_MS);
    });
    const look = () => {
      progress.publish(accountId, 'calls_watched');
      looker.wake();
    };
    const stop = progress.subscribe(accountId, (news) => {
      if (news !== 'calls_watched') looker.wake();
    });
    const timers = [setInterval(look, LOOK_MS), setInterval(() => write(':\n\n'), HEARTBEAT_MS)];
    const end = setTimeout(() => stream.end(), LONGEST_STREAM_MS);
    stream.once('close', () => {
      stop();
      for (const timer of timers) clearInterval(timer);
      clearTimeout(end);
      void looker.close();
      this.#count(userId, -1);
    });
    write(`retry: ${AGAIN_MS}\n\n`);
    look();
    return stream;
  }

  #count(userId: UserId, change: 1 | -1): void {
    const count = (this.#open.get(userId) ?? 0) + change;
    if (count > 0) this.#open.set(userId, count);
    else this.#open.delete(userId);
  }
}

/** Compares what was read, and not the HTML, in which time goes by. */
function changesOnly(write: (text: string) => void, render: (calls: LiveCalls) => string): (calls: LiveCalls) => void {
  let sent = '';
  return (calls) => {
    const facts = JSON.stringify(calls);
    if (facts === sent) return;
    sent = facts;
    const lines = render(calls).split('\n');
    write(`event: calls\n${lines.map((line) => `data: ${line}\n`).join('')}\n`);
  };
}
