import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stopwatch, TimeLimit, withinLimit, withRetries } from './time-limit.ts';

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
            resolve('told');
          });
        }),
    );
    await vi.advanceTimersByTimeAsync(999);
    expect(aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await waiting).toBe('told');
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

describe('withRetries', () => {
  it('tries again until it works', async () => {
    vi.useRealTimers();
    let tries = 0;
    const step = async () => {
      tries += 1;
      if (tries < 3) throw new Error('away');
      return tries;
    };
    expect(await withRetries(5_000, () => true, step)).toBe(3);
  });

  it('does not try again what is no use', async () => {
    let tries = 0;
    const step = async () => {
      tries += 1;
      throw new Error('bug');
    };
    await expect(withRetries(5_000, () => false, step)).rejects.toThrow('bug');
    expect(tries).toBe(1);
  });

  it('gives up with the last error when its time is over', async () => {
    vi.useRealTimers();
    let tries = 0;
    const step = async () => {
      tries += 1;
      throw new Error(`away ${tries}`);
    };
    const failed = await withRetries(1_000, () => true, step).catch((error: Error) => error.message);
    expect(tries).toBeGreaterThan(1);
    expect(failed).toBe(`away ${tries}`);
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
