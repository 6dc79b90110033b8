/**
 * The live part of a test call's page, as server-sent events: `state` and `steps` hold the new HTML of their part, `over` is
 * the last. Each is sent when it has changed, and all of it to a browser that comes back.
 */
import { PassThrough } from 'node:stream';
import type { Progress } from '../../progress/ports.ts';
import type { CheckoutSessionId } from '../../domain/ids.ts';
import type { TestCall } from './ports.ts';

/** HTML by the names of the events. */
export type Fragments = Readonly<Record<string, string>>;

export interface StreamDeps {
  progress: Pick<Progress, 'subscribe'>;
  /** Renders the parts as they are now. */
  render: (call: TestCall) => Promise<Fragments>;
}

/** Of one call: more than that is no reader. */
const MAX_STREAMS = 4;
const HEARTBEAT_MS = 15_000;
/** Then the browser opens another one, and who they are is looked at anew: whoever is signed out sees no more. */
const LONGEST_STREAM_MS = 60_000;
/** A browser that reads nothing loses its stream. */
const MAX_UNREAD_BYTES = 512 * 1024;

const open = new WeakMap<TestCall, number>();

/** @returns null where the call has as many readers as it may */
export function streamTestCall(call: TestCall, { progress, render }: StreamDeps): PassThrough | null {
  const readers = open.get(call) ?? 0;
  if (readers >= MAX_STREAMS) return null;
  open.set(call, readers + 1);
  const stream = new PassThrough();
  const write = (text: string) => {
    if (stream.writableLength > MAX_UNREAD_BYTES) stream.destroy();
    else if (stream.writable) stream.write(text);
  };
  const update = inTurn(
    async () => {
      // Before it is rendered: what changes meanwhile is rendered once more.
      const isOver = call.state !== 'running';
      for (const text of changed(await render(call))) write(text);
      if (!isOver) return;
      write('event: over\ndata: over\n\n');
      stream.end();
    },
    () => stream.destroy(),
  );
  const changed = changesOnly();
  const stops = [call.watch(update), progress.subscribe(call.checkout.sessionId as CheckoutSessionId, update)];
  const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MS);
  const end = setTimeout(() => stream.end(), LONGEST_STREAM_MS);
  stream.once('close', () => {
    for (const stop of stops) stop();
    clearInterval(heartbeat);
    clearTimeout(end);
    open.set(call, (open.get(call) ?? 1) - 1);
  });
  update();
  return stream;
}

/** Each of them ends a line of an event stream (HTML Standard, 9.2.5); a text of an integrator may hold any. */
const LINE_END = /\r\n|\r|\n/;

/** Remembers what it was given, and tells as events what differs from it. */
function changesOnly(): (fragments: Fragments) => string[] {
  const sent = new Map<string, string>();
  return (fragments) =>
    Object.entries(fragments).flatMap(([name, html]) => {
      if (sent.get(name) === html) return [];
      sent.set(name, html);
      return [
        `event: ${name}\n${html
          .split(LINE_END)
          .map((line) => `data: ${line}\n`)
          .join('')}\n`,
      ];
    });
}

/** Runs `work` again when it was asked for while it ran, never twice at once. */
function inTurn(work: () => Promise<void>, onError: () => void): () => void {
  let [isRunning, isWanted] = [false, false];
  const run = async (): Promise<void> => {
    isRunning = true;
    try {
      do {
        isWanted = false;
        await work();
      } while (isWanted);
    } catch {
      // The browser opens another stream, and sees then what is wrong.
      onError();
    } finally {
      isRunning = false;
    }
  };
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}
