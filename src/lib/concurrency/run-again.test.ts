/** Work that is done once more for what was asked meanwhile. */
import { expect, test } from 'vitest';
import { deferred } from './deferred.ts';
import { createRerunner } from './run-again.ts';

test('work that asks for itself as it begins is done once more, behind itself', async () => {
  const [twice, isAtWork] = [deferred<void>(), { now: false }];
  let runs = 0;
  const rerunner = createRerunner(async () => {
    expect(isAtWork.now).toBe(false);
    isAtWork.now = true;
    runs += 1;
    if (runs === 1) rerunner.wake();
    else twice.resolve();
    await null;
    isAtWork.now = false;
  });
  rerunner.wake();
  await twice.promise;
  await rerunner.close();
  expect(runs).toBe(2);
});

test('close prevents another run and waits for the current one', async () => {
  const [started, may] = [deferred<void>(), deferred<void>()];
  let ended = 0;
  const rerunner = createRerunner(async () => {
    started.resolve();
    await may.promise;
    ended += 1;
  });
  rerunner.wake();
  await started.promise;
  rerunner.wake();
  may.resolve();
  await rerunner.close();
  rerunner.wake();
  await rerunner.close();
  expect(ended).toBe(1);
});
