/**
 * vitest's setup file: property tests draw the same values in every run, so that a change is judged by what it changes.
 * RINGKEY_TEST_SEED draws others; fast-check tells the seed of a property that fails.
 */
import fc from 'fast-check';
import { TEST_SEED } from './seed.ts';

fc.configureGlobal({ seed: TEST_SEED });
