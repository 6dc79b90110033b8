import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deferred } from './deferred.ts';
import { endsWithin, stopwatch, TimeLimit, waitAtMost, waitUntil, withinLimit } from './time-limit.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('withinLimit', () => {
  it('gives the answer and leaves no timer', async () => {
    expect(await withinLimit(1_000, async () => 'yes')).toBe('yes');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('aborts the signal at the limit', async () => {
    let aborted = false;
    const waiting = withinLimit(
      1_000,
      (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            resolve('stopped');
          });
        }),
    );
    await vi.advanceTimersByTimeAsync(999);
    expect(aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await waiting).toBe('stopped');
  });

  it('aborts with the outer signal, also with one that was aborted before', async () => {
    const outer = new AbortController();
    const seen: boolean[] = [];
    const work = async (signal: AbortSignal) => {
      seen.push(signal.aborted);
      outer.abort();
      seen.push(signal.aborted);
    };
    await withinLimit(1_000, work, outer.signal);
    await withinLimit(1_000, work, outer.signal);
    expect(seen).toEqual([false, true, true, true]);
  });

  it('passes an error on', async () => {
    await expect(withinLimit(1_000, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('withinLimit, by the real clock', () => {
  it('leaves one that ignores its signal', async () => {
    vi.useRealTimers();
    await expect(withinLimit(1, () => new Promise(() => undefined))).rejects.toThrow(TimeLimit);
  });
});

describe('waiting with an end', () => {
  const never = new Promise<string>(() => undefined);

  it('gives the result in time, else what stands for none', async () => {
    vi.useRealTimers();
    expect(await waitAtMost(1_000, Promise.resolve('yes'))).toBe('yes');
    expect(await waitAtMost(1, never)).toBeNull();
    expect(await waitAtMost(1, never, 'late')).toBe('late');
    await expect(waitAtMost(1_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('takes an answer that was there when a process goes on that was held up past the limit', async () => {
    const { promise, resolve } = deferred<string>();
    const waiting = waitAtMost(1_000, promise);
    vi.advanceTimersByTime(1_000);
    // Timers have their turn before sockets.
    resolve('there');
    expect(await waiting).toBe('there');
  });

  it('says whether work ended in time, well or badly', async () => {
    vi.useRealTimers();
    expect(await endsWithin(1_000, Promise.resolve())).toBe(true);
    expect(await endsWithin(1_000, Promise.reject(new Error('broken')))).toBe(true);
    expect(await endsWithin(1, never)).toBe(false);
  });

  it('polls until a condition holds, or the time is over', async () => {
    vi.useRealTimers();
    const answers = [false, false, true];
    expect(await waitUntil(1_000, 1, () => answers.shift() === true)).toBe(true);
    expect(answers).toEqual([]);
    expect(await waitUntil(5, 1, async () => false)).toBe(false);
  });
});

describe('stopwatch', () => {
  it('believes the clock that has seen more', () => {
    const elapsedMs = stopwatch();
    vi.advanceTimersByTime(500);
    expect(elapsedMs()).toBe(500);
    vi.setSystemTime(Date.now() + 60_000);
    expect(elapsedMs()).toBe(60_500);
    vi.setSystemTime(0);
    expect(elapsedMs()).toBe(500);
  });
});
