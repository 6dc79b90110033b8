/** The limits of waiting requests. */
import { expect, test } from 'vitest';
import { parseId } from '../../domain/ids.ts';
import { deferred } from '../../lib/concurrency/deferred.ts';
import type { NewsType } from '../../notifications/progress/ports.ts';
import { type SessionWait, SessionWaits } from './session-waits.ts';

const HOUR_MS = 3_600_000;

function idsOf(name: string) {
  const [accountId, sessionId] = [parseId('Account', `acct_${name}`), parseId('CheckoutSession', `cs_${name}`)];
  if (accountId === null || sessionId === null) throw new Error('no such IDs');
  return { accountId, sessionId };
}

function waitsWith(limits = { process: 3, account: 2 }) {
  const listeners = new Set<(news: NewsType) => void>();
  const waits = new SessionWaits(
    {
      subscribe: (_subject, listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    limits,
  );
  return { waits, listeners };
}

function waitOf(name: string, readings: string[] = ['open']): SessionWait<string> & { readings: string[] } {
  return {
    ...idsOf(name),
    readings,
    waitMs: HOUR_MS,
    gone: new AbortController().signal,
    read: async () => (readings.length > 1 ? readings.shift() : readings[0]) ?? '',
    isFinal: () => false,
    isChanged: (last, now) => last !== now,
  };
}

test('refuses more waiting requests than an account or the process may have, until one is answered', async () => {
  const { waits, listeners } = waitsWith();
  const waiting = [waits.wait(waitOf('a')), waits.wait(waitOf('a'))];
  await expect(waits.wait(waitOf('a'))).rejects.toMatchObject({ code: 'rate_limit', status: 429 });
  waiting.push(waits.wait(waitOf('b')));
  await expect(waits.wait(waitOf('c'))).rejects.toMatchObject({ status: 503, retryAfterSeconds: 5 });
  waits.close();
  expect(await Promise.all(waiting)).toEqual(['open', 'open', 'open']);
  expect(listeners.size).toBe(0);
  // After the end, requests are answered without a wait.
  expect(await waits.wait(waitOf('c'))).toBe('open');
});

test('reads again after each message, and answers the first change', async () => {
  const { waits, listeners } = waitsWith();
  const same = deferred<void>();
  const wait = waitOf('a', ['open', 'open', 'paid']);
  const read = async () => {
    const reading = await wait.read();
    if (wait.readings.length === 1) same.resolve();
    return reading;
  };
  const answer = waits.wait({ ...wait, read });
  const tell = () => {
    for (const listener of listeners) listener('page_opened');
  };
  tell();
  await same.promise;
  tell();
  expect(await answer).toBe('paid');
});

test('compares each reading with the one before, so that a second call with the same end is a change', async () => {
  const { waits, listeners } = waitsWith();
  const readings = ['stopped', 'on the line', 'stopped'];
  const [first, second] = [deferred<void>(), deferred<void>()];
  let reads = 0;
  const read = async () => {
    reads += 1;
    (reads === 1 ? first : second).resolve();
    return readings[reads - 1] ?? '';
  };
  const isChanged = (last: string, now: string) => now !== 'on the line' && last !== now;
  const answer = waits.wait({ ...waitOf('a'), read, isChanged });
  const tell = () => {
    for (const listener of listeners) listener('call_stage');
  };
  await first.promise;
  tell();
  await second.promise;
  tell();
  expect([await answer, reads]).toEqual(['stopped', 3]);
});

test('a client that has gone frees its place', async () => {
  const { waits, listeners } = waitsWith({ process: 1, account: 1 });
  const client = new AbortController();
  const answer = waits.wait({ ...waitOf('a'), gone: client.signal });
  client.abort();
  await answer;
  expect(listeners.size).toBe(0);
  waits.close();
  expect(await waits.wait(waitOf('a'))).toBe('open');
});

test('a reading that fails frees its place', async () => {
  const { waits } = waitsWith({ process: 1, account: 1 });
  const failing = { ...waitOf('a'), read: () => Promise.reject(new Error('no database')) };
  await expect(waits.wait(failing)).rejects.toThrow('no database');
  waits.close();
  expect(await waits.wait(waitOf('a'))).toBe('open');
});
