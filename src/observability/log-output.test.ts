import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GatheringOutput } from './log-output.ts';

let folder: string;
let path: string;
let descriptor: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ringkey-log-'));
  path = join(folder, 'out');
});
afterEach(() => {
  closeSync(descriptor);
  rmSync(folder, { recursive: true });
});

const written = () => readFileSync(path, 'utf8');

test('lines are gathered and written in their order, by themselves', async () => {
  descriptor = openSync(path, 'w');
  const output = new GatheringOutput(descriptor);
  for (const line of ['one\n', 'two\n', 'thrée\n']) output.write(line);
  expect(written()).toBe('');
  await expect.poll(written, { interval: 5 }).toBe('one\ntwo\nthrée\n');
});

test('much is written at once', () => {
  descriptor = openSync(path, 'w');
  const output = new GatheringOutput(descriptor);
  output.write(`${'x'.repeat(40_000)}\n`);
  expect(written()).toHaveLength(40_001);
});

test('what waits is written before flushSync returns', () => {
  descriptor = openSync(path, 'w');
  const output = new GatheringOutput(descriptor);
  output.write('last words\n');
  output.flushSync();
  expect(written()).toBe('last words\n');
});

test('a reader that falls behind misses nothing', async () => {
  execFileSync('mkfifo', [path]);
  // Open for both, so that the pipe has a reader and never blocks.
  descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const output = new GatheringOutput(descriptor);
  const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`);
  for (const line of lines) output.write(line);
  let heard = '';
  await expect
    .poll(() => {
      heard += readAll();
      return heard.length;
    })
    .toBe(lines.join('').length);
  expect(heard).toBe(lines.join(''));
});

function readAll(): string {
  const chunk = Buffer.alloc(1 << 20);
  try {
    return chunk.toString('latin1', 0, readSync(descriptor, chunk));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return '';
    throw error;
  }
}
