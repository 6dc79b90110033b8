import { expect, it } from 'vitest';
import { InFlight } from './in-flight.ts';

function open<T>(): { promise: Promise<T>; end: (value: T) => void; fail: (error: Error) => void } {
  let end: (value: T) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  return { promise, end, fail };
}

it('is idle when nothing was ever under way', async () => {
  expect(await new InFlight().idle(0)).toBe(true);
});

it('counts what is under way until it has ended, well or badly', async () => {
  const inFlight = new InFlight();
  const [good, bad] = [open<number>(), open<number>()];
  const answers = [inFlight.track(good.promise), inFlight.track(bad.promise)];
  expect(inFlight.size).toBe(2);
  good.end(1);
  bad.fail(new Error('broken'));
  await expect(answers[0]).resolves.toBe(1);
  await expect(answers[1]).rejects.toThrow('broken');
  expect(inFlight.size).toBe(0);
});

it('waits also for what starts while it waits', async () => {
  const inFlight = new InFlight();
  const [first, second] = [open<void>(), open<void>()];
  void inFlight.track(first.promise.then(() => void inFlight.track(second.promise)));
  let idle = false;
  const waiting = inFlight.idle(10_000).then((done) => {
    idle = done;
  });
  first.end();
  await first.promise;
  expect(idle).toBe(false);
  second.end();
  await waiting;
  expect(idle).toBe(true);
});

it('says so when the time is over first', async () => {
  const inFlight = new InFlight();
  void inFlight.track(open<void>().promise);
  expect(await inFlight.idle(5)).toBe(false);
});
