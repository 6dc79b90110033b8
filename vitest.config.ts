import { defineConfig } from 'vitest/config';
import { TEST_SEED } from './test/support/seed.ts';

/** Whole phone calls, in real time: on a small machine they want it for themselves. */
const CALLS = 'test/call/**/*.test.ts';

export default defineConfig({
  test: {
    globalSetup: ['test/support/servers.ts'],
    // A cold PostgreSQL on a busy two-core machine.
    hookTimeout: 120_000,
    testTimeout: 90_000,
    // What is waited for comes at once, but on a machine that is busy with something else.
    expect: { poll: { timeout: 20_000 } },
    // No retries: a test that fails now and then is a bug, of the test or of the product.
    retry: 0,
    setupFiles: ['test/support/seed-fast-check.ts'],
    // Another order in every run finds what hangs on it; in CI a commit has one order, and one result. (A project's own
    // `shuffle` does nothing.)
    sequence: { shuffle: true, seed: process.env.CI ? TEST_SEED : Date.now() },
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [CALLS],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'calls',
          include: [CALLS],
          sequence: { groupOrder: 2 },
          // A call waits most of its time: all of a file's at once.
          maxConcurrency: 30,
        },
      },
    ],
  },
});
