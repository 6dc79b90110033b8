/** A promise that a test resolves when it likes. */
export { type Deferred, deferred } from '../../src/lib/concurrency/deferred.ts';
