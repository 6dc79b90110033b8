import { describe, expect, test } from 'vitest';
import { selectsAllTests } from './all-tests.mjs';

describe('npm test', () => {
  test.each([
    { args: [] },
    { args: ['--reporter=dot'] },
    { args: ['--reporter=dot', '--reporter=json', '--outputFile.json=results.json'] },
  ])('runs all tests with the arguments $args', ({ args }) => expect(selectsAllTests(args)).toBe(true));

  test.each([
    { args: ['test/contract'] },
    { args: ['--shard=1/3'] },
    { args: ['--reporter=dot', '-t', 'refund'] },
    { args: ['--watch'] },
    { args: ['--reporter', 'dot'] },
  ])('passes a selection such as $args to one run of Vitest', ({ args }) => expect(selectsAllTests(args)).toBe(false));
});
