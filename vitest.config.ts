import { defineConfig } from 'vitest/config';

/** Whole phone calls, in real time: on a small machine they want it for themselves. */
const CALLS = 'test/call/**/*.test.ts';

export default defineConfig({
  test: {
    globalSetup: ['test/support/servers.ts'],
    // A cold PostgreSQL on a busy two-core machine.
    hookTimeout: 60_000,
    testTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [CALLS],
          sequence: { shuffle: true, groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'calls',
          include: [CALLS],
          sequence: { shuffle: true, groupOrder: 2 },
          // A call waits most of its time: all of a file's at once.
          maxConcurrency: 30,
        },
      },
    ],
  },
});
