import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { TEST_SEED } from './test/support/seed.ts';

/** Whole phone calls in real time. A two-core machine runs one file of them at a time, and nothing else. */
const CALLS = 'test/call/**/*.test.ts';
/** SIP and RTP in real time: not beside tests that keep the processor busy. */
const REAL_TIME = ['test/integration/phone/**/*.test.ts', 'test/integration/softswitch/**/*.test.ts'];
/** Most tests wait for a server or a timer. (Vitest's default on two cores is one worker.) */
const WORKERS = Math.max(2, availableParallelism() - 1);

export default defineConfig({
  test: {
    globalSetup: ['test/support/servers.ts'],
    // A cold PostgreSQL on a busy two-core machine.
    hookTimeout: 120_000,
    testTimeout: 90_000,
    // Generous, for a machine that is busy with something else.
    expect: { poll: { timeout: 20_000 } },
    // No retries: a test that fails now and then is a bug, of the test or of the product.
    retry: 0,
    setupFiles: ['test/support/seed-fast-check.ts'],
    // A new order in every run finds tests that depend on it; in CI the order is fixed, so that a commit has one result.
    // (`shuffle` in a project is ignored.)
    sequence: { shuffle: true, seed: process.env.CI ? TEST_SEED : Date.now() },
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [CALLS, ...REAL_TIME],
          sequence: { groupOrder: 1 },
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: { name: 'real time', include: REAL_TIME, sequence: { groupOrder: 2 }, maxWorkers: WORKERS },
      },
      {
        extends: true,
        test: {
          name: 'calls',
          include: [CALLS],
          sequence: { groupOrder: 3 },
          // A call mostly waits, so all of a file's run at once.
          maxConcurrency: 30,
        },
      },
    ],
  },
});
