import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog, flushedLater } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): { text: string; line: Record<string, unknown> } {
  const lines: string[] = [];
  write(createLog({ level: 'info', instance: 'a', destination: { write: (line) => lines.push(line) } }));
  const text = lines.join('');
  return { text, line: JSON.parse(text) as Record<string, unknown> };
}

test('a line is a sentence with fields, a level by name, a time and who wrote it', () => {
  const { line } = logged((log) => log.warn({ status: 5 }, 'something happened'));
  expect(line).toMatchObject({ level: 'warn', msg: 'something happened', status: 5, instance: 'a' });
  expect(line.time).toMatch(/^\d{4}-.*Z$/);
});

test('keys, tokens and card data are cut out', () => {
  const secrets = { token: 'S1', authorization: 'S2', card: 'S3', digits: 'S4', call: { digit: 'S5', key: 'S6' } };
  const { text, line } = logged((log) => log.info(secrets, 'careless'));
  expect(text).not.toMatch(/S[1-6]/);
  expect(line.call).toEqual({ digit: '[secret]', key: '[secret]' });
});

test('an error is told by name, message, code and causes, not by what a driver hangs on it', () => {
  const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (phone)=(+15550101234)' });
  const { text, line } = logged((log) => log.error({ error: new Error('not kept', { cause }) }, 'failed'));
  expect(line.error).toMatchObject({ message: 'not kept', cause: { message: 'duplicate key', code: '23505' } });
  expect(text).not.toContain('+15550101234');
});

test('lines are flushed together after a moment, and nothing is flushed without lines', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const output = { write: vi.fn(() => true), flush: vi.fn() };
  const log = createLog({ level: 'info', instance: 'a', destination: flushedLater(output) });
  vi.advanceTimersByTime(1_000);
  expect(output.flush).not.toHaveBeenCalled();
  log.info('first');
  log.info('second');
  vi.advanceTimersByTime(1_000);
  expect(output.write).toHaveBeenCalledTimes(2);
  expect(output.flush).toHaveBeenCalledTimes(1);
  log.info('third');
  vi.advanceTimersByTime(1_000);
  expect(output.flush).toHaveBeenCalledTimes(2);
});
