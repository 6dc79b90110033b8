/** What the setup says to users who must install programs themselves. */
import { expect, test, vi } from 'vitest';
import { provideCommands } from './system.mjs';

const machine = vi.hoisted(() => ({ platform: 'linux' }));

/** A user without root. */
vi.mock('node:process', async (original) =>
  Object.defineProperties(Object.assign({}, await original<object>(), { getuid: () => 501 }), {
    platform: { get: () => machine.platform },
  }),
);
/** A machine without any of the programs. */
vi.mock('./run.mjs', async (original) => Object.assign({}, await original<object>(), { hasCommand: () => false }));

test('names the formulas of Homebrew on macOS', () => {
  machine.platform = 'darwin';
  expect(() => provideCommands(['redis-server', 'espeak-ng'])).toThrow(
    /Install them and start again:\n\n {2}brew install redis espeak-ng\n\n.*services do not have to run/,
  );
});

test('names the packages of Debian elsewhere, as in WSL', () => {
  machine.platform = 'linux';
  expect(() => provideCommands(['redis-server', 'espeak-ng'])).toThrow(
    /\n {2}sudo apt-get update && sudo apt-get install --no-install-recommends redis-server espeak-ng\n/,
  );
});
