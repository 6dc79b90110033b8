import { describe, expect, it } from 'vitest';
import { deferred } from '../../lib/concurrency/deferred.ts';
import { type LoadReadings, Overload } from './overload.ts';
import { ResponseTime } from './response-time.ts';

const CALM: LoadReadings = {
  eventLoopUse: 0.1,
  eventLoopDelayMs: 2,
  mediaAnswerMs: 30,
  mediaReplyMs: 2,
  databaseMs: 3,
};

const MANY_CALLS = 100;

/** Notes a reading every quarter of a second. */
class Readings {
  readonly overload: Overload;
  #nowMs = 0;

  constructor(maxLoad = 0.8) {
    this.overload = new Overload(maxLoad);
  }

  /** @returns the cause at the end */
  during(ms: number, change: Partial<LoadReadings> = {}) {
    for (const until = this.#nowMs + ms; this.#nowMs < until; this.#nowMs += 250) {
      this.overload.note({ ...CALM, ...change }, this.#nowMs);
    }
    return this.overload.refuses(MANY_CALLS);
  }
}

describe('overload', () => {
  it.each([
    ['event_loop', { eventLoopUse: 0.85 }],
    ['event_loop', { eventLoopDelayMs: 250 }],
    ['media_server', { mediaAnswerMs: 1_200 }],
    ['media_server', { mediaReplyMs: 250 }],
    ['database', { databaseMs: 600 }],
  ] as const)('is caused by %s after one second of %j, and ends half a second after it', (cause, high) => {
    const readings = new Readings();
    expect(readings.during(1_000, high)).toBeNull();
    expect(readings.during(250, high)).toBe(cause);
    expect(readings.during(500)).toBe(cause);
    expect(readings.during(250)).toBeNull();
  });

  it('is not caused by short peaks', () => {
    const readings = new Readings();
    for (let peak = 0; peak < 10; peak += 1) {
      expect(readings.during(1_000, { eventLoopUse: 1 })).toBeNull();
      expect(readings.during(250)).toBeNull();
    }
  });

  it('lasts while the value is between both limits, or low only briefly', () => {
    const readings = new Readings();
    readings.during(1_250, { databaseMs: 900 });
    expect(readings.during(10_000, { databaseMs: 300 })).toBe('database');
    expect(readings.during(500)).toBe('database');
    expect(readings.during(250, { databaseMs: 900 })).toBe('database');
    expect(readings.during(750)).toBeNull();
  });

  it('is judged separately for each component', () => {
    const readings = new Readings();
    readings.during(1_250, { databaseMs: 900, mediaAnswerMs: 2_000 });
    expect(readings.during(1_000, { databaseMs: 900 })).toBe('database');
    expect(readings.during(750)).toBeNull();
  });

  it('refuses none of the first five calls', () => {
    const readings = new Readings();
    readings.during(5_000, { eventLoopUse: 1 });
    expect([5, 6].map((calls) => readings.overload.refuses(calls))).toEqual([null, 'event_loop']);
  });

  it('refuses no call with a limit of 100%', () => {
    expect(new Readings(1).during(10_000, { eventLoopUse: 1, databaseMs: 5_000 })).toBeNull();
  });
});

describe('a response time', () => {
  const clock = () => {
    let nowMs = 0;
    const pass = (ms: number) => {
      nowMs += ms;
    };
    return { now: () => nowMs, pass };
  };

  it('follows many answers, but not a single late one', () => {
    const { now } = clock();
    const time = new ResponseTime(now);
    for (let answer = 0; answer < 20; answer += 1) time.note(10);
    time.note(500);
    expect(time.ms).toBeLessThan(120);
    for (let answer = 0; answer < 20; answer += 1) time.note(500);
    expect(time.ms).toBeGreaterThan(480);
  });

  it('decays without answers', () => {
    const { now, pass } = clock();
    const time = new ResponseTime(now);
    for (let answer = 0; answer < 30; answer += 1) time.note(800);
    pass(3_000);
    expect(time.ms).toBeLessThan(110);
  });

  it('is at least the age of the oldest unanswered request', async () => {
    const { now, pass } = clock();
    const time = new ResponseTime(now);
    const answers = [deferred<void>(), deferred<void>()] as const;
    const first = time.track(answers[0].promise.then(() => Promise.reject(new Error('away'))));
    pass(100);
    const second = time.track(answers[1].promise);
    pass(1_900);
    expect(time.ms).toBe(2_000);
    answers[0].resolve();
    await expect(first).rejects.toThrow('away');
    expect(time.ms).toBe(1_900);
    answers[1].resolve();
    await second;
    expect(time.ms).toBeLessThan(1_000);
  });
});
