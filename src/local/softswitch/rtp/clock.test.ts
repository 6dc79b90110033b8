import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MediaClock } from './clock.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A clock on fake time that counts its ticks. */
function counting(): { clock: MediaClock; ticks: { skipped: number }[]; stall(ms: number): void; stop(): void } {
  let stalledMs = 0;
  const clock = new MediaClock(() => Date.now() + stalledMs);
  const ticks: { skipped: number }[] = [];
  const ticked = { tick: (_nowMs: number, skipped: number) => ticks.push({ skipped }) };
  clock.add(ticked);
  return {
    clock,
    ticks,
    stall: (ms) => {
      stalledMs += ms;
    },
    stop: () => clock.remove(ticked),
  };
}

describe('the media clock', () => {
  it('ticks fifty times a second and does not drift', () => {
    const { ticks } = counting();
    vi.advanceTimersByTime(60_000);
    expect(ticks).toHaveLength(3000);
  });

  it('catches up if its timer was late', () => {
    const { ticks, stall } = counting();
    vi.advanceTimersByTime(1000);
    stall(130);
    vi.advanceTimersByTime(870);
    expect(ticks).toHaveLength(100);
    expect(ticks.every(({ skipped }) => skipped === 0)).toBe(true);
  });

  it('skips the time of a long stall instead of sending a burst', () => {
    const { ticks, stall } = counting();
    vi.advanceTimersByTime(1000);
    stall(5000);
    vi.advanceTimersByTime(20);
    expect(ticks.length).toBeLessThanOrEqual(61);
    const passed = ticks.length + ticks.reduce((sum, { skipped }) => sum + skipped, 0);
    expect(passed).toBe(301);
  });

  it('stops if no stream is registered', () => {
    const { ticks, stop, clock } = counting();
    vi.advanceTimersByTime(100);
    stop();
    expect(vi.getTimerCount()).toBe(0);
    expect(clock.size).toBe(0);
    vi.advanceTimersByTime(100);
    expect(ticks).toHaveLength(5);
  });

  it('lets a stream unregister during a tick', () => {
    const clock = new MediaClock(() => Date.now());
    const calls: string[] = [];
    const second = { tick: () => calls.push('second') };
    clock.add({
      tick: () => {
        calls.push('first');
        clock.remove(second);
      },
    });
    clock.add(second);
    vi.advanceTimersByTime(40);
    expect(calls).toEqual(['first', 'first']);
  });
});
