import { expect, test } from 'vitest';
import { createFailureLog } from './failure-log.ts';

function createLog() {
  const lines: unknown[] = [];
  const clock = { ms: 0 };
  const add = (level: string) => (fields: object, message?: string) => {
    const { err, ...rest } = fields as { err?: Error };
    lines.push([level, message, err?.message, rest]);
  };
  const log = { info: add('info'), warn: add('warn') } as Parameters<typeof createFailureLog>[0];
  const words = { failed: 'sweep failed', works: 'sweep works again' };
  return { lines, clock, failures: createFailureLog(log, { sweep: 'cards' }, words, () => clock.ms) };
}

test('logs an outage when it starts, once a minute, and when it ends', () => {
  const { lines, clock, failures } = createLog();
  failures.worked();
  for (let second = 0; second < 150; second += 1, clock.ms += 1_000) failures.failed(new Error('away'));
  failures.worked();
  failures.worked();
  expect(lines).toEqual([
    ['warn', 'sweep failed', 'away', { sweep: 'cards', failures: 1 }],
    ['warn', 'sweep failed', 'away', { sweep: 'cards', failures: 61 }],
    ['warn', 'sweep failed', 'away', { sweep: 'cards', failures: 121 }],
    ['info', 'sweep works again', undefined, { sweep: 'cards', failures: 150, seconds: 150 }],
  ]);
});

test('logs a new error at once, and the next outage from its start', () => {
  const { lines, failures } = createLog();
  for (const message of ['away', 'away', 'refused']) failures.failed(new Error(message));
  failures.worked();
  failures.failed('no error object');
  expect(lines).toMatchObject([
    ['warn', 'sweep failed', 'away', { failures: 1 }],
    ['warn', 'sweep failed', 'refused', { failures: 3 }],
    ['info', 'sweep works again', undefined, { failures: 3 }],
    ['warn', 'sweep failed', undefined, { failures: 1 }],
  ]);
});

test('logs errors whose messages differ each time only so often', () => {
  const { lines, clock, failures } = createLog();
  for (let second = 0; second < 120; second += 1, clock.ms += 1_000) {
    for (const slot of [1, 2, 3]) failures.failed(new Error(`MOVED ${second + slot}`));
  }
  // Five kinds at once, then a line a minute.
  expect(lines).toHaveLength(6);
  failures.worked();
  failures.failed(new Error('MOVED 1'));
  expect(lines).toHaveLength(8);
});
