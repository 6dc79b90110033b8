/** The event streams of the dashboard's pages: what they send, how many there are, and how each of them ends. */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deferred } from '../../../lib/concurrency/deferred.ts';
import { inLanguage, language } from '../words/language.ts';
import { type LiveSource, liveStreams } from './live-streams.ts';

const RETRY = 'retry: 250\n\n';

/** What happens to it is up to the test. */
function sourceOf(update: LiveSource['update']): LiveSource & { wake: () => void; isWatched: () => boolean } {
  let wanted: (() => void) | null = null;
  return {
    update,
    watch(wake) {
      wanted = wake;
      return () => {
        wanted = null;
      };
    },
    wake: () => wanted?.(),
    isWatched: () => wanted !== null,
  };
}

const openStream = (update: LiveSource['update']) => openStreamOf(sourceOf(update));

function openStreamOf<Source extends LiveSource>(source: Source) {
  const stream = liveStreams<string>()('reader', source);
  if (stream === null) throw new Error('no stream');
  return { source, stream };
}

test.each(['\n', '\r', '\r\n'])('a line break %j in a text stays within its event', async (lineBreak) => {
  const { stream } = openStream(async (send, end) => {
    send('steps', `Corner${lineBreak}event: after${lineBreak}${lineBreak}data: Bakery`);
    end();
  });
  expect(await text(stream)).toBe(
    `${RETRY}event: steps\ndata: Corner\ndata: event: after\ndata: \ndata: data: Bakery\n\n`,
  );
});

test('a stream keeps the language of its request, also when another request wakes it', async () => {
  const rounds: string[] = [];
  const source = sourceOf(async (send, end) => {
    rounds.push(language());
    send('words', `${rounds.length} ${language()}`);
    if (rounds.length === 1) inLanguage('fr', source.wake);
    else end();
  });
  const { stream } = inLanguage('de', () => openStreamOf(source));
  await text(stream);
  expect(rounds).toEqual(['de', 'de']);
});

test('a part is sent when it has changed, and what changes meanwhile is looked at once more', async () => {
  const rounds = [
    { a: '1', b: '1' },
    { a: '1', b: '2' },
  ];
  const source = sourceOf(async (send, end) => {
    const { a, b } = rounds.shift() ?? {};
    source.wake();
    if (a === undefined || b === undefined) return end();
    send('a', a);
    send('b', b);
  });
  const { stream } = openStreamOf(source);
  expect(await text(stream)).toBe(`${RETRY}event: a\ndata: 1\n\nevent: b\ndata: 1\n\nevent: b\ndata: 2\n\n`);
  expect(source.isWatched()).toBe(false);
});

test('an update that fails ends the stream, and its watch', async () => {
  const { source, stream } = openStream(() => Promise.reject(new Error('no database')));
  await once(stream, 'close');
  expect(source.isWatched()).toBe(false);
});

test('a reader who takes nothing loses the stream', async () => {
  const { source, stream } = openStream(async (send) => {
    send('a', 'x'.repeat(600 * 1024));
    send('b', 'one more');
  });
  await once(stream, 'close');
  expect(source.isWatched()).toBe(false);
});

test('a subject has four streams, and another one when one is closed', async () => {
  const openOf = liveStreams<string>();
  const open = (subject: string) =>
    openOf(
      subject,
      sourceOf(async () => undefined),
    );
  const four = [open('a'), open('a'), open('a'), open('a')];
  expect(four).not.toContain(null);
  expect(open('a')).toBeNull();
  expect(open('b')).not.toBeNull();
  four[0]?.destroy();
  expect(open('a')).toBeNull();
  await Promise.all(four.slice(0, 1).map((stream) => stream && once(stream, 'close')));
  expect(open('a')).not.toBeNull();
});

describe('over time', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('it has a heartbeat, and ends after a minute', async () => {
    const { source, stream } = openStream(async () => undefined);
    const sent = text(stream);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(stream.writableEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await sent).toBe(`${RETRY}${':\n\n'.repeat(4)}`);
    expect(source.isWatched()).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a reader who takes nothing loses it soon after its end, though little waits', async () => {
    const { source, stream } = openStream(async (send) => send('a', 'x'.repeat(40 * 1024)));
    await vi.advanceTimersByTimeAsync(60_000 + 15_000);
    expect([stream.destroyed, source.isWatched(), vi.getTimerCount()]).toEqual([true, false, 0]);
  });

  test('what an update sends after the end is not written', async () => {
    const reading = deferred<void>();
    let updating = Promise.resolve();
    const { stream } = openStream((send) => {
      updating = reading.promise.then(() => send('a', 'late'));
      return updating;
    });
    await vi.advanceTimersByTimeAsync(60_000);
    reading.resolve();
    await updating;
    expect([stream.writableEnded, stream.errored]).toEqual([true, null]);
  });
});
