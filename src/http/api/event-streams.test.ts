/** The limit of event streams. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { EventStreams } from './event-streams.ts';

const LIMITS = { longestMs: 3_600_000, againMs: 1, maxUnreadBytes: 1_024 };
const begin = () => () => undefined;

test('a subject has a limited number of streams, and a closed one frees its place', async () => {
  const streams = new EventStreams<string>({ ...LIMITS, maxStreams: 2 });
  const [first, second] = [streams.open('a', begin), streams.open('a', begin)];
  expect([first === null, second === null, streams.open('a', begin)]).toEqual([false, false, null]);
  expect(streams.open('b', begin)).not.toBeNull();
  const closed = once(first as NonNullable<typeof first>, 'close');
  first?.destroy();
  await closed;
  expect(streams.open('a', begin)).not.toBeNull();
  streams.close();
  expect(streams.open('c', begin)).toBeNull();
  second?.destroy();
});
