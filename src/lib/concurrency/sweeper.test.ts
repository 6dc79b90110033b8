/** A sweep's many waits end with its `stop`, and none of them is left listening. */
import { getEventListeners, once } from 'node:events';
import { setImmediate as laterTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSweeper } from './sweeper.ts';
import { withinLimit } from './time-limit.ts';

/** As many as any sweep works on at once. */
const BATCH = 20;
const HOUR = 3_600_000;

const warnings: string[] = [];
const onWarning = ({ name }: Error) => void warnings.push(name);
beforeEach(() => void process.on('warning', onWarning));
afterEach(() => void process.off('warning', onWarning));

it('may wait for a whole batch at once: Node sees no leak, and there is none', async () => {
  const stops: AbortSignal[] = [];
  const waiting = {
    name: 'a batch',
    async run(stop: AbortSignal) {
      stops.push(stop);
      const untilStopped = (signal: AbortSignal) => once(signal, 'abort');
      await Promise.all(Array.from({ length: BATCH }, () => withinLimit(HOUR, untilStopped, stop)));
    },
    nextInMs: async () => null,
  };
  const sweeper = startSweeper(waiting, HOUR, { info: () => undefined, warn: () => undefined });
  const listening = () => stops.map((stop) => getEventListeners(stop, 'abort').length);
  expect(listening()).toEqual([BATCH]);
  await sweeper.close();
  expect(listening()).toEqual([0]);
  // Node warns in a later turn.
  await laterTurn();
  expect(warnings).not.toContain('MaxListenersExceededWarning');
});
