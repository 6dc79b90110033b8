import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TEST_SEED } from './test/support/seed.ts';

/** Whole phone calls in real time. */
const CALLS = ['test/call/**/*.test.ts', 'test/system/system.test.ts'];
/** SIP and RTP in real time: not beside tests that keep the processor busy. */
const REAL_TIME = [
  'test/integration/phone/**/*.test.ts',
  'test/integration/softswitch/**/*.test.ts',
  'test/dashboard/{end-call,now,test-calls,try-it}.test.ts',
];
/** Files that take longest begin first, so that no worker is left with one of them at the end. */
const LONGEST = [
  'test/image.test.ts',
  'test/chaos/charges.test.ts',
  'test/integration/payments/stripe-card-memory.test.ts',
  'test/dashboard/barriers.test.ts',
  'test/page/states.test.ts',
  'test/dashboard/hostile-input.test.ts',
  'test/chaos/page-charges.test.ts',
  'test/chaos/refunds.test.ts',
  'test/chaos/refund-postgres.test.ts',
  'test/integration/start.test.ts',
  'test/integration/speech/synthesizers.test.ts',
  'src/speech/espeak/espeak.test.ts',
  'test/dashboard/test-calls.test.ts',
  'test/dashboard/try-it.test.ts',
  'test/integration/phone/by-link.test.ts',
  'test/integration/phone/endings.test.ts',
  'test/integration/phone/paid-elsewhere.test.ts',
  'test/integration/phone/text-after-drop.test.ts',
  'test/integration/phone/two-phones.test.ts',
  'test/system/system.test.ts',
  'test/call/faults.test.ts',
  'test/call/scripts.test.ts',
  'test/call/secrets.test.ts',
  'test/call/sipp.test.ts',
];

/** Searches all that its process has in memory. */
const APART = 'test/integration/payments/stripe-card-memory.test.ts';

/** Vitest's default on two cores is one worker, and most tests wait for a server or a timer. */
const workers = (atLeast: number) => Math.max(atLeast, availableParallelism() - 1);
/** Of real daemons there is one set, which takes one product at a time. */
const external = process.env.RINGKEY_ENGINE === 'external' || process.env.DRACHTIO_PORT !== undefined;
// A new order in every run finds tests that depend on it; in CI the order is fixed, so that a commit has one result.
const seed = process.env.CI ? TEST_SEED : Date.now();

/** {@link LONGEST}, then the others in an order that the seed gives. */
class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const keyOf = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((path) => moduleId.endsWith(path));
      const random = createHash('sha256').update(`${seed} ${moduleId}`).digest('hex');
      return place < 0 ? `then ${random}` : `first ${String(place).padStart(2, '0')}`;
    };
    return Promise.resolve([...files].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)));
  }
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/servers.ts'],
    // These limits only end what hangs. Generous: on a machine that is busy with something else, all takes many times
    // as long.
    hookTimeout: 240_000,
    testTimeout: 240_000,
    expect: { poll: { timeout: 180_000 } },
    // No retries: a test that fails now and then is a bug, of the test or of the product.
    retry: 0,
    setupFiles: ['test/support/seed-fast-check.ts'],
    // Tests are shuffled within their files. (`shuffle` in a project is ignored.)
    sequence: { shuffle: { tests: true }, sequencer: LongestFirst, seed },
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
          exclude: [APART, ...CALLS, ...REAL_TIME],
          // A worker loads the product once, and not for each file: that is a third of the processor's time. So a file
          // leaves no timers, mocks or variables of the process behind.
          isolate: false,
          sequence: { groupOrder: 1 },
          maxWorkers: workers(4),
        },
      },
      {
        extends: true,
        test: { name: 'apart', include: [APART], sequence: { groupOrder: 1 }, maxWorkers: workers(4) },
      },
      {
        extends: true,
        test: {
          name: 'real time',
          include: REAL_TIME,
          isolate: false,
          sequence: { groupOrder: 2 },
          maxWorkers: external ? 1 : workers(4),
        },
      },
      {
        extends: true,
        test: {
          name: 'calls',
          include: CALLS,
          sequence: { groupOrder: 3 },
          // Two files at once, and half of a file's calls or more: a call mostly waits, but its beginning does not.
          maxWorkers: external ? 1 : 2,
          maxConcurrency: 16,
        },
      },
    ],
  },
});
