/** Whether the arguments of `npm test` only say how to report, so that all tests run. */
export function selectsAllTests(args: string[]): boolean;

/** Runs all tests, real-time ones beside the others. Returns the exit code: 0 if all tests pass. */
export function runAllTests(reporting: string[]): Promise<number>;
