/**
 * Vitest setup file: property tests draw the same values in every run. RINGKEY_TEST_SEED sets another seed; fast-check
 * prints the seed of a failing property.
 */
import fc from 'fast-check';
import { TEST_SEED } from './seed.ts';

fc.configureGlobal({ seed: TEST_SEED });
